"""The learned value: that it plays every game by the rules, knows no more than its player, and counts rightly."""

from math import exp
from random import Random

import pytest

from catan_p2p.game.actions import Action, Discard, EmptyBuild, MoveBandit, PlayKnight
from catan_p2p.game.cards import ONE, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.flat import PYTHON, NotCovered, places
from catan_p2p.game.flat.valuing import exponential
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, decisions
from catan_p2p.game.state import State, initial_state
from catan_p2p.players.choosing import check_choice, decided, shown_decisions
from catan_p2p.players.policies import Policy, make_policy
from catan_p2p.players.strategist import learned
from catan_p2p.players.strategist.policy import known
from tests.players.test_away import leave
from tests.players.test_strategist import COLOURS, told, with_other_hands

pytestmark = pytest.mark.long

FAST = "strategist:20ms"


class Asked:
    """Plays as the builder; in some places it notes what a policy would do, and does that."""

    def __init__(self, policy: Policy, every: int) -> None:
        self.policy, self._every, self._builder = policy, every, make_policy("builder")
        self.noted: list[tuple[State, Player, Action]] = []
        self._count = 0

    def watch(self, before: State, action: Action, after: State) -> None:
        watches([self.policy])[0](before, action, after)

    def choose(self, state: State, player: Player, offered: list[Action], rng: Random) -> Action:
        self._count += len(offered) > 1
        if len(offered) == 1 or self._count % self._every:
            return self._builder.choose(state, player, offered, rng)
        choice = self.policy.choose(state, player, offered, rng)
        check_choice(state, player, offered, choice)
        self.noted.append((state, player, choice))
        return choice


def noted(
    rules: str, players: int, seed: int, every: int = 13, map_name: str = "default", leaves: Player | None = None
) -> list[tuple[State, Player, Action]]:
    """What the learned value chose in a game; ``check_choice`` has raised unless the rules allow all of it."""
    asked = Asked(make_policy(FAST), every)
    state, rng = initial_state(new_constants(rules, COLOURS[:players], map_name, seed)), Random(seed)
    for count in range(4000):
        if state.is_over:
            break
        going = leave(state, leaves) if leaves and count > 60 and not state.away[leaves - 1] else None
        action = going or decided(state, awaited(state)[0], asked, rng)
        before, state = state, apply(state, action)
        asked.watch(before, action, state)
    assert state.is_over
    return asked.noted


GAMES = [
    ("thesis", 2, "default"),
    ("thesis; Chance = joint", 4, "default"),
    ("brief", 3, "variable"),
    ("brief; Chance = joint", 4, "beginners"),
    ("standard", 2, "variable-free"),
    ("standard; Chance = joint; Leaving = yes; Returns = 2", 3, "default"),
    ("standard", 5, "large"),
    ("brief; Chance = joint; Leaving = yes", 6, "large"),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("rules", "players", "map_name"), GAMES)
def test_it_decides_by_the_rules_in_every_game(rules: str, players: int, map_name: str) -> None:
    value = learned.LearnedValue(20)
    choices = noted(rules, players, 7, 13, map_name, 2 if "Leaving" in rules else None)
    assert len(choices) > 3
    assert all(value.covers(known(state, player)) for state, player, _ in choices)
    assert all(any(state.away) for state, _, _ in choices[-3:]) == ("Leaving" in rules)


def test_it_decides_otherwise_than_the_plan() -> None:
    plan = make_policy("strategist")
    choices = noted("brief", 2, 3, 6)
    same = [
        told(plan.choose(state, player, shown_decisions(state, player), Random(0))) == told(choice)
        for state, player, choice in choices
    ]
    assert 0 < sum(same) < len(same)


def test_cards_that_its_player_does_not_see_change_no_decision() -> None:
    changed = 0
    for number, (state, player, _) in enumerate(noted("brief; DomesticTrade = no", 4, 5, 11)):
        other = with_other_hands(state, player, Random(number))
        one, two = (
            make_policy(FAST).choose(there, player, decisions(there, player), Random(0)) for there in (state, other)
        )
        assert told(one) == told(two), number
        changed += other != state
    assert changed > 4


