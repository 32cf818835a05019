"""A computer player: a policy that decides by what its seat may know.

The server uses it for empty, silent and disconnected seats, the client for its own. It replaces other players' hidden
cards by a random sample of the same size, so it knows no more than a client that reads the messages.
"""

from collections.abc import Callable
from random import Random

from catan_p2p import actions as a
from catan_p2p.game.cards import NO_CARDS, ONE, count, covers, total
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import decisions
from catan_p2p.game.state import NOTHING_HIDDEN, Answer, Bank, Hand, Offer, State
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.players.choosing import checked
from catan_p2p.players.policies import make_policy
from catan_p2p.view.card_memory import unseen_cards
from catan_p2p.view.sample import sample

_GOING_ON = (a.RollDice, a.EmptyBuild)
"""Actions that policies take to be always possible in their phases."""


def with_guesses(state: State, viewer: Player, rng: Random) -> State:
    """The state with the hidden cards of all others drawn anew, as many as they hold, and the rest in the bank."""
    hands, sealed, held = [], [], []
    for player, hand in enumerate(state.h, 1):
        knights = ONE["Knight"] * count(hand.uc, "Knight")
        hidden = total(hand.bc) + total(hand.ac) + count(hand.uc, "VictoryPoint")
        is_own = player == viewer
        hands.append(hand if is_own else Hand(NO_CARDS, NO_CARDS, NO_CARDS, knights))
        sealed.append(0 if is_own else total(hand.rc))
        held.append(0 if is_own else hidden)
    seen = state._replace(h=tuple(hands))
    counts = NOTHING_HIDDEN._replace(sealed=tuple(sealed), bought=(0,) * len(held), held=tuple(held))
    return sample(seen._replace(bnk=Bank(NO_CARDS, unseen_cards(seen, viewer)), hid=counts), rng)


class ComputerPlayer:
    """Decides for one player. It ignores the cards of others in the states that it is given."""

    def __init__(self, policy: str, player: Player, rng: Random) -> None:
        self.player = player
        self._policy = checked(make_policy(policy))
        self._rng = rng

    def decide(
        self, state: State, may_be: Callable[[a.Action], bool], *, offers: bool = True, village: int = 0
    ) -> a.Action | None:
        """An action for which ``may_be`` is true; an offer only if ``offers``. None if there is no such action.

        In the set-up, ``village`` is a village that stands already and needs its road, 0 for none.
        """
        state = with_guesses(state, self.player, self._rng)
        everything = decisions(state, self.player)
        options = [
            option
            for option in everything
            if (offers or not isinstance(option, a.OfferTrade))
            and (not village or getattr(option, "at", village) == village)
            and may_be(option)
        ]
        if not options:
            return None
        if any(isinstance(option, _GOING_ON) and option not in options for option in everything):
            # Policies expect one of these among their options. If a server has refused it, choose at random.
            return self._rng.choice(options)
        chosen = self._policy.choose(state, self.player, options, self._rng)
        return chosen if may_be(chosen) else self._rng.choice(options)

    def accepts(self, state: State, offer: OpenOffer) -> bool:
        """Whether it accepts another player's offer."""
        if not covers(state.h[self.player - 1].rc, offer.receive):
            return False
        state = with_guesses(state, self.player, self._rng)
        asked = _answers(state, {self.player: "asked"})
        state = state._replace(tp="Offering", ap=offer.player, offer=Offer(offer.give, offer.receive), ans=asked)
        choice = self._policy.choose(state, self.player, decisions(state, self.player), self._rng)
        return isinstance(choice, a.AnswerTrade) and choice.answer == "accept"

    def concludes_with(self, state: State, offer: OpenOffer) -> Player | None:
        """The partner with whom it concludes its own offer, once everybody has answered; None for nobody."""
        if not any(offer.answers.values()) or not covers(state.h[self.player - 1].rc, offer.give):
            return None
        state = with_guesses(state, self.player, self._rng)
        said: dict[Player, Answer] = {
            other: "accept" if accepts else "reject" for other, accepts in offer.answers.items()
        }
        state = state._replace(tp="Offering", offer=Offer(offer.give, offer.receive), ans=_answers(state, said))
        choice = self._policy.choose(state, self.player, decisions(state, self.player), self._rng)
        return choice.partner if isinstance(choice, a.ConcludeTrade) else None


def _answers(state: State, said: dict[Player, Answer]) -> tuple[Answer, ...]:
    none: Answer = "none"
    return tuple(said.get(player, none) for player in state.constants.players)
