"""What can be done in a state, whose action the game waits for, and how chance is drawn."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.game.actions import (
    ACTIONS,
    HIDDEN_ACTIONS,
    KIND_OF,
    AnswerTrade,
    BuyDevCard,
    Call,
    Claim,
    ComeBack,
    ConcludeTrade,
    Discard,
    EmptyTrade,
    Excuse,
    MoveBandit,
    OpenAll,
    PlayKnight,
    Pledge,
    ProposeTrade,
    Reveal,
    RollDice,
    RollForStart,
    SetupPhaseOne,
    SignEnd,
    Surrender,
    TradeFourToOne,
    WithdrawTrade,
)
from catan_p2p.game.actions.replies import is_reply, owes_reply, reply_kinds
from catan_p2p.game.board import Board, HexCoordinates, Tile, make_map
from catan_p2p.game.cards import DEV_CARDS, unpack
from catan_p2p.game.constants import BRIEF, PROFILES, Constants, Rules, profile
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw, enabled, initial_state, refused_kinds
from catan_p2p.game.state import NO_CALL, SETUP_PHASES, TURN_PHASES, Drawn, State, TurnPhase
from tests.game.actions.test_guards import phase_tag
from tests.hidden.dealer import Dealer
from tests.positions import position, random_game, set_up
from tests.sampled_states import played, scrambled

pytestmark = pytest.mark.sampled(4)


class Loaded(Random):
    """A source of chance that shows given numbers, one after the other."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(0)
        self.numbers = iter(numbers)
        self.asked: list[tuple[int, int]] = []

    def randint(self, a: int, b: int) -> int:
        self.asked.append((a, b))
        return next(self.numbers)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:  # type: ignore[override]
        self.asked.append((start, -1 if stop is None else stop))
        return next(self.numbers)


@pytest.mark.long
@pytest.mark.parametrize("phase", TURN_PHASES)
def test_the_phase_table_agrees_with_the_guards(phase: str) -> None:
    """Whatever the state: an action is looked for in a phase if and only if its first guard allows the phase."""
    from catan_p2p.game.rules import _kinds_in

    rng = Random(phase)
    for state in played()[::12]:
        sup = "Rolling" if phase == "bot" else "PhaseTwo"
        here = scrambled(state, rng)._replace(tp=phase, sup=sup, call=NO_CALL)
        rules = here.constants.rules
        table = _kinds_in(here.constants)
        for kind in (*ACTIONS, *HIDDEN_ACTIONS):
            action = kind.sample(here.constants, rng.choice(here.constants.players), rng)
            if isinstance(action, Call):
                action = replace(action, what=_CALLED_IN.get(phase, action.what))
            drawn = here._replace(sup="Rolling", call=NO_CALL._replace(tp=_DRAWN_FROM.get(kind.name, "Trading")))
            broken = kind.broken(drawn if phase == "Drawing" else here, action)
            allowed = phase_tag(kind) not in broken and not any(tag.endswith(" rule") for tag in broken)
            has = kind.cls.rule != "hands" or rules.hands == "hidden"
            has = has and (kind.cls.rule != "chance" or rules.chance == "joint")
            has = has and (kind.cls.rule != "returns" or rules.returns > 0)
            assert (allowed and has) == (kind in table[phase]), kind.name


_CALLED_IN: dict[str, Drawn] = {
    "bot": "RollForStart",
    "DiceRoll": "RollDice",
    "Discarding": "MoveBandit",
    "MovingBandit": "MoveBandit",
    "Trading": "PlayKnight",
    "Building": "BuyDevCard",
    "TradingBuilding": "BuyDevCard",
    "SpecialBuilding": "BuyDevCard",
}
"""Something that may be called for in a phase."""

_DRAWN_FROM: dict[str, TurnPhase] = {
    "RollForStart": "bot",
    "RollDice": "DiceRoll",
    "MoveBandit": "MovingBandit",
    "BuyDevCard": "Building",
}
"""A phase in which an action may have been called for."""


def test_enabled_is_all_instances_of_all_actions_in_order() -> None:
    for state in played():
        for player in state.constants.players:
            assert enabled(state, player) == [action for kind in ACTIONS for action in kind.instances(state, player)]
            assert decisions(state, player) == [action for kind in ACTIONS for action in kind.decisions(state, player)]


def test_enabled_is_the_same_list_every_time() -> None:
    for one, other in zip(random_game(5, 3, steps=300), random_game(5, 3, steps=300), strict=True):
        assert [enabled(one, player) for player in (1, 2, 3)] == [enabled(other, player) for player in (1, 2, 3)]


