"""What ``view.advance`` objects to, rule by rule, and what it lets pass; ``|`` tells lines apart."""

import pytest

from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.cards import ONE, covers, pack
from catan_p2p.game.state import Buildings
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.view import events as e
from tests.for_each import for_each
from tests.notation.stories import SETUP, Story

FULL = pack((9, 9, 9, 9, 9))
PLACED = "red buys settlement, builds at (10 NW)|red buys road, builds at (10 NW)"

SET_UP = [
    ("", "blue buys settlement, builds at (1 SE)", "expected a village of Red's"),
    ("", "red buys road, builds at (1 NW)", "expected a village of Red's"),
    ("", "red ends turn after 1s", "expected a village of Red's"),
    ("", "red rolls 8", "the set-up is not over, expected a village of Red's"),
    ("", "red buys dev card", "the set-up is not over"),
    ("red buys settlement, builds at (10 NW)", "red buys settlement, builds at (1 SE)", "expected a road of Red's"),
    ("red buys settlement, builds at (10 NW)", "red ends turn after 1s", "expected a road of Red's"),
    ("red buys settlement, builds at (10 NW)", "blue buys road, builds at (10 NW)", "expected a road of Red's"),
    (
        "red buys settlement, builds at (10 NW)",
        "red buys road, builds at (1 NW)",
        "the road on (1 NW) does not touch the village on (10 NW)",
    ),
    (PLACED, "blue buys settlement, builds at (1 SE)", "expected the end of Red's turn"),
    (PLACED, "blue ends turn after 1s", "expected the end of Red's turn"),
    (PLACED + "|red ends turn after 1s", "blue buys settlement, builds at (10 NW)", "(10 NW) is taken by Red"),
    (PLACED + "|red ends turn after 1s", "blue buys settlement, builds at (10 N)", "next to another settlement"),
    ("", "red buys settlement, builds at (13 SE)", "beside the bandit"),
    ("red buys settlement, builds at (10 SW)", "red buys road, builds at (17 W)", "does not touch"),
    ("red buys settlement, builds at (13 S)", "red buys road, builds at (13 SE)", "beside the bandit"),
]


@for_each(("told", "line", "problem"), SET_UP, ids=[line for _, line, _ in SET_UP])
def test_the_set_up(told: str, line: str, problem: str) -> None:
    story = Story(told="")
    for earlier in filter(None, told.split("|")):
        story.judge(earlier)
    assert problem in "; ".join(story.judge(line))


def test_the_second_village_earns_its_tiles_and_the_first_does_not() -> None:
    position = Story().position
    assert position.hand(1).low == position.hand(1).high == ONE["Wool"] + 2 * ONE["Grain"]
    assert position.hand(2).low == ONE["Lumber"] + ONE["Brick"] + ONE["Ore"]


def test_nothing_is_beside_the_bandit_for_the_standard_rules() -> None:
    Story("brief", "").tell("red buys settlement, builds at (13 SE)", "red buys road, builds at (18 SW)")


def test_the_bandit_stands_on_land_and_is_told_of_first() -> None:
    sea = DEFAULT_BOARD.tile_number[DEFAULT_BOARD.map.tiles[0].at]
    assert "which is sea" in Story(told="").judge(e.BanditStands(1, sea))[0]
    assert "after the first village" in Story().judge(e.BanditStands(1, 12))[0]
    assert "after the first village" in Story(told=PLACED.split("|")[0]).judge(e.BanditStands(1, 12))[0]


TURNS = [
    ("", "blue rolls 8", "Blue rolls the dice, but it is Red's turn"),
    ("", "red buys dev card", "has to roll the dice first"),
    ("", "red ends turn after 1s", "has to roll the dice first"),
    ("red rolls 8", "red rolls 9", "rolls the dice a second time"),
    ("red rolls 8", "blue rolls 9", "but it is Red's turn"),
    ("red rolls 8", "blue ends turn after 1s", "but it is Red's turn"),
    ("red rolls 8", "blue buys dev card", "but it is Red's turn"),
    ("red rolls 7", "red ends turn after 1s", "expected Red to move the bandit"),
    ("red rolls 7", "red buys dev card", "expected Red to move the bandit"),
    ("red rolls 8|red wins", "blue rolls 8", "the game is over, Red has won"),
    ("red rolls 8|red wins", "red wins", "the game is over, Red has won"),
    ("red rolls 8", "blue wins", "but it is not their turn"),
    ("red rolls 8", "red wins", "wins with 2 points, expected 10"),
    ("", "red wins", "but the turn is not at its end"),
    ("red rolls 7", "red wins", "but the turn is not at its end"),
    ("red rolls 8", "red plays victory point", "cannot hold one"),
    ("red rolls 8", "blue plays victory point", "it is not their turn"),
]