def test_what_it_has_seen_before_changes_no_decision() -> None:
    """The search keeps what it has worked out of other positions."""
    used = learned.LearnedValue(20)
    for state, player, _ in noted("brief", 3, 6):
        seen, offered = known(state, player), decisions(state, player)
        assert used.best(seen, player, offered) == learned.LearnedValue(20).best(seen, player, offered)
        assert used.chance(seen, player) == learned.LearnedValue(20).chance(seen, player)


def test_where_the_core_does_not_play_the_plan_decides() -> None:
    choices = noted("brief", 2, 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("catan_p2p.game.flat.cores.check_state", refuse)
        for state, player, _ in choices:
            offered = decisions(state, player)
            one, other = (make_policy(name).choose(state, player, offered, Random(1)) for name in (FAST, "strategist"))
            assert one == other


def refuse(state: State) -> None:
    raise NotCovered("nothing is")


def test_an_answer_that_is_not_among_the_decisions_is_not_given() -> None:
    state, player, choice = next(one for one in noted("brief", 2, 4) if isinstance(one[2], EmptyBuild))
    assert learned.as_decided(choice, decisions(state, player)) == choice
    assert learned.as_decided(Discard(player, ONE["Ore"]), decisions(state, player)) is None
    assert learned.as_decided(MoveBandit(player, 1, 0, "none"), [PlayKnight(player, 1, 0, "none")]) is None


# How it counts


def test_the_chances_of_all_seats_add_up_and_who_has_won_has_won() -> None:
    choices = noted("brief", 4, 2, 45)
    flat = PYTHON.flat_of(choices[0][0])
    valuer = PYTHON.searcher(flat, choices[0][0].constants, learned.weights()).valuer
    for state, player, _ in choices:
        flat = PYTHON.flat_of(state)
        valuer.take_in(flat, player)
        assert sum(valuer.chance(flat, seat) for seat in range(1, 5)) == pytest.approx(1, abs=1e-3)
    state, player, _ = choices[-1]
    won = PYTHON.flat_of(state._replace(tp="top", ap=2))
    assert [valuer.chance(won, seat) for seat in range(1, 5)] == [0, 1, 0, 0]


def test_the_numbers_of_a_seat_are_those_of_the_state() -> None:
    """Some of them, by the mirror: points, the hand, the yields by resource."""
    for state, player, _ in noted("brief", 3, 8, 45):
        flat = PYTHON.flat_of(state)
        valuer = PYTHON.searcher(flat, state.constants, learned.weights()).valuer
        for seat in state.constants.players:
            found = valuer.inputs(flat, seat, player)
            assert found[0] == pytest.approx((10 - state.points(seat)) / 10, abs=1e-3)
            hand = state.h[seat - 1].rc
            assert [round(5 * number) for number in found[36:56:4]] == list(unpack(hand))
            assert found[56] == pytest.approx(total(hand) / 10, abs=1e-3)
            assert [round(10 * number) for number in found[11:16]] == yields(state, seat)
            assert len(found) == places.INPUTS


def yields(state: State, seat: Player) -> list[int]:
    """The throws out of 36 that bring the player a card of each resource, cities twice."""
    board, found = state.constants.board, [0] * 5
    for number, producers in board.producers.items():
        for tile in producers:
            pieces = (state.s.of(seat) & tile.corners).bit_count() + (
                state.s.cities[seat - 1] & tile.corners
            ).bit_count()
            for kind, cards in enumerate(unpack(tile.card)):
                found[kind] += cards * pieces * (6 - abs(number - 7))
    return found


@pytest.mark.parametrize("x", [-12.0, -1.0, -0.1, 0.0, 0.3, 2.0, 9.0])
def test_the_exponential(x: float) -> None:
    assert exponential(x) == pytest.approx(exp(x), rel=0.1)
