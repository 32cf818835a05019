"""What a player remembers of the game: whose hands hold what, as far as the moves at the table tell.

All cards move in the open but those that are stolen: robber and victim see the card, everybody else that there was one.
So a player who counts knows every hand but for a few thefts. ``Memory`` holds the possible hands of all players with
how likely each combination is; what somebody pays, offers or gives up later rules combinations out.
"""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.game import actions, cards
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import State
from catan_p2p.players.strategist.turn import Trade
from catan_p2p.players.strategist.weights import MOST_COMBINATIONS

Hands = tuple[cards.Cards, ...]


class _Event(NamedTuple):
    """What a move told everybody about hands, and what it told those who took part."""

    changes: tuple[int, ...]
    """cards gained less cards lost, by seat"""
    robber: Player
    victim: Player
    """both ``NO_OWNER`` if every card moved in the open"""
    shown: tuple[Player, cards.Cards] | None
    """cards that somebody must hold, since the move was allowed"""


class Trading(NamedTuple):
    """What the active player has traded in this turn."""

    offered: set[tuple[cards.Cards, cards.Cards]]
    """what was offered to the others, and for what"""
    fetched: set[cards.Resource]
    """what was got for other cards, from the bank or from somebody else"""


class Memory:
    """What was seen of one game; each player's view of it is worked out when it is asked for."""

    def __init__(self) -> None:
        self._events: list[_Event] = []
        self._views: dict[Player, _View] = {}
        self._said: list[_Event] = []
        """What replies to one commit have shown, until play goes on: who replies does not know the others' replies."""
        self._knows_all = False
        """Whether everything since a moment at which nobody held a card was seen."""
        self.trading: Trading | None = None
        """What was traded in this turn; None if no turn was seen from its beginning."""

    def saw(self, before: State, action: actions.Action, after: State) -> None:
        """Take in a move: the state in which it took place, and the one that it led to.

        Of both only what the player who asks may know comes into their view.
        """
        if isinstance(action, actions.RollDice):
            self.trading = Trading(set(), set())
        elif self.trading is not None and isinstance(action, actions.OfferTrade):
            self.trading.offered.add((action.give, action.receive))
        elif self.trading is not None and isinstance(action, Trade):
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
        """The likeliest hands of all as the player has followed the game; None if that is not known.

        They agree with what is open in the state: how many cards everybody holds, and what all hold together.
        """
        fitting = self._fitting(state, player)
        return max(fitting)[1] if fitting else None

    def held(self, state: State, player: Player) -> Hands | None:
        """The cards that each surely holds as the player has followed the game; None if that is not known.

        It is not known any more once combinations were left out for their number.
        """
        fitting = self._fitting(state, player)
        if not fitting or self._views[player].is_cut:
            return None
        return tuple(
            cards.pack(map(min, zip(*map(cards.unpack, hands), strict=True)))
            for hands in zip(*(hands for _, hands in fitting), strict=True)
        )

    def _fitting(self, state: State, player: Player) -> list[tuple[float, Hands]]:
        """How likely which hands are; empty if the player has not seen everything."""
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
        """How likely each is; empty before the first event, and if what was seen contradicts itself."""
        self.is_cut = False
        """Whether combinations were left out for their number."""

    def take_in(self, events: list[_Event]) -> None:
        """Follow what has happened since the last time."""
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
    """The cards that a player has shown to hold by saying what only their holder may say."""
    if isinstance(action, actions.OfferTrade | actions.ProposeTrade):
        return action.player, action.give
    if isinstance(action, actions.AnswerTrade) and action.answer == "accept" and before.constants.rules.table_talk:
        return action.player, before.offer.receive
    return None