@for_each(("told", "line", "problem"), TURNS, ids=[f"{told}|{line}" for told, line, _ in TURNS])
def test_turns(told: str, line: str, problem: str) -> None:
    story = Story()
    for earlier in filter(None, told.split("|")):
        story.judge(earlier)
    assert problem in "; ".join(story.judge(line))


def test_after_an_objection_the_story_goes_on_where_the_line_is() -> None:
    story = Story()
    assert story.judge("blue rolls 8")
    story.tell("blue ends turn after 1s", "red rolls 8", "red ends turn after 1s", "blue rolls 9")
    story = Story().tell("red rolls 7")
    assert story.judge("red ends turn after 1s")
    story.tell("blue rolls 9")


BUILDING = [
    (0, "red buys road, builds at (6 NE)", "Red cannot pay 1 Lumber, 1 Brick for a road: holds nothing"),
    (0, "red buys settlement, builds at (8 NE)", "cannot pay 1 Lumber, 1 Brick, 1 Wool, 1 Grain for a village"),
    (0, "red buys city, builds at (6 NE)", "cannot pay 2 Grain, 3 Ore for a city"),
    (0, "red buys dev card", "cannot pay 1 Wool, 1 Grain, 1 Ore for a development card"),
    (FULL, "red buys road, builds at (6 E)", "(6 E) has a road of Red's"),
    (FULL, "red buys road, builds at (1 E)", "(1 E) has a road of Blue's"),
    (FULL, "red buys road, builds at (1 NW)", "(1 NW) does not touch Red's roads and settlements"),
    (FULL, "red buys settlement, builds at (8 NE)", "no road of Red's reaches (8 NE)"),
    (FULL, "red buys settlement, builds at (10 N)", "(10 N) is next to another settlement"),
    (FULL, "red buys settlement, builds at (1 SE)", "(1 SE) is taken by Blue"),
    (FULL, "red buys city, builds at (1 SE)", "Red has no village on (1 SE)"),
    (FULL, "red buys city, builds at (1 N)", "Red has no village on (1 N)"),
]


@for_each(("cards", "line", "problem"), BUILDING, ids=[line + f" {n}" for n, line, _ in BUILDING])
def test_building(cards: int, line: str, problem: str) -> None:
    story = Story().tell("red rolls 8").hold(2, 0).hold(1, cards)
    assert problem in "; ".join(story.judge(line))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("red buys road, builds at (10 NE)", "has no road left"),
        ("red buys settlement, builds at (7 SE)", "has no village left"),
        ("red buys city, builds at (6 NE)", "has no city left"),
    ],
)
def test_a_supply_that_is_used_up(line: str, problem: str) -> None:
    story = Story().tell("red rolls 8").hold(1, FULL).set(b=(Buildings(0, 0, 0), Buildings(0, 0, 0)))
    assert problem in "; ".join(story.judge(line))


@pytest.mark.parametrize(
    "line",
    ["red buys road, builds at (10 NE)", "red buys city, builds at (10 NW)", "red buys settlement, builds at (10 NE)"],
)
def test_nothing_is_built_beside_the_bandit_under_the_thesis_rules(line: str) -> None:
    hills = PLACES.tiles[10]
    problem = "is beside the bandit, where nothing is built under the thesis's rules"
    assert problem in "; ".join(Story().tell("red rolls 8").hold(1, FULL).set(ba=hills).judge(line))
    standard = Story("brief").tell("red rolls 8").hold(1, FULL).set(ba=hills)
    assert problem not in "; ".join(standard.judge(line))


