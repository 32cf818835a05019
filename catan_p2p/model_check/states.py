"""Parsing the states and models that TLC prints into the program's own values."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from catan_p2p.game.board import FirstPlacement, HexCoordinates, Tile, Wharf, as_points, board_of, make_map
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, pack
from catan_p2p.game.constants import Constants, Rules
from catan_p2p.game.playable import constant_name
from catan_p2p.game.state import (
    NOTHING_HIDDEN,
    Bank,
    Buildings,
    CalledDraw,
    Hand,
    HiddenCounts,
    Offer,
    PlacedSettlements,
    State,
    WayBack,
)

Value: TypeAlias = Any
"""A TLA+ value: int, str, bool, tuple (a sequence), frozenset (a set) or dict (a record or another function)."""

_ELSEWHERE = ("resource_pool", "dev_card_pool", "roads", "villages", "cities", "dice", "patience")
"""Fields that are not in the specification's record of rules: they are constants of their own, or not in it at all."""

RULE_NAMES = {field.name: constant_name(field.name) for field in fields(Rules) if field.name not in _ELSEWHERE}
"""The specification's names of the fields of its record of rules, by the program's."""

_TOKEN = re.compile(r'"[^"]*"|<<|>>|\|->|:>|@@|\.\.|/\\|-?\d+|\w+|[\[\]{}(),=]')
_CONJUNCT = re.compile(r"^/\\ (\w+) = ", re.MULTILINE)


class ValueSyntaxError(ValueError):
    """The text is not a TLA+ value as TLC prints it; the message names the token."""


def parse_value(text: str) -> Value:
    """The value of a text; ``ValueSyntaxError`` if it is not one value."""
    tokens = _TOKEN.findall(text)
    value, rest = _merged(tokens, 0)
    if rest != len(tokens):
        raise ValueSyntaxError(f"{tokens[rest]!r} follows the end of a value")
    return value


def parse_first_value(text: str) -> Value:
    """The value at the beginning of a text; the rest is ignored."""
    return _merged(_TOKEN.findall(text), 0)[0]


def parse_variables(text: str) -> dict[str, Value]:
    """The variables of a state by name, from lines such as ``/\\ G = [...]``."""
    heads = list(_CONJUNCT.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head[1]: parse_value(text[head.end() : end].partition("\n\n")[0]) for head, end in zip(heads, ends, strict=True)
    }


def _merged(tokens: list[str], at: int) -> tuple[Value, int]:
    value, at = _single(tokens, at)
    while tokens[at : at + 1] == ["@@"]:
        other, at = _single(tokens, at + 1)
        # In ``f @@ g``, the values of f win.
        value = {**other, **value}
    return value, at


def _single(tokens: list[str], at: int) -> tuple[Value, int]:
    value, at = _plain(tokens, at)
    if tokens[at : at + 1] == [":>"]:
        image, at = _single(tokens, at + 1)
        return {value: image}, at
    if tokens[at : at + 1] == [".."]:
        last, at = _single(tokens, at + 1)
        return frozenset(range(value, last + 1)), at
    return value, at


def _plain(tokens: list[str], at: int) -> tuple[Value, int]:
    if at >= len(tokens):
        raise ValueSyntaxError("a value ends too early")
    token = tokens[at]
    value: Value
    if token == "<<":
        items, at = _items(tokens, at + 1, ">>")
        return tuple(items), at
    if token == "{":
        items, at = _items(tokens, at + 1, "}")
        return frozenset(items), at
    if token == "[":
        return _record(tokens, at + 1)
    if token == "(":
        value, at = _merged(tokens, at + 1)
        return value, _expect(tokens, at, ")")
    at += 1
    if token.startswith('"'):
        value = token[1:-1]
    elif token in ("TRUE", "FALSE"):
        value = token == "TRUE"
    elif token.lstrip("-").isdecimal():
        value = int(token)
    else:
        raise ValueSyntaxError(f"{token!r}, expected a value")
    return value, at


def _items(tokens: list[str], at: int, end: str) -> tuple[list[Value], int]:
    items: list[Value] = []
    while tokens[at : at + 1] != [end]:
        if items:
            at = _expect(tokens, at, ",")
        value, at = _merged(tokens, at)
        # Elements of a frozenset must be hashable, which records are not.
        items.append(_frozen(value) if end == "}" else value)
    return items, at + 1


def _record(tokens: list[str], at: int) -> tuple[dict[str, Value], int]:
    record: dict[str, Value] = {}
    while tokens[at : at + 1] != ["]"]:
        if record:
            at = _expect(tokens, at, ",")
        name = tokens[at]
        record[name], at = _merged(tokens, _expect(tokens, at + 1, "|->"))
    return record, at + 1


