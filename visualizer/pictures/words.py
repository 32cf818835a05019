"""Actions, phases and points in words, and what a commit changed on disk."""

from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from catan_p2p.game.actions.discard import owed
from catan_p2p.game.board import Board, longest_trail
from catan_p2p.game.cards import count
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.constants import Player
from catan_p2p.game.state import Answer, State
from catan_p2p.log.game import OPENING_FILE
from catan_p2p.log.refs import ReplyBranch, parse_branch
from catan_p2p.log.state_files import files_of_state
from catan_p2p.view.places import around, tile_name
from catan_p2p.view.words import EventWording, in_words, shorter

from ..data.recording import GameRecording, PlayedStep
from ..data.search import touched

PHASES = {
    "bot": "set-up",
    "DiceRoll": "to roll the dice",
    "Discarding": "discarding",
    "MovingBandit": "to move the bandit",
    "Trading": "trading",
    "Building": "building",
    "TradingBuilding": "trading and building",
    "Signing": "signing the end",
    "top": "won",
}


def deed(recording: GameRecording, step: PlayedStep) -> str:
    """What a step's player did and its consequences, without the player's name, places named by their tiles."""
    if step.action is None:
        return _BEGINS
    return in_words(recording.told(step), _wording(recording))


def deeds(recording: GameRecording, step: PlayedStep) -> tuple[str, ...]:
    """The deed in ever fewer words, for narrow places; the last is always short."""
    if step.action is None:
        return (_BEGINS,)
    events, wording = recording.told(step), _wording(recording)
    return tuple(dict.fromkeys((in_words(events, wording), *shorter(events, wording))))


_BEGINS = "begins the game"


def _wording(recording: GameRecording) -> EventWording:
    names = [recording.name(seat.player) for seat in recording.seats]
    return EventWording(names, recording.constants.board, "tiles")


def sentence(recording: GameRecording, step: PlayedStep) -> str:
    """The step in one sentence: ``Blue rolls 8; Red gains 1 Ore``."""
    return f"{recording.name(step.player)} {deed(recording, step)}"


def sentences(recording: GameRecording, step: PlayedStep) -> tuple[str, ...]:
    """The sentence in ever fewer words."""
    name = recording.name(step.player)
    return tuple(f"{name} {words}" for words in deeds(recording, step))


def place(recording: GameRecording, step: PlayedStep) -> str | None:
    """The place where a step put a piece, None if there is none."""
    board = recording.constants.board
    for kind, number in touched(step):
        if kind == "tile":
            return tile_name(board, number)
        return around(board, (board.settlement_tiles if kind == "point" else board.road_tiles)[number])
    return None


def phase(recording: GameRecording, state: State) -> str:
    """What the game waits for."""
    if state.tp in ("Pledging", "Drawing"):
        owing = ", ".join(recording.name(player) for player, is_due in enumerate(state.due, 1) if is_due)
        awaited = "pledges" if state.tp == "Pledging" else "shares of a draw"
        return f"waits for {awaited}: {owing}" if owing else "to settle the draw, all have revealed"
    if state.sup == "Rolling":
        return "rolls for who begins"
    if state.tp == "bot":
        return "set-up, first village" if state.sup == "PhaseOne" else "set-up, second village"
    if state.tp == "Offering":
        asked = ", ".join(recording.name(player) for player in asked_by(state, "asked"))
        if asked and state.constants.rules.table_talk:
            return f"may conclude or withdraw; not answered yet: {asked}"
        return f"waits for answers: {asked}" if asked else "all have answered"
    if state.tp == "SpecialBuilding":
        return f"special building after {recording.name(state.ap)}'s turn"
    if state.tp == "Discarding":
        due = [(player, owed(state, player)) for player in state.constants.players]
        waiting = ", ".join(f"{recording.name(player)} {n}" for player, n in due if n)
        return f"waits for discards: {waiting}" if waiting else "to move the bandit, all have discarded"
    played = f", {played_words(state)}" if state.pd else ""
    return PHASES.get(state.tp, state.tp) + played


def played_words(state: State) -> str:
    """How many development cards were played this turn: ``1 card played``."""
    return f"{state.pd} card{'' if state.pd == 1 else 's'} played"


def asked_by(state: State, answer: Answer) -> list[Player]:
    """The players whose answer to the standing offer is this one, by seat."""
    return [player for player, given in enumerate(state.ans, 1) if given == answer]


def made_by(recording: GameRecording, draw: SharedDraw) -> str:
    """The number of a draw, and the shares that made it."""
    shares = ", ".join(f"{recording.name(seat)} {share[:10]}" for seat, share in draw.shares)
    return f"Draw {draw.number}, made by the shares of all: {shares}"


