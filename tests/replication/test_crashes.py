"""A peer that crashes anywhere goes on as if it had not: every step, every prefix of its effects, whatever is left."""

from collections.abc import Callable
from random import Random

import pytest

from catan_p2p.game.constants import Chance
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.refs import local_ref
from catan_p2p.replication.replica import Replica
from tests.replication.crashes import Figures, MemorySeats, Script, acts, crash_everywhere, turn_of
from tests.replication.peers import PeerTable

LEAVING = "thesis; Leaving = yes"


def everybody_acts(colour: str, number: int) -> Script:
    return acts


def nothing(table: PeerTable[Replica], replica: Replica) -> None:
    """The player has only looked."""


def play(players: int, chance: Chance, turns: int, every: int = 1) -> Figures:
    """A game of honest players, of whom the last one crashes."""
    seats = MemorySeats(players, "thesis", chance)
    figures = crash_everywhere(seats, seats.game.seats[-1].colour, turns, everybody_acts, every)
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
        return nothing if colour == absent else lambda table, replica: table.go_on(replica, 0.0)

    return script_of


def leave(turns: int, every: int = 1) -> Figures:
    """A game of three, of whom one goes away, and another crashes."""
    seats = MemorySeats(3, LEAVING)
    figures = crash_everywhere(seats, "Green", turns, leaves_after(2, "Red"), every)
    assert seats.replica("Green").graph.state.away == (True, False, False)
    return figures


def test_a_peer_that_crashes_goes_on_without_a_player_who_has_left() -> None:
    leave(9, every=3)


def lies_at(seats: MemorySeats, at: int) -> Callable[[str, int], Script]:
    """Red takes one action in two ways, shows one to Blue and one to Green, and does nothing any more."""

    def lies(table: PeerTable[Replica], red: Replica) -> None:
        log, state = local_ref(red.game.branch(1)), red.graph.state
        action = draw(state, decisions(state, 1)[0], Random(1))
        for other, time_s in (("Blue", 4000), ("Green", 5000)):
            step = red.graph.write(action, apply(red.graph.before(action), action), time_s, seats.objects.add)
            seats.lies[other, "Red"] = seats.shown_by("Red") | {log: step.commit}

    def script_of(colour: str, number: int) -> Script:
        if colour != "Red" or number < at:
            return acts
        return lies if number == at else nothing

    return script_of


def lie(turns: int, every: int = 1) -> Figures:
    """A game of three, of whom one lies; another crashes while the two change the view."""
    seats = MemorySeats(3, LEAVING)
    figures = crash_everywhere(seats, "Green", turns, lies_at(seats, 2), every)
    blue, green = seats.replica("Blue"), seats.replica("Green")
    for replica in (blue, green):
        turn_of(seats.table, replica, nothing)
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
