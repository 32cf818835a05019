"""A peer that crashes anywhere goes on as if it had not: every step, every prefix of its effects, whatever is left."""

from collections.abc import Callable
from random import Random

import pytest

from catan_p2p.game.constants import Chance
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.refs import local_ref
from catan_p2p.replication.replica import Replica
from tests.replication.crashes import CrashTable, Figures, Script, acts, crash_everywhere, turn_of

LEAVING = "thesis; Leaving = yes"


def everybody_acts(colour: str, number: int) -> Script:
    return acts


def play(players: int, chance: Chance, turns: int, every: int = 1) -> Figures:
    """A game of honest players, of whom the last one crashes."""
    table = CrashTable(players, "thesis", chance)
    figures = crash_everywhere(table, table.game.seats[-1].colour, turns, everybody_acts, every)
    assert {"KeepObjects", "RecordRef", "ShowRefs"} <= figures.effects.keys()
    return figures


def test_a_peer_that_crashes_goes_on() -> None:
    figures = play(2, "actor", 12)
    assert min(figures.crashes[how] for how in ("killed", "torn", "without power")) > 5


def test_a_peer_that_crashes_in_a_draw_tells_the_same_shares() -> None:
    figures = play(2, "joint", 10)
    assert figures.effects["ForgetRef"] > 0


def leaves_after(most: int, absent: str) -> Callable[[str, int], Script]:
    """The absent player looks and does nothing any more; the others vote to go on without whoever is awaited."""

    def script_of(colour: str, number: int) -> Script:
        if number < most:
            return acts
        return (lambda replica: None) if colour == absent else lambda replica: acts(replica, 0.0)

    return script_of


def leave(turns: int, every: int = 1) -> Figures:
    """A game of three, of whom one goes away, and another crashes."""
    table = CrashTable(3, LEAVING)
    figures = crash_everywhere(table, "Green", turns, leaves_after(2, "Red"), every)
    assert table.replica("Green").graph.state.away == (True, False, False)
    return figures


def test_a_peer_that_crashes_goes_on_without_a_player_who_has_left() -> None:
    leave(9, every=3)


def lies_at(table: CrashTable, at: int) -> Callable[[str, int], Script]:
    """Red takes one action in two ways, shows one to Blue and one to Green, and does nothing any more."""

    def lies(red: Replica) -> None:
        log, state = local_ref(red.game.branch(1)), red.graph.state
        action = draw(state, decisions(state, 1)[0], Random(1))
        for other, time_s in (("Blue", 4000), ("Green", 5000)):
            step = red.graph.write(action, apply(red.graph.before(action), action), time_s, table.objects.add)
            table.lies[other, "Red"] = table.shown_by("Red") | {log: step.commit}

    def script_of(colour: str, number: int) -> Script:
        if colour != "Red" or number < at:
            return acts
        return lies if number == at else lambda replica: None

    return script_of


def lie(turns: int, every: int = 1) -> Figures:
    """A game of three, of whom one lies; another crashes while the two change the view."""
    table = CrashTable(3, LEAVING)
    figures = crash_everywhere(table, "Green", turns, lies_at(table, 2), every)
    blue, green = table.replica("Blue"), table.replica("Green")
    for replica in (blue, green):
        turn_of(replica, lambda replica: None)
    assert blue.graph.head == green.graph.head
    assert green.graph.state.away == (True, False, False)
    return figures


def test_a_peer_that_crashes_while_a_liar_is_left_out_goes_on() -> None:
    lie(6)


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chance", ["actor", "joint"])
def test_a_peer_that_crashes_in_a_whole_game_goes_on(players: int, chance: Chance) -> None:
    play(players, chance, 60)


@pytest.mark.soak
@pytest.mark.parametrize("scenario", [leave, lie])
def test_a_peer_that_crashes_at_any_effect_of_votes_goes_on(scenario: Callable[[int], Figures]) -> None:
    scenario(20)
