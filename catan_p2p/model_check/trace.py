"""Recorded games as traces for TLC: is this game a behaviour of the specification?

TLC checks whether ``spec/CatanTrace.tla`` reaches the end of the trace, with concurrent replies such as discards in any
order. The mirror is used only afterwards, to explain what TLC has refused.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.game.actions import KIND_OF, Action
from catan_p2p.game.actions.parameters import CARDS, OFFERED
from catan_p2p.game.board import DEFAULT_MAP, Board, FirstPlacement
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, unpack
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, broken_guards, initial_state
from catan_p2p.game.state import HiddenCounts, State
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.recording import RecordedGame, RecordedStep
from catan_p2p.model_check.states import RULE_NAMES
from catan_p2p.model_check.tlc import OutOfTime, TlcError, TlcProgram, TlcProgress, TlcResult

_CHUNK = 50


class TraceRefusal(NamedTuple):
    """The first commit that the specification refuses: its action, the reason, and how many steps were accepted."""

    commit: ObjectId
    action: Action | None
    detail: str
    guards: tuple[str, ...]
    accepted: int


# Writing for TLC


def tla(value: object) -> str:
    """A Python value as TLA+: numbers, truth values, strings, and sequences of them."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"<<{', '.join(tla(item) for item in value)}>>"
    return str(value)


def tla_record(names: Sequence[str], cards: Cards) -> str:
    """Counts of cards as a TLA+ record."""
    return f"[{', '.join(f'{name} |-> {n}' for name, n in zip(names, unpack(cards), strict=True))}]"


def action_tuple(action: Action) -> tuple[Any, ...]:
    """An action as a tuple of its name, its player and its parameters; cards are five counts."""
    kind = KIND_OF[type(action)]
    values = (
        unpack(value) if domain in (CARDS, OFFERED) else value
        for name, domain in kind.parameters.items()
        for value in (getattr(action, name),)
    )
    return (kind.name, action.player, *values)


_PLAIN = (
    *("sup", "su_ap", "first", "rolls", "ap", "tp", "dice", "pd", "sb", "ba", "lr", "la", "lim", "ans", "made", "due"),
    *("away", "ret", "ahead"),
)
"""Components that are written without conversion."""


def differences(before: State, after: State) -> Iterator[tuple[Any, ...]]:
    """The components that differ, as ``CatanTrace`` reads them: the name, the index if there are several, the value."""
    for field in _PLAIN:
        if getattr(before, field) != getattr(after, field):
            yield "SU ap" if field == "su_ap" else field, getattr(after, field)
    if before.call != after.call:
        yield "call", *after.call
    if before.offer != after.offer:
        yield "offer", unpack(after.offer.give), unpack(after.offer.receive)
    for player, (said, says) in enumerate(zip(before.prop, after.prop, strict=True), 1):
        if said != says:
            yield "prop", player, unpack(says.give), unpack(says.receive)
    if before.dp != after.dp:
        yield "dp", unpack(after.dp)
    if before.bnk.rc != after.bnk.rc:
        yield "bank RC", unpack(after.bnk.rc)
    if before.bnk.dc != after.bnk.dc:
        yield "bank DC", unpack(after.bnk.dc)
    for player, (old, new) in enumerate(zip(before.h, after.h, strict=True), 1):
        for field in ("rc", "bc", "ac", "uc"):
            if getattr(old, field) != getattr(new, field):
                yield field.upper(), player, unpack(getattr(new, field))
    for player, (left, now) in enumerate(zip(before.b, after.b, strict=True), 1):
        if left != now:
            yield "b", player, tuple(now)
    if before.hid != after.hid:
        for name in HiddenCounts._fields:
            if getattr(before.hid, name) != getattr(after.hid, name):
                yield name, getattr(after.hid, name)
    yield from _placed(before, after)


def _placed(before: State, after: State) -> Iterator[tuple[Any, ...]]:
    board = after.constants.board
    if before.s != after.s:
        for point in range(1, board.settlement_count + 1):
            new = _settlement(after, point)
            if new != _settlement(before, point):
                yield "s", point, *new
    if before.r != after.r:
        for point in range(1, board.road_count + 1):
            owner = _road_owner(after, point)
            if owner != _road_owner(before, point):
                yield "r", point, owner


