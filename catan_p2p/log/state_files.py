"""The state of a game as small files, and back (thesis, figure 4.1).

docs/reference/model.md says which component is which file.

One table says for every component of the state which files hold it and how each is spelled; it serves both directions.
A successor state shares the components that an action did not touch, so only the files of the others are spelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import compress
from operator import is_not
from typing import Any, NamedTuple, TypeAlias, cast

from catan_p2p.game.actions.parameters import CARDS, ParameterError
from catan_p2p.game.cards import DEV_CARDS, PROGRESS_CARDS, RESOURCES, Cards, describe, pack, unpack
from catan_p2p.game.constants import NO_OWNER, Constants, Player
from catan_p2p.game.state import (
    ANSWERS,
    DECK_STAGES,
    DRAWS,
    NO_CALL,
    NO_TILE,
    SETUP_PHASES,
    TURN_PHASES,
    Bank,
    Buildings,
    CalledDraw,
    Hand,
    HiddenCounts,
    Offer,
    PlacedSettlements,
    State,
    WayBack,
    initial_state,
)
from catan_p2p.log.game import FormatError

_BOUGHT = (*PROGRESS_CARDS, "Knight")
_UNVEILED = ("Knight", "VictoryPoint")


class _UnexpectedContent(Exception):
    """The content of a file that cannot be read."""


class _ValueSpelling(NamedTuple):
    """The spelling of a value: ``read`` raises ``_UnexpectedContent``, and may accept more than ``write`` makes."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


class _ValueFile(NamedTuple):
    """A value in one file, by its path below the root."""

    path: str
    spelling: _ValueSpelling


class _TupleFiles(NamedTuple):
    """A tuple in several files: the function that makes it from its parts, and the place of each part."""

    make: Callable[[Iterable[Any]], Any]
    parts: tuple[_Place, ...]


_Place: TypeAlias = "_ValueFile | _TupleFiles"


# Words and lines


def _one_of(values: Mapping[str, Any]) -> _ValueSpelling:
    """Spell a value as a word on a line of its own."""
    lines = {value: f"{word}\n" for word, value in values.items()}

    def read(text: str) -> Any:
        word = text.removesuffix("\n")
        if word not in values:
            raise _UnexpectedContent(word)
        return values[word]

    return _ValueSpelling(lines.__getitem__, read)


def _lines(
    labels: Iterable[str], spell: Callable[[Any], object], read_word: Callable[[str], Any], make: Any
) -> _ValueSpelling:
    """Spell a tuple with a line for each part: its label and words, which ``read_word`` turns into a value or None."""
    names = tuple(labels)

    def write(values: Iterable[Any]) -> str:
        return "".join(f"{name} {spell(value)}\n" for name, value in zip(names, values, strict=True))

    def read(text: str) -> Any:
        values = [read_word(line.partition(" ")[2]) for line in text.splitlines()]
        if len(values) != len(names) or None in values:
            raise _UnexpectedContent(text)
        return make(values)

    return _ValueSpelling(write, read)


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() and len(word) < 4 else None


