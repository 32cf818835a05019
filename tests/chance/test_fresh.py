"""What is fresh in a pledge: the same game with the same key, joined anew, has other shares.

Red has a key and plays with Blue and Green, who keep what Red told, and later offer the same root once more.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.actions import Pledge
from catan_p2p.game.chance import ShareChain
from catan_p2p.log.commit import LogEntry, entry_message, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.log.keys import key_secret
from catan_p2p.replication.peer import Peer
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from tests.chance.apart import go_on, nobody_told_twice
from tests.for_each import for_each
from tests.log.table import joint_log
from tests.replication.tables import KEYS, make_seats, opened, settle

SHARE = "5" * 64
NONCE = "0123456789abcdef" * 2


def wall_seats(folder: Path) -> list[Path]:
    """Three seats with keys, as people have them: only a simulation's clock is logical."""
    paths = make_seats(folder, 3, chance="joint", signed=True)
    for path in paths:
        write_settings(path, replace(read_settings(path), clock="wall"))
    return paths


def join_again(path: Path, whose: Path) -> None:
    """Join with the key from another player's repository, in the place of one's own that is gone."""
    settings = read_settings(path)
    shutil.rmtree(path)
    again = SeatSettings(path.name, 4711, "wall", "builder", settings.remotes)
    join_game(str(whose), path, again, KEYS[path.name])
    write_settings(path, SeatSettings(path.name, 4711, "wall", "builder", settings.remotes))


def shares_of(history: GameHistory, player: int) -> list[str]:
    return [logged.entry.share for logged in history.actions if logged.action.player == player and logged.entry.share]


def nonces_of(history: GameHistory) -> dict[int, str | None]:
    return {one.action.player: one.entry.nonce for one in history.actions if isinstance(one.action, Pledge)}


def play(paths: list[Path], draws: int) -> GameHistory:
    with opened(paths) as replicas:
        go_on(replicas, draws=draws)
        settle(replicas)
    return load_history(paths[0])


def replayed(folder: Path, draws: int = 8) -> tuple[GameHistory, GameHistory]:
    """Play; then Blue and Green, with what they were before the first pledge, have Red join the same root again."""
    paths = wall_seats(folder / "table")
    for path in paths[1:]:
        shutil.copytree(path, folder / "kept" / path.name)
    first = play(paths, draws)
    for path in paths[1:]:
        shutil.rmtree(path)
        shutil.copytree(folder / "kept" / path.name, path)
    join_again(paths[0], paths[1])
    return first, play(paths, draws)


@pytest.mark.long
def test_the_same_root_offered_again_meets_other_shares(tmp_path: Path) -> None:
    """All that Blue and Green know of Red's shares is worth nothing, though they play exactly as before."""
    first, second = replayed(tmp_path)
    assert first.root == second.root
    assert not {*shares_of(first, 1)} & {*shares_of(second, 1)}
    assert nonces_of(first)[1] != nonces_of(second)[1]


@pytest.mark.long
def test_without_anything_fresh_the_same_root_is_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above bites: take the nonce away, and every share of Red's is foretold."""
    init = Peer.__init__

    def without(self: Peer, *args: object, **named: object) -> None:
        init(self, *args, **{**named, "new_nonce": None})  # type: ignore[arg-type]

    monkeypatch.setattr(Peer, "__init__", without)
    first, second = replayed(tmp_path)
    known = shares_of(first, 1)
    assert len(known) > 6
    assert shares_of(second, 1)[: len(known)] == known[: len(shares_of(second, 1))]


@pytest.mark.long
def test_who_has_lost_all_but_the_key_reads_the_nonce_in_their_own_pledge(tmp_path: Path) -> None:
    paths = wall_seats(tmp_path)
    told = nonces_of(play(paths, 3))
    assert all(told.values()) and len({*told.values()}) == 3
    join_again(paths[0], paths[2])
    history = play(paths, 4)
    assert nobody_told_twice(paths)
    assert nonces_of(history) == told
    chain = ShareChain(history.root, 1, key_secret(KEYS["Red"]), told[1])
    shares = shares_of(history, 1)
    assert len(shares) > 5
    assert shares == [chain.share(number) for number in range(len(shares))]


