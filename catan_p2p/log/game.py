"""What a game's root commit fixes: format, rules, players and map, as the files that are written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from catan_p2p.board import MapError, board_of, format_tiles, format_wharfs, parse_map
from catan_p2p.cards import pack, unpack
from catan_p2p.constants import Constants, Player, Rules, UnsupportedRules
from catan_p2p.log.keys import is_public_key
from catan_p2p.log.refs import COLOURS, LogBranch, LossBranch
from catan_p2p.log.storage.objects import ObjectId

FORMAT = "1"
"""The version of the log format that this program writes and reads."""


class FormatError(ValueError):
    """Text that is not what the log format says; the message names the file or the line."""


class Seat(NamedTuple):
    """One player: colour, name as author of commits, and public key or None."""

    colour: str
    name: str
    key: str | None

    @property
    def email(self) -> str:
        """The address in the player's commits; the domain can never exist."""
        return f"{self.name}@catan-p2p.invalid"


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its constants, its number and who plays, in the order of seats."""

    constants: Constants
    number: int
    seats: tuple[Seat, ...]

    def branch(self, player: Player) -> LogBranch:
        """The player's log."""
        return LogBranch(self.seats[player - 1].colour, self.number)

    def loss_branch(self, roll: ObjectId, player: Player) -> LossBranch:
        """The player's temporary branch after a seven."""
        return LossBranch(roll, self.seats[player - 1].colour, self.number)

    def player_of(self, colour: str) -> Player | None:
        """Who plays a colour, None if nobody does."""
        return next((i for i, seat in enumerate(self.seats, 1) if seat.colour == colour), None)


def new_game(
    number: int, constants: Constants, colours: Sequence[str] = COLOURS, keys: Mapping[str, str] | None = None
) -> Game:
    """A game of these colours, in the order of seats; players are named after colour and game as in the thesis.

    ``keys`` are their public keys by colour; without them the logs are unsigned.
    """
    keys = keys or {}
    seats = tuple(Seat(colour, f"{colour}_{number}", keys.get(colour)) for colour in colours[: constants.player_count])
    return Game(constants, number, seats)


def game_files(game: Game) -> dict[str, str]:
    """The files below the root that never change, by path."""
    board = game.constants.board
    return {
        "format": f"{FORMAT}\n",
        "rules": format_rules(game.constants.rules),
        "players": "".join(
            f"{i} {seat.colour} {seat.key or '-'} {seat.name}\n" for i, seat in enumerate(game.seats, 1)
        ),
        "map/tiles": format_tiles(board.map.tiles),
        "map/wharfs": format_wharfs(board.map.wharfs),
    }


def parse_game(files: Mapping[str, str], number: int) -> Game:
    """The game that these files describe; ``FormatError`` names the file that is wrong."""
    version = files["format"].removesuffix("\n")
    if version != FORMAT:
        raise FormatError(f"format: version {version!r} of the log format, this program reads {FORMAT}")
    seats = _parse_players(files["players"])
    try:
        map = parse_map(files["map/tiles"], files["map/wharfs"])
    except MapError as error:
        raise FormatError(f"map/{error}") from None
    try:
        constants = Constants(parse_rules(files["rules"]), board_of(map), len(seats))
    except UnsupportedRules as error:
        raise FormatError(f"rules: {error}") from None
    game = Game(constants, number, seats)
    for name, text in game_files(game).items():
        if files[name] != text:
            raise FormatError(f"{name}: not in its canonical spelling")
    return game


def _parse_players(text: str) -> tuple[Seat, ...]:
    seats = []
    for i, line in enumerate(text.splitlines(), 1):
        fields = line.split(" ", 3)
        if len(fields) != 4 or fields[0] != str(i) or fields[1] not in COLOURS or not fields[3]:
            raise FormatError(f"players, line {i}: {line!r}, expected: {i} colour key name")
        if fields[2] != "-" and not is_public_key(fields[2]):
            raise FormatError(f"players, line {i}: {fields[2]!r} is not a public key")
        seats.append(Seat(fields[1], fields[3], None if fields[2] == "-" else fields[2]))
    if not 2 <= len(seats) <= len(COLOURS) or len({seat.colour for seat in seats}) != len(seats):
        raise FormatError(f"players: {len(seats)} players, expected 2 to {len(COLOURS)} of different colours")
    return tuple(seats)


class _Spelling(NamedTuple):
    """How the values of one type of rule constant are written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


_WORD = _Spelling(str, str)
_YES = _Spelling(lambda value: "yes" if value else "no", lambda text: {"yes": True, "no": False}[text])
_NUMBER = _Spelling(str, int)
_POOL = _Spelling(
    lambda cards: " ".join(map(str, unpack(cards))), lambda text: pack(int(word) for word in text.split(" "))
)
_SUMS = _Spelling(lambda sums: " ".join(map(str, sums)), lambda text: tuple(int(word) for word in text.split(" ")))


def _spelling(name: str, default: object) -> _Spelling:
    if name.endswith("_pool"):
        return _POOL
    if isinstance(default, bool):
        return _YES
    return {int: _NUMBER, str: _WORD, tuple: _SUMS}[type(default)]


_RULES: dict[str, tuple[str, _Spelling]] = {
    "".join(word.capitalize() for word in field.name.split("_")): (field.name, _spelling(field.name, field.default))
    for field in fields(Rules)
}
"""Name in the file ``rules``, name of the field, spelling of its values."""


def format_rules(rules: Rules) -> str:
    """The text of the file ``rules``: one ``name = value`` a line."""
    return "".join(f"{name} = {spelling.write(getattr(rules, field))}\n" for name, (field, spelling) in _RULES.items())


def parse_rules(text: str) -> Rules:
    """The rules that a text describes, every constant exactly once and in order; ``FormatError`` names the line."""
    values = {}
    lines = text.splitlines()
    for i, (name, (field, spelling)) in enumerate(_RULES.items()):
        key, _, value = lines[i].partition(" = ") if i < len(lines) else ("", "", "")
        if key != name:
            raise FormatError(f"rules, line {i + 1}: expected {name}")
        try:
            values[field] = spelling.read(value)
        except (ValueError, KeyError):
            raise FormatError(f"rules, line {i + 1}: {value!r} is not a value of {name}") from None
    if len(lines) != len(_RULES):
        raise FormatError(f"rules, line {len(_RULES) + 1}: expected the end of the file")
    return Rules(**values)