def test_a_village_city_and_road_change_the_supply() -> None:
    story = Story().tell("red rolls 8").hold(1, FULL)
    story.tell("red buys road, builds at (10 NE)", "red buys settlement, builds at (10 NE)")
    story.tell("red buys city, builds at (10 NW)")
    assert story.position.state.b[0] == Buildings(12, 3, 3)
    assert story.position.points(1) == 4


BANDIT = [
    ("red rolls 8", "red moves robber to 1, steals from blue", "has neither rolled a seven nor played a knight"),
    ("red rolls 7", "blue moves robber to 10, steals from red", "Blue moves the bandit, but it is Red's turn"),
    ("red rolls 7", "red moves robber to 19, steals from nobody", "the bandit stands on tile 19 already"),
    ("red rolls 7", "red moves robber to 2, steals from blue", "Blue is robbed, but has no settlement on tile 2"),
    ("red rolls 7", "red moves robber to 10, steals from red", "Red is robbed, but has no settlement on tile 10"),
    ("red rolls 7", "red moves robber to 1, steals from nobody", "Blue on tile 1 must have cards"),
    ("red rolls 7", "red moves robber to 3, steals from nobody", "has no adversary's settlement"),
]


@for_each(("told", "line", "problem"), BANDIT, ids=[f"{told}|{line}" for told, line, _ in BANDIT])
def test_the_bandit(told: str, line: str, problem: str) -> None:
    story = Story()
    for earlier in told.split("|"):
        story.tell(earlier)
    assert problem in "; ".join(story.judge(line))


def test_the_bandit_may_go_anywhere_for_the_standard_rules() -> None:
    Story("brief").tell("red rolls 7", "red moves robber to 3, steals from nobody", "red ends turn after 1s")


def test_the_bandit_stays_on_land() -> None:
    assert "is sea" in "; ".join(Story().tell("red rolls 7").judge(e.BanditMoved(1, 1, 0, "none")))


def test_a_known_card_is_stolen_from_somebody_who_can_have_it() -> None:
    mountains = PLACES.tiles[1]
    story = Story().tell("red rolls 7", e.BanditMoved(1, mountains, 2, "Ore"))
    assert story.position.hand(1).low == ONE["Wool"] + 2 * ONE["Grain"] + ONE["Ore"]
    assert story.position.hand(2).low == ONE["Lumber"] + ONE["Brick"]
    problems = Story().tell("red rolls 7").judge(e.BanditMoved(1, mountains, 2, "Grain"))
    assert "1 Grain is stolen from Blue, who cannot have any" in "; ".join(problems)
    problems = Story().tell("red rolls 7").judge(e.BanditMoved(1, mountains, 2, "none"))
    assert "nothing is stolen from Blue, who has cards" in "; ".join(problems)
    Story().tell("red rolls 7").hold(2, 0).tell(e.BanditMoved(1, mountains, 2, "none"))


def test_a_stolen_card_that_nobody_names_widens_both_hands() -> None:
    story = Story().tell("red rolls 7", "red moves robber to 1, steals from blue")
    thief, victim = story.position.hands
    assert (thief.least, thief.most) == (4, 4)
    assert (victim.least, victim.most) == (2, 2)
    assert thief.low == ONE["Wool"] + 2 * ONE["Grain"]
    assert victim.low == 0
    assert victim.high == ONE["Lumber"] + ONE["Brick"] + ONE["Ore"]
    assert [str(fact) for fact in story.position.open_facts() if fact.player == 1] == [
        "cards 4",
        "Lumber 0 to 1",
        "Brick 0 to 1",
        "Ore 0 to 1",
    ]


def test_what_is_paid_later_tells_which_card_was_stolen() -> None:
    story = Story().tell("red rolls 7", "red moves robber to 1, steals from blue", "red buys dev card")
    assert story.position.hand(1).is_exact
    assert story.position.hand(1).low == ONE["Grain"]
    assert story.position.hand(2).is_exact is False
    story.tell("red ends turn after 1s", "blue rolls 9")
    assert "cannot pay" in "; ".join(story.judge("blue buys dev card"))