def _form(template: str, **patterns: str) -> tuple[Callable[..., str], Callable[[str], re.Match[str]]]:
    """Return functions that fill and find a template's fields, which match ``.*`` unless in ``patterns``."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{patterns.get(m[1], '.*')})", template))

    def read(text: str) -> re.Match[str]:
        found = pattern.fullmatch(text)
        if found is None:
            raise _UnexpectedContent(text)
        return found

    return template.format, read


def _player_names(constants: Constants) -> dict[str, Player]:
    return {"none": NO_OWNER} | {f"player_{player}": player for player in constants.players}


def _tile_names(constants: Constants) -> dict[str, int]:
    return {f"{at.arr},{at.row},{at.col}": number for at, number in constants.board.tile_number.items()}


# Cards


@lru_cache(maxsize=1 << 11)
def _card_text(names: tuple[str, ...], kinds: tuple[str, ...], cards: Cards) -> str:
    return "".join(f"{name} {n}\n" for name, n in zip(kinds, unpack(cards), strict=True) if name in names)


def _cards(names: tuple[str, ...], kinds: tuple[str, ...]) -> _ValueSpelling:
    """Spell packed cards with a line for each of the ``names`` among their ``kinds``."""

    def read(text: str) -> Cards:
        counts = dict.fromkeys(kinds, 0)
        for line in text.splitlines():
            name, _, number = line.partition(" ")
            if name not in counts or not number.isdecimal() or len(number) > 2:
                # Two digits are enough for any pile of cards, and bound what a stranger can send.
                raise _UnexpectedContent(line)
            counts[name] = int(number)
        return pack(counts.values())

    return _ValueSpelling(partial(_card_text, names, kinds), read)


_RESOURCES, _DEV_CARDS = _cards(RESOURCES, RESOURCES), _cards(DEV_CARDS, DEV_CARDS)


# Hidden hands


def _hidden(constants: Constants) -> _ValueSpelling:
    """Spell a line per player, ``player_1 sealed 3 bought 0 held 1``, then the shuffles and a monopoly's demand."""
    line = re.compile(r"player_(\d+) sealed (\d+) bought (\d+) held (\d+)")
    stage = r"\ndeck (\w+)(?:\nkeyless ([1-6](?: [1-6])*))?" if constants.rules.leaving else "()()"
    last = re.compile(r"shuffles (\d)\nwanted (\w+) (\w+)" + stage)
    words, stages, players = ("none", *RESOURCES), DECK_STAGES, constants.player_count

    def write(hidden: HiddenCounts) -> str:
        counts = enumerate(zip(hidden.sealed, hidden.bought, hidden.held, strict=True), 1)
        lines = [
            f"player_{seat} sealed {sealed} bought {bought} held {held}\n" for seat, (sealed, bought, held) in counts
        ]
        keyless = " ".join(str(seat) for seat, lacks in enumerate(hidden.keyless, 1) if lacks)
        stage = f"deck {hidden.deck}\n" if constants.rules.leaving else ""
        stage += f"keyless {keyless}\n" if keyless else ""
        return "".join((*lines, f"shuffles {hidden.shuffles}\nwanted {hidden.wanted} {hidden.back}\n", stage))

    def read(text: str) -> HiddenCounts:
        lines = text.splitlines()
        found = [line.fullmatch(told) for told in lines[:players]]
        end = last.fullmatch("\n".join(lines[players:]))
        if len(found) != players or None in found or end is None or len(text) > 999:
            raise _UnexpectedContent(text)
        if end[2] not in words or end[3] not in TURN_PHASES or (end[4] or "first") not in stages:
            raise _UnexpectedContent(text)
        sealed, bought, held = zip(*(map(int, match.groups()[1:]) for match in found if match), strict=True)
        keyless = tuple(str(player) in (end[5] or "").split(" ") for player in constants.players)
        wanted, back, deck = (cast(Any, word) for word in (end[2], end[3], end[4] or "first"))
        return HiddenCounts(sealed, bought, held, int(end[1]), wanted, back, deck, keyless)

    return _ValueSpelling(write, read)


# Trades and draws


def _offer_form(
    template: str, constants: Constants, **patterns: str
) -> tuple[Callable[..., str], Callable[[str], Offer]]:
    fill, find = _form(template, **patterns)

    def write(offer: Offer, **more: object) -> str:
        return fill(give=describe(offer.give), receive=describe(offer.receive), **more)

    def read(text: str) -> Offer:
        found = find(text)
        try:
            return Offer(CARDS.read(found["give"], constants), CARDS.read(found["receive"], constants))
        except ParameterError:
            raise _UnexpectedContent(text) from None

    return write, read


def _offer(constants: Constants) -> _ValueSpelling:
    return _ValueSpelling(*_offer_form("give {give}\nreceive {receive}\n", constants))


def _proposals(constants: Constants) -> _ValueSpelling:
    write_line, read_line = _offer_form("player_{seat} gives {give} for {receive}", constants, seat=r"\d+")

    def write(proposals: Iterable[Offer]) -> str:
        return "".join(write_line(offer, seat=seat) + "\n" for seat, offer in enumerate(proposals, 1))

    def read(text: str) -> tuple[Offer, ...]:
        lines = text.splitlines()
        if len(lines) != constants.player_count:
            raise _UnexpectedContent(text)
        return tuple(map(read_line, lines))

    return _ValueSpelling(write, read)


def _call(constants: Constants) -> _ValueSpelling:
    fill, find = _form("what {what}\nphase {phase}\nto {to}\nvictim {victim}\n")
    nothing = fill(what="none", phase="none", to="none", victim="none")
    players, tiles = _player_names(constants), {"none": NO_TILE} | _tile_names(constants)
    player_words, tile_words = ({value: word for word, value in words.items()} for words in (players, tiles))

    def write(call: CalledDraw) -> str:
        if call == NO_CALL:
            return nothing
        return fill(what=call.what, phase=call.tp, to=tile_words[call.to], victim=player_words[call.victim])

    def read(text: str) -> CalledDraw:
        if text == nothing:
            return NO_CALL
        what, phase, to, victim = find(text).groups()
        if what not in DRAWS or phase not in TURN_PHASES or to not in tiles or victim not in players:
            raise _UnexpectedContent(text)
        return CalledDraw(what, phase, tiles[to], players[victim])

    return _ValueSpelling(write, read)


# The island


