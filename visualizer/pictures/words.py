"""Actions, phases and points in words, and what a commit changed on disk."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from catan_p2p.actions import (
    KIND_OF,
    Action,
    AnswerTrade,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    ConcludeTrade,
    Discard,
    EmptyBuild,
    EmptyTrade,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RollDice,
    RollForStart,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
    WithdrawTrade,
)
from catan_p2p.actions.discard import owed
from catan_p2p.actions.parameters import NO_ROAD
from catan_p2p.board import Board
from catan_p2p.cards import count, describe
from catan_p2p.constants import NO_OWNER, Player
from catan_p2p.log.game import OPENING_FILE
from catan_p2p.log.refs import ReplyBranch, parse_branch
from catan_p2p.log.state_files import state_files
from catan_p2p.state import Answer, State

from ..data.recording import Recording, Step, Told

CARD_NAMES = {
    "Monopoly": "Monopoly",
    "YearOfPlenty": "Year of Plenty",
    "RoadBuilding": "Road Building",
    "Knight": "Knight",
    "VictoryPoint": "Victory Point",
}
PHASES = {
    "bot": "set-up",
    "DiceRoll": "to roll the dice",
    "Discarding": "discarding",
    "MovingBandit": "to move the bandit",
    "Trading": "trading",
    "Building": "building",
    "TradingBuilding": "trading and building",
    "top": "won",
}


def deed(recording: Recording, step: Step) -> str:
    """What a step's player did, without the player: ``rolls 8``."""
    action = step.action
    match action:
        case None:
            return "begins the game"
        case Told(_, words):
            return words
        case RollForStart(player, dice):
            return f"rolls {dice} for the start{_start(recording, step, player)}"
        case SetupPhaseOne(_, at, road):
            return f"places village {at}, road {road}"
        case SetupPhaseTwo(_, at, road):
            return f"places village {at}, road {road}"
        case RollDice(_, dice):
            return f"rolls {dice}"
        case Discard(_, cards):
            return f"discards {describe(cards)}"
        case MoveBandit(_, to, victim, card):
            return f"moves the bandit {_robbery(recording, to, victim, card)}"
        case PlayKnight(_, to, victim, card):
            return f"plays a Knight {_robbery(recording, to, victim, card)}"
        case EmptyTrade():
            return "ends trading"
        case TradeFourToOne(_, give, receive):
            return f"trades 4 {give} for 1 {receive}"
        case TradeThreeToOne(_, give, receive):
            return f"trades 3 {give} for 1 {receive}"
        case TradeTwoToOne(_, give, receive):
            return f"trades 2 {give} for 1 {receive}"
        case OfferTrade(_, give, receive):
            return f"offers {describe(give)} for {describe(receive)}"
        case AnswerTrade(_, answer):
            return f"{answer}s the offer"
        case ConcludeTrade(_, partner):
            give, receive = recording.before(step.index).offer
            return f"trades {describe(give)} for {describe(receive)} with {recording.colour(partner)}"
        case WithdrawTrade():
            return "withdraws the offer"
        case EmptyBuild(player):
            return _end(recording, step, player)
        case BuildRoad(_, at):
            return f"builds road {at}"
        case BuildVillage(_, at):
            return f"builds village {at}"
        case BuildCity(_, at):
            return f"builds city {at}"
        case BuyDevCard(_, card):
            return f"buys a card: {CARD_NAMES[card]}"
        case PlayMonopoly(_, resource):
            return f"plays Monopoly: {resource}"
        case PlayYearOfPlenty(_, first, second):
            return f"plays Year of Plenty: {first}, {second}"
        case PlayRoadBuilding(_, first, second):
            return f"plays Road Building: {first}" + (f", {second}" if second != NO_ROAD else "")
        case _:
            return KIND_OF[type(action)].snake_name.replace("_", " ")


def _start(recording: Recording, step: Step, player: Player) -> str:
    """What a roll for the start has decided."""
    state = step.state
    if recording.before(step.index).rolls.count(0) != 1:
        return ""
    if state.sup != "Rolling":
        return " and begins" if state.first == player else f", {recording.colour(state.first)} begins"
    return ", a tie of " + " and ".join(recording.colour(p) for p, roll in enumerate(state.rolls, 1) if not roll)


def _end(recording: Recording, step: Step, player: Player) -> str:
    """What ends with an EmptyBuild: a turn, somebody's special building, or the game."""
    state = step.state
    if state.tp == "top" and state.ap == player:
        return "wins the game"
    words = "ends the special building" if recording.before(step.index).tp == "SpecialBuilding" else "ends the turn"
    return f"{words}, {recording.colour(state.ap)} wins" if state.tp == "top" else words


def _robbery(recording: Recording, to: int, victim: Player, card: str) -> str:
    if victim == NO_OWNER:
        return f"to tile {to}, robs nobody"
    what = "nothing" if card == "none" else card
    return f"to tile {to}, takes {what} from {recording.seat(victim).colour}"


