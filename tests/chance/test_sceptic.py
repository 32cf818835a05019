"""What docs/examples/recompute.sh shows a sceptic is true, in a plain shell; no secret lies about too early."""

import shutil
import subprocess
from pathlib import Path

import pytest

from catan_p2p.game.chance import CHAIN_LENGTH, ShareChain, seed_secret
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.log.storage.store import GitStore
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, play_game

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "recompute.sh"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A joint game that was stopped in the middle."""
    out = tmp_path_factory.mktemp("games")
    with pytest.raises(RunawayGame):
        play_game(out, 0, SimulationSettings(players=3, seed=4, policies=("builder",), chance="joint", max_actions=150))
    return out / "Catan_0"


@pytest.fixture(scope="module")
def history(game: Path) -> GameHistory:
    return load_history(game)


def test_a_draw_can_be_recomputed_in_a_shell(game: Path, history: GameHistory) -> None:
    for program in ("bash", "sha256sum", "sed"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    line = max(history.heads.values(), key=lambda head: [a.commit for a in history.actions].index(head))
    subprocess.run(["git", "checkout", "-q", "--detach", line], cwd=game, check=True)
    done = subprocess.run(["bash", str(SCRIPT)], cwd=game, capture_output=True, text=True, timeout=60, check=True)
    roll = [logged for logged in history.actions if logged.entry.shows is not None][-1]
    assert roll.draw is not None
    shown = "{} {}".format(*roll.entry.shows)  # type: ignore[misc]
    assert done.stdout.splitlines() == [
        f"draw {roll.draw.number} shows {shown}; the log says {shown}",
        "the share of seat 1 leads back to the one before",
    ]


def test_every_player_draws_and_the_log_verifies(history: GameHistory) -> None:
    draws = [logged.draw for logged in history.actions if logged.draw is not None]
    assert len(draws) > 15
    assert [draw.number for draw in draws] == list(range(1, len(draws) + 1))
    assert all([seat for seat, _ in draw.shares] == [1, 2, 3] for draw in draws)
    assert not history.rejected


def test_no_share_lies_anywhere_before_it_is_revealed(game: Path, history: GameHistory) -> None:
    """Neither in a file as it is (packs, journals, refs, whatever is mapped into memory) nor in any object."""
    told = {logged.entry.share for logged in history.actions if logged.entry.share is not None}
    with GitStore.open(game, writer=None) as store:
        objects = store.repo.git.cat_file("--batch-all-objects", "--batch", "--unordered")
    texts = [objects.encode("utf-8", "surrogateescape")]
    texts += [file.read_bytes() for file in game.rglob("*") if file.is_file()]
    for seat in (1, 2, 3):
        chain = ShareChain(history.root, seat, seed_secret(4))
        newest = max(number for number in range(200) if chain.share(number) in told)
        assert any(chain.share(newest).encode() in text for text in texts), "what is told can be found"
        for number in (*range(newest + 1, newest + 60), CHAIN_LENGTH):
            secret = chain.share(number)
            assert not any(secret.encode() in text or bytes.fromhex(secret) in text for text in texts)