@lru_cache(maxsize=256)
def _point_text(count: int, kinds: tuple[str, ...], free: str, owned: tuple[tuple[int, ...], ...]) -> str:
    lines = [f"{point}{free}\n" for point in range(count + 1)]
    for kind, by_player in zip(kinds, owned, strict=True):
        for player, points in enumerate(by_player, 1):
            for point in range(1, count + 1):
                if points >> point & 1:
                    lines[point] = f"{point},player_{player}{kind}\n"
    return "".join(lines[1:])


def _points(count: int, constants: Constants, kinds: tuple[str, ...], free: str) -> _ValueSpelling:
    """Spell a line for each point: its number, and its owner with the kind of piece, or ``free``.

    The value has a tuple for each kind, with the points of every player as a set of bits.
    """
    seats = {f"player_{player}": player - 1 for player in constants.players}

    def read(text: str) -> tuple[tuple[int, ...], ...]:
        owned = {kind: [0] * len(seats) for kind in kinds}
        lines = text.splitlines()
        if len(lines) != count:
            raise _UnexpectedContent(f"{len(lines)} lines")
        for point, line in enumerate(lines, 1):
            number, comma, words = line.partition(",")
            if number != str(point) or line.count(",") != free.count(","):
                raise _UnexpectedContent(line)
            if comma + words != free:
                owner, comma, kind = words.partition(",")
                if comma + kind not in owned:
                    raise _UnexpectedContent(line)
                if owner not in seats:
                    raise _UnexpectedContent(owner)
                owned[comma + kind][seats[owner]] |= 1 << point
        return tuple(map(tuple, owned.values()))

    return _ValueSpelling(partial(_point_text, count, kinds, free), read)


def _settlements(constants: Constants) -> _ValueSpelling:
    write, read = _points(constants.board.settlement_count, constants, (",Village", ",City"), ",none,none")
    return _ValueSpelling(write, lambda text: PlacedSettlements(*read(text)))


def _roads(constants: Constants) -> _ValueSpelling:
    write, read = _points(constants.board.road_count, constants, ("",), ",none")
    return _ValueSpelling(lambda roads: write((roads,)), lambda text: read(text)[0])


def _way_back_text(way: WayBack) -> str:
    return f"{way.left}{', missed a turn' * way.missed}"


def _way_back(text: str) -> WayBack | None:
    number, comma, _ = text.partition(",")
    left = _number(number)
    return None if left is None else WayBack(left, bool(comma))


# The table


@lru_cache(maxsize=64)
def _places(constants: Constants) -> Mapping[str, _Place]:
    """The place and spelling of each component of the state that has files in a game with these rules."""
    rules, seats = constants.rules, [f"player_{player}" for player in constants.players]
    player = _one_of(_player_names(constants))
    numbers = _lines(seats, str, _number, tuple)
    answers: dict[str, str] = {answer: answer for answer in ANSWERS}
    presence = {"present": False, "away": True}
    rolls = rules.start_order != "seat"
    counts_offers = rules.offers_per_turn > 0 or rules.proposals_per_turn > 0
    pieces = _lines(("Road", "Village", "City"), str, _number, lambda left: Buildings(*left))

    def file(path: str, how: _ValueSpelling) -> _ValueFile:
        return _ValueFile(f"state/{path}", how)

    def hand(folder: str) -> _TupleFiles:
        spellings = (_RESOURCES, _cards(_BOUGHT, DEV_CARDS), _cards(_BOUGHT, DEV_CARDS), _cards(_UNVEILED, DEV_CARDS))
        names = ("resource_cards", "bought_cards", "available_cards", "unveiled_cards")
        return _TupleFiles(
            Hand._make, tuple(file(f"{folder}/{name}", how) for name, how in zip(names, spellings, strict=True))
        )

    table: tuple[tuple[str, bool, str, _ValueSpelling], ...] = (
        ("sup", True, "initialization/init_phase", _one_of({phase: phase for phase in SETUP_PHASES})),
        ("su_ap", True, "initialization/active_player", player),
        ("first", rolls or rules.leaving, "initialization/first_player", player),
        ("rolls", rolls, "initialization/start_rolls", numbers),
        ("ap", True, "game/active_player", player),
        ("tp", True, "game/turn_phase", _one_of({phase: phase for phase in TURN_PHASES})),
        ("dice", True, "game/dice", _one_of({str(sum): sum for sum in range(13)})),
        ("pd", rules.dev_cards_per_turn > 0, "game/played_cards", _one_of({str(i): i for i in range(100)})),
        ("sb", rules.special_building, "game/special_builder", player),
        ("ba", True, "game/bandit", _one_of(_tile_names(constants))),
        ("dp", True, "game/discard_pile", _cards(PROGRESS_CARDS, DEV_CARDS)),
        ("lr", True, "game/longest_road", player),
        ("la", True, "game/largest_army", player),
        ("lim", True, "game/hand_limits", numbers),
        ("offer", rules.domestic_trade, "game/offer", _offer(constants)),
        ("ans", rules.domestic_trade, "game/answers", _lines(seats, str, lambda word: answers.get(word), tuple)),
        ("prop", rules.table_talk, "game/proposals", _proposals(constants)),
        ("made", counts_offers, "game/offers_made", numbers),
        ("call", rules.chance == "joint", "game/call", _call(constants)),
        (
            "away",
            rules.leaving,
            "game/seats",
            _lines(seats, ("present", "away").__getitem__, lambda word: presence.get(word), tuple),
        ),
        ("ret", rules.returns > 0, "game/ways_back", _lines(seats, _way_back_text, _way_back, tuple)),
        (
            "ahead",
            rules.chance_ahead,
            "game/shares_ahead",
            _lines(seats, ("none", "told").__getitem__, lambda word: {"none": False, "told": True}.get(word), tuple),
        ),
        ("hid", rules.hands == "hidden", "game/hidden_cards", _hidden(constants)),
        ("s", True, "game/settlement_points", _settlements(constants)),
        ("r", True, "game/road_points", _roads(constants)),
    )
    places: dict[str, _Place] = {field: file(path, how) for field, is_needed, path, how in table if is_needed}
    bank = (file("game/bank/resource_cards", _RESOURCES), file("game/bank/development_cards", _DEV_CARDS))
    return places | {
        "bnk": _TupleFiles(Bank._make, bank),
        "h": _TupleFiles(tuple, tuple(hand(f"game/player_hands/{seat}") for seat in seats)),
        "b": _TupleFiles(tuple, tuple(file(f"game/player_buildings/{seat}", pieces) for seat in seats)),
    }


