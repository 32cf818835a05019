"""A peer whose repository is older than what it has shown: it goes on from the newest, and nobody is charged.

Red ---> Blue, Green        Red's disk goes back; Blue, or Green, or both have seen more of Red's log
"""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication import catch_up
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from catan_p2p.tables.status import read_status
from tests.replication.peers import PeerTable
from tests.replication.tables import (
    KEYS,
    finish,
    git,
    make_seats,
    neighbour,
    open_replica,
    opened,
    play_rounds,
    settle,
    use_remote,
)
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(8, together=True)]

Back = Callable[[Path, Path], None]


def from_a_copy(red: Path, copy: Path) -> None:
    """An older folder is put in the place of the newest one, as from a backup."""
    shutil.rmtree(red)
    shutil.copytree(copy, red)


def from_another_player(red: Path, copy: Path) -> None:
    """Red joins again, from Green, who has not seen Red's newest actions; with a new seed."""
    settings = read_settings(red)
    shutil.rmtree(red)
    join_game(str(red.parent / "Green"), red, SeatSettings("Red", 4711, "wall", "random"), KEYS["Red"])
    write_settings(red, SeatSettings("Red", 4711, "wall", "random", settings.remotes))


backwards = pytest.mark.parametrize("go_back", [from_a_copy, from_another_player])
both_games = pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])


def played_unseen_by_green(folder: Path, *, signed: bool) -> tuple[list[Path], ObjectId]:
    """Red, Blue and Green; Red has rolled the dice and played on, which Blue has seen, and Green has not."""
    paths = make_seats(folder, 3, signed=signed)
    with opened(paths) as replicas:
        red = replicas[0]
        for _ in range(200):
            for replica in replicas:
                replica.synchronize()
                replica.store.publish()
                if replica is red and red.is_awaited and red.graph.state.tp == "DiceRoll":
                    break
                replica.act()
            else:
                continue
            break
        for replica in replicas[1:]:
            replica.synchronize()
            replica.store.publish()
        shutil.copytree(paths[0], folder / "backup")
        while red.is_awaited:
            red.act()
        newest = red.graph.head
        replicas[1].synchronize()
        replicas[1].store.publish()
        assert newest in replicas[1].graph
        assert newest not in replicas[2].graph
    return paths, newest


@both_games
@backwards
def test_a_peer_that_went_back_goes_on_from_what_the_others_have_seen(
    tmp_path: Path, go_back: Back, signed: bool
) -> None:
    paths, newest = played_unseen_by_green(tmp_path, signed=signed)
    go_back(paths[0], tmp_path / "backup")
    with opened(paths) as replicas:
        red = replicas[0]
        assert newest not in red.graph
        assert red.act() == [], "it has not heard anybody yet"
        red.synchronize()
        assert newest in red.graph
        red.act()
        finish(replicas)
    assert git(paths[0], "rev-parse", "Red_0") == git(paths[2], "rev-parse", "Green_0")
    for path in paths:
        assert read_status(path).refusals == ()
        assert read_status(path).evidence == {}


@both_games
@backwards
def test_a_log_that_went_back_and_came_again_is_charged_by_nobody(tmp_path: Path, go_back: Back, signed: bool) -> None:
    """The others look while it is old, and again when it is as new as before."""
    paths, newest = played_unseen_by_green(tmp_path, signed=signed)
    go_back(paths[0], tmp_path / "backup")
    with opened(paths[1:]) as (blue, green):
        blue.synchronize()
        green.synchronize()
        assert "goes back" in (neighbour(blue, "Red").note or "")
        assert neighbour(green, "Red").note is None
        assert blue.refusals == 0
        with open_replica(paths[0]) as red:
            red.synchronize()
            red.store.publish()
        blue.synchronize()
        assert neighbour(blue, "Red").note is None
        settle([blue, green])
        assert newest in green.graph
    assert read_status(paths[1]).refusals == ()
    assert main(["status", str(paths[1])]) == 0


