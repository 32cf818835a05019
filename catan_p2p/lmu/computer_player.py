"""A computer player: a policy that decides on what its seat may know.

It sits at the server for empty, silent and lost seats, and in the client for its own. Of others' cards it uses the
numbers only, so it knows no more than anybody who reads its messages.
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
"""What a policy can always do in its turn, if nothing else."""


def with_guesses(state: State, viewer: Player, rng: Random) -> State:
    """The state with other cards in all hands but the viewer's, as many as there are, and the rest in the bank."""
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
    """Decides for one player. States that it is given may hold others' cards, at which it does not look."""

    def __init__(self, policy: str, player: Player, rng: Random) -> None:
        self.player = player
        self._policy = checked(make_policy(policy))
        self._rng = rng

    def decide(
        self, state: State, may_be: Callable[[a.Action], bool], *, offers: bool = True, village: int = 0
    ) -> a.Action | None:
        """An action for the turn that ``may_be``, and no offer unless there may be ``offers``.

        In the set-up a ``village`` that stands already gets its road. None if there is nothing to decide.
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
            # A policy takes it for granted that it can go on. Where a server has refused just that, chance decides.
            return self._rng.choice(options)
        chosen = self._policy.choose(state, self.player, options, self._rng)
        return chosen if may_be(chosen) else self._rng.choice(options)

    def accepts(self, state: State, offer: OpenOffer) -> bool:
        """What it says to an offer."""
        if not covers(state.h[self.player - 1].rc, offer.receive):
            return False
        state = with_guesses(state, self.player, self._rng)
        asked = _answers(state, {self.player: "asked"})
        state = state._replace(tp="Offering", ap=offer.player, offer=Offer(offer.give, offer.receive), ans=asked)
        choice = self._policy.choose(state, self.player, decisions(state, self.player), self._rng)
        return isinstance(choice, a.AnswerTrade) and choice.answer == "accept"

    def concludes_with(self, state: State, offer: OpenOffer) -> Player | None:
        """With whom it makes the trade that it offered, now that everybody has answered; None for nobody."""
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
