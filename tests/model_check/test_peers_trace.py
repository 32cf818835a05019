"""What peers did, by their events and effects, is a behaviour of CatanP2P; with any event changed it is none.

The games are the laboratory's, with peers that are killed, and one of replicas with real repositories. Nobody lies.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from catan_p2p.game.constants import Constants
from catan_p2p.model_check.peers import Event, TraceVerdict, check_peers
from tests.model_check.changed_events import refused_at
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.peers_trace import Recorder
from tests.replication.tables import make_seats, opened, play_rounds
from tests.simulation.laboratory.followed import FollowedWorld
from tests.simulation.laboratory.worlds import settings

RING = "continent; overlay = ring; machine = quick; faults = 6; kinds = crash late"
KILLED = "lan; machine = quick; faults = 8; kinds = crash"

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(4, together=True)]


@lru_cache
def recorded(words: str, seed: int, players: int, signed: bool) -> tuple[tuple[Event, ...], Constants]:
    """What the peers of a simulated game did."""
    world = FollowedWorld(settings(words, seed, players, signed=signed))
    world.run()
    return tuple(world.recorder.events), world.game.constants


def verdict(events: list[Event], constants: Constants) -> TraceVerdict:
    return check_peers(events, constants, quick_tlc(), signed=False)


@pytest.mark.parametrize(
    ("words", "seed", "players", "signed"),
    [
        pytest.param(RING, 5, 4, True, id="ring"),
        pytest.param(KILLED, 3, 3, False, id="killed", marks=pytest.mark.soak),
        pytest.param("city; overlay = star; machine = quick", 7, 3, True, id="relay", marks=pytest.mark.soak),
        pytest.param("world; overlay = gossip 2; machine = quick; faults = 6; kinds = crash", 8, 4, True,
                     id="gossip", marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_a_simulated_game(words: str, seed: int, players: int, signed: bool) -> None:
    events, constants = recorded(words, seed, players, signed)
    assert check_peers(events, constants, quick_tlc(), signed=signed) == (True, 0, "")


@pytest.mark.soak
def test_a_game_in_which_all_draw_together() -> None:
    world = FollowedWorld(settings("lan; machine = quick", 3, 3, signed=True, chance="joint"))
    world.run()
    found = check_peers(world.recorder.events, world.game.constants, quick_tlc(), signed=True)
    assert found == (True, 0, "")


def test_a_game_in_real_repositories(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2, 3, rules="thesis; PointsToWin = 3")
    recorder = Recorder(Constants())
    for least in (9, 18, 27):
        with opened(paths) as replicas:
            recorder.constants = replicas[0].game.constants
            for replica in replicas:
                recorder.follow(replica)
            play_rounds(replicas, lambda replica, least=least: len(replica.graph) > least)
        for replica in replicas:
            recorder.died(replica.player)
    assert verdict(recorder.events, recorder.constants) == (True, 0, "")
    assert {"Act", "TakeIn", "Keep", "Publish", "Crash", "Restart", "Stands"} <= {event[0] for event in recorder.events}


# A changed event of each kind


def first(events: list[Event], kind: str, after: int = 0) -> int:
    """Where the first event of a kind is."""
    return next(i for i, event in enumerate(events) if i >= after and event[0] == kind)


def without(kind: str) -> Callable[[list[Event]], tuple[list[Event], int]]:
    def change(events: list[Event]) -> tuple[list[Event], int]:
        at = first(events, kind)
        return events[:at] + events[at + 1 :], at

    return change


def twice(kind: str) -> Callable[[list[Event]], tuple[list[Event], int]]:
    def change(events: list[Event]) -> tuple[list[Event], int]:
        at = first(events, kind)
        return [*events[: at + 1], events[at], *events[at + 1 :]], at

    return change


def act_of_another(events: list[Event]) -> tuple[list[Event], int]:
    at = first(events, "Act", 4)
    kind, player, *rest, action, _ = events[at]
    other = 2 if player == 1 else 1
    return [*events[:at], (kind, other, *rest, (action[0], other, *action[2:]), []), *events[at + 1 :]], at


def act_elsewhere(events: list[Event]) -> tuple[list[Event], int]:
    at = first(events, "Act", 12)
    kind, player, number, on, *rest = events[at]
    return [*events[:at], (kind, player, number, on - 1, *rest), *events[at + 1 :]], at


def merge_left_out(events: list[Event]) -> tuple[list[Event], int]:
    at = next(i for i, event in enumerate(events) if event[0] == "Act" and event[4])
    kind, player, number, on, merges, *rest = events[at]
    return [*events[:at], (kind, player, number, on, merges[1:], *rest), *events[at + 1 :]], at


def another_tree(events: list[Event]) -> tuple[list[Event], int]:
    at = next(i for i, event in enumerate(events) if event[0] == "Act" and event[5][0] == "RollDice")
    *rest, (seen,) = events[at]
    return [*events[:at], (*rest, [[*seen, ("lr", 1)]]), *events[at + 1 :]], at


def seen_before_shown(events: list[Event]) -> tuple[list[Event], int]:
    at, shown = first(events, "TakeIn"), first(events, "Publish")
    return [*events[:shown], events[at], *events[shown:]], shown


def reply_gone_too_early(events: list[Event]) -> tuple[list[Event], int]:
    at = first(events, "Remove")
    player = events[at][1]
    reply = max(i for i, one in enumerate(events[:at]) if one[:2] == ("Act", player) and one[5][0] == "Discard")
    return [*events[: reply + 1], events[at], *events[reply + 1 :]], reply + 1


def other_head(events: list[Event]) -> tuple[list[Event], int]:
    at = first(events, "Stands", 20)
    kind, player, head, *rest = events[at]
    return [*events[:at], (kind, player, head - 1, *rest), *events[at + 1 :]], at


def nothing_shown(events: list[Event]) -> tuple[list[Event], int]:
    at = next(i for i, event in enumerate(events) if event[0] == "Stands" and event[6][0])
    return [*events[:at], (*events[at][:6], [0, 0]), *events[at + 1 :]], at


def kept_nothing(events: list[Event]) -> tuple[list[Event], int]:
    """What a peer has taken in before it was killed is not kept: after the restart it knows less."""
    crash = next(
        i for i, one in enumerate(events)
        if one[0] == "Crash" and any(other[:2] == ("Keep", one[1]) for other in events[:i])
    )  # fmt: skip
    player = events[crash][1]
    keep = max(i for i, one in enumerate(events[:crash]) if one[:2] == ("Keep", player))
    return events[:keep] + events[keep + 1 :], crash + 8


CHANGES = {
    "Act: by another": act_of_another,
    "Act: on another commit": act_elsewhere,
    "Act: a merge left out": merge_left_out,
    "Act: left out": without("Act"),
    "Act: another tree": another_tree,
    "TakeIn: before it is shown": seen_before_shown,
    "TakeIn: twice": twice("TakeIn"),
    "Keep: left out before a kill": kept_nothing,
    "Keep: twice": twice("Keep"),
    "Publish: left out": without("Publish"),
    "Publish: twice": twice("Publish"),
    "Remove: too early": reply_gone_too_early,
    "Remove: twice": twice("Remove"),
    "Crash: left out": without("Crash"),
    "Crash: twice": twice("Crash"),
    "Restart: left out": without("Restart"),
    "Stands: on another commit": other_head,
    "Stands: nothing shown": nothing_shown,
}


def test_a_changed_event_is_refused() -> None:
    events, constants = recorded(KILLED, 3, 3, False)
    made = {name: change([*events]) for name, change in CHANGES.items()}
    traces = {name: changed for name, (changed, _) in made.items()}
    found = refused_at(events, constants, {"nothing": events, **traces}, quick_tlc(), signed=False, most=60)
    assert found.pop("nothing") is None
    for name, (_, at) in made.items():
        reached = found[name]
        assert reached is not None and at <= reached <= at + 40, name