DISCARDS = [
    (0, e.CardsDiscarded(1, ONE["Ore"]), "Red discards 1 cards, but owes none"),
    (pack((8, 0, 0, 0, 0)), e.CardsDiscarded(1, 3 * ONE["Lumber"]), "Red discards 3 cards, expected 4"),
    (pack((8, 0, 0, 0, 0)), e.CardsDiscarded(1, 4 * ONE["Ore"]), "Red cannot pay 4 Ore for a discard"),
    (pack((8, 0, 0, 0, 0)), e.BanditMoved(1, PLACES.tiles[1], 2, "Ore"), "expected the discards of Red first"),
]


@for_each(("cards", "event", "problem"), DISCARDS, ids=[problem for _, _, problem in DISCARDS])
def test_discards(cards: int, event: e.CardsDiscarded, problem: str) -> None:
    story = Story(says_discards=True).hold(1, cards).tell("red rolls 7")
    assert problem in "; ".join(story.judge(event))


def test_whoever_owes_a_discard_is_waited_for() -> None:
    story = Story(says_discards=True).hold(1, pack((8, 0, 0, 0, 0))).tell("red rolls 7")
    assert "expected the discards of Red" in "; ".join(story.judge("red buys dev card"))
    story = Story(says_discards=True).hold(1, pack((9, 0, 0, 0, 0))).tell("red rolls 7")
    story.tell(e.CardsDiscarded(1, 4 * ONE["Lumber"]), e.BanditMoved(1, PLACES.tiles[1], 2, "Ore"))


def test_a_file_without_discards_implies_them() -> None:
    story = Story().hold(1, pack((6, 3, 0, 0, 0))).tell("red rolls 7")
    hand = story.position.hand(1)
    assert (hand.least, hand.most) == (5, 5)
    assert hand.low == pack((2, 0, 0, 0, 0))
    assert hand.high == pack((5, 3, 0, 0, 0))
    assert story.position.hand(2).is_exact


# Yields


def test_tiles_yield_one_to_a_village_and_two_to_a_city_but_not_under_the_bandit() -> None:
    story = Story().hold(1, FULL).tell("red rolls 8", "red buys city, builds at (10 NW)").hold(1, 0).hold(2, 0)
    story.tell("red ends turn after 1s", "blue rolls 9")
    assert story.position.hand(1).low == 2 * ONE["Lumber"]
    story.set(ba=PLACES.tiles[11]).tell("blue ends turn after 1s", "red rolls 9")
    assert story.position.hand(1).low == 2 * ONE["Lumber"]


def test_a_bank_that_lacks_a_card_pays_nobody_under_the_thesis_rules() -> None:
    most = pack((0, 0, 19, 18, 0))
    story = Story().hold(2, most).hold(1, 0).tell("red rolls 4")  # 1 Wool and 1 Grain for Red
    assert story.position.hand(1).low == 0


def test_a_bank_that_lacks_a_resource_pays_the_others_under_the_standard_rules() -> None:
    most = pack((0, 0, 19, 18, 0))
    story = Story("brief").hold(2, most).hold(1, 0).tell("red rolls 4")
    assert story.position.hand(1).low == ONE["Grain"]


def test_a_single_player_gets_the_rest_under_the_standard_rules() -> None:
    story = Story("brief").hold(1, FULL).tell("red rolls 8", "red buys city, builds at (10 NW)")
    story.hold(1, 0).hold(2, pack((18, 0, 0, 0, 0))).tell("red ends turn after 1s", "blue rolls 9")
    assert story.position.hand(1).low == ONE["Lumber"]


def test_two_players_get_nothing_of_what_the_bank_cannot_pay_both() -> None:
    told = SETUP.replace("blue buys settlement, builds at (4 SE)", "blue buys settlement, builds at (11 N)").replace(
        "blue buys road, builds at (5 NE)", "blue buys road, builds at (11 NW)"
    )
    story = Story("brief", told).hold(1, 0).hold(2, pack((18, 0, 0, 0, 0))).tell("red rolls 9")
    assert story.position.hand(1).low == 0
    assert story.position.hand(2).low == pack((18, 0, 0, 0, 0))
    story = Story("brief", told).hold(1, 0).hold(2, pack((17, 0, 0, 0, 0))).tell("red rolls 9")
    assert story.position.hand(1).low == ONE["Lumber"]