def _settlement(state: State, point: int) -> tuple[int, str]:
    for player, (villages, cities) in enumerate(zip(*state.s, strict=True), 1):
        if (villages | cities) >> point & 1:
            return player, "Village" if villages >> point & 1 else "City"
    return 0, "none"


def _road_owner(state: State, point: int) -> int:
    return next((player for player, roads in enumerate(state.r, 1) if roads >> point & 1), 0)


def constants_config(constants: Constants) -> str:
    """The CONSTANTS of a game in a configuration; ``constants_module`` has the definitions that they name."""
    named = ("Tiles", "Wharfs", "RCP", "DCP", "BP", "Rules", "Opening")
    lines = [f"    {name} <- Game{name}" for name in named]
    dice = ", ".join(map(str, constants.rules.dice))
    return "\n".join(("CONSTANTS", *lines, f"    NPlayers = {constants.player_count}", f"    Dice = {{{dice}}}", ""))


def constants_module(constants: Constants) -> str:
    """The definitions of a game's map, pools, rules and opening, as part of a module."""
    rules, board = constants.rules, constants.board
    told = ", ".join(f"{name} |-> {tla(getattr(rules, field))}" for field, name in RULE_NAMES.items())
    return "".join(
        f"{name} == {value}\n"
        for name, value in (
            ("GameTiles", "DefaultTiles" if board.map == DEFAULT_MAP else _tiles(board)),
            ("GameWharfs", "DefaultWharfs" if board.map == DEFAULT_MAP else _wharfs(board)),
            ("GameRCP", tla_record(RESOURCES, rules.resource_pool)),
            ("GameDCP", tla_record(DEV_CARDS, rules.dev_card_pool)),
            ("GameBP", f"[Road |-> {rules.roads}, Village |-> {rules.villages}, City |-> {rules.cities}]"),
            ("GameRules", f"[{told}]"),
            ("GameOpening", _opening(constants.opening)),
        )
    )


def _tiles(board: Board) -> str:
    tiles = (
        f"[arr |-> {tile.at.arr}, row |-> {tile.at.row}, col |-> {tile.at.col}, "
        f'terrain |-> "{tile.terrain}", n |-> {tile.number or 0}]'
        for tile in board.map.tiles
    )
    return f"<<{', '.join(tiles)}>>"


def _wharfs(board: Board) -> str:
    wharfs = (f'[between |-> {{{a}, {b}}}, wt |-> "{type}"]' for (a, b), type in board.wharf_tiles)
    return f"{{{', '.join(wharfs)}}}"


def _opening(opening: Sequence[FirstPlacement]) -> str:
    placements = (
        f"[p |-> {at.player}, sp |-> {at.village}, rp |-> {at.road}, earns |-> {tla(at.earns)}]" for at in opening
    )
    return f"{{{', '.join(placements)}}}"


def trace_module(recording: RecordedGame) -> str:
    """The module ``RunTrace``: the recorded game as the constant ``Trace`` of ``CatanTrace``."""
    before = initial_state(recording.game.constants)
    entries = []
    for entry in recording.entries:
        replies = (_step(reply, before) for reply in entry.replies)
        entries.append(f"[replies |-> <<{', '.join(replies)}>>, {_step(entry.step, before)[1:]}")
        before = entry.step.state
    if recording.pending:
        replies = (_step(reply, before) for reply in recording.pending)
        entries.append(f"[replies |-> <<{', '.join(replies)}>>, act |-> <<>>, seen |-> <<>>]")
    chunks = [entries[i : i + _CHUNK] for i in range(0, len(entries), _CHUNK)] or [[]]
    lines = ["---- MODULE RunTrace ----", "EXTENDS CatanTrace", constants_module(recording.game.constants)]
    lines += [f"Part{i} ==\n  <<" + ",\n    ".join(chunk) + ">>" for i, chunk in enumerate(chunks)]
    lines += ["RecordedTrace == " + " \\o ".join(f"Part{i}" for i in range(len(chunks))), "===="]
    return "\n".join(lines) + "\n"


def _step(step: RecordedStep, before: State) -> str:
    seen = tree_changes(before, step.state)
    return f"[act |-> {tla(action_tuple(step.action))}, seen |-> {tla(seen)}]"


