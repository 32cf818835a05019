"""The files that a root commit fixes: read back as written, and refused when they are not what they should be."""

import dataclasses

import pytest

from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.constants import BRIEF, THESIS, Constants, Rules, profile
from catan_p2p.game.rule_names import spell_rules
from catan_p2p.log.game import (
    FormatError,
    GameDefinition,
    Seat,
    format_rules,
    game_files,
    new_game,
    parse_game,
    parse_rules,
)
from tests.for_each import for_each


@for_each("players", range(2, 7))
def test_a_game_is_read_back_as_it_was_written(players: int) -> None:
    rules = profile("brief" if players > 4 else "thesis", players)
    game = new_game(4, Constants(rules, player_count=players))
    again = parse_game(game_files(game), 4)
    assert (again.number, again.seats) == (4, game.seats)
    assert again.constants.rules == rules
    assert again.constants.board.map == game.constants.board.map
    assert again.constants.player_count == players


@pytest.mark.parametrize("rules", [THESIS, BRIEF, dataclasses.replace(THESIS, points_to_win=3, dice=(2, 7))])
def test_every_rule_constant_is_read_back(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


def test_there_is_one_line_for_every_rule_constant_that_the_thesis_has() -> None:
    assert len(format_rules(THESIS).splitlines()) == len(dataclasses.fields(Rules)) - len(LATER)


LATER = {
    "OfferMax = 4": "offer_max",
    "SpecialBuilding = yes": "special_building",
    "StartOrder = dice": "start_order",
    "Chance = joint": "chance",
    "TableTalk = yes": "table_talk",
    "OffersPerTurn = 5": "offers_per_turn",
    "ProposalsPerTurn = 3": "proposals_per_turn",
    "Leaving = yes": "leaving",
    "Patience = 90": "patience",
    "Returns = 2": "returns",
    "Hands = hidden": "hands",
    "SignedEnd = yes": "signed_end",
    "ChanceAhead = yes": "chance_ahead",
    "OffersToOne = yes": "offers_to_one",
}


@for_each(("line", "field"), LATER.items())
def test_a_later_constant_is_written_only_where_it_differs_from_the_thesis(line: str, field: str) -> None:
    rules = dataclasses.replace(profile("brief", 6), chance="joint", table_talk=True, leaving=True)
    rules = dataclasses.replace(
        rules, offers_per_turn=5, proposals_per_turn=3, patience=90, hands="hidden", signed_end=True, chance_ahead=True
    )
    rules = dataclasses.replace(rules, offers_to_one=True, returns=2)
    text = format_rules(rules)
    assert line in text.splitlines()
    assert parse_rules(text.replace(f"{line}\n", "")) == dataclasses.replace(rules, **{field: getattr(THESIS, field)})


def test_a_later_constant_that_is_as_in_the_thesis_is_not_written() -> None:
    files = game_files(new_game(0, Constants(profile("brief", 3), player_count=3)))
    files["rules"] = files["rules"].replace("StartOrder", "SpecialBuilding = no\nStartOrder")
    with pytest.raises(FormatError, match="rules: not in its canonical spelling"):
        parse_game(files, 0)


OPENING = ((1, 35, 44, False), (1, 19, 23, True), (2, 44, 57, False), (2, 40, 55, True))


def opened() -> GameDefinition:
    """A game with two villages and roads of each player on the board."""
    return new_game(0, Constants(BRIEF, opening=tuple(FirstPlacement(*at) for at in OPENING)))


def test_an_opening_is_read_back_as_it_was_written() -> None:
    files = game_files(opened())
    assert files["map/opening"] == "1,35,44,-\n1,19,23,earns\n2,44,57,-\n2,40,55,earns\n"
    assert parse_game(files, 0).constants == opened().constants


@for_each("text", ["", "1,10,12\n", "1,10,12,no\n", "1,10,twelve,-\n", "01,10,12,-\n", "9,10,12,-\n", "1,99,12,-\n"])
def test_an_opening_that_is_none_is_named(text: str) -> None:
    with pytest.raises(FormatError, match="map/opening"):
        parse_game({**game_files(opened()), "map/opening": text}, 0)


def test_a_seat_keeps_its_key_and_a_name_with_blanks() -> None:
    key = "AAAAC3NzaC1lZDI1NTE5AAAAIO4x+DyIpxIZpvz5vuDam8ImIFiPWhWmFFVTUE35ZJ5c"
    seats = (Seat("Red", "Ada of Basel", key), Seat("Brown", "Red_0", None))
    game = GameDefinition(Constants(), 0, seats)
    assert parse_game(game_files(game), 0).seats == seats


@for_each(
    ("file", "text", "complaint"),
    [
        ("format", "3\n", "version '3'"),
        ("format", "1", "format: not in its canonical spelling"),
        ("players", "1 Red - Red_0\n", "1 players"),
        ("players", "1 Red ssh-ed25519:AAAA Red_0\n2 Blue - Blue_0\n", "not a public key"),
        ("players", "1 Red - Red_0\n2 Red - Blue_0\n", "different colours"),
        ("players", "1 Red - Red_0\n3 Blue - Blue_0\n", "players, line 2"),
        ("players", "1 Pink - Red_0\n2 Blue - Blue_0\n", "players, line 1"),
        ("players", "1 Red -\n2 Blue - Blue_0\n", "players, line 1"),
        ("rules", "", "rules, line 1: expected BanditBlocksBuilding"),
        ("map/tiles", "0,0,1,sea\n", "map/tiles, line 1"),
        ("map/wharfs", "0,0,1 1,0,2 Gold\n", "map/wharf"),
    ],
)
def test_a_file_that_is_wrong_is_named(file: str, text: str, complaint: str) -> None:
    files = game_files(new_game(0, Constants()))
    with pytest.raises(FormatError) as error:
        parse_game({**files, file: text}, 0)
    assert complaint in str(error.value)


@for_each("name", [line.partition(" = ")[0] for line in format_rules(THESIS).splitlines()])
def test_a_rule_constant_of_another_value_type_is_refused(name: str) -> None:
    text = "".join(
        f"{name} = ?\n" if line.startswith(f"{name} = ") else f"{line}\n" for line in format_rules(THESIS).splitlines()
    )
    game = game_files(new_game(0, Constants()))
    with pytest.raises(FormatError):
        parse_game({**game, "rules": text}, 0)


def test_the_roots_of_what_was_called_standard_say_what_they_are() -> None:
    for players in (4, 6):
        rules = profile("brief", players)
        text = format_rules(rules)
        assert "OfferMax = 4" in text and "TableTalk" not in text
        assert parse_rules(text) == rules
        assert spell_rules(parse_rules(text), players) == "brief"
        assert spell_rules(profile("standard", players), players) == "standard"