_ASKED_OF_NOBODY = Excuse | Claim | ComeBack | ProposeTrade
_BEFORE_ALL_ANSWER = ConcludeTrade | WithdrawTrade
"""What the active player may do with table talk while others are silent."""


def test_nothing_is_enabled_for_whom_the_game_does_not_wait_for() -> None:
    for state in played():
        for player in state.constants.players:
            moves = enabled(state, player)
            if player in awaited(state):
                assert any(not isinstance(action, _ASKED_OF_NOBODY) for action in moves)
            else:
                unasked = _ASKED_OF_NOBODY
                if state.constants.rules.table_talk:
                    unasked |= _BEFORE_ALL_ANSWER
                assert all(isinstance(action, unasked) for action in moves)


def test_the_first_choices_of_a_game() -> None:
    state = initial_state(Constants())
    first = enabled(state, 1)
    assert first[:3] == [SetupPhaseOne(1, 1, 1), SetupPhaseOne(1, 1, 2), SetupPhaseOne(1, 2, 1)]
    # 54 points less the six beside the bandit, and the 144 ends of roads less the 18 at these six.
    assert len({action.at for action in first}) == 48
    assert len(first) == 126
    assert enabled(state, 2) == []


def test_who_is_awaited() -> None:
    hands = {1: "8 Wool", 3: "9 Ore"}
    assert awaited(set_up(3, turn=2)) == (2,)
    assert awaited(position(3, phase="DiceRoll", turn=3)) == (3,)
    assert awaited(position(3, phase="Discarding", turn=2, hands=hands)) == (1, 3), "all who owe, at the same time"
    assert awaited(position(3, phase="Discarding", turn=2, limits=(4, 0, 5))) == (2,), "once nobody owes"
    assert awaited(position(3, phase="MovingBandit", turn=2, hands=hands)) == (2,)
    assert awaited(position(phase="top")) == ()


def test_who_is_awaited_by_the_rule_book() -> None:
    hands = dict.fromkeys((1, 2, 3), "1 Wool, 1 Ore")
    offer = {"phase": "Offering", "hands": hands, "offer": ("1 Ore", "1 Wool"), "rules": BRIEF}
    rolling = set_up(3, stage="Rolling", turn=2, rolls=(4, 0, 0), rules=BRIEF)
    assert awaited(rolling) == (2,)
    assert awaited(position(3, answers=("none", "asked", "asked"), **offer)) == (2, 3), "at the same time"
    assert awaited(position(3, answers=("none", "reject", "asked"), **offer)) == (3,)
    assert awaited(position(3, answers=("none", "reject", "accept"), **offer)) == (1,), "once all have answered"
    assert awaited(position(3, phase="SpecialBuilding", builder=3, rules=profile("brief", 6))) == (3,)


PHASES_OF_REPLIES = {
    "Discarding": "loss",
    "Offering": "answer",
    "Pledging": "pledge",
    "Drawing": "chance",
    "Surrendering": "loss",
    "Signing": "end",
}


def check_refused_kinds(states: Iterable[State], rng: Random) -> None:
    """More than half of all kinds are refused as a whole, and of those no instance is enabled."""
    refused = listed = 0
    for state in states:
        for player in state.constants.players:
            listed += len(ACTIONS)
            for kind, is_refused in zip(ACTIONS, refused_kinds(state, player), strict=True):
                refused += is_refused
                if is_refused:
                    samples = [kind.sample(state.constants, player, rng) for _ in range(2)]
                    assert all(broken_guards(state, one) for one in samples), (state, samples)
                    assert not kind.instances(state, player), (state, kind.name)
    assert refused > listed // 2


def test_of_a_kind_that_is_refused_as_a_whole_nothing_is_enabled() -> None:
    rng = Random(4)
    check_refused_kinds((one for state in played()[::4] for one in (state, scrambled(state, rng))), rng)


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_where_hands_are_hidden_nothing_is_enabled_either_of_a_kind_that_is_refused(rules: str) -> None:
    moments = [*Dealer(rules, 3, seed=5).play(400)]
    check_refused_kinds((moment.before for moment in moments[::3]), Random(5))


_WHOLE_TAGS = (" rule", " phase", " stage", " turn")
_OF_ONE_CALL_OR_SEAT = {"CA2 phase", "CA3 stage", "CA4 turn"}


