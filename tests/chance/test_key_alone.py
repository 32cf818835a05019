"""Signed players apart: who has lost all but the key goes on as before, and no secret lies about in any repository.

Red calls for the dice, Blue has revealed, Green has not; each has a repository, and fetches from both others.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.chance import CHAIN_LENGTH, ShareChain
from catan_p2p.log.history import load_history
from catan_p2p.log.keys import key_secret
from catan_p2p.log.refs import COLOURS
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from catan_p2p.tables.status import read_status
from tests.chance.apart import go_on, nobody_told_twice
from tests.replication.tables import KEYS, all_objects, make_seats, opened, play_rounds, settle

pytestmark = pytest.mark.long

PLAYERS = COLOURS[:3]


def in_the_middle_of_a_draw(paths: list[Path]) -> Iterator[list[Replica]]:
    """Red has called, Blue has revealed, Green has seen neither; the peers are running."""
    with opened(paths) as replicas:
        red, blue, green = replicas
        play_rounds(replicas, lambda _: red.is_awaited and red.graph.state.tp == "DiceRoll" and red.graph.state.ap == 1)
        for replica in replicas:
            replica.synchronize()
        red.act()
        blue.synchronize()
        blue.act()
        assert red.graph.state.tp == blue.graph.state.tp == "Drawing"
        assert not owes_reply(blue.graph.state, 2)
        assert green.graph.known_shares.draws < blue.graph.known_shares.draws
        yield replicas


@pytest.fixture
def stopped(tmp_path: Path) -> list[Path]:
    paths = make_seats(tmp_path, 3, chance="joint", signed=True)
    for _ in in_the_middle_of_a_draw(paths):
        pass
    return paths


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("lost", "told_of_by"),
    [("Red", "Green"), ("Red", "Blue"), ("Blue", "Green"), ("Green", "Red")],
    ids=["the caller", "the caller whose call is known", "who has revealed", "who has not revealed"],
)
def test_who_has_lost_all_but_the_key_goes_on_with_the_same_shares(
    stopped: list[Path], lost: str, told_of_by: str
) -> None:
    """They join again, from somebody who may not know their newest share, with another seed and another clock."""
    path = stopped[0].parent / lost
    settings = read_settings(path)
    shutil.rmtree(path)
    again = SeatSettings(lost, 4711, "wall", "builder", settings.remotes)
    join_game(str(path.parent / told_of_by), path, again, KEYS[lost])
    write_settings(path, SeatSettings(lost, 4711, "wall", "builder", settings.remotes))
    with opened(stopped) as replicas:
        go_on(replicas, draws=4)
        settle(replicas)
    assert nobody_told_twice(stopped)
    player = COLOURS.index(lost) + 1
    history = load_history(path)
    chain = ShareChain(history.root, player, key_secret(KEYS[lost]))
    shares = [logged.entry.share for logged in history.actions if logged.action.player == player and logged.entry.share]
    assert shares == [chain.share(number) for number in range(len(shares))]
    assert len(shares) > 2
    for seat in stopped:
        status = read_status(seat)
        assert status.refusals == ()
        assert status.evidence == {}


def mapped_files(folder: Path) -> set[Path]:
    """The files below a folder that this process has mapped into memory, where the system tells."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.exists() else []
    named = {Path(line.split(maxsplit=5)[5]) for line in lines if line.count("/") > 1}
    return {path for path in named if path.is_relative_to(folder)}


def test_no_share_of_anybody_lies_anywhere_before_its_time(tmp_path: Path) -> None:
    """In no object, and in no file as it is, of any of the peers, while they run in the middle of a draw."""
    paths = make_seats(tmp_path, 3, chance="joint", signed=True)
    for replicas in in_the_middle_of_a_draw(paths):
        draw = replicas[0].graph.known_shares.draws
        root = replicas[0].graph.root
        files = {file for file in tmp_path.rglob("*") if file.is_file()}
        assert mapped_files(tmp_path) <= files
        assert {".pack", ".idx", ""} <= {file.suffix for file in files}
        texts = [file.read_bytes() for file in sorted(files)]
        texts += [data for path in paths for _, _, data in all_objects(path)]
        for player, (colour, newest) in enumerate(zip(PLAYERS, (draw, draw, draw - 1), strict=True), 1):
            chain = ShareChain(root, player, key_secret(KEYS[colour]))
            assert any(chain.share(newest).encode() in text for text in texts), "what is told can be found"
            for number in (*range(newest + 1, newest + 60), CHAIN_LENGTH):
                share = chain.share(number)
                for spelled in (share.encode(), bytes.fromhex(share)):
                    assert not any(spelled in text for text in texts)
