"""TLC follows what parties have signed about who is present, liars too, and refuses what nobody could have signed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.model_check.changes import ChangesTrace, changes_of, check_changes
from catan_p2p.model_check.peers import NotFollowed
from catan_p2p.model_check.tlc import TlcProgram
from tests.hidden.test_leaving import without_the_liar_in_the_view
from tests.log.views.test_returns import STEPS as RETURNING_STEPS
from tests.log.views.test_returns import returning_world
from tests.log.views.test_views import STEPS, play, world_of
from tests.log.views.world import ViewWorld


def whole(world: ViewWorld) -> ValidCommits:
    """One graph of all that anybody holds."""
    graph = world.table.fresh_graph().valid
    nodes = {commit: node for one in world.table.players for commit, node in one.graph.nodes.items()}
    for node in sorted(nodes.values(), key=lambda one: (one.link.height, one.link.commit)):
        graph.add(node)
    return graph


def trace_of(seed: int, *, lies: bool) -> ChangesTrace:
    return trace_in(world_of(seed, lies=lies))


def trace_in(world: ViewWorld, steps: int = STEPS) -> ChangesTrace:
    play(world, steps)
    try:
        trace = changes_of(whole(world))
    except NotFollowed as error:
        pytest.skip(str(error))
    if trace is None:
        pytest.skip("nobody has voted")
    return trace


@pytest.mark.long
@pytest.mark.sampled(24)
@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("lies", [False, True])
def test_changes_of_those_who_are_late_or_stop_or_lie_are_followed(seed: int, lies: bool, tlc: TlcProgram) -> None:
    trace = trace_of(seed, lies=lies)
    verdict = check_changes(trace, tlc)
    assert verdict.accepted, trace.told(verdict.reached)


def back_in(trace: ChangesTrace) -> int:
    return sum(bool(event[5]) for event in trace.events if event[0] == "value")


@pytest.mark.long
@pytest.mark.sampled(20)
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("lies", [False, True])
def test_changes_that_bring_somebody_back_are_followed(seed: int, lies: bool, tlc: TlcProgram) -> None:
    trace = trace_in(returning_world(seed, lies=lies), RETURNING_STEPS)
    verdict = check_changes(trace, tlc)
    assert verdict.accepted, trace.told(verdict.reached)


@pytest.mark.long
def test_a_liar_about_cards_is_left_out(tlc: TlcProgram) -> None:
    trace = changes_of(without_the_liar_in_the_view().graph.valid)
    assert trace is not None
    verdict = check_changes(trace, tlc)
    assert verdict.accepted, trace.told(verdict.reached)
    stays = tuple((*event[:3], [], [], *event[5:]) if event[0] == "value" else event for event in trace.events)
    assert not check_changes(trace._replace(events=stays), tlc).accepted


MISTAKES = {
    "a vote that names somebody who is not awaited": ("vote", lambda e: (*e[:5], [1, 2, 3], *e[6:])),
    "a vote in a round that nobody has begun": ("vote", lambda e: (*e[:2], e[2] + 1, *e[3:])),
    "a proposal by another coordinator": ("propose", lambda e: (e[0], 1 + e[1] % 3, *e[2:])),
    "a proposal with votes of less than half": ("propose", lambda e: (*e[:4], e[4][:1], e[5])),
    "a decision that leaves out who has voted": ("value", lambda e: (*e[:2], [1], *e[3:])),
    "an acceptance in another round": ("accept", lambda e: (*e[:2], e[2] + 1, e[3])),
    "an action by who does not act next": ("act", lambda e: (e[0], 1 + e[1] % 3, e[2])),
}
"""What is done to the first event of a kind."""


def spoiled(trace: ChangesTrace, kind: str, spoil: Any) -> Iterator[tuple[Any, ...]]:
    is_done = False
    for event in trace.events:
        yield spoil(event) if event[0] == kind and not is_done else event
        is_done |= event[0] == kind


RETURN_MISTAKES = {
    "a vote that merges a request that nobody has made": ("vote", lambda e: (*e[:7], [(1, 1)])),
    "a request by who is present": ("ask", lambda e: (e[0], 1)),
    "a decision that nobody has asked for": ("value", lambda e: (*e[:5], [(1, 1)])),
    "a decision that brings nobody back": ("value", lambda e: (*e[:5], []) if e[5] else e),
}
"""The same of a game in which somebody comes back."""


@pytest.mark.long
@pytest.mark.parametrize("mistake", RETURN_MISTAKES)
def test_what_brings_nobody_back_is_refused(mistake: str, tlc: TlcProgram) -> None:
    kind, spoil = RETURN_MISTAKES[mistake]
    trace = trace_in(returning_world(3, lies=False), RETURNING_STEPS)
    assert back_in(trace)
    events = tuple(spoil(event) if event[0] == kind else event for event in trace.events)
    assert not check_changes(trace._replace(events=events), tlc).accepted


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_no_party_could_have_signed_is_refused(mistake: str, tlc: TlcProgram) -> None:
    kind, spoil = MISTAKES[mistake]
    trace = trace_of(0, lies=False)
    assert any(event[0] == kind for event in trace.events)
    verdict = check_changes(trace._replace(events=tuple(spoiled(trace, kind, spoil))), tlc)
    assert not verdict.accepted
    assert trace.events[verdict.reached - 1][0] in (kind, "propose", "accept")