@pytest.mark.long
def test_what_is_remembered_of_refusals_is_what_the_guards_say_of_each_state() -> None:
    """Whatever else is in the state; a key that leaves out what the answer depends on gives another one."""
    rng, seen = Random(6), set()
    states = [*played()[::20], *[moment.before for moment in Dealer("brief", 3, seed=5).play(300)][::20]]
    for state in states:
        for phase in TURN_PHASES:
            other = scrambled(state, rng)._replace(tp=phase, sup=rng.choice(SETUP_PHASES))
            for changed in (state, other):
                for player in state.constants.players:
                    refused = refused_kinds(changed, player)
                    seen.add(refused)
                    for kind, is_refused in zip(ACTIONS, refused, strict=True):
                        tags = kind.broken(changed, kind.sample(state.constants, player, Random(1)))
                        whole = [tag for tag in tags if tag.endswith(_WHOLE_TAGS) and tag not in _OF_ONE_CALL_OR_SEAT]
                        assert is_refused == bool(whole), (changed, kind.name, tags)
    assert len(seen) > 30


def test_replies_are_discards_answers_pledges_and_reveals() -> None:
    open_ones = {Discard, AnswerTrade, ProposeTrade, Pledge, Reveal}
    assert {kind.cls for kind in ACTIONS} > open_ones
    assert {kind.cls for kind in KIND_OF.values() if kind.cls.reply} == open_ones | {Surrender, SignEnd, OpenAll}
    assert is_reply(Discard(1, 0))
    assert is_reply(AnswerTrade(1, "accept"))
    assert not is_reply(WithdrawTrade(1))
    kinds = {phase: reply_kinds(position(phase=phase)) for phase in TURN_PHASES}
    assert kinds == {**dict.fromkeys(TURN_PHASES, ()), **{phase: (kind,) for phase, kind in PHASES_OF_REPLIES.items()}}
    for state in played():
        for player in state.constants.players:
            replies = [action for action in enabled(state, player) if is_reply(action)]
            owed = [reply for reply in replies if not isinstance(reply, ProposeTrade)]
            assert bool(owed) == owes_reply(state, player)
            assert {reply.reply for reply in replies} <= set(reply_kinds(state))


def test_who_is_next_is_told_even_where_nobody_is_there() -> None:
    state = position(3)._replace(away=(True, True, True))
    assert (state.next_player(3), state.previous_player(1)) == (1, 3)


def test_answers_commute() -> None:
    hands = dict.fromkeys((1, 2, 3, 4), "1 Wool, 1 Ore")
    answers = ("none", "asked", "asked", "asked")
    state = position(4, phase="Offering", hands=hands, offer=("1 Ore", "1 Wool"), answers=answers, rules=BRIEF)
    ways = [AnswerTrade(2, "accept"), AnswerTrade(3, "reject"), AnswerTrade(4, "accept")]
    ends = {reduce(apply, order, state) for order in permutations(ways)}
    assert len(ends) == 1
    assert enabled(ends.pop(), 1) == [ConcludeTrade(1, 2), ConcludeTrade(1, 4), WithdrawTrade(1)]


def test_applying_leaves_the_state_before_as_it_was() -> None:
    for state in played():
        for player in awaited(state):
            seen = hash(state)
            apply(state, decisions(state, player)[0])
            assert hash(state) == seen


def test_discards_commute() -> None:
    state = position(3, phase="Discarding", hands={1: "8 Wool", 2: "9 Ore", 3: "5 Brick, 5 Ore"})
    ways = [enabled(state, player)[0] for player in (1, 2, 3)]
    ends = set()
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        after = state
        for i in order:
            after = apply(after, ways[i])
        ends.add(after)
    assert len(ends) == 1
    assert awaited(ends.pop()) == (1,)


# ----------------------------------------------------------------------------------------------------------- chance