def sentence(recording: Recording, step: Step) -> str:
    """The step in one sentence: ``Blue rolls 8``."""
    return f"{recording.colour(step.player)} {deed(recording, step)}"


def around(board: Board, tiles: tuple[int, ...]) -> str:
    """Tiles in words: ``forest 9, hills 6, sea``."""
    return ", ".join(tile_name(board, tile) for tile in tiles)


def tile_name(board: Board, tile: int) -> str:
    """Terrain and number of a tile."""
    found = board.map.tiles[tile - 1]
    return f"{found.terrain} {found.number}" if found.number else found.terrain


def place(recording: Recording, action: Action | None) -> str | None:
    """Where an action took place, None if nowhere."""
    board = recording.constants.board
    match action:
        case SetupPhaseOne(_, at, _) | SetupPhaseTwo(_, at, _) | BuildVillage(_, at) | BuildCity(_, at):
            return f"point {at}: {around(board, board.settlement_tiles[at])}"
        case BuildRoad(_, at):
            return f"road {at}: {around(board, board.road_tiles[at])}"
        case PlayRoadBuilding(_, first, _):
            return f"road {first}: {around(board, board.road_tiles[first])}"
        case MoveBandit(_, to, _, _) | PlayKnight(_, to, _, _):
            return f"tile {to}: {tile_name(board, to)}"
        case _:
            return None


def phase(recording: Recording, state: State) -> str:
    """What the game waits for."""
    if state.sup == "Rolling":
        return "rolls for who begins"
    if state.tp == "bot":
        return "set-up, first village" if state.sup == "PhaseOne" else "set-up, second village"
    if state.tp == "Offering":
        asked = ", ".join(recording.colour(player) for player in asked_by(state, "asked"))
        return f"waits for answers: {asked}" if asked else "to conclude or withdraw, all have answered"
    if state.tp == "SpecialBuilding":
        return f"special building after {recording.colour(state.ap)}'s turn"
    if state.tp == "Discarding":
        due = [(player, owed(state, player)) for player in state.constants.players]
        waiting = ", ".join(f"{recording.colour(player)} {n}" for player, n in due if n)
        return f"waits for discards: {waiting}" if waiting else "to move the bandit, all have discarded"
    played = f", {played_words(state)}" if state.pd else ""
    return PHASES.get(state.tp, state.tp) + played


def played_words(state: State) -> str:
    """How many development cards were played this turn: ``1 card played``."""
    return f"{state.pd} card{'' if state.pd == 1 else 's'} played"


def asked_by(state: State, answer: Answer) -> list[Player]:
    """The players whose answer to the standing offer is this one, by seat."""
    return [player for player, given in enumerate(state.ans, 1) if given == answer]


def branch_words(name: str, length: int) -> str:
    """A branch's name, with only the beginning of the commit that a reply's branch begins with."""
    found = parse_branch(name)
    return f"{name[:length]}…{name[len(found.base) :]}" if isinstance(found, ReplyBranch) else name


def points_from(state: State, player: Player) -> dict[str, int]:
    """A player's points by where they come from."""
    return {
        "villages": state.s.villages[player - 1].bit_count(),
        "cities": 2 * state.s.cities[player - 1].bit_count(),
        "Victory Point cards": count(state.h[player - 1].uc, "VictoryPoint"),
        "longest road": 2 if state.lr == player else 0,
        "largest army": 2 if state.la == player else 0,
    }


# Files


class FileChange(NamedTuple):
    """A file that a commit changed: its path, and the lines that went and came."""

    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The change in a few words: ``Grain 3 to 1``."""
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
    name, _, value = old.rpartition(" ")
    return f"{name} {value} to {new.rpartition(' ')[2]}" if name else f"{old} to {new}"


WRITTEN_ONCE = ("format", "rules", "players", "map/tiles", "map/wharfs")
"""Files of the root commit that never change."""


def changed_files(recording: Recording, index: int) -> tuple[FileChange, ...]:
    """The files that a step changed against the step before it, by path; of the root all files."""
    before = recording.steps[index - 1].state if index else None
    return _changed(before, recording.steps[index].state)


@lru_cache(maxsize=32)
def _changed(before: State | None, after: State) -> tuple[FileChange, ...]:
    new = state_files(after)
    if before is None:
        once = (*WRITTEN_ONCE, OPENING_FILE) if after.constants.opening else WRITTEN_ONCE
        return tuple(FileChange(path, (), ()) for path in sorted((*once, *new)))
    old = state_files(before)
    return tuple(_difference(path, old[path], text) for path, text in sorted(new.items()) if old[path] != text)


def _difference(path: str, old: str, new: str) -> FileChange:
    """Files of one game keep their lines: only what they say changes."""
    pairs = [(a, b) for a, b in zip(old.splitlines(), new.splitlines(), strict=True) if a != b]
    return FileChange(path, tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def short_path(path: str) -> str:
    """The path without what all of them begin with."""
    return path.removeprefix("state/game/").removeprefix("state/")