@backwards
def test_rejoining_does_not_roll_the_dice_again(tmp_path: Path, go_back: Back) -> None:
    """Blue, who has seen the roll, cannot be reached: Red waits, for longer than the patience, and does not roll."""
    paths, newest = played_unseen_by_green(tmp_path, signed=True)
    go_back(paths[0], tmp_path / "backup")
    use_remote(paths[0], "Blue", str(tmp_path / "nowhere"))
    with open_replica(paths[0]) as red:
        red.catch_up._grace_until = 0.0
        for _ in range(3):
            red.synchronize()
            assert red.is_awaited
            assert red.act() == []
        assert red.catch_up.unheard == ("Blue",)
    use_remote(paths[0], "Blue", str(paths[1]))
    with open_replica(paths[0]) as red:
        red.synchronize()
        assert newest in red.graph


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_replies_come_back_too(tmp_path: Path, signed: bool) -> None:
    """Blue has discarded, and Green has seen it; Blue's disk goes back to before."""
    paths = make_seats(tmp_path, 3, seed=1, signed=signed)
    blue_path = paths[1]
    with opened(paths) as replicas:
        _, blue, green = replicas
        for _ in range(5000):
            for replica in replicas:
                replica.synchronize()
                if replica is blue and blue.graph.state.tp == "Discarding" and blue.is_awaited:
                    break
                replica.act()
            else:
                continue
            break
        blue.store.publish()
        shutil.copytree(blue_path, tmp_path / "backup")
        (discard,) = blue.act()
        blue.store.publish()
        settle([green])
        assert discard.commit in green.graph
    from_a_copy(blue_path, tmp_path / "backup")
    with opened(paths) as replicas:
        blue = replicas[1]
        assert blue.is_awaited
        blue.synchronize()
        assert blue.graph.replies[2].commit == discard.commit
        finish(replicas)
    assert all(read_status(path).refusals == () for path in paths)


@both_games
def test_whose_copy_of_a_log_has_an_own_reply_answers_with_that(tmp_path: Path, signed: bool) -> None:
    """Red has rolled a seven and merged Blue's discard, as Green knows; Blue's disk goes back, and Red is silent.

    In an unsigned game Blue cannot judge what Green shows of Red, and has no answer before Red is there.
    """
    paths = make_seats(tmp_path, 3, seed=3, signed=signed)
    with opened(paths) as replicas:
        red, blue, green = replicas

        def has_discarded(one: Replica) -> bool:
            if one is blue and (one.graph.state.ap, one.graph.state.tp) == (2, "Building"):
                shutil.rmtree(tmp_path / "backup", ignore_errors=True)
                shutil.copytree(paths[1], tmp_path / "backup")
            return 2 in blue.graph.replies

        play_rounds(replicas, has_discarded)
        discard = blue.graph.replies[2].commit
        play_rounds([red], lambda _: not red.graph.replies)
        red.store.publish()
        green.synchronize()
        green.store.publish()
    from_a_copy(paths[1], tmp_path / "backup")
    use_remote(paths[1], "Red", str(tmp_path / "nowhere"))
    with open_replica(paths[1]) as blue:
        blue.hint("Green")
        blue.synchronize(everybody=False)
        assert blue.catch_up.has_heard("Green") == (discard in blue.graph) == signed
    use_remote(paths[1], "Red", str(paths[0]))
    with opened(paths) as replicas:
        replicas[1].synchronize()
        assert discard in replicas[1].graph
        finish(replicas)
    assert all(read_status(path).refusals == () for path in paths)


LEAVING = "thesis; Leaving = yes; Patience = 600; Chance = joint"


def stopped_while_awaited(folder: Path) -> list[Path]:
    """Red, Blue and Green wait for Red, whose program does not run."""
    paths = make_seats(folder, 3, 7, rules=LEAVING)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda one: one.player == 1 and one.has_choice and len(one.graph) > 20)
        settle(replicas)
    return paths


