"""Same enabling: in states of random games TLC and the engine see the same successors, one by one."""

from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import BRIEF, THESIS, Constants, Rules, profile
from catan_p2p.model_check.tlc import TlcProgram
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.successors import compare_successors, varied_states
from tests.positions import ROADS, VILLAGES

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(4)]

TALK = replace(BRIEF, table_talk=True, offers_per_turn=2, proposals_per_turn=1, offer_max=2)
TOGETHER = replace(profile("brief", 6), chance="joint", leaving=True, offer_max=2)
SCARCE = {"resource_pool": pack((9, 9, 9, 9, 9)), "longest_road_min": 3, "largest_army_min": 1}
"""So few cards that the bank is often short, and bonus cards that change hands."""


HIDDEN: dict[str, Any] = {"chance": "joint", "hands": "hidden", "dev_card_pool": pack((12, 2, 2, 6, 6))}
"""With so many monopolies that they take sealed cards."""
GOING: dict[str, Any] = {"leaving": True, "signed_end": True, "points_to_win": 4}


def opening(players: int) -> tuple[FirstPlacement, ...]:
    """The villages of the positions, the second of each player earns."""
    return tuple(
        FirstPlacement(player, VILLAGES[player][i], ROADS[player][i], i == 1)
        for player in range(1, players + 1)
        for i in (0, 1)
    )


TABLES: dict[str, tuple[int, Rules, bool]] = {
    "thesis": (4, THESIS, False),
    "thesis, returns": (4, replace(THESIS, leaving=True, returns=2, **SCARCE), False),
    "brief": (3, replace(BRIEF, offer_max=2), False),
    "talking, also to one, and returns": (4, replace(TALK, leaving=True, returns=1, offers_to_one=True), False),
    "an opening, together, leaving": (
        4,
        replace(TOGETHER, dev_cards_per_turn=0, start_order="seat", win_check="turn_end"),
        True,
    ),
    "five, together, leaving, special building": (5, replace(TOGETHER, **SCARCE), False),
    "six, returns, special building": (
        6,
        replace(TOGETHER, returns=1, chance="actor", start_order="seat", **SCARCE),
        False,
    ),
    "six, together, apart, friendly": (
        6,
        replace(TOGETHER, combined_trade_build=False, bandit_targets="friendly", start_order="dice_then_seat"),
        True,
    ),
    "brief, shares ahead, returns": (
        4,
        replace(BRIEF, chance="joint", chance_ahead=True, leaving=True, returns=2, offer_max=1, **SCARCE),
        True,
    ),
    "thesis, hidden": (3, replace(THESIS, **HIDDEN, **SCARCE), True),
    "brief, hidden, leaving": (4, replace(BRIEF, offer_max=2, **HIDDEN, **GOING), True),
    "five, talking, hidden, leaving, special building": (
        5,
        replace(
            TOGETHER,
            table_talk=True,
            offers_to_one=True,
            offers_per_turn=1,
            proposals_per_turn=1,
            **HIDDEN,
            signed_end=True,
        ),
        False,
    ),
}
"""How many play, by which rules, and whether their villages are there to begin with."""


def constants_of(table: str) -> Constants:
    """The constants of a table."""
    players, rules, is_opened = TABLES[table]
    return Constants(rules, player_count=players, opening=opening(players) if is_opened else ())


@pytest.mark.parametrize("table", TABLES)
def test_successors_are_the_same_in_states_of_random_games(table: str) -> None:
    constants = constants_of(table)
    states = varied_states(constants, 1, 60)
    if constants.rules.leaving:
        assert {0, 1, 2} <= {sum(state.away) for state in states}
    if constants.rules.special_building:
        assert "SpecialBuilding" in {state.phase for state in states}
    if constants.rules.hands == "hidden":
        assert {state.tp for state in states} >= {"Shuffling", "Drawing", "top"}
        assert table != "thesis, hidden" or "Surrendering" in {state.tp for state in states}
        assert any(sum(state.hid.sealed) > 0 for state in states)
    elif constants.rules.chance == "joint":
        assert {state.call.what for state in states} >= {"none", "RollDice", "MoveBandit", "BuyDevCard", "PlayKnight"}
    assert compare_successors(states, quick_tlc()) == []


def test_difference_is_seen_and_told() -> None:
    state = next(state for state in varied_states(constants_of("thesis"), 5, 40) if state.tp == "DiceRoll")
    tlc = quick_tlc()
    (found,) = compare_successors([state], _OneStepShort(tlc.java, tlc.jar, tlc.options))
    assert found.state == state
    assert len(found.only_program) == 1
    assert not found.only_tlc


class _OneStepShort(TlcProgram):
    """A TLC that forgets one of the successors it has printed."""

    def run(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        result = super().run(*args, **kwargs)
        text = "\n".join(result.printed)
        first = text.index('"step"')
        second = text.index('"step"', first + 1)
        return replace(result, printed=tuple((text[:first] + text[second:]).split("\n")))


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES)
def test_successors_are_the_same_in_a_thousand_states(table: str) -> None:
    for seed in range(2, 7):
        assert compare_successors(varied_states(constants_of(table), seed, 200), quick_tlc()) == [], seed