# Trades

BANK = [
    ("red trades [4 wood] to port 4:1 for [1 ore]", None),
    ("red trades [8 wood] to port 4:1 for [1 ore, 1 wheat]", None),
    ("red trades [4 wood, 4 brick] to port 4:1 for [2 ore]", None),
    ("red trades [3 wood] to port 4:1 for [1 ore]", "Red cannot trade 3 Lumber for 1 Ore at 4:1"),
    ("red trades [3 wood] to port 3:1 for [1 ore]", "cannot trade 3 Lumber for 1 Ore at 3:1"),
    ("red trades [2 wood] to port wood for [1 ore]", "cannot trade 2 Lumber for 1 Ore at Lumber"),
    ("red trades [4 wood] to port 4:1 for [1 wood]", "cannot trade"),
    ("red trades [4 wood] to port 4:1 for []", "cannot trade 4 Lumber for nothing"),
    ("red trades [] to port 4:1 for [1 ore]", "cannot trade nothing for 1 Ore"),
    ("red trades [4 wood] to port 4:1 for [2 ore]", "cannot trade"),
    ("blue trades [4 wood] to port 4:1 for [1 ore]", "but it is Red's turn"),
]


@for_each(("line", "problem"), BANK, ids=[line for line, _ in BANK])
def test_trades_with_the_bank(line: str, problem: str | None) -> None:
    story = Story().tell("red rolls 8").hold(1, FULL).hold(2, 0)
    problems = "; ".join(story.judge(line))
    assert (problem in problems) if problem else not problems


def test_wharfs_give_better_rates() -> None:
    told = SETUP.replace("(10 NW)", "(10 N)").replace("road, builds at (10 N)", "road, builds at (10 NW)")
    told = told.replace("settlement, builds at (6 NE)", "settlement, builds at (6 S)").replace("(6 E)", "(6 SE)")
    story = Story(told=told).tell("red rolls 8").hold(1, FULL)  # on the wharf for Ore and on a three-to-one wharf
    story.tell("red trades [2 ore] to port ore for [1 wood]", "red trades [3 wood] to port 3:1 for [1 ore]")
    story.tell("red trades [6 ore] to port ore for [2 wood, 1 wheat]")
    assert "cannot trade" in story.judge("red trades [2 wood] to port wood for [1 ore]")[0]


def test_the_bank_and_the_hand_must_have_what_is_traded() -> None:
    story = Story().tell("red rolls 8").hold(1, pack((4, 0, 0, 0, 0))).hold(2, pack((0, 0, 0, 0, 19)))
    assert "the bank has 0 Ore, 1 are taken" in story.judge("red trades [4 wood] to port 4:1 for [1 ore]")[0]
    story = Story().tell("red rolls 8").hold(1, pack((3, 0, 0, 0, 0)))
    assert "cannot pay 4 Lumber for a trade" in story.judge("red trades [4 wood] to port 4:1 for [1 ore]")[0]


def test_no_trade_after_building_under_the_thesis_rules() -> None:
    lines = "red buys road, builds at (10 NE)", "red trades [4 wood] to port 4:1 for [1 ore]"
    story = Story().tell("red rolls 8").hold(1, FULL).tell(lines[0])
    assert "after building, which the thesis's rules do not allow" in story.judge(lines[1])[0]
    Story("brief").tell("red rolls 8").hold(1, FULL).tell(*lines)


PLAYERS = [
    ("red trades [1 wood] to player blue for [1 ore]", None),
    ("blue trades [1 wood] to player red for [1 ore]", None),
    ("red trades [1 wood, 2 wheat] to player blue for [1 ore, 3 sheep]", None),
    ("red trades [] to player blue for [1 ore]", "somebody gives nothing"),
    ("red trades [1 wood] to player blue for []", "somebody gives nothing"),
    ("red trades [1 wood, 1 ore] to player blue for [1 ore]", "a trade of a resource for itself"),
    ("red trades [11 wood] to player blue for [1 ore]", "Red cannot pay 11 Lumber for a trade"),
    ("red trades [1 wood] to player blue for [11 ore]", "Blue cannot pay 11 Ore for a trade"),
]


