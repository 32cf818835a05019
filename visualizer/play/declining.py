"""Declining offers for the people at a screen: which ones, and when."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from catan_p2p.game.actions import AnswerTrade
from catan_p2p.game.actions.answer_trade import is_asked
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import State

from .reasons import broken_by

PAUSE_S = (4.0, 12.0)
"""The pause in seconds before a decline that could tell others what a hidden hand holds: a person would think, too."""
_AGAIN_S = 10.0
"""After how many seconds a decline that is not in the log is sent again."""


@dataclass(frozen=True, slots=True)
class DeclineRules:
    """Which offers a person declines without being asked."""

    unpayable: bool = False
    """Those that they cannot pay."""
    players: frozenset[Player] = frozenset()
    """All offers of these players."""
    turn_of: Player = NO_OWNER
    """All offers of this player in the turn under way."""

    def refuses(self, player: Player) -> bool:
        """Whether no offer of a player is to be shown."""
        return player == self.turn_of or player in self.players

    def covers(self, state: State, player: Player) -> bool:
        """Whether the standing offer, to which ``player`` owes an answer, is declined for them."""
        if state.tp != "Offering" or not is_asked(state, player):
            return False
        return self.refuses(state.ap) or (self.unpayable and cannot_pay(state, player))


ASKED = DeclineRules()
"""The rules of a person who is asked about every offer."""


def cannot_pay(state: State, player: Player) -> bool:
    """Whether the player, all of whose cards are known in ``state``, lacks what the standing offer asks for."""
    return bool(broken_by(state, AnswerTrade(player, "accept")))


@dataclass(slots=True)
class OfferDecliner:
    """Decides when to decline offers for the people at a screen.

    ``clock`` returns seconds; ``pause_s`` draws the pause before a decline that could tell others something.
    """

    clock: Callable[[], float]
    pause_s: Callable[[], float] = field(default=lambda: Random().uniform(*PAUSE_S))
    _chosen: dict[str, DeclineRules] = field(default_factory=dict)
    _due: dict[str, tuple[object, float]] = field(default_factory=dict)
    """By colour, the offer to decline, and when."""
    _sent: set[str] = field(default_factory=set)
    """The colours whose decline is on its way into the log."""

    def of(self, colour: str, *, unpayable: bool) -> DeclineRules:
        """The rules of the player of this colour; ``unpayable`` is a setting of the window."""
        return replace(self._chosen.get(colour, ASKED), unpayable=unpayable)

    def change(self, colour: str, wish: str, player: Player) -> None:
        """Switch declining all offers of ``player`` on or off; with the ``wish`` "turn", only those of this turn."""
        chosen = self._chosen.get(colour, ASKED)
        if wish == "turn":
            chosen = replace(chosen, turn_of=NO_OWNER if chosen.turn_of == player else player)
        else:
            chosen = replace(chosen, players=chosen.players ^ {player})
        self._chosen[colour] = chosen

    def follow(self, state: State) -> None:
        """Take account of the newest state: a choice for one turn ends with the turn."""
        for colour, chosen in self._chosen.items():
            if chosen.turn_of not in (NO_OWNER, state.ap):
                self._chosen[colour] = replace(chosen, turn_of=NO_OWNER)

    def decline(self, state: State, player: Player, colour: str, which: DeclineRules, *, at_once: bool) -> bool:
        """Whether to decline the standing offer now."""
        if not which.covers(state, player):
            self._due.pop(colour, None)
            return False
        offer = state.ap, state.offer, state.made
        known, due = self._due.get(colour, (None, 0.0))
        if known != offer:
            tells_nothing = at_once or which.refuses(state.ap)
            due = self.clock() + (0.0 if tells_nothing else self.pause_s())
        # Once the person has clicked to hear no more offers, the decline tells nothing of the hand: the pause ends.
        elif which.refuses(state.ap) and colour not in self._sent:
            due = min(due, self.clock())
        # A decline that is sent becomes due again later, in case it never reaches the log.
        is_due = self.clock() >= due
        self._due[colour] = offer, self.clock() + _AGAIN_S if is_due else due
        if is_due:
            self._sent.add(colour)
        return is_due

    def is_answer(self, colour: str) -> bool:
        """Whether a report about an action of ``colour`` is about a decline; each decline has one report."""
        found = colour in self._sent
        self._sent.discard(colour)
        return found
