"""Everything that a game's root commit fixes: format, rules, players and map, as the files that never change."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.board import FirstPlacement, MapError, board_of, format_tiles, format_wharfs, parse_map
from catan_p2p.game.constants import Constants, Player, Rules, UnsupportedRules, shared
from catan_p2p.game.playable import check_playable
from catan_p2p.game.rule_names import RULE_CONSTANTS
from catan_p2p.limits import MAX_NAME_BYTES
from catan_p2p.log.keys import is_public_key
from catan_p2p.log.refs import COLOURS, Branch, LogBranch, ReplyBranch
from catan_p2p.log.storage.objects import ObjectId

FORMAT = "1"
"""The version of the log format that this program writes; it reads the one of games with views, too."""

FORMAT_OF_VIEWS = "2"
"""The version of games with views: see ``log.views``."""

OPENING_FILE = "map/opening"
"""The file with the pieces on the board before the first action, in games where there are any."""

_SMALL = re.compile(r"0|[1-9][0-9]{0,3}")


class FormatError(ValueError):
    """Text that violates the log format; the message names the file or the line."""


class OtherVersion(FormatError):
    """A game of a version of the log format that this program does not read."""


class Seat(NamedTuple):
    """One player: colour, author name in commits, and public key or None."""

    colour: str
    name: str
    key: str | None
    party: Player = 0
    """In a game with views, the first seat of the party that plays it on one machine; 0 in all others."""
    is_computer: bool = False
    """In a game with views, whether it is a computer's; a person's seat that a policy plays is none."""

    @property
    def email(self) -> str:
        """The address in the player's commits; its domain can never exist (RFC 2606)."""
        return f"{self.name}@catan-p2p.invalid"


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """One game: its constants, its number, and its players in the order of seats."""

    constants: Constants
    number: int
    seats: tuple[Seat, ...]

    @property
    def has_views(self) -> bool:
        """Whether who is present is decided by views, as in version 2 of the format."""
        return self.seats[0].party != 0

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names for display, by seat: the names that they chose, else their colours.

        A player with a name that could be taken for another player's is called by their colour.
        """
        chosen = [
            seat.colour if seat.name == default_name(seat.colour, self.number) else seat.name for seat in self.seats
        ]
        return tuple(
            seat.colour if clash(seat.colour, name, [*chosen[:i], *chosen[i + 1 :]]) else name
            for i, (seat, name) in enumerate(zip(self.seats, chosen, strict=True))
        )

    @property
    def called(self) -> dict[str, str]:
        """How to display each colour where both name and colour matter: ``Ada (Red)``, or ``Red`` without a name.

        A name such as ``Red (computer)`` contains both already.
        """

        def called(colour: str, name: str) -> str:
            return name if name == colour or name.startswith(f"{colour} (") else f"{name} ({colour})"

        return {seat.colour: called(seat.colour, name) for seat, name in zip(self.seats, self.names, strict=True)}

    def branch(self, player: Player) -> LogBranch:
        """The player's log."""
        return _log_branch(self.seats[player - 1].colour, self.number)

    def reply_branch(self, base: ObjectId, kind: str, player: Player) -> ReplyBranch:
        """The player's temporary branch for a reply to a commit."""
        return ReplyBranch(base, kind, self.seats[player - 1].colour, self.number)

    def branch_for(self, base: ObjectId, action: Action) -> Branch:
        """The branch of an action after ``base``: a reply's temporary branch, or its player's log.

        With views everything that a player signs is in their log.
        """
        kind, player = action.reply, action.player
        return self.branch(player) if kind is None or self.has_views else self.reply_branch(base, kind, player)

    def player_of(self, colour: str) -> Player | None:
        """The player of a colour, None if nobody plays it."""
        return next((i for i, seat in enumerate(self.seats, 1) if seat.colour == colour), None)


def unsigned_problem(game: GameDefinition) -> str | None:
    """Why these logs may not be unsigned, None if they may be or are not: a proof of a fork needs signatures."""
    if not game.constants.rules.leaving or all(seat.key is not None for seat in game.seats):
        return None
    return "Leaving = yes: where play goes on without a player, every log is signed, and every player needs a key"


_log_branch = lru_cache(maxsize=1 << 8)(LogBranch)
"""Cached, since every look at other peers asks for players' logs."""


def new_game(
    number: int,
    constants: Constants,
    colours: Sequence[str] = COLOURS,
    keys: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    parties: Iterable[Sequence[Player]] = (),
    computers: Iterable[Player] = (),
) -> GameDefinition:
    """Define a game of these colours, in the order of seats.

    ``keys`` are their public keys by colour; without them the logs are unsigned. ``names`` are the players' names by
    colour; a player without one is named after colour and game, as in the thesis. A game that players may leave has
    views: ``parties`` are the seats that one machine plays, ``computers`` the seats of computers.
    """
    keys, names = keys or {}, names or {}
    seats = (
        Seat(colour, names.get(colour) or default_name(colour, number), keys.get(colour))
        for colour in colours[: constants.player_count]
    )
    game = GameDefinition(constants, number, tuple(seats))
    return with_parties(game, parties, computers) if constants.rules.leaving else game