@lru_cache(maxsize=64)
def _in_order(constants: Constants) -> tuple[_Place | None, ...]:
    """The places in the order of a ``State``'s fields; None for a component that is in no file."""
    return tuple(map(_places(constants).get, State._fields))


# Writing


def changed_files(state: State, before: State | None) -> list[tuple[str, str]]:
    """Return path and text of every file whose component differs from the state before."""
    changed, known = list[tuple[str, str]](), (None,) * len(state) if before is None else before
    components = zip(_in_order(state.constants), state, known, strict=True)
    # Components that an action leaves alone are the same objects, so comparing identities finds the others.
    for place, value, old in compress(components, map(is_not, state, known)):
        if isinstance(place, _ValueFile):
            changed.append((place.path, place.spelling.write(value)))
        elif place is not None:
            _add_texts(changed, place, value, old)
    return changed


def _add_texts(changed: list[tuple[str, str]], place: _TupleFiles, value: Any, old: Any) -> None:
    """Add the files of a value, except those of parts that equal the ``old`` ones."""
    for part, new, known in zip(place.parts, value, (None,) * len(value) if old is None else old, strict=True):
        if new is known or new == known:
            continue
        if isinstance(part, _ValueFile):
            changed.append((part.path, part.spelling.write(new)))
        else:
            _add_texts(changed, part, new, known)


def files_of_state(state: State) -> dict[str, str]:
    """Return all files of a state, by path below the root."""
    return dict(changed_files(state, None))


def state_paths(constants: Constants) -> list[str]:
    """Return the paths of all files of a state, below the root."""
    return [*_paths(_TupleFiles(tuple, tuple(_places(constants).values())))]


def _paths(place: _Place) -> Iterator[str]:
    if isinstance(place, _ValueFile):
        yield place.path
        return
    for part in place.parts:
        yield from _paths(part)


# Reading


def parse_state(files: Mapping[str, str], constants: Constants) -> State:
    """Parse the state from its files (by path below the root); ``FormatError`` names the file that is wrong.

    Who still owes a reply is in no file: in the resulting state nobody does.
    """
    read = {field: _value(place, files) for field, place in _places(constants).items()}
    state = initial_state(constants)._replace(due=(False,) * constants.player_count, **read)
    # Reading accepts more than one spelling, so the state is written again and compared.
    for path, text in files_of_state(state).items():
        if files[path] != text:
            raise FormatError(f"{path}: not in its canonical spelling")
    return state


def _value(place: _Place, files: Mapping[str, str]) -> Any:
    if isinstance(place, _TupleFiles):
        return place.make(_value(part, files) for part in place.parts)
    if place.path not in files:
        raise FormatError(f"{place.path}: the file is missing")
    try:
        return place.spelling.read(files[place.path])
    except _UnexpectedContent as error:
        raise FormatError(f"{place.path}: {error.args[0]!r} is not expected here") from None
