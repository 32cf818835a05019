"""Games in which anybody may be excused whenever the guards allow it, also while others still owe replies."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from catan_p2p.game.actions import (
    Action,
    BuildVillage,
    Call,
    Claim,
    EmptyBuild,
    EmptyTrade,
    Excuse,
    PlayKnight,
    PlayMonopoly,
    Pledge,
    Reveal,
    RollDice,
    ShowPoint,
    Shuffle,
)
from catan_p2p.game.actions.absence import all_awaited, is_owing, lacks_reply
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import BRIEF, Constants, Rules, profile
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import apply, awaited, broken_guards, enabled, initial_state
from catan_p2p.game.state import CalledDraw, State
from tests.game.actions.hidden_positions import SIGNED, hiding
from tests.positions import ROADS, VILLAGES, position

_JOINT = replace(
    profile("brief", 6), chance="joint", leaving=True, offer_max=2, hand_limit=2, dev_card_pool=pack((9, 2, 2, 6, 6))
)
_HIDDEN = replace(_JOINT, hands="hidden", signed_end=True, dev_cards_per_turn=0, points_to_win=3)
RULES: dict[str, Rules] = {
    "together": replace(_JOINT, special_building=True),
    "ahead": replace(_JOINT, special_building=False, chance_ahead=True),
    "actor": replace(BRIEF, leaving=True, offer_max=1, hand_limit=3),
    "hidden": replace(_HIDDEN, special_building=True),
    "hidden, ahead": replace(_HIDDEN, special_building=False, chance_ahead=True),
}
_OF_DRAWS = {"RollForStart", "RollDice", "MoveBandit", "PlayKnight", "BuyDevCard"}
_WHILE_OWING: dict[str, set[str]] = {
    "together": {"Pledging", "Discarding", "Offering", *_OF_DRAWS},
    "ahead": {"Pledging", "Discarding", "Offering", *_OF_DRAWS},
    "actor": {"Discarding", "Offering"},
    "hidden": {"Pledging", "Discarding", "Offering", "Signing", "Shuffling", *_OF_DRAWS},
    "hidden, ahead": {"Pledging", "Offering", "Shuffling", "RollForStart", "RollDice"},
}
"""What players still owed, in some game, when another was excused: the phase, or the draw."""

_RARE = (Call, PlayMonopoly, PlayKnight, RollDice, Shuffle, Reveal, ShowPoint, BuildVillage)


def _constants(rules: Rules, players: int, *, is_opened: bool) -> Constants:
    if not is_opened:
        return Constants(rules, player_count=players)
    seats = range(1, players + 1)
    opening = tuple(FirstPlacement(seat, VILLAGES[seat][i], ROADS[seat][i], i == 1) for seat in seats for i in (0, 1))
    return Constants(replace(rules, start_order="seat"), player_count=players, opening=opening)


def _action(state: State, rng: Random) -> Action:
    """What somebody does who is awaited, rather what leads to replies, and rarely the end of a turn."""
    kinds: dict[type, list[Action]] = {}
    for action in enabled(state, rng.choice(awaited(state))):
        if not isinstance(action, Excuse | Claim):
            kinds.setdefault(type(action), []).append(action)
    rare = [kind for kind in kinds if kind in _RARE] if rng.random() < 0.7 else []
    most = [kind for kind in kinds if kind not in (EmptyTrade, EmptyBuild)] if rng.random() < 0.9 else []
    return rng.choice(kinds[rng.choice(rare or most or [*kinds])])


def _play(constants: Constants, rng: Random, seen: Counter[str]) -> None:
    state = initial_state(constants)
    for _ in range(400):
        if not awaited(state):
            return
        player, absent = rng.sample(constants.players, 2)
        action: Action = Excuse(player, absent)
        owing = {other for other in constants.players if lacks_reply(state, other)} - {absent}
        what = state.call.what if state.tp == "Drawing" else state.tp
        # What was seen seldom is looked for.
        chance = 1 / (1 + seen[what]) ** 2 if owing and state.tp != "top" else 0.003
        if rng.random() > chance or broken_guards(state, action):
            action = _action(state, rng)
        elif owing:
            seen[what] += 1
        state = apply(state, action)
        check(state)
        assert len(awaited(state)) < 2 or all(is_owing(state, other) for other in awaited(state))


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_a_game_goes_on_whoever_is_excused_whenever(name: str) -> None:
    rng, seen = Random(name), Counter[str]()
    for _ in range(10):
        for is_opened in (False, True):
            for players in (4, 5, 6):
                _play(_constants(RULES[name], players, is_opened=is_opened), rng, seen)
    assert seen.keys() >= _WHILE_OWING[name], seen


def test_no_reply_is_awaited_while_the_deck_is_shuffled() -> None:
    called = CalledDraw("RollDice", "DiceRoll", 0, 0)
    state = hiding(position(4, phase="Drawing", call=called, due=(False, True, True, True), rules=SIGNED), deck="rest")
    state = apply(state, Excuse(3, 2))
    assert state.tp == "Shuffling"
    for player in (1, 3, 4):
        assert all_awaited(state) == awaited(state) == (player,)
        assert [other for other in (1, 3, 4) if owes_reply(state, other)] == []
        state = apply(state, Shuffle(player))
    assert all_awaited(state) == awaited(state) == (3, 4)


def test_who_begins_may_leave_before_all_have_pledged() -> None:
    state = initial_state(Constants(replace(_JOINT, start_order="dice"), player_count=4))
    state = apply(apply(state, Pledge(2)), Excuse(2, 1))
    check(state)
    assert (state.tp, all_awaited(state), state.to_act) == ("Pledging", (3, 4), 2)
