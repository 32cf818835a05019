"""The state of a game as small files, and back (thesis, figure 4.1); docs/model.md says which component is which file.

A successor state shares the components that an action did not touch, so only the files of the others are spelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

from catan_p2p.game.actions.parameters import CARDS, ParameterError
from catan_p2p.game.cards import DEV_CARDS, PROGRESS_CARDS, RESOURCES, Cards, describe, pack, unpack
from catan_p2p.game.constants import NO_OWNER, Constants, Player, Rules
from catan_p2p.game.state import (
    ANSWERS,
    DRAWS,
    NO_CALL,
    NO_OFFER,
    NO_TILE,
    SETUP_PHASES,
    TURN_PHASES,
    Answer,
    Bank,
    Buildings,
    Called,
    Drawn,
    Hand,
    Offer,
    Settlements,
    SetupPhase,
    State,
    TurnPhase,
    no_answers,
    no_proposals,
    none_made,
)
from catan_p2p.log.game import FormatError

_BOUGHT = (*PROGRESS_CARDS, "Knight")
_UNVEILED = ("Knight", "VictoryPoint")
_NOTHING_CALLED = "what none\nphase none\nto none\nvictim none\n"
_CALL = re.compile(r"what (?P<what>.*)\nphase (?P<phase>.*)\nto (?P<to>.*)\nvictim (?P<victim>.*)\n")
_OFFER = re.compile(r"give (?P<give>.*)\nreceive (?P<receive>.*)\n")
_PROPOSAL = re.compile(r"player_\d+ gives (?P<give>.*) for (?P<receive>.*)")


# Spelling


def _owner(player: Player) -> str:
    return f"player_{player}" if player != NO_OWNER else "none"


def _counts(cards: Cards, names: tuple[str, ...], all_names: tuple[str, ...]) -> str:
    return "".join(f"{name} {n}\n" for name, n in zip(all_names, unpack(cards), strict=True) if name in names)


@lru_cache(maxsize=1 << 11)
def _resource_text(cards: Cards) -> str:
    return _counts(cards, RESOURCES, RESOURCES)


@lru_cache(maxsize=1 << 11)
def _dev_card_text(cards: Cards, names: tuple[str, ...]) -> str:
    return _counts(cards, names, DEV_CARDS)


@lru_cache(maxsize=256)
def _settlement_text(s: Settlements, count: int) -> str:
    lines = [f"{point},none,none\n" for point in range(count + 1)]
    for type, by_seat in (("Village", s.villages), ("City", s.cities)):
        for player, points in enumerate(by_seat, 1):
            for point in range(1, count + 1):
                if points >> point & 1:
                    lines[point] = f"{point},{_owner(player)},{type}\n"
    return "".join(lines[1:])


@lru_cache(maxsize=256)
def _road_text(r: tuple[int, ...], count: int) -> str:
    lines = [f"{point},none\n" for point in range(count + 1)]
    for player, points in enumerate(r, 1):
        for point in range(1, count + 1):
            if points >> point & 1:
                lines[point] = f"{point},{_owner(player)}\n"
    return "".join(lines[1:])


def changed_files(state: State, before: State | None) -> Iterator[tuple[str, str]]:
    """Path below ``state/`` and text of every file whose component differs from the state before."""
    constants = state.constants
    for path, field, spell, _ in _component_files(constants):
        value = getattr(state, field)
        if before is None or getattr(before, field) is not value:
            yield path, spell(value, constants)
    if before is None or before.bnk is not state.bnk:
        if before is None or before.bnk.rc != state.bnk.rc:
            yield "game/bank/resource_cards", _resource_text(state.bnk.rc)
        if before is None or before.bnk.dc != state.bnk.dc:
            yield "game/bank/development_cards", _dev_card_text(state.bnk.dc, DEV_CARDS)
    if before is None or before.h is not state.h:
        for player, hand in enumerate(state.h, 1):
            old = None if before is None else before.h[player - 1]
            if hand is not old:
                yield from _hand_texts(f"game/player_hands/player_{player}/", hand, old)
    if before is None or before.b is not state.b:
        for player, left in enumerate(state.b, 1):
            if before is None or before.b[player - 1] is not left:
                yield (
                    f"game/player_buildings/player_{player}",
                    f"Road {left.road}\nVillage {left.village}\nCity {left.city}\n",
                )


def _hand_texts(folder: str, hand: Hand, old: Hand | None) -> Iterator[tuple[str, str]]:
    if old is None or old.rc != hand.rc:
        yield folder + "resource_cards", _resource_text(hand.rc)
    if old is None or old.bc != hand.bc:
        yield folder + "bought_cards", _dev_card_text(hand.bc, _BOUGHT)
    if old is None or old.ac != hand.ac:
        yield folder + "available_cards", _dev_card_text(hand.ac, _BOUGHT)
    if old is None or old.uc != hand.uc:
        yield folder + "unveiled_cards", _dev_card_text(hand.uc, _UNVEILED)


class _ComponentFile(NamedTuple):
    """A file that holds one whole component of the state, in games whose rules need it."""

    path: str
    """Below ``state/``."""
    field: str
    spell: Callable[[Any, Constants], str]
    is_needed: Callable[[Rules], bool] = lambda rules: True


def _rolls_for_start(rules: Rules) -> bool:
    return rules.start_order == "dice"


def _chooses_first(rules: Rules) -> bool:
    return rules.start_order == "dice" or rules.leaving


def _counts_offers(rules: Rules) -> bool:
    return rules.offers_per_turn > 0 or rules.proposals_per_turn > 0


def _by_player(values: Iterable[object], constants: Constants) -> str:
    return "".join(f"player_{i} {value}\n" for i, value in enumerate(values, 1))


def _player(value: Player, constants: Constants) -> str:
    return f"{_owner(value)}\n"


def _plain(value: object, constants: Constants) -> str:
    return f"{value}\n"


def _call_text(call: Called, constants: Constants) -> str:
    if call == NO_CALL:
        return _NOTHING_CALLED
    to = "none" if call.to == NO_TILE else "{},{},{}".format(*constants.board.map.tiles[call.to - 1].at)
    return f"what {call.what}\nphase {call.tp}\nto {to}\nvictim {_owner(call.victim)}\n"


def _proposals_text(proposals: tuple[Offer, ...], constants: Constants) -> str:
    return _by_player((f"gives {describe(offer.give)} for {describe(offer.receive)}" for offer in proposals), constants)


def _seats_text(away: tuple[bool, ...], constants: Constants) -> str:
    return _by_player(("away" if gone else "present" for gone in away), constants)


_FILES: tuple[_ComponentFile, ...] = (
    _ComponentFile("initialization/init_phase", "sup", _plain),
    _ComponentFile("initialization/active_player", "su_ap", _player),
    _ComponentFile("initialization/first_player", "first", _player, _chooses_first),
    _ComponentFile("initialization/start_rolls", "rolls", _by_player, _rolls_for_start),
    _ComponentFile("game/active_player", "ap", _player),
    _ComponentFile("game/turn_phase", "tp", _plain),
    _ComponentFile("game/dice", "dice", _plain),
    _ComponentFile("game/played_cards", "pd", _plain, lambda rules: rules.dev_cards_per_turn > 0),
    _ComponentFile("game/special_builder", "sb", _player, lambda rules: rules.special_building),
    _ComponentFile(
        "game/bandit", "ba", lambda value, constants: "{},{},{}\n".format(*constants.board.map.tiles[value - 1].at)
    ),
    _ComponentFile("game/discard_pile", "dp", lambda value, _: _dev_card_text(value, PROGRESS_CARDS)),
    _ComponentFile("game/longest_road", "lr", _player),
    _ComponentFile("game/largest_army", "la", _player),
    _ComponentFile("game/hand_limits", "lim", _by_player),
    _ComponentFile(
        "game/offer",
        "offer",
        lambda value, _: f"give {describe(value.give)}\nreceive {describe(value.receive)}\n",
        lambda rules: rules.domestic_trade,
    ),
    _ComponentFile("game/answers", "ans", _by_player, lambda rules: rules.domestic_trade),
    _ComponentFile("game/proposals", "prop", _proposals_text, lambda rules: rules.table_talk),
    _ComponentFile("game/offers_made", "made", _by_player, _counts_offers),
    _ComponentFile("game/call", "call", _call_text, lambda rules: rules.chance == "joint"),
    _ComponentFile("game/seats", "away", _seats_text, lambda rules: rules.leaving),
    _ComponentFile(
        "game/settlement_points",
        "s",
        lambda value, constants: _settlement_text(value, constants.board.settlement_count),
    ),
    _ComponentFile("game/road_points", "r", lambda value, constants: _road_text(value, constants.board.road_count)),
)


@lru_cache(maxsize=64)
def _component_files(constants: Constants) -> tuple[_ComponentFile, ...]:
    """The files of one whole component each that a game has."""
    return tuple(file for file in _FILES if file.is_needed(constants.rules))


def files_of_state(state: State) -> dict[str, str]:
    """All files of a state, by path below the root."""
    return {f"state/{path}": text for path, text in changed_files(state, None)}


def state_paths(constants: Constants) -> list[str]:
    """The paths of all files of a state, below the root."""
    seats = [f"player_{player}" for player in constants.players]
    kinds = ("resource_cards", "bought_cards", "available_cards", "unveiled_cards")
    paths = [file.path for file in _component_files(constants)]
    paths += ["game/bank/resource_cards", "game/bank/development_cards"]
    paths += [f"game/player_hands/{seat}/{kind}" for seat in seats for kind in kinds]
    paths += [f"game/player_buildings/{seat}" for seat in seats]
    return [f"state/{path}" for path in paths]


# Reading


def parse_state(files: Mapping[str, str], constants: Constants) -> State:
    """The state that these files (path below the root, text) spell; ``FormatError`` names the file that is wrong."""
    try:
        state = _Reader(files, constants).state()
    except KeyError as error:
        raise FormatError(f"{error.args[0]}: the file is missing") from None
    for path, text in files_of_state(state).items():
        if files[path] != text:
            raise FormatError(f"{path}: not in its canonical spelling")
    return state


class _Reader:
    """Reads the files of one state."""

    def __init__(self, files: Mapping[str, str], constants: Constants) -> None:
        self._files = files
        self._constants = constants

    def state(self) -> State:
        board, n, rules = self._constants.board, self._constants.player_count, self._constants.rules
        tile = {f"{at.arr},{at.row},{at.col}": number for at, number in board.tile_number.items()}
        hands = tuple(self._hand(f"game/player_hands/player_{i}/") for i in range(1, n + 1))
        pieces = tuple(self._numbers(f"game/player_buildings/player_{i}", 3) for i in range(1, n + 1))
        state = State(
            constants=self._constants,
            sup=cast(SetupPhase, self._word("initialization/init_phase", {w: w for w in SETUP_PHASES})),
            su_ap=self._player("initialization/active_player"),
            first=self._player("initialization/first_player") if _chooses_first(rules) else 1,
            rolls=self._rolls(),
            ap=self._player("game/active_player"),
            tp=cast(TurnPhase, self._word("game/turn_phase", {w: w for w in TURN_PHASES})),
            dice=cast(int, self._word("game/dice", {str(i): i for i in range(13)})),
            pd=self._number("game/played_cards") if rules.dev_cards_per_turn else 0,
            sb=self._player("game/special_builder") if rules.special_building else NO_OWNER,
            ba=cast(int, self._word("game/bandit", tile)),
            dp=self._cards("game/discard_pile", DEV_CARDS),
            lr=self._player("game/longest_road"),
            la=self._player("game/largest_army"),
            lim=tuple(self._numbers("game/hand_limits", n)),
            offer=self._offer(),
            ans=self._answers(),
            prop=self._proposals(),
            made=tuple(self._numbers("game/offers_made", n)) if _counts_offers(rules) else none_made(n),
            due=(False,) * n,
            call=self._call(tile),
            away=self._away(),
            s=self._settlements("game/settlement_points"),
            r=self._roads("game/road_points"),
            bnk=Bank(
                self._cards("game/bank/resource_cards", RESOURCES),
                self._cards("game/bank/development_cards", DEV_CARDS),
            ),
            h=hands,
            b=tuple(Buildings(*left) for left in pieces),
        )
        if state.tp not in ("Pledging", "Drawing"):
            return state
        # Who has pledged or revealed is told by the commits beside one another, not by any tree.
        return state._replace(
            due=tuple(not state.away[i - 1] and (state.tp == "Pledging" or i != state.caller) for i in range(1, n + 1))
        )

    def _text(self, path: str) -> str:
        return self._files[f"state/{path}"]

    def _error(self, path: str, line: str) -> FormatError:
        return FormatError(f"state/{path}: {line!r} is not expected here")

    def _word(self, path: str, values: Mapping[str, object]) -> object:
        text = self._text(path).removesuffix("\n")
        if text not in values:
            raise self._error(path, text)
        return values[text]

    def _player(self, path: str) -> Player:
        values = {_owner(player): player for player in range(self._constants.player_count + 1)}
        return cast(Player, self._word(path, values))

    def _numbers(self, path: str, count: int) -> list[int]:
        words = [line.rpartition(" ")[2] for line in self._text(path).splitlines()]
        if len(words) != count or not all(word.isdecimal() and len(word) < 4 for word in words):
            raise self._error(path, self._text(path))
        return [int(word) for word in words]

    def _number(self, path: str) -> int:
        return cast(int, self._word(path, {str(i): i for i in range(100)}))

    def _rolls(self) -> tuple[int, ...]:
        n = self._constants.player_count
        if not _rolls_for_start(self._constants.rules):
            return (0,) * n
        return tuple(self._numbers("initialization/start_rolls", n))

    def _offer(self) -> Offer:
        if not self._constants.rules.domestic_trade:
            return NO_OFFER
        path = "game/offer"
        text = self._text(path)
        return self._sides(path, text, _OFFER.fullmatch(text))

    def _proposals(self) -> tuple[Offer, ...]:
        n = self._constants.player_count
        if not self._constants.rules.table_talk:
            return no_proposals(n)
        path = "game/proposals"
        lines = self._text(path).splitlines()
        found = [_PROPOSAL.fullmatch(line) for line in lines]
        if len(lines) != n:
            raise self._error(path, self._text(path))
        return tuple(self._sides(path, line, match) for line, match in zip(lines, found, strict=True))

    def _sides(self, path: str, text: str, match: re.Match[str] | None) -> Offer:
        if match is None:
            raise self._error(path, text)
        try:
            return Offer(CARDS.read(match["give"], self._constants), CARDS.read(match["receive"], self._constants))
        except ParameterError:
            raise self._error(path, text) from None

    def _answers(self) -> tuple[Answer, ...]:
        n = self._constants.player_count
        if not self._constants.rules.domestic_trade:
            return no_answers(n)
        path = "game/answers"
        words = [line.rpartition(" ")[2] for line in self._text(path).splitlines()]
        if len(words) != n or not all(word in ANSWERS for word in words):
            raise self._error(path, self._text(path))
        return tuple(cast(Answer, word) for word in words)

    def _away(self) -> tuple[bool, ...]:
        n = self._constants.player_count
        if not self._constants.rules.leaving:
            return (False,) * n
        path = "game/seats"
        words = [line.rpartition(" ")[2] for line in self._text(path).splitlines()]
        if len(words) != n or not all(word in ("present", "away") for word in words):
            raise self._error(path, self._text(path))
        return tuple(word == "away" for word in words)

    def _call(self, tiles: Mapping[str, int]) -> Called:
        path = "game/call"
        if self._constants.rules.chance == "actor" or self._text(path) == _NOTHING_CALLED:
            return NO_CALL
        found = _CALL.fullmatch(self._text(path))
        owners = {_owner(player): player for player in range(self._constants.player_count + 1)}
        if (
            found is None
            or found["what"] not in DRAWS
            or found["phase"] not in TURN_PHASES
            or found["to"] not in (*tiles, "none")
            or found["victim"] not in owners
        ):
            raise self._error(path, self._text(path))
        what, phase = cast(Drawn, found["what"]), cast(TurnPhase, found["phase"])
        return Called(what, phase, tiles.get(found["to"], NO_TILE), owners[found["victim"]])

    def _cards(self, path: str, names: tuple[str, ...]) -> Cards:
        counts = dict.fromkeys(names, 0)
        for line in self._text(path).splitlines():
            name, _, number = line.partition(" ")
            if name not in counts or not number.isdecimal() or len(number) > 2:
                raise self._error(path, line)
            counts[name] = int(number)
        return pack(counts.values())

    def _hand(self, folder: str) -> Hand:
        return Hand(
            self._cards(folder + "resource_cards", RESOURCES),
            *(self._cards(folder + name, DEV_CARDS) for name in ("bought_cards", "available_cards", "unveiled_cards")),
        )

    def _settlements(self, path: str) -> Settlements:
        n = self._constants.player_count
        sets = {"Village": [0] * n, "City": [0] * n}
        for point, words in self._points(path, self._constants.board.settlement_count, 2):
            if words != ["none", "none"]:
                owner, type = words
                if type not in sets:
                    raise self._error(path, f"{point},{owner},{type}")
                sets[type][self._seat(path, owner)] |= 1 << point
        return Settlements(tuple(sets["Village"]), tuple(sets["City"]))

    def _roads(self, path: str) -> tuple[int, ...]:
        roads = [0] * self._constants.player_count
        for point, (owner,) in self._points(path, self._constants.board.road_count, 1):
            if owner != "none":
                roads[self._seat(path, owner)] |= 1 << point
        return tuple(roads)

    def _points(self, path: str, count: int, words: int) -> Iterator[tuple[int, list[str]]]:
        lines = self._text(path).splitlines()
        if len(lines) != count:
            raise self._error(path, f"{len(lines)} lines")
        for point, line in enumerate(lines, 1):
            number, *rest = line.split(",")
            if number != str(point) or len(rest) != words:
                raise self._error(path, line)
            yield point, rest

    def _seat(self, path: str, owner: str) -> int:
        for seat in range(self._constants.player_count):
            if owner == _owner(seat + 1):
                return seat
        raise self._error(path, owner)