def test_whoever_has_been_excused_does_not_count(tmp_path: Path) -> None:
    """Green is gone and excused, and Red's program begins again: Blue's answer is enough."""
    paths = stopped_while_awaited(tmp_path)
    with opened(paths) as replicas:
        _without_green(replicas)
    shutil.rmtree(paths[2])
    with opened(paths[:2]) as (red, blue):
        red.synchronize()
        assert red.graph.state.away == (False, False, True)
        assert red.catch_up.is_over
        play_rounds([red, blue], lambda one: one.graph.turns > 4)


def _without_green(replicas: list[Replica]) -> None:
    """Red and Blue play until they must wait for Green, and then go on without Green."""
    PeerTable(replicas[:2]).play(lambda _: all(one.graph.state.away[2] for one in replicas[:2]), 60.0)


class TestInquiry:
    def asking(self, asked: str, heard: str, **options: object) -> catch_up.CatchUp:
        one = catch_up.CatchUp(asked.split(), **options)  # type: ignore[arg-type]
        for colour in heard.split():
            one.hear(colour)
        return one

    def over(self, asked: str, heard: str, **options: object) -> bool:
        return self.asking(asked, heard, **options).is_over

    def test_who_has_been_excused_is_waited_for_if_there_and_never_counts(self) -> None:
        assert self.over("Blue Green", "Blue", excused=lambda: {"Green": False})
        assert not self.over("Blue Green", "Blue", excused=lambda: {"Green": True})
        assert self.over("Blue Green", "Blue", excused=lambda: {"Green": True}, grace_s=0.0)
        assert not self.over("Blue Green", "Green", excused=lambda: {"Green": True}, grace_s=0.0)
        assert not self.over("Blue Green Orange", "Blue Orange", excused=lambda: {"Orange": True}, grace_s=0.0)

    def test_who_has_won_alone_asks_for_a_while(self) -> None:
        assert not self.over("Blue", "", excused=lambda: {"Blue": True})
        assert self.over("Blue", "", excused=lambda: {"Blue": True}, grace_s=0.0)

    def test_all_others_are_waited_for(self) -> None:
        assert not self.over("Blue", "")
        assert self.over("Blue", "Blue")
        assert not self.over("Blue Green Orange", "Blue Green")
        assert self.over("Blue Green Orange", "Blue Green Orange")

    def test_after_some_patience_more_than_half_of_them(self) -> None:
        assert not self.over("Blue", "", grace_s=0.0)
        assert not self.over("Blue Green", "Blue", grace_s=0.0)
        assert not self.over("Blue Green Orange", "Blue", grace_s=0.0)
        assert self.over("Blue Green Orange", "Blue Green", grace_s=0.0)

    def test_the_user_s_word_is_enough(self) -> None:
        assert self.over("Blue Green", "", alone=True)
        assert self.over("", "", alone=True)

    def test_more_than_half_of_those_present_answer_or_of_all_if_none_is_known(self) -> None:
        for excused, heard, is_enough in [
            ("", "Blue Green", True),
            ("", "Green", False),
            ("Green", "Blue", True),
            ("Green", "Green", False),
            ("Blue Green", "Blue Green", True),  # as in a ring, where both neighbours were left out
            ("Blue Green", "Green", False),
        ]:
            asking = self.asking("Blue Green", heard, excused=partial(dict.fromkeys, excused.split(), True))
            assert asking.has_heard_most is is_enough

    def test_where_no_remote_is_known_nobody_can_answer(self) -> None:
        assert not self.over("", "", grace_s=0.0)


def test_who_waits_is_told_for_whom_and_what_to_do(tmp_path: Path, typed: Typed) -> None:
    red, blue = make_seats(tmp_path, 2)
    blue.rename(tmp_path / "away")
    before = git(red, "rev-parse", "Red_0")
    told = typed(0, "peer", red, "--stop-after", "1").err
    assert "must hear from Blue" in told
    assert "--alone" in told
    assert git(red, "rev-parse", "Red_0") == before
    assert "must hear" not in typed(0, "peer", red, "--alone", "--stop-after", "1").err
    assert git(red, "rev-parse", "Red_0") != before