def branch_words(name: str, length: int) -> str:
    """A branch's name; of a reply's branch, the commit id that it begins with is shortened."""
    found = parse_branch(name)
    return f"{name[:length]}…{name[len(found.base) :]}" if isinstance(found, ReplyBranch) else name


@lru_cache(maxsize=64)
def _trail(board: Board, roads: int, others: int) -> int:
    return longest_trail(board, roads, others)


def trail_of(state: State, player: Player) -> int:
    """The length of a player's longest trail, even if it is too short for the bonus card."""
    return _trail(state.constants.board, state.r[player - 1], state.others(player))


def points_from(state: State, player: Player) -> dict[str, int]:
    """A player's points by where they come from."""
    return {
        "villages": state.s.villages[player - 1].bit_count(),
        "cities": 2 * state.s.cities[player - 1].bit_count(),
        "victory point cards": count(state.h[player - 1].uc, "VictoryPoint"),
        "longest road": 2 if state.lr == player else 0,
        "largest army": 2 if state.la == player else 0,
    }


# Files


class FileChange(NamedTuple):
    """A file that a commit changed: its path, and the lines removed and added, in pairs.

    In a pair, one of them is empty if the other has none that it replaces.
    """

    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    is_hidden: bool = False
    """Whether the change is hidden from the viewer."""

    @property
    def summary(self) -> str:
        """The change in a few words: ``Grain 3 to 1``."""
        if self.is_hidden:
            return "hidden"
        if not self.removed:
            return "new"
        if self.path.endswith("game/offer"):
            pairs = zip(self.removed, self.added, strict=True)
            return "; ".join(f"{old} to {new.partition(' ')[2]}" for old, new in pairs)
        if self.path.endswith("_points"):
            parts = [line.partition(",")[::2] for line in self.added]
            return "; ".join(f"{point} {rest.replace(',', ' ')}" for point, rest in parts)
        pairs = zip(self.removed, self.added, strict=False)
        return ", ".join(_change(old, new) for old, new in pairs)


def _change(old: str, new: str) -> str:
    if not (old and new):
        return f"{new} new" if new else f"{old} gone"
    name, _, value = old.rpartition(" ")
    return f"{name} {value} to {new.rpartition(' ')[2]}" if name else f"{old} to {new}"


WRITTEN_ONCE = ("format", "rules", "players", "map/tiles", "map/wharfs")
"""Files of the root commit that never change."""


def changed_files(recording: GameRecording, index: int) -> tuple[FileChange, ...]:
    """The files that a step changed against the step before it, by path; of the root all files."""
    step = recording.steps[index]
    before = recording.steps[index - 1] if index else None
    found = _changed(before and (before.public or before.state), step.public or step.state)
    if not recording.veiled or not index:
        return found
    hidden = _hidden_files(recording.veiled)
    return tuple(FileChange(each.path, (), (), True) if each.path in hidden else each for each in found)


@lru_cache(maxsize=8)
def _hidden_files(veiled: frozenset[Player]) -> frozenset[str]:
    """The files that show the hands of these players, or let them be computed."""
    names = ("resource_cards", "bought_cards", "available_cards")
    hands = (f"state/game/player_hands/player_{player}/{name}" for player in veiled for name in names)
    return frozenset((*hands, "state/game/bank/development_cards"))


@lru_cache(maxsize=32)
def _changed(before: State | None, after: State) -> tuple[FileChange, ...]:
    new = files_of_state(after)
    if before is None:
        once = (*WRITTEN_ONCE, OPENING_FILE) if after.constants.opening else WRITTEN_ONCE
        return tuple(FileChange(path, (), ()) for path in sorted((*once, *new)))
    old = files_of_state(before)
    return tuple(_difference(path, old[path], text) for path, text in sorted(new.items()) if old[path] != text)


def _difference(path: str, old: str, new: str) -> FileChange:
    """The difference of two versions of a file; a line is only there at times, as ``keyless`` of ``hidden_cards``."""
    before, after = old.splitlines(), new.splitlines()
    parts = [(before, after)]
    if len(before) != len(after):
        found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        parts = [(before[a:b], after[c:d]) for _, a, b, c, d in found]
    pairs = [(a, b) for part in parts for a, b in zip_longest(*part, fillvalue="") if a != b]
    return FileChange(path, tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def short_path(path: str) -> str:
    """The path without the folders that all of them begin with."""
    return path.removeprefix("state/game/").removeprefix("state/")