def default_name(colour: str, number: int) -> str:
    """The name of a player who has not chosen one: ``Red_0``."""
    return f"{colour}_{number}"


def name_problem(name: str) -> str | None:
    """Why no player may have this name, None if one may: it stands in every commit of theirs, and Git must parse it."""
    if not name:
        return f"an empty name, expected 1 to {MAX_NAME_BYTES} bytes"
    if not name.isprintable():
        return f"the name {name!r} has characters that cannot be displayed"
    if not {"<", ">"}.isdisjoint(name):
        return f"the name {name!r} has < or >, which begin and end the address in a commit"
    size = len(name.encode())
    return f"a name of {size} bytes, expected at most {MAX_NAME_BYTES}" if size > MAX_NAME_BYTES else None


def chosen_name_problem(name: str, colour: str, others: Iterable[str] = ()) -> str | None:
    """Why the player of a colour cannot choose this name at a table with these other names; None if they can."""
    if (problem := name_problem(name)) is not None:
        return problem
    # Two names that look alike could stand for each other.
    if name != " ".join(name.split()) or not _BLANK.isdisjoint(name):
        return f"the name {name!r} has blanks that cannot be seen, expected single spaces between words"
    if _DEFAULT_NAME.fullmatch(name):
        return f"the name {name!r} is reserved for players who choose none"
    return f"the name {name!r} could be taken for another player's" if clash(colour, name, others) else None