@for_each(("line", "problem"), PLAYERS, ids=[line for line, _ in PLAYERS])
def test_trades_between_players(line: str, problem: str | None) -> None:
    story = Story("brief").tell("red rolls 8").hold(1, FULL).hold(2, FULL)
    problems = "; ".join(story.judge(line))
    assert (problem in problems) if problem else not problems
    thesis = Story().tell("red rolls 8").hold(1, FULL).hold(2, FULL)
    assert "players trade with each other" in "; ".join(thesis.judge(line))


def test_a_trade_moves_the_cards() -> None:
    story = Story("brief").tell("red rolls 8").hold(1, pack((2, 0, 0, 0, 0))).hold(2, pack((0, 0, 0, 0, 2)))
    story.tell("red trades [2 wood] to player blue for [1 ore]")
    assert [hand.low for hand in story.position.hands] == [ONE["Ore"], 2 * ONE["Lumber"] + ONE["Ore"]]


# Development cards


def with_card(rules: str = "thesis") -> Story:
    """Red has bought a card a turn ago and is about to roll."""
    story = Story(rules).tell("red rolls 8").hold(1, FULL).tell("red buys dev card", "red ends turn after 1s")
    return story.tell("blue rolls 8", "blue ends turn after 1s")


PLAYS = [
    "red plays knight",
    "red plays road builder, builds at (10 NE) and (10 E)",
    "red plays year of plenty, takes wood and brick",
    "red plays monopoly on ore",
]


@for_each("line", PLAYS)
def test_a_card_is_played_from_the_turn_after_it_was_bought(line: str) -> None:
    with_card().tell("red rolls 8", line)
    story = Story().tell("red rolls 8").hold(1, FULL).tell("red buys dev card")
    assert "but bought it this turn" in "; ".join(story.judge(line))
    assert "but cannot hold one" in "; ".join(Story().tell("red rolls 8").hold(1, FULL).judge(line))


@for_each("line", PLAYS)
def test_a_card_is_played_before_the_dice_only_under_the_standard_rules(line: str) -> None:
    with_card("brief").tell(line)
    assert "has to roll the dice first" in "; ".join(with_card().judge(line))


def test_one_card_a_turn_under_the_standard_rules() -> None:
    for rules, problem in (("thesis", None), ("brief", "the second one in a turn")):
        story = Story(rules).tell("red rolls 8").hold(1, FULL).tell("red buys dev card", "red buys dev card")
        story.tell("red ends turn after 1s", "blue rolls 8", "blue ends turn after 1s", "red rolls 8")
        story.tell("red plays monopoly on ore")
        problems = "; ".join(story.judge("red plays monopoly on wood"))
        assert (problem in problems) if problem else not problems


def test_a_known_card_is_the_only_one_that_can_be_played() -> None:
    story = Story().tell("red rolls 8").hold(1, FULL).tell(e.DevCardBought(1, "Monopoly"), "red ends turn after 1s")
    story.tell("blue rolls 8", "blue ends turn after 1s", "red rolls 8")
    assert "but cannot hold one" in "; ".join(story.judge("red plays knight"))
    story = Story().tell("red rolls 8").hold(1, FULL).tell(e.DevCardBought(1, "Monopoly"))
    assert "but bought it this turn" in "; ".join(story.judge("red plays monopoly on ore"))


def test_no_more_cards_of_a_kind_than_there_are() -> None:
    story = Story().tell("red rolls 8").hold(1, FULL)
    story.tell(e.DevCardBought(1, "Monopoly"), e.DevCardBought(1, "Monopoly"))
    assert "there is no Monopoly card left" in "; ".join(story.judge(e.DevCardBought(1, "Monopoly")))
    story = Story().tell("red rolls 8")
    for _ in range(25):
        story.hold(1, FULL).tell("red buys dev card")
    assert "all 25 development cards are bought" in "; ".join(story.hold(1, FULL).judge("red buys dev card"))