def test_two_dice_are_rolled() -> None:
    state = position(phase="DiceRoll")
    pairs = list(product(range(1, 7), repeat=2))
    sums = Counter()
    for pair in pairs:
        rng = Loaded(pair)
        sums[draw(state, RollDice(1, 2), rng).dice] += 1
        assert rng.asked == [(1, 6), (1, 6)]
    assert sums == {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def test_two_dice_are_rolled_for_the_start() -> None:
    state = set_up(stage="Rolling", rules=BRIEF)
    rng = Loaded((3, 4))
    assert draw(state, RollForStart(1, 2), rng) == RollForStart(1, 7)
    assert rng.asked == [(1, 6), (1, 6)]


def test_a_sum_that_the_rules_leave_out_is_rolled_again() -> None:
    state = position(phase="DiceRoll", rules=Rules(dice=(6, 7, 8)))
    assert draw(state, RollDice(1, 6), Loaded([1, 1, 6, 6, 3, 4])) == RollDice(1, 7)


def test_a_development_card_is_drawn_from_those_left() -> None:
    state = position(available={2: "2 Monopoly, 1 RoadBuilding"}, unveiled={1: "3 Knight"})
    left = unpack(state.bnk.dc)
    assert left == (0, 2, 1, 11, 5)
    drawn = Counter(draw(state, BuyDevCard(1, "Knight"), Loaded([at])).card for at in range(sum(left)))
    assert drawn == {card: n for card, n in zip(DEV_CARDS, left, strict=True) if n}
    rng = Loaded([0])
    draw(state, BuyDevCard(1, "Knight"), rng)
    assert rng.asked == [(sum(left), -1)], "uniform over the cards left"


@pytest.mark.parametrize(
    ("kind", "phase"), [(MoveBandit, "MovingBandit"), (PlayKnight, "Trading")], ids=["MoveBandit", "PlayKnight"]
)
def test_a_card_is_stolen_uniformly_from_the_hand(kind: type[MoveBandit | PlayKnight], phase: str) -> None:
    state = position(phase=phase, hands={1: "9 Brick", 2: "1 Lumber, 3 Wool, 2 Ore"}, available={1: "1 Knight"})
    action = kind(1, 13, 2, "Lumber")
    stolen = Counter(draw(state, action, Loaded([at])).card for at in range(6))
    assert stolen == {"Lumber": 1, "Wool": 3, "Ore": 2}
    rng = Loaded([0])
    draw(state, action, rng)
    assert rng.asked == [(6, -1)]


def test_nothing_is_stolen_from_nobody_or_from_an_empty_hand() -> None:
    state = position(phase="MovingBandit", hands={1: "9 Brick"})
    assert draw(state, MoveBandit(1, 13, 2, "Ore"), Loaded([])).card == "none"
    assert draw(state, MoveBandit(1, 30, 0, "Ore"), Loaded([])).card == "none"


def test_what_is_drawn_is_enabled_and_the_same_decision() -> None:
    rng = Random(4)
    for state in played():
        for player in awaited(state):
            for action in decisions(state, player)[:50]:
                drawn = draw(state, action, rng)
                assert type(drawn) is type(action)
                assert broken_guards(state, drawn) == ()


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (position(phase="Trading"), EmptyTrade(1)),
        (position(phase="Trading", hands={1: "4 Ore"}), TradeFourToOne(1, "Ore", "Wool")),
        (position(phase="Discarding", hands={1: "8 Ore"}), Discard(1, 4 << 32)),
    ],
    ids=lambda value: "" if isinstance(value, State) else type(value).__name__,
)
def test_an_action_without_chance_is_drawn_as_it_is(state: State, action: EmptyTrade) -> None:
    assert draw(state, action, Loaded([])) is action


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_games_are_games_from_the_first_action_to_the_last(players: int, rules: str) -> None:
    before = None
    for state in random_game(7, players, steps=400, rules=profile(rules, players)):
        check(state, since=before)
        before = state


@pytest.mark.long
@given(players=st.integers(2, 6), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_random_walks_by_the_rule_book(players: int, seed: int) -> None:
    """Enabled is what no guard refuses, decisions are among it, the invariants hold; sampled on the way."""
    rng, before = Random(seed), None
    for step, state in enumerate(random_game(seed, players, steps=300, rules=profile("brief", players))):
        check(state, since=before)
        before = state
        if step % 12 == seed % 12:
            check(state)
            for player in state.constants.players:
                listed = enabled(state, player)
                assert bool(listed) == (player in awaited(state))
                assert set(decisions(state, player)) <= set(listed)
                assert not any(broken_guards(state, action) for action in rng.sample(listed, min(len(listed), 40)))
                for kind in ACTIONS:
                    action = kind.sample(state.constants, player, rng)
                    assert (action in listed) == (broken_guards(state, action) == ())


def _island(number: int) -> Board:
    """Seven land tiles, the desert in the middle, in a ring of sea."""
    middle = HexCoordinates(1, 1, 3)
    terrains = ("forest", "hills", "pasture", "fields", "mountains", "forest")
    shore = {Tile(at, terrain, number) for at, terrain in zip(middle.neighbours(), terrains, strict=True)}
    land = {tile.at for tile in shore} | {middle}
    sea = {at for tile in shore for at in tile.at.neighbours()} - land
    return Board(make_map([Tile(middle, "desert", None), *shore, *(Tile(at, "sea", None) for at in sea)], []))


@pytest.mark.parametrize("seed", range(5))
def test_games_on_a_small_map_with_other_numbers(seed: int) -> None:
    board = _island(8)
    assert (board.settlement_count, board.road_count) == (24, 30)
    rules = Rules(points_to_win=4, hand_limit=4, dice=(2, 7, 8), longest_road_min=3, largest_army_min=1, roads=5)
    before = None
    for state in random_game(seed, 2, steps=3000, rules=rules, board=board):
        check(state, since=before)
        before = state
    assert before is not None
    assert before.is_over
