"""Decisions of policies, and the handling of bad ones.

A chooser can be anybody's code. It may raise, choose what the rules forbid, or return something else than an action.
That costs the player one decision but not the game: the mistake is counted, the first of its kind is logged, and the
player does the least that the rules allow instead.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from catan_p2p.game.actions import (
    KIND_OF,
    Action,
    AnswerTrade,
    Call,
    Pledge,
    Reveal,
    misfit,
)
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.constants import Player
from catan_p2p.game.move_watcher import MoveWatcher, Watch
from catan_p2p.game.rules import broken_guards, called_for, decisions, draw_or_call, settlement
from catan_p2p.game.state import State
from catan_p2p.log.storage.loggers import logger


class PolicyChooser(Protocol):
    """Decides for a player; ``players.policies`` makes choosers by name."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """One of ``decisions``, which is never empty.

        If ``decisions`` contains an offer, any other enabled offer will do too.
        """


class PolicyMistake(Exception):
    """A chooser failed to decide; the message of one line says what it did."""

    def __init__(self, told: str, kind: str | None = None) -> None:
        super().__init__(told)
        self.kind = kind or told.partition(":")[0]
        """Of mistakes of one kind, only the first is logged."""


class CheckedChooser:
    """A chooser whose every choice is legal, whatever the wrapped chooser does."""

    def __init__(self, chooser: PolicyChooser) -> None:
        self.mistakes = 0
        """How many decisions the wrapped chooser has failed to make."""
        self._chooser = chooser
        self._logged: set[str] = set()

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """The choice of the wrapped chooser, or the least that the rules allow if that is not legal."""
        # A copy, since a policy may change the list that it is given.
        offered = tuple(decisions)
        try:
            choice = self._asked(state, player, decisions, rng)
            check_choice(state, player, offered, choice)
        except PolicyMistake as mistake:
            self.mistakes += 1
            instead = least(player, offered, rng)
            self._log(mistake, f"player {player} loses the decision: {instead}")
            return instead
        chosen: Action = choice
        return chosen

    def _asked(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Any:
        try:
            return self._chooser.choose(state, player, decisions, rng)
        except PolicyMistake:
            raise
        except Exception as error:  # noqa: BLE001 - a policy may raise anything
            raise PolicyMistake(f"raises {_in_a_line(error)}") from None

    def _log(self, mistake: PolicyMistake, what_follows: str) -> None:
        if mistake.kind not in self._logged:
            self._logged.add(mistake.kind)
            logger("catan_p2p").warning("policy %s %s; %s", _name_of(self._chooser), mistake, what_follows)


class _CheckedWatcher(CheckedChooser):
    """The same for a chooser that watches every move."""

    def __init__(self, chooser: PolicyChooser, watch: Watch) -> None:
        super().__init__(chooser)
        self._watch = watch

    def watch(self, before: State, action: Action, after: State) -> None:
        """Notify the chooser of a move."""
        try:
            self._watch(before, action, after)
        except Exception as error:  # noqa: BLE001 - a policy may raise anything
            mistake = PolicyMistake(f"raises {_in_a_line(error)}", f"watching {type(error).__name__}")
            self._log(mistake, f"it was told {action!r}")


def shown_decisions(state: State, player: Player) -> list[Action]:
    """The decisions that a chooser is shown: with joint draws, the actions that the calls are for."""
    shown = decisions(state, player)
    if state.constants.rules.chance == "joint":
        return [called_for(state, one) if isinstance(one, Call) else one for one in shown]
    return shown


def decided(
    state: State, player: Player, chooser: PolicyChooser, rng: Random, luck: Callable[[str], Random] | None = None
) -> Action:
    """The action of an awaited player in a game without a log: the next step of a joint draw, or the player's choice.

    ``luck`` gives the generator for the chance outcome of an action of this name; by default it is ``rng``.
    """
    if state.tp == "Pledging":
        return Pledge(player)
    if state.tp == "Drawing":
        if owes_reply(state, player):
            return Reveal(player)
        return settlement(state, luck(state.call.what) if luck else rng)
    choice = chooser.choose(state, player, shown_decisions(state, player), rng)
    return draw_or_call(state, choice, luck(KIND_OF[type(choice)].name) if luck else rng)


def checked(chooser: PolicyChooser) -> CheckedChooser:
    """The chooser with every choice checked; a ``MoveWatcher`` stays one."""
    if isinstance(chooser, CheckedChooser):
        return chooser
    return _CheckedWatcher(chooser, chooser.watch) if isinstance(chooser, MoveWatcher) else CheckedChooser(chooser)


def check_choice(state: State, player: Player, offered: Sequence[Action], choice: Any) -> None:
    """Raise ``PolicyMistake`` unless the choice can be carried out with its chance outcome drawn anew."""
    # The usual case, without a check: the choice is one of the objects that the rules have listed.
    for one in offered:
        if choice is one:
            return
    try:
        trouble = _trouble_with(state, player, offered, choice)
    except Exception:  # noqa: BLE001 - a policy may return any object
        trouble = PolicyMistake(f"answers nonsense: {_short(choice)}")
    if trouble is not None:
        raise trouble


def _trouble_with(state: State, player: Player, offered: Sequence[Action], choice: Any) -> PolicyMistake | None:
    if type(choice) not in KIND_OF:
        return PolicyMistake(f"answers nonsense: {_short(choice)} is no action")
    if type(choice.player) is not int or choice.player != player:
        return PolicyMistake(f"answers nonsense: {_short(choice)} is not player {player}'s")
    action = draw_or_call(state, choice, Random(0))
    if wrong := misfit(action, state.constants):
        return PolicyMistake(f"answers nonsense: {_short(choice)}: {wrong}")
    if guards := broken_guards(state, action):
        tags = ", ".join(guards)
        return PolicyMistake(f"answers what is not allowed: {_short(choice)}: {tags}", f"not allowed: {tags}")
    if all(type(choice) is not type(one) for one in offered):
        return PolicyMistake(f"answers with a decision that is not offered: {_short(choice)}")
    return None


def least(player: Player, decisions: Sequence[Action], rng: Random) -> Action:
    """The least that a player can decide: pass, reject, or a random decision if passing is not allowed."""
    for decision in decisions:
        if decision.is_pass:
            return decision
    if any(isinstance(decision, AnswerTrade) for decision in decisions):
        return AnswerTrade(player, "reject")
    return decisions[int(rng.random() * len(decisions))]


def _name_of(chooser: object) -> str:
    name = getattr(chooser, "name", None)
    return name if isinstance(name, str) else type(chooser).__name__


def _short(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 - the repr of any object may fail
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _in_a_line(error: Exception) -> str:
    try:
        text = " ".join(str(error).split())[:200]
    except Exception:  # noqa: BLE001 - a policy may raise anything
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