def tree_changes(before: State, after: State) -> list[tuple[Any, ...]]:
    """The components that differ, of those in trees; ``due``, who has yet to reply, is in no tree."""
    return list(differences(before, after._replace(due=before.due)))


_CONFIG = """\
SPECIFICATION TraceSpec
INVARIANTS
    TypeOK
    ConservationOfResourceCards
    ConservationOfDevelopmentCards
    ConservationOfBuildings
    DistanceRule
    RoadsConnected
    BanditOnLand
    BonusHolders
    BoughtByActive
    TurnOrder
    OfferIsCovered
    SharesAreDue
    AwayAreSkipped
    WinAtOnce
    TraceReached
"""


# Checking


def check_recording(
    recording: RecordedGame,
    tlc: TlcProgram,
    progress: Callable[[TlcProgress], None] | None = None,
    most_s: float | None = None,
) -> TraceRefusal | None:
    """Let TLC check whether a recorded game is a behaviour of the specification: None, or the first refused commit.

    Raises ``TlcError`` if TLC cannot check it, or not within ``most_s``; the message then says how far it came.
    """
    if recording.step_count:
        with tempfile.TemporaryDirectory(prefix="catan-p2p-trace-") as scratch:
            module = Path(scratch) / "RunTrace.tla"
            module.write_text(trace_module(recording), encoding="utf-8")
            config = _CONFIG + constants_config(recording.game.constants) + "    Trace <- RecordedTrace\n"
            try:
                result = tlc.run(module, config, ["-difftrace"], progress=progress, most_s=most_s)
            except OutOfTime as error:
                done = steps_before(recording, error.reached)
                raise TlcError(
                    f"{error}; the first {done} of {recording.step_count} steps are a behaviour of the specification"
                ) from error
        if result.verdict in ("error", "assumption"):
            raise TlcError(f"TLC cannot check the trace: {result.detail}")
        if result.verdict != "fine" or '"accepted"' not in result.printed:
            return _explain(recording, result)
    if recording.unreadable is not None:
        commit, detail = recording.unreadable
        return TraceRefusal(commit, None, detail, (), recording.step_count)
    return None


def steps_before(recording: RecordedGame, entry: int) -> int:
    """The number of steps before an entry, which is counted from 1."""
    return sum(1 + len(before.replies) for before in recording.entries[: max(0, entry - 1)])


def _state_before(recording: RecordedGame, entry: int) -> State:
    """The state before an entry, which is counted from 1; TLC has accepted all entries before it."""
    state = initial_state(recording.game.constants)
    for replies, step in recording.entries[: entry - 1]:
        for one in (*replies, step):
            state = apply(state, one.action)
    return state


def _explain(recording: RecordedGame, result: TlcResult) -> TraceRefusal:
    """Explain why TLC refused the last entry that it reached."""
    at = max(result.reached, 1)
    done = steps_before(recording, at)
    before = _state_before(recording, at)
    entry = recording.entries[at - 1] if at <= len(recording.entries) else None
    replies = entry.replies if entry is not None else recording.pending
    state = before
    for reply in replies:
        guards = broken_guards(before, reply.action)
        wrong = _wrong(before, reply) if not guards else ""
        if not guards and not wrong:
            guards = broken_guards(state, reply.action)  # a player has replied twice
        if guards or wrong:
            return _refusal(reply, guards, wrong, done)
        state = apply(state, reply.action)
        done += 1
    if entry is None:
        return _refusal(recording.pending[-1], (), result.detail, done)
    guards = broken_guards(state, entry.step.action)
    wrong = _wrong(state, entry.step) if not guards else ""
    return _refusal(entry.step, guards, wrong or result.detail, done)


def _wrong(before: State, step: RecordedStep) -> str:
    """A sentence about how the recorded state differs from the one that the action leads to; empty if it does not."""
    names = [" of ".join(map(str, one[:-1])) for one in tree_changes(apply(before, step.action), step.state)]
    return f"the tree differs from what the action leads to in {', '.join(names)}" if names else ""


def _refusal(step: RecordedStep, guards: tuple[str, ...], wrong: str, done: int) -> TraceRefusal:
    detail = f"not enabled: {', '.join(guards)}" if guards else wrong
    return TraceRefusal(step.commit, step.action, detail, guards, done)