def test_a_knight_waits_for_the_bandit() -> None:
    story = with_card().tell("red rolls 8", "red plays knight")
    assert "but has to move the bandit first" in "; ".join(story.judge("red ends turn after 1s"))
    story = with_card().tell("red rolls 8", "red plays knight", "red moves robber to 1, steals from blue")
    story.tell("red ends turn after 1s")
    story = with_card().tell("red rolls 8", "red plays knight")
    assert "wins, but the turn is not at its end" in "; ".join(story.judge("red wins"))
    story = with_card("brief").tell("red plays knight")
    assert "but has to move the bandit first" in "; ".join(story.judge("red rolls 8"))


def test_three_knights_are_the_largest_army() -> None:
    story = Story().tell("red rolls 8")
    for _ in range(3):
        story.hold(1, FULL).tell(e.DevCardBought(1, "Knight"))
    story.tell("red ends turn after 1s", "blue rolls 8", "blue ends turn after 1s", "red rolls 8").hold(2, FULL)
    for tile in (1, 12, 1):
        story.tell("red plays knight", f"red moves robber to {tile}, steals from blue")
    assert story.position.state.la == 1
    assert story.position.points(1) == 4


def test_five_roads_are_the_longest_road() -> None:
    story = Story().tell("red rolls 8")
    for edge in ("(10 NE)", "(10 E)", "(9 NE)", "(9 E)"):
        assert story.position.state.lr == 0
        story.hold(1, FULL).tell(f"red buys road, builds at {edge}")
    assert story.position.state.lr == 1
    assert story.position.points(1) == 4


def test_road_building_needs_two_roads_or_under_the_standard_rules_one() -> None:
    one, none = e.RoadBuildingPlayed(1, PLACES.edges["(10 NE)"], None), e.RoadBuildingPlayed(1, None, None)
    assert "builds 1 roads with a RoadBuilding card, expected 2" in "; ".join(
        with_card().tell("red rolls 8").judge(one)
    )
    assert "a second is possible" in "; ".join(with_card("brief").judge(one))
    last = with_card("brief")
    left = last.position.state.b
    last.set(b=(left[0]._replace(road=1), left[1])).tell(one)
    assert "builds 0 roads" in "; ".join(with_card("brief").judge(none))
    line = "red plays road builder, builds at (10 NE) and (1 NW)"
    assert "(1 NW) does not touch" in "; ".join(with_card().tell("red rolls 8").judge(line))


def test_the_bank_must_have_what_a_year_of_plenty_takes() -> None:
    story = with_card().tell("red rolls 8").hold(2, pack((0, 0, 0, 0, 18)))
    story.hold(1, 0)
    problems = story.judge("red plays year of plenty, takes ore and ore")
    assert "the bank has 1 Ore, 2 are taken" in "; ".join(problems)


def test_a_monopoly_takes_all_cards_of_a_resource() -> None:
    story = with_card().tell("red rolls 8").hold(1, 0).hold(2, pack((3, 1, 0, 0, 0)))
    story.tell("red plays monopoly on wood")
    assert [hand.low for hand in story.position.hands] == [3 * ONE["Lumber"], ONE["Brick"]]


def test_victory_points_are_shown_by_whoever_can_hold_them() -> None:
    for rules in ("thesis", "brief"):
        story = Story(rules).tell("red rolls 8").hold(1, FULL).tell("red buys dev card", "red plays victory point")
        assert story.position.points(1) == 3
        assert "cannot hold one" in "; ".join(story.judge("red plays victory point"))
    story = Story().tell("red rolls 8").hold(1, FULL).tell(e.DevCardBought(1, "VictoryPoint"))
    assert story.position.points(1) == 3  # unveiled at once
    story.tell("red plays victory point")
    assert story.position.points(1) == 3
    story = Story("brief").tell("red rolls 8").hold(1, FULL).tell(e.DevCardBought(1, "VictoryPoint"))
    assert story.position.points(1) == 2
    assert story.position.hidden_points(1) == (1, 1)
    story.tell("red plays victory point")
    assert story.position.points(1) == 3


# The end


