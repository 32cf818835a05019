"""The relay of the laboratory takes and refuses what a relay of Git's does."""

import pytest

from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.simulation.laboratory.remotes import packed
from catan_p2p.simulation.laboratory.served_disk import Objects
from tests.simulation.laboratory.campaign import play
from tests.simulation.laboratory.worlds import settings, world


def commit(number: int, *parents: ObjectId) -> tuple[ObjectId, bytes]:
    lines = "".join(f"parent {parent}\n" for parent in parents)
    who = "Red <red> 0 +0000\n"
    data = f"tree {number:040}\n{lines}author {who}committer {who}\n".encode()
    return object_id("commit", data), data


def objects(*commits: tuple[ObjectId, bytes]) -> Objects:
    return {oid: ("commit", data) for oid, data in commits}


def test_a_push_that_leads_to_what_is_not_there_is_refused_ref_by_ref() -> None:
    relay = world("continent; overlay = star", 1).relay
    assert relay is not None
    root = commit(1)
    lost = commit(2, root[0])
    reply = commit(3, lost[0])
    on_top = commit(4, reply[0])
    moves = [PushMove("refs/heads/Red_0", None, root[0]), PushMove("refs/heads/Blue_0", None, on_top[0])]
    assert relay.push(relay, moves, objects(root, reply, on_top)) == {"refs/heads/Blue_0": "missing necessary objects"}
    assert relay.refs == {"refs/heads/Red_0": root[0]}
    assert relay.push(relay, moves[1:], objects(on_top)) == {"refs/heads/Blue_0": "missing necessary objects"}
    assert relay.push(relay, moves[1:], objects(lost, reply, on_top)) == {}
    assert relay.refs["refs/heads/Blue_0"] == on_top[0]
    gone = PushMove("refs/heads/Blue_0", on_top[0], None)
    assert relay.push(relay, [gone], {}) == {}
    assert relay.push(relay, [gone], {}) == {"refs/heads/Blue_0": "the ref is elsewhere"}


def test_a_pack_has_only_what_git_sends() -> None:
    relay = world("continent; overlay = star", 1).relay
    assert relay is not None
    chain = [commit(0)]
    for number in range(1, 20):
        chain.append(commit(number, chain[-1][0]))
    vote = commit(20, chain[9][0])  # by somebody who did not know of the last ten moves
    relay.objects = objects(*chain, vote)
    assert packed(relay, [vote[0]], [chain[-1][0]]).keys() == {vote[0]}
    assert packed(relay, [vote[0]], []).keys() == {*dict(chain[:10]), vote[0]}


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("transport", ["git", "path"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_goes_on_over_a_relay_that_loses_objects(transport: str, seed: int) -> None:
    words = f"continent; overlay = star; transport = {transport}; faults = 6; kinds = lost-objects; machine = quick"
    found = play(settings(words, seed, 3, signed=True))
    assert found.failures == [] and found.faults["lost-objects"] > 0
