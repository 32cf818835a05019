"""A proven liar does not stop the others: two continuations shown to different players, and all honest on one again.

Real repositories of three and four players, of whom Red lies.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from catan_p2p.game.actions import Call, Claim, EmptyBuild, OpenAll, SignEnd
from catan_p2p.game.rules import apply, decisions
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.refs import local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.view.events import ChangeSigned
from tests.chance.apart import look
from tests.replication.forks import (
    BLUE,
    GREEN,
    LEAVING,
    ORANGE,
    RED,
    called_by,
    check_together,
    finish_without,
    folder_of,
    forked,
    look_alone,
    settle_all,
    told_for,
    told_twice,
    until_awaited,
    written_by,
)
from tests.replication.peers import views_of
from tests.replication.tables import KEYS, make_seats, opened, point, write_object
from tests.typed import Typed
from visualizer.data.feed import read_whole


def test_two_on_different_sides_come_together(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, 7, rules=LEAVING)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 1, lambda one: True)
        both = forked(replicas, ((BLUE,), (GREEN,)))
        _, blue, green = replicas
        undone = {blue.graph.head, green.graph.head}
        assert len(undone) == 2
        settle_all((blue, green))
        check_together((blue, green))
        heads = {blue.graph.head}
        assert {*views_of(blue).forkers[RED]} == {*views_of(green).forkers[RED]} == {*both}
        for replica in (blue, green):  # what was undone is still in the log of whoever signed it
            assert replica.store.own_ref(replica.core.held.log) is not None
            assert sum(views_of(replica).line.leads(blue.graph.head, one) for one in both) == 1
    for path in paths[1:]:
        assert audit(path).is_fine
    # Whoever starts again holds the same, and moves nowhere.
    with opened(paths[1:]) as again:
        check_together(again)
        settle_all(again, 2)
        assert {replica.graph.head for replica in again} == heads


def test_a_game_with_a_proven_fork_is_read_by_every_verb_and_as_every_player_knows_it(
    tmp_path: Path, typed: Typed
) -> None:
    paths = make_seats(tmp_path / "seats", 3, 7, rules=LEAVING)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 20, lambda one: True)
        forked(replicas, ((BLUE,), (GREEN,)))
        settle_all(replicas[1:])
        check_together(replicas[1:])
        line = replicas[1].graph.line_commits()
    blue, out = paths[BLUE - 1], tmp_path / "out"
    for seats in (blue, blue.parent):
        for peer in (None, "Red", "Blue", "Green"):
            steps = [step for step in read_whole(seats, peer)[0].steps if not isinstance(step.action, ChangeSigned)]
            shown = [step.commit for step in steps[1:]]
            assert shown == line[: len(shown)]
            assert len(line) - len(shown) <= (2 if peer in ("Red", "Green") else 0), peer
    for verb in ("verify", "log", "stats", "status", "export --format catan", "export --format sgn"):
        assert typed(0, *verb.split(), blue).out
    typed(0, "page", blue, "-o", out)
    typed(0, "metrics", blue, "--out", out.with_suffix(".metrics"))


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "split"),
    [
        pytest.param(3, ((BLUE,), (GREEN,)), id="one each"),
        pytest.param(4, ((BLUE, ORANGE), (GREEN,)), id="two and one"),
        pytest.param(4, ((GREEN,), (BLUE, ORANGE)), id="one and two"),
    ],
)
def test_all_come_together_after_a_fork_and_play_to_the_end(
    tmp_path: Path, players: int, split: tuple[Sequence[int], Sequence[int]]
) -> None:
    paths = make_seats(tmp_path, players, 7, rules=LEAVING)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 20, lambda one: one.graph.state.tp == "Building")
        both = forked(replicas, split)
        held = [next(i for i in (0, 1) if both[i] in replica.graph) for replica in replicas[1:]]
        assert len(set(held)) == 2
        settle_all(replicas[1:])
        check_together(replicas[1:])
        if held.count(0) != held.count(1):
            most = 0 if held.count(0) > held.count(1) else 1
            one = views_of(replicas[1])
            assert one.line.leads(one.newest, both[most])
        finish_without(replicas)
    for path in paths[1:]:
        verdict = audit(path)
        assert verdict.is_fine, verdict


def test_a_claim_of_a_game_that_has_gone_on(tmp_path: Path) -> None:
    """Blue has answered what Red did, and then claims the game at a commit after which Red was awaited."""
    with opened(make_seats(tmp_path, 2, 7, rules=LEAVING)) as (red, blue):
        until_awaited((red, blue), RED, 20, lambda one: one.graph.state.tp == "DiceRoll")
        base, valid = red.graph.head, views_of(blue)
        own = valid.chain_ends[BLUE]
        while valid.chain_ends[BLUE] == own:
            for replica in (red, blue):
                replica.synchronize()
                replica.act()
        assert valid.leads(valid.chain_ends[BLUE], base)
        blue.store.publish()
        red.synchronize()
        before = red.graph.head
        point(tmp_path / "Blue", local_ref(blue.game.branch(BLUE)), written_by(blue, base, [Claim(BLUE, RED)])[0])
        red.synchronize()
        assert red.graph.head == before
        assert not red.graph.state.is_over


# The end of a game with hidden hands


def about_to_win(replicas: Sequence[Replica]) -> Replica:
    """Play until somebody will win with what they do next."""
    while True:
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
        for replica in replicas:
            if replica.is_awaited:
                action = replica._decider(replica.graph.state)()
                if apply(replica.graph.before(action), action).is_over:
                    return replica
                replica.act_one()


def test_whoever_alone_was_shown_an_end_that_is_undone_plays_on(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="brief; Leaving = yes; PointsToWin = 3")) as replicas:
        liar = about_to_win(replicas)
        base, log = liar.graph.head, local_ref(liar.game.branch(liar.player))
        end = written_by(liar, base, [liar._decider(liar.graph.state)()])[0]
        others = (written_by(liar, base, [EmptyBuild(liar.player)], time_s)[0] for time_s in count(5000))
        honest = [replica for replica in replicas if replica is not liar]
        life = PeerLife(honest[0], LookPace(stay_s=0.0))
        # Of two heads with one vote each, the one with the lower id is decided.
        for shown, replica in zip((end, next(other for other in others if other < end)), honest, strict=True):
            point(folder_of(liar), log, shown)
            look_alone(replica, [liar.game.seats[liar.player - 1].colour])
        life.turn()
        assert life.is_done()
        settle_all(honest)
        assert not life.is_done()


@pytest.mark.long
def test_who_alone_is_shown_the_end_tells_no_key(tmp_path: Path) -> None:
    """A winner shows one player the end, and the other one another commit in its place."""
    paths = make_seats(tmp_path, 3, 7, rules="thesis; Leaving = yes; PointsToWin = 3", chance="joint", hands="hidden")
    with opened(paths) as replicas:
        liar = about_to_win(replicas)
        log, colour = local_ref(liar.game.branch(liar.player)), liar.game.seats[liar.player - 1].colour
        end = liar.act_one().commit
        commit = decode_commit(liar.store.read(end)[1])
        author = commit.author._replace(time_s=commit.author.time_s + 1)
        unsigned = commit._replace(author=author, committer=author, signature=None)
        other = write_object(folder_of(liar), "commit", signer(KEYS[colour])(unsigned).encode())
        honest = [replica for replica in replicas if replica is not liar]
        for shown, replica in zip((end, other), honest, strict=True):
            point(folder_of(liar), log, shown)
            look_alone(replica, [colour])
            assert replica.graph.head == shown and replica.graph.state.tp == "Signing"
            assert isinstance(replica.graph.replies[replica.player].action, SignEnd)
        settle_all(honest)
        for _ in range(4):
            for replica in honest:
                replica.synchronize()
                if replica.is_awaited:
                    replica.act()
                replica.store.publish()
        assert len({replica.graph.head for replica in honest}) == 1
        for replica in honest:
            state = replica.graph.state
            assert state.winner == liar.player and state.away[liar.player - 1]
            told = {step.action.player for step in replica.graph.replies.values() if isinstance(step.action, OpenAll)}
            assert told == {one.player for one in honest}


# Shares. Red shows a call to Green alone, who tells their share. Blue, the accomplice, holds Red's other commit: from
# then on whatever Blue calls for takes a share of Green's that nobody knows.

RULES = "thesis; Leaving = yes; PointsToWin = 4; Chance = joint"
BUY = Call(RED, "BuyDevCard")
Told = tuple[list[Path], list[Replica], tuple[ObjectId, ObjectId]]


@contextmanager
def told_to_the_liar(folder: Path) -> Iterator[Told]:
    """Red calls for a card where Green sees it, and Green reveals; Blue sees that Red has ended the turn instead.

    Gives the seats, their replicas, and Red's two commits; nobody has heard of the lie. Of two sides with as many
    votes, Blue's is decided.
    """
    paths = make_seats(folder, 3, 9, rules=RULES)
    with opened(paths) as replicas:
        red, blue, green = replicas
        until_awaited(replicas, RED, 1, lambda one: BUY in decisions(one.graph.state, RED))
        base, log = red.graph.head, local_ref(red.game.branch(RED))
        call = called_by(red, BUY)
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


def call_after_the_change(folder: Path) -> None:
    """Blue calls once Red is left out; Green tells another share than to Red, and the game ends."""
    with told_to_the_liar(folder) as (paths, (_, blue, green), (_, end)):
        settle_all((blue, green))
        check_together((blue, green))
        assert end in green.graph
        finish_without((blue, green))
    check_shares(paths)


def call_before_the_change(folder: Path) -> None:
    """Blue calls before anybody has voted; Green tells another share than to Red."""
    with told_to_the_liar(folder) as (paths, (_, blue, green), _):
        blue.act_one()
        assert blue.graph.state.tp == "Drawing"
        settle_all((blue, green))
        check_together((blue, green))
        finish_without((blue, green))
    check_shares(paths)


def check_shares(paths: Sequence[Path]) -> None:
    """Green has told no share for two calls, and everybody's game is sound."""
    assert len(told_for(paths, GREEN)) > 3
    assert told_twice(paths, GREEN) == []
    for path in paths[1:]:
        assert audit(path).is_fine


@pytest.mark.long
@pytest.mark.parametrize("play", [call_after_the_change, call_before_the_change])
def test_whoever_has_told_a_liar_a_share_takes_another(tmp_path: Path, play: Callable[[Path], None]) -> None:
    play(tmp_path)


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


def test_nobody_is_charged_with_what_a_liar_signed_twice(tmp_path: Path) -> None:
    """Red is proven; ``status`` charges nobody else, also not who has passed on what Red signed."""
    paths = make_seats(tmp_path, 4, 7, rules=LEAVING)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 1, lambda one: True)
        forked(replicas, ((BLUE, ORANGE), (GREEN,)))
        settle_all(replicas[1:])
        check_together(replicas[1:])
    for path in paths[1:]:
        assert {line["colour"] for line in read_status(path).refusals} <= {"Red"}