def pledged_to_blue_only(folder: Path) -> list[Path]:
    """Red has pledged, and only Blue has seen it."""
    paths = wall_seats(folder)
    with opened(paths) as (red, blue, _):
        red.synchronize()
        red.act()
        blue.synchronize()
        assert 1 in blue.graph.replies
        blue.store.publish()
    return paths


def pledge_of(replica: Replica, player: int) -> str | None:
    pledge = replica.graph.replies.get(player)
    return None if pledge is None else pledge.entry.nonce


@pytest.mark.long
def test_a_pledge_that_only_another_player_has_seen_is_found_before_a_second_one_is_made(tmp_path: Path) -> None:
    """Red joins again from Green, who knows of no pledge; Blue is asked before Red pledges."""
    paths = pledged_to_blue_only(tmp_path)
    with opened(paths[1:2]) as (blue,):
        nonce = pledge_of(blue, 1)
    join_again(paths[0], paths[2])
    with opened(paths) as (red, *others):
        assert red.act() == []
        red.synchronize()
        assert pledge_of(red, 1) == nonce is not None
        go_on([red, *others], draws=2)
    assert nobody_told_twice(paths)


@pytest.mark.long
def test_where_nobody_holds_a_pledge_a_fresh_one_is_made(tmp_path: Path) -> None:
    paths = wall_seats(tmp_path)
    with opened(paths[:1], alone=True) as (red,):
        red.act()
        lost = pledge_of(red, 1)
    join_again(paths[0], paths[2])
    told = nonces_of(play(paths, 2))
    assert told[1] not in (None, lost)


@pytest.mark.long
def test_the_pledge_of_a_seat_goes_on_after_a_restart(tmp_path: Path) -> None:
    paths = wall_seats(tmp_path)
    first = nonces_of(play(paths, 2))
    assert nonces_of(play(paths, 2)) == first


def test_a_simulated_seat_pledges_nothing_fresh(tmp_path: Path) -> None:
    """A simulation can be repeated, object id by object id."""
    assert {*nonces_of(play(make_seats(tmp_path, 3, chance="joint", signed=True), 1)).values()} == {None}


@pytest.mark.parametrize("nonce", [None, NONCE])
def test_a_pledge_with_and_without_a_nonce_is_read_as_it_was_written(nonce: str | None) -> None:
    message = entry_message(LogEntry(Pledge(2), SHARE, nonce=nonce))
    assert ("Nonce: " in message) == (nonce is not None)
    assert parse_entry(message, joint_log().game.constants) == LogEntry(Pledge(2), SHARE, nonce=nonce)


@for_each("nonce", ["", NONCE[1:], NONCE + "0", NONCE.upper(), NONCE[:-1] + "g", NONCE + "\nNonce: " + NONCE])
def test_a_pledge_with_another_spelling_of_a_nonce_is_refused(nonce: str) -> None:
    message = entry_message(LogEntry(Pledge(2), SHARE)) + f"Nonce: {nonce}\n"
    with pytest.raises(FormatError):
        parse_entry(message, joint_log().game.constants)


def test_only_pledges_have_a_nonce() -> None:
    message = entry_message(LogEntry(Pledge(2), SHARE)).replace("pledge", "reveal") + f"Nonce: {NONCE}\n"
    with pytest.raises(FormatError, match="canonical"):
        parse_entry(message, joint_log().game.constants)


def test_the_end_of_a_chain_depends_on_the_nonce() -> None:
    game = "1234567890abcdef" * 2 + "12345678"
    chains = [ShareChain(game, 1, bytes(32), nonce) for nonce in (None, NONCE, NONCE[::-1], NONCE)]
    assert len({chain.share(0) for chain in chains}) == 3
    assert chains[1].share(5) == chains[3].share(5)