def with_points(rules: str, hidden: int = 0) -> Story:
    """Red has ten points in cities, villages and bonus cards, less some that unknown cards may be."""
    cities, villages = ("(10 NW)", "(6 NE)", "(3 SW)", "(8 SE)"), ("(13 S)", "(5 SW)")
    story = Story(rules).tell("red rolls 8")
    position, settled = story.position, story.position.state.s
    built = sum(1 << PLACES.nodes[at] for at in cities), sum(1 << PLACES.nodes[at] for at in villages[hidden:])
    s = settled._replace(cities=(built[0], 0), villages=(built[1], settled.villages[1]))
    story.set(s=s)
    story.position = story.position._replace(unknown_old=(hidden, 0), unknown_new=(0, 0))
    assert position.points(2) == 2
    return story


def test_the_winner_has_ten_points() -> None:
    for rules in ("thesis", "brief"):
        with_points(rules).tell("red wins")
    assert "wins with 9 points" in "; ".join(with_points("thesis", hidden=1).judge("red wins"))
    with_points("brief", hidden=1).tell("red wins")


def test_under_the_thesis_rules_the_turn_ends_with_the_win() -> None:
    story = with_points("thesis").hold(1, FULL).tell("red buys dev card")
    assert "has 10 points when the turn ends, expected the end of the game" in story.judge("red ends turn after 1s")[0]


def test_under_the_standard_rules_the_game_is_over_at_once() -> None:
    story = with_points("brief").hold(1, FULL)
    assert "has 10 points and has won already" in "; ".join(story.judge("red buys dev card"))
    story.tell("red ends turn after 1s")  # said once
    story = with_points("brief").set(tp="DiceRoll")
    assert "has won already" in "; ".join(story.judge("red rolls 8"))
    with_points("brief").set(tp="DiceRoll").tell("red wins")


def test_a_file_without_ends_ends_a_turn_with_the_next_roll() -> None:
    story = Story()
    story.table = story.table._replace(says_turn_ends=False)
    story.tell("red rolls 8", "blue rolls 9", "red rolls 3")
    assert "it is Red's turn" in "; ".join(Story().tell("red rolls 8").judge("blue rolls 9"))
    story = with_points("thesis")
    story.table = story.table._replace(says_turn_ends=False)
    assert "expected the end of the game" in "; ".join(story.judge("blue rolls 9"))
    assert story.position.winner() is None
    assert with_points("thesis").position.winner() == 1
    assert with_points("thesis", hidden=1).position.winner() is None


def test_a_file_without_ends_ends_a_turn_with_a_card_played_before_the_dice() -> None:
    story = with_card("brief").tell("red rolls 8").hold(2, FULL).tell("red ends turn after 1s", "blue rolls 3")
    story.table = story.table._replace(says_turn_ends=False)
    story.tell("red plays monopoly on ore", "red rolls 8")


def test_the_set_up_without_ends() -> None:
    story = Story(told="")
    story.table = story.table._replace(says_turn_ends=False)
    for line in SETUP.splitlines():
        if "ends turn" not in line:
            story.tell(line)
    story.tell(e.DiceRolled(1, 8))


def test_no_card_is_lost() -> None:
    story = Story().hold(1, FULL).tell("red rolls 8", "red buys city, builds at (10 NW)", "red buys dev card")
    story.tell("red ends turn after 1s", "blue rolls 10")
    position = story.position
    assert position.bank.low + sum(hand.low for hand in position.hands) == position.rules.resource_pool


def test_what_nobody_can_have_paid_opens_all_hands() -> None:
    """What was paid lies with the bank; who holds the rest nobody knows any more."""
    story = Story().tell("red rolls 8").hold(1, ONE["Lumber"])
    assert story.judge("red buys road, builds at (10 NE)")
    position = story.position
    assert position.bank.low == ONE["Lumber"] + ONE["Brick"]
    assert position.bank.high == position.rules.resource_pool
    assert all(hand.low == 0 and covers(position.rules.resource_pool, hand.high) for hand in position.hands)
    bank = [str(fact) for fact in position.open_facts() if fact.player == 0]
    assert bank == ["cards 2 to 95", "Lumber 1 to 19", "Brick 1 to 19", "Wool 0 to 19", "Grain 0 to 19", "Ore 0 to 19"]