def _expect(tokens: list[str], at: int, token: str) -> int:
    if tokens[at : at + 1] != [token]:
        raise ValueSyntaxError(f"{' '.join(tokens[at : at + 1]) or 'the end'!r}, expected {token!r}")
    return at + 1


def _frozen(value: Value) -> Value:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


def model_constants(model: Mapping[str, Value]) -> Constants:
    """The constants of a model as ``MC.tla`` prints them."""
    pieces = model["BP"]
    rules = Rules(
        resource_pool=_cards(model["RCP"], RESOURCES),
        dev_card_pool=_cards(model["DCP"], DEV_CARDS),
        roads=pieces["Road"],
        villages=pieces["Village"],
        cities=pieces["City"],
        dice=tuple(sorted(model["Dice"])),
        **{field: model["Rules"][name] for field, name in RULE_NAMES.items()},
    )
    tiles = [
        Tile(HexCoordinates(tile["arr"], tile["row"], tile["col"]), tile["terrain"], tile["n"] or None)
        for tile in model["Tiles"]
    ]
    wharfs = []
    for wharf in map(dict, model["Wharfs"]):
        first, second = sorted(wharf["between"])
        wharfs.append(Wharf((tiles[first - 1].at, tiles[second - 1].at), wharf["wt"]))
    opening = sorted(FirstPlacement(at["p"], at["sp"], at["rp"], at["earns"]) for at in map(dict, model["Opening"]))
    return Constants(rules, board_of(make_map(tiles, wharfs)), model["NPlayers"], tuple(opening))


def make_state(setup: Mapping[str, Value], game: Mapping[str, Value], constants: Constants) -> State:
    """The state with these values of the specification's ``SU`` and ``G``."""
    players = constants.players
    settlements = list(_numbered(game["s"]))
    roads = list(_numbered(game["r"]))

    def built(player: int, type: str) -> int:
        return as_points(sp for sp, place in settlements if place["own"] == player and place["st"] == type)

    return State(
        hid=NOTHING_HIDDEN if constants.rules.hands == "open" else _hidden(game["hid"]),
        constants=constants,
        sup=setup["sup"],
        su_ap=setup["ap"],
        first=setup["first"],
        rolls=tuple(setup["rolls"]),
        ap=game["ap"],
        tp=game["tp"],
        dice=game["dice"],
        pd=game["pd"],
        sb=game["sb"],
        ba=game["ba"],
        dp=_cards(game["dp"], DEV_CARDS),
        lr=game["lr"],
        la=game["la"],
        lim=tuple(game["lim"]),
        offer=_offer(game["offer"]),
        ans=tuple(game["ans"]),
        prop=tuple(map(_offer, game["prop"])),
        made=tuple(game["made"]),
        due=tuple(game["due"]),
        call=CalledDraw(game["call"]["what"], game["call"]["tp"], game["call"]["to"], game["call"]["victim"]),
        away=tuple(game["away"]),
        ret=tuple(WayBack(way["left"], way["missed"]) for way in game["ret"]),
        ahead=tuple(game["ahead"]),
        s=PlacedSettlements(
            tuple(built(player, "Village") for player in players),
            tuple(built(player, "City") for player in players),
        ),
        r=tuple(as_points(rp for rp, owner in roads if owner == player) for player in players),
        bnk=Bank(_cards(game["bnk"]["RC"], RESOURCES), _cards(game["bnk"]["DC"], DEV_CARDS)),
        h=tuple(_hand(hand) for hand in game["h"]),
        b=tuple(Buildings(left["Road"], left["Village"], left["City"]) for left in game["b"]),
    )


def _hidden(hidden: Mapping[str, Value]) -> HiddenCounts:
    counts = {name: tuple(hidden[name]) for name in ("sealed", "bought", "held", "keyless")}
    return HiddenCounts(**{**hidden, **counts})


def _numbered(values: Value) -> Iterator[tuple[int, Value]]:
    return enumerate(values, 1)


def _offer(offer: Mapping[str, Value]) -> Offer:
    return Offer(_cards(offer["give"], RESOURCES), _cards(offer["receive"], RESOURCES))


def _hand(hand: Mapping[str, Value]) -> Hand:
    cards = hand["DC"]
    return Hand(
        _cards(hand["RC"], RESOURCES),
        _cards(cards["BC"], DEV_CARDS),
        _cards(cards["AC"], DEV_CARDS),
        _cards(cards["UC"], DEV_CARDS),
    )


def _cards(counts: Mapping[str, int], names: tuple[str, ...]) -> Cards:
    return pack(counts.get(name, 0) for name in names)
