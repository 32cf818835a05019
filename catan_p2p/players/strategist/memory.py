"""What a player remembers of the game: who holds which cards, as far as the moves at the table show.

All cards move in the open except stolen ones: robber and victim see the card, the others only that there was one. So a
player who counts knows every hand up to a few thefts. ``Memory`` holds the possible hands of all players with the
probability of each combination. What somebody pays, offers or gives up later rules combinations out.
"""

from typing import NamedTuple

from catan_p2p.game import actions, cards
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import State
from catan_p2p.players.strategist.weights import MOST_COMBINATIONS

Hands = tuple[cards.Cards, ...]


class _Event(NamedTuple):
    """What a move told everybody about hands, and what it told those who took part."""

    changes: tuple[int, ...]
    """cards gained minus cards lost, by seat"""
    robber: Player
    victim: Player
    """both ``NO_OWNER`` if every card moved in the open"""
    shown: tuple[Player, cards.Cards] | None
    """cards that somebody must hold, because the move was allowed"""


class Trading(NamedTuple):
    """What the active player has traded in this turn."""

    offered: set[tuple[cards.Cards, cards.Cards]]
    """what was offered to the others, and for what"""
    fetched: set[cards.Resource]
    """what was received for other cards, from the bank or from another player"""


class Memory:
    """What was seen of one game; each player's view of it is worked out on demand."""

    def __init__(self) -> None:
        self._events: list[_Event] = []
        self._views: dict[Player, _View] = {}
        self._said: list[_Event] = []
        """What the replies to one commit have shown, until play goes on: no replier knows the others' replies."""
        self._knows_all = False
        """Whether everything was seen since a moment at which nobody held a card."""
        self.trading: Trading | None = None
        """What was traded in this turn; None if no turn was seen from its beginning."""

    def saw(self, before: State, action: actions.Action, after: State) -> None:
        """Take in a move: the state before it and the state after it.

        Only what the asking player may know of both enters that player's view.
        """
        if isinstance(action, actions.RollDice):
            self.trading = Trading(set(), set())
        elif self.trading is not None and isinstance(action, actions.OfferTrade):
            self.trading.offered.add((action.give, action.receive))
        elif self.trading is not None and isinstance(action, actions.BankTrade):
            self.trading.fetched.add(action.receive)
        elif self.trading is not None and isinstance(action, actions.ConcludeTrade):
            self.trading.fetched.update(
                cards.RESOURCES[kind] for kind in cards.kinds(before.terms(action.partner).receive)
            )
        if not any(hand.rc for hand in before.h):
            self._events, self._views, self._said, self._knows_all = [], {}, [], True
        if not self._knows_all:
            return
        changes = tuple(new.rc - old.rc for new, old in zip(after.h, before.h, strict=True))
        robber = victim = NO_OWNER
        if isinstance(action, actions.MoveBandit | actions.PlayKnight) and any(changes):
            robber, victim = action.player, action.victim
        shown = _shown(before, action)
        event = _Event(changes, robber, victim, shown)
        if is_reply(action) and shown is not None:
            self._said.append(event)
            return
        if not is_reply(action):
            self._events += self._said
            self._said = []
        if shown is not None or any(changes):
            self._events.append(event)

    def hands(self, state: State, player: Player) -> Hands | None:
        """Everybody's likeliest hands as the player has followed the game; None if they are not known.

        They agree with what is open in the state: how many cards everybody holds, and what all hold together.
        """
        fitting = self._fitting(state, player)
        return max(fitting)[1] if fitting else None

    def held(self, state: State, player: Player) -> Hands | None:
        """The cards that each player certainly holds, as the player has followed the game; None if that is not known.

        It is no longer known once some combinations were dropped because there were too many.
        """
        fitting = self._fitting(state, player)
        if not fitting or self._views[player].is_cut:
            return None
        return tuple(
            cards.pack(map(min, zip(*map(cards.unpack, hands), strict=True)))
            for hands in zip(*(hands for _, hands in fitting), strict=True)
        )

    def _fitting(self, state: State, player: Player) -> list[tuple[float, Hands]]:
        """The probability of each combination of hands; empty if the player has not seen everything."""
        if not self._knows_all:
            return []
        view = self._views.setdefault(player, _View(player))
        view.take_in(self._events)
        own = state.h[player - 1].rc
        sizes = [cards.total(hand.rc) for hand in state.h]
        together = state.constants.rules.resource_pool - state.bnk.rc
        return [
            (chance, hands)
            for hands, chance in view.combinations.items()
            if hands[player - 1] == own and sum(hands) == together and [cards.total(hand) for hand in hands] == sizes
        ]


class _View:
    """The combinations of hands that one player holds possible."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._seen = 0
        self.combinations: dict[Hands, float] = {}
        """the probability of each; empty before the first event, and if what was seen contradicts itself"""
        self.is_cut = False
        """whether combinations were dropped because there were too many"""

    def take_in(self, events: list[_Event]) -> None:
        """Follow what has happened since the last call."""
        if not self._seen and events:
            self.combinations = {(cards.NO_CARDS,) * len(events[0].changes): 1.0}
        for event in events[self._seen :]:
            hidden = event.robber and self._player not in (event.robber, event.victim)
            found = self._stolen(event) if hidden else self._moved(event)
            if len(found) > MOST_COMBINATIONS:
                likely = sorted(found.items(), key=lambda item: (-item[1], item[0]))
                found, self.is_cut = dict(likely[:MOST_COMBINATIONS]), True
            self.combinations = found
        self._seen = len(events)

    def _moved(self, event: _Event) -> dict[Hands, float]:
        found = {}
        for hands, chance in self.combinations.items():
            if event.shown is not None and not cards.covers(hands[event.shown[0] - 1], event.shown[1]):
                continue
            after = tuple(hand + change for hand, change in zip(hands, event.changes, strict=True))
            if all(map(cards.is_valid, after)):
                found[after] = chance
        return found

    def _stolen(self, event: _Event) -> dict[Hands, float]:
        found: dict[Hands, float] = {}
        for hands, chance in self.combinations.items():
            held = hands[event.victim - 1]
            for kind in cards.RESOURCES:
                if likely := cards.count(held, kind):
                    after = list(hands)
                    after[event.victim - 1] -= cards.ONE[kind]
                    after[event.robber - 1] += cards.ONE[kind]
                    one = tuple(after)
                    found[one] = found.get(one, 0.0) + chance * likely / cards.total(held)
        return found


def _shown(before: State, action: actions.Action) -> tuple[Player, cards.Cards] | None:
    """The cards that a player has shown to hold by a move that only their holder may make."""
    if isinstance(action, actions.OfferTrade | actions.ProposeTrade):
        return action.player, action.give
    if isinstance(action, actions.AnswerTrade) and action.answer == "accept" and before.constants.rules.table_talk:
        return action.player, before.offer.receive
    return None
