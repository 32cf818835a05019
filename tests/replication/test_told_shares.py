"""A share that was told counts on every branch: nobody calls for a draw who knows an honest share of it already.

Red, the liar, shows a call to Green alone, who tells their share. Blue, the accomplice, holds Red's other commit, which
survives: Green moves over, and whatever Blue calls for from then on takes a share of Green's that nobody knows.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_p2p.game.actions import Call, EmptyBuild, Reveal
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, decisions
from catan_p2p.log.audit import audit
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.proof import ProofCharge
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.model_check.recording import read_recording
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.core.voter import VoteWriter
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.told_shares import ToldShares
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import read_settings
from tests.chance.apart import look
from tests.replication.tables import KEYS, all_objects, make_seats, opened, point, write_object
from tests.replication.test_settling import (
    GREEN,
    RED,
    check_together,
    folder_of,
    look_alone,
    settle_all,
    until_awaited,
    written_by,
)

RULES = "thesis; Leaving = yes; PointsToWin = 4; Chance = joint"
BUY = Call(RED, "BuyDevCard")


def told_for(paths: Sequence[Path], player: Player) -> dict[str, set[ObjectId]]:
    """The calls for which a player has told each of their shares, of all objects there are."""
    found: dict[str, set[ObjectId]] = {}
    for path in paths:
        for oid, kind, data in all_objects(path):
            if kind == "commit":
                commit = decode_commit(data)
                trailers = trailers_of(commit.message)
                if trailers.get("Player") == str(player) and trailers.get("Action") in ("call", "reveal"):
                    call = oid if trailers["Action"] == "call" else commit.parents[0]
                    found.setdefault(trailers["Share"], set()).add(call)
    return found


def told_twice(paths: Sequence[Path], player: Player) -> list[str]:
    """The shares that a player has told for more than one call."""
    return [share for share, calls in told_for(paths, player).items() if len(calls) > 1]


@contextmanager
def told_to_the_liar(folder: Path) -> Iterator[tuple[list[Path], list[Replica], tuple[ObjectId, ObjectId]]]:
    """Red calls for a card where Green sees it, and Green reveals; Blue sees that Red has ended the turn instead.

    Gives the seats, their replicas, and Red's two commits; nobody has heard of the lie. Of two sides with as many
    players and commits, Blue's survives.
    """
    paths = make_seats(folder, 3, 9, rules=RULES, signed=True)
    with opened(paths) as replicas:
        red, blue, green = replicas
        until_awaited(replicas, RED, 1, can_buy)
        base, log = red.graph.head, local_ref(red.game.branch(RED))
        call = called_by(red)
        dates = range(5000, 5100)
        end = next(one for one in (written_by(red, base, [EmptyBuild(RED)], date)[0] for date in dates) if one < call)
        point(folder_of(red), log, call)
        look_alone(green, ["Red"])
        assert not green.graph.state.due[GREEN - 1]
        point(folder_of(red), log, end)
        others, blue.neighbours = blue.neighbours, [one for one in blue.neighbours if one.colour == "Red"]
        while end not in blue.graph:
            look(blue)
        blue.neighbours = others
        assert call in green.graph
        yield paths, replicas, (call, end)


def called_by(liar: Replica) -> ObjectId:
    """Red's call on the newest commit, in Red's repository."""
    graph = liar.graph

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        return write_object(folder_of(liar), kind, data)

    return graph.write(BUY, apply(graph.before(BUY), BUY), 4000, put, liar._share_for(BUY)).commit


def can_buy(replica: Replica) -> bool:
    return BUY in decisions(replica.graph.state, RED)


def call_after_the_votes(folder: Path) -> None:
    """Blue calls once Red is excused; Green tells another share than to Red, and the game ends."""
    with told_to_the_liar(folder) as (paths, (_, blue, green), (_, end)):
        settle_all((blue, green))
        check_together((blue, green))
        assert end in green.graph
        finish_without((blue, green))
    check_shares(paths)


def call_before_the_votes(folder: Path) -> None:
    """Blue calls, or pretends to have called, before all have voted; Green tells another share than to Red."""
    with told_to_the_liar(folder) as (paths, (_, blue, green), _):
        blue.act_one()
        assert blue.graph.state.tp == "Drawing"
        settle_all((blue, green))
        assert blue.graph.head == green.graph.head
        green.act()
        reveal = decode_commit(green.store.read(green.graph.replies[GREEN].commit)[1])
        (vote,) = (cast.commit for cast in green.graph.ballot.loose.values() if cast.voter == GREEN)
        assert reveal.parents == (green.graph.head, vote)
        recording = read_recording(paths[2])
        assert recording.unreadable is None
        assert [step.action for step in recording.pending] == [Reveal(GREEN)]
        finish_without((blue, green))
    check_shares(paths)


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_call_that_comes_after_the_votes_takes_another_share(tmp_path: Path) -> None:
    call_after_the_votes(tmp_path)


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_call_that_was_there_before_the_votes_takes_another_share(tmp_path: Path) -> None:
    call_before_the_votes(tmp_path)


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_who_starts_again_from_the_key_alone_takes_another_share(tmp_path: Path) -> None:
    with told_to_the_liar(tmp_path) as (paths, (_, blue, green), _):
        settle_all((blue, green))
    settings = read_settings(paths[2])
    told = told_for(paths, GREEN)
    shutil.rmtree(paths[2])
    join_game(str(paths[1]), paths[2], settings, KEYS["Green"])
    with opened(paths[1:]) as replicas:
        finish_without(replicas)
    assert len(told_for(paths, GREEN)) > len(told)
    for share, calls in told_for(paths[1:], GREEN).items():
        assert told.get(share, calls) == calls


def without_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Votes as they were before they told of shares."""
    charge_for = VoteWriter._charge_for

    def plain(self: VoteWriter, round: VotingRound) -> ProofCharge | None:
        charge = charge_for(self, round)
        return None if charge is None else charge._replace(spent=None)

    monkeypatch.setattr(VoteWriter, "_charge_for", plain)


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_without_its_vote_a_peer_tells_no_share_twice_also_when_it_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_the_number(monkeypatch)
    with told_to_the_liar(tmp_path) as (paths, (_, blue, green), _):
        settle_all((blue, green))
        act_on_all((blue, green))
        assert blue.graph.state.tp == "Drawing"
        assert green.withheld
        with pytest.raises(GaveUp, match="never tells a share twice"):
            green.act_one()
    with opened(paths[1:]) as (blue, green):
        act_on_all((blue, green))
        assert green.withheld
        assert green.act() == []
        assert told_twice(paths, GREEN) == []
        # Play does not stand still for ever: two are left, and Blue may claim the game as if Green were gone.
        VotingDuty(blue).go_on(patience_s=0.0)
        look(green)
        assert blue.graph.state.is_over
        assert green.graph.state.is_over


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_without_the_mend_a_share_is_told_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_the_number(monkeypatch)
    monkeypatch.setattr(ToldShares, "take_in", lambda self, commits: None)
    with told_to_the_liar(tmp_path) as (paths, (_, blue, green), _):
        settle_all((blue, green))
        act_on_all((blue, green))
    assert len(told_twice(paths, GREEN)) == 1


def act_on_all(replicas: Sequence[Replica]) -> None:
    """Let these act as far as that goes without Red."""
    for _ in range(3):
        for replica in replicas:
            look(replica)
            replica.act()


def finish_without(replicas: Sequence[Replica]) -> None:
    """The others excuse Red, and play to the end."""
    for _ in range(2000):
        for replica in replicas:
            look(replica)
            VotingDuty(replica).go_on()
            replica.act()
        if all(replica.graph.state.tp == "top" for replica in replicas):
            break
    assert len({replica.graph.head for replica in replicas}) == 1
    assert replicas[0].graph.state.is_over
    for replica in replicas:
        replica.fast_forward()


def check_shares(paths: Sequence[Path]) -> None:
    """Green has told no share for two calls, and everybody's game is sound."""
    assert len(told_for(paths, GREEN)) > 3
    assert told_twice(paths, GREEN) == []
    for path in paths[1:]:
        assert audit(path).is_fine