_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that look like spaces."""
_DEFAULT_NAME = re.compile(rf"(?:{'|'.join(COLOURS)})_\d+", re.IGNORECASE)


def clash(colour: str, name: str, others: Iterable[str]) -> bool:
    """Whether a player of this colour could be taken for another one: by one of these names, or by another colour."""
    known = {*others, *COLOURS} - {colour}
    return _folded(name) in map(_folded, known)


def _folded(name: str) -> str:
    # Folding case may undo the normal form, so it is normalized again.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def game_files(game: GameDefinition) -> dict[str, str]:
    """Return the files below the root that never change, by path; ``map/opening`` only if there is an opening."""
    board, opening = game.constants.board, game.constants.opening
    files = {
        "format": f"{FORMAT_OF_VIEWS if game.has_views else FORMAT}\n",
        "rules": format_rules(game.constants.rules),
        "players": "".join(
            f"{i} {seat.colour} {seat.key or '-'} {_party_word(seat)}{seat.name}\n"
            for i, seat in enumerate(game.seats, 1)
        ),
        "map/tiles": format_tiles(board.map.tiles),
        "map/wharfs": format_wharfs(board.map.wharfs),
    }
    return files | {OPENING_FILE: format_opening(opening)} if opening else files


def parse_game(files: Mapping[str, str], number: int) -> GameDefinition:
    """Parse the game that these files describe; ``FormatError`` names the file that is wrong."""
    version = files["format"].removesuffix("\n")
    if version not in (FORMAT, FORMAT_OF_VIEWS):
        raise OtherVersion(f"version {version!r} of the log format, this program reads {FORMAT} and {FORMAT_OF_VIEWS}")
    seats = _parse_players(files["players"], has_parties=version == FORMAT_OF_VIEWS)
    try:
        map = parse_map(files["map/tiles"], files["map/wharfs"])
    except MapError as error:
        raise FormatError(f"map/{error}") from None
    opening = parse_opening(files.get(OPENING_FILE, ""))
    try:
        rules, board = parse_rules(files["rules"]), board_of(map)
        if rules.leaving and version == FORMAT:
            raise OtherVersion(
                f"version {FORMAT} of the log format with Leaving = yes: releases of catan-p2p up to 1.0.0 read such a "
                "game, later versions do not"
            )
        # First without the opening, so that an error can name the right file.
        Constants(rules, board, len(seats))
    except UnsupportedRules as error:
        raise FormatError(f"rules: {error}") from None
    try:
        constants = shared(Constants(rules, board, len(seats), opening))
    except ValueError as error:
        raise FormatError(f"{OPENING_FILE}: {error}") from None
    try:
        check_playable(constants)
    except UnsupportedRules as error:
        raise FormatError(f"rules: {error}") from None
    except MapError as error:
        raise FormatError(f"map/tiles: {error}") from None
    if version == FORMAT_OF_VIEWS and not constants.rules.leaving:
        raise FormatError(f"format: version {FORMAT_OF_VIEWS} without Leaving = yes")
    game = GameDefinition(constants, number, seats)
    # One game has one spelling, so that equal games have equal trees.
    spelled = game_files(game)
    for name, text in files.items():
        if spelled.get(name) != text:
            raise FormatError(f"{name}: not in its canonical spelling")
    return game


def format_opening(opening: Iterable[FirstPlacement]) -> str:
    """Format the file ``map/opening``: one placement per line."""
    return "".join(f"{at.player},{at.village},{at.road},{'earns' if at.earns else '-'}\n" for at in opening)


def parse_opening(text: str) -> tuple[FirstPlacement, ...]:
    """Parse the file ``map/opening``; ``FormatError`` names the line."""
    found = []
    for i, line in enumerate(text.splitlines(), 1):
        *numbers, earns = line.split(",")
        if len(numbers) != 3 or not all(map(_SMALL.fullmatch, numbers)) or earns not in ("earns", "-"):
            raise FormatError(
                f"{OPENING_FILE}, line {i}: {line!r}, expected player,settlement point,road point,earns or -"
            )
        player, village, road = map(int, numbers)
        found.append(FirstPlacement(player, village, road, earns == "earns"))
    return tuple(found)


def with_parties(
    game: GameDefinition, parties: Iterable[Sequence[Player]] = (), computers: Iterable[Player] = ()
) -> GameDefinition:
    """Return the same game with views: whose seats one machine plays, and which seats are computers'.

    Seats that are in none of the ``parties`` are parties of their own.
    """
    first = {seat: min(party) for party in parties for seat in party}
    computers = {*computers}
    seats = (
        seat._replace(party=first.get(player, player), is_computer=player in computers)
        for player, seat in enumerate(game.seats, 1)
    )
    return replace(game, seats=tuple(seats))


def _party_word(seat: Seat) -> str:
    """``1 ``, or ``1* `` of a computer's seat, before a player's name in a game with views."""
    return f"{seat.party}{'*' * seat.is_computer} " if seat.party else ""


_PARTY = re.compile(r"([1-6])(\*?) (.+)")


def _read_party(fields: str, i: int, seats: Sequence[Seat]) -> tuple[str, Player, bool]:
    """Read a player's name, party and whether it is a computer's seat; the party is named by its first seat."""
    found = _PARTY.fullmatch(fields)
    party = 0 if found is None else int(found[1])
    if found is None or not (party == i or (party < i and seats[party - 1].party == party)):
        raise FormatError(f"players, line {i}: {fields!r}, expected the first seat of the player's party, then a name")
    return found[3], party, found[2] == "*"


def _parse_players(text: str, *, has_parties: bool = False) -> tuple[Seat, ...]:
    seats = list[Seat]()
    for i, line in enumerate(text.splitlines(), 1):
        fields = line.split(" ", 3)
        if len(fields) != 4 or fields[0] != str(i) or fields[1] not in COLOURS or not fields[3]:
            raise FormatError(f"players, line {i}: {line!r}, expected: {i} colour key name")
        name, party, is_computer = _read_party(fields[3], i, seats) if has_parties else (fields[3], 0, False)
        if (problem := name_problem(name)) is not None:
            raise FormatError(f"players, line {i}: {problem}")
        if fields[2] != "-" and not is_public_key(fields[2]):
            raise FormatError(f"players, line {i}: {fields[2]!r} is not a public key")
        seats.append(Seat(fields[1], name, None if fields[2] == "-" else fields[2], party, is_computer))
    if not 2 <= len(seats) <= len(COLOURS) or len({seat.colour for seat in seats}) != len(seats):
        raise FormatError(f"players: {len(seats)} players, expected 2 to {len(COLOURS)} of different colours")
    return tuple(seats)


_LATER = (
    *("OfferMax", "SpecialBuilding", "StartOrder", "Chance", "TableTalk", "OffersPerTurn", "ProposalsPerTurn"),
    *("Leaving", "Patience", "Returns", "Hands", "SignedEnd", "ChanceAhead", "OffersToOne"),
)
"""Constants that are written only where they differ from the thesis, since older games do not have them."""


def format_rules(rules: Rules) -> str:
    """Format the file ``rules``: one ``name = value`` per line."""
    return "".join(
        f"{name} = {constant.spelling.write(value)}\n"
        for name, constant in RULE_CONSTANTS.items()
        if (value := getattr(rules, constant.field)) != constant.default or name not in _LATER
    )


def parse_rules(text: str) -> Rules:
    """Parse the file ``rules``, with each constant at most once and in order; ``FormatError`` names the line."""
    values = {}
    lines = text.splitlines()
    at = 0
    for name, constant in RULE_CONSTANTS.items():
        key, _, value = lines[at].partition(" = ") if at < len(lines) else ("", "", "")
        if key != name and name in _LATER:
            continue
        at += 1
        if key != name:
            raise FormatError(f"rules, line {at}: expected {name}")
        try:
            values[constant.field] = constant.spelling.read(value)
        except (ValueError, KeyError):
            raise FormatError(f"rules, line {at}: {value!r} is not a value of {name}") from None
    if len(lines) != at:
        raise FormatError(f"rules, line {at + 1}: expected the end of the file")
    return Rules(**values)
