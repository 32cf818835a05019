"""The same root joined again over a relay: what the others hide decides whether Red's shares are those of before.

Red, Blue and Green know nothing of one another but the relay, a folder or a server; Red's disk dies.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import read_settings, write_settings
from tests.chance.apart import nobody_told_twice
from tests.chance.test_fresh import nonces_of, shares_of
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare, flush, play_on, seats_at
from tests.replication.tables import KEYS, opened

DRAWS = 2


class Replayed(NamedTuple):
    """Red's game before the disk died, and after; and all repositories there are."""

    first: GameHistory
    second: GameHistory
    paths: list[Path]


@contextmanager
def relay(folder: Path, place: str) -> Iterator[str]:
    """The URL of an empty relay at ``folder/relay``."""
    bare(folder / "relay")
    if place == "folder":
        yield str(folder / "relay")
        return
    if http_backend() is None:
        pytest.skip("no git http-backend here")
    with http_server(folder, Conduct()) as url:
        yield f"{url}/relay"


def replayed(folder: Path, url: str, hidden: str) -> Replayed:
    """Play; then let Red join the same root again, from a relay and players who hide something or nothing."""
    paths = seats_at(folder, url, 3, chance="joint")
    for path in paths:
        write_settings(path, replace(read_settings(path), clock="wall"))

    def keep(name: str) -> None:
        for one in ("relay", "Blue", "Green"):
            shutil.copytree(folder / one, folder / name / one)

    with opened(paths[1:]) as others:
        for replica in others:
            flush(replica)
    keep("everything")
    with opened(paths) as replicas:
        play_on(replicas, lambda replica: replica.graph.state.tp != "Pledging")
    keep("all after the pledges")
    play(paths, DRAWS)
    first = load_history(paths[0])
    if hidden != "nothing":
        for one in ("relay", "Blue", "Green"):
            shutil.rmtree(folder / one)
            shutil.copytree(folder / hidden / one, folder / one)
    settings = read_settings(paths[0])
    shutil.rmtree(paths[0])
    join_game(url, paths[0], settings, KEYS["Red"])
    write_settings(paths[0], settings)
    play(paths, DRAWS + (hidden == "nothing"))
    return Replayed(first, load_history(paths[0]), paths)


def play(paths: list[Path], draws: int) -> None:
    with opened(paths) as replicas:
        play_on(
            replicas, lambda replica: replica.graph.known_shares.draws >= draws and replica.graph.state.tp != "Drawing"
        )


@pytest.mark.sampled(9)
@pytest.mark.parametrize("place", ["folder", pytest.param("http", marks=pytest.mark.long)])
@pytest.mark.parametrize("hidden", ["nothing", "everything", "all after the pledges"])
def test_the_same_root_joined_again_at_a_relay(hidden: str, place: str, tmp_path: Path) -> None:
    with relay(tmp_path, place) as url:
        first, second, paths = replayed(tmp_path, url, hidden)
    told, again = shares_of(first, 1), shares_of(second, 1)
    assert first.root == second.root and min(len(told), len(again)) > 2
    if hidden == "everything":
        assert not {*told} & {*again}
        assert nonces_of(first)[1] != nonces_of(second)[1]
        return
    assert nonces_of(first)[1] == nonces_of(second)[1]
    count = min(len(told), len(again))
    assert told[:count] == again[:count]
    if hidden == "nothing":
        assert len(again) > len(told)
        assert nobody_told_twice(paths)
