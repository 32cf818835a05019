"""Who reads a player's own repository reads the whole game that is in it, whichever verb they use.

Red <---> Blue <---> Green <---> Red
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from catan_p2p import Game
from catan_p2p.cli.main import main
from catan_p2p.log.history import load_history
from catan_p2p.model_check.recording import read_recording
from catan_p2p.replication.replica import Replica
from tests.replication.tables import git, make_seats, opened, play_rounds
from tests.shared import made_once

Told = Callable[..., str]


def _play(folder: Path) -> None:
    """A game in which Red has not acted since Blue's turn, Green has rolled a seven, and Blue has discarded."""

    def is_blues_discard(replica: Replica) -> bool:
        graph = replica.graph
        return graph.turns >= 7 and graph.state.ap == 3 and {*graph.replies} == {2}

    with opened(make_seats(folder, 3, 7, signed=True, rules="thesis; Leaving = yes; HandLimit = 3")) as replicas:
        play_rounds(replicas, is_blues_discard)
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "reading", _play)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    def run(*words: object) -> str:
        assert main([str(word) for word in words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


COLOURS = ("Red", "Blue", "Green")


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("colour", COLOURS)
def test_all_verbs_see_the_whole_game(folder: Path, told: Told, colour: str, tmp_path: Path) -> None:
    path = folder / colour
    status = json.loads(told("status", path, "--json"))
    count = status["actions"]
    if colour != "Blue":  # whose discard is the newest commit
        assert count > int(git(path, "rev-list", "--count", f"{colour}_0")) - 1, "more than the own log"
    assert len(told("log", path).splitlines()) == count
    [verdict] = json.loads(told("verify", path, "--json"))
    assert (verdict["commits"] - 1, verdict["phase"]) == (count, status["phase"])
    points = {known["colour"] for known in status["players"]} | {colour}
    assert verdict["points"].keys() == points
    game = Game.open(path)
    assert (len(game), game.last.tp) == (count, status["phase"])
    [stats] = json.loads(told("stats", path, "--json"))["games"]
    assert sum(stats["dice"]["rolls"].values() if "rolls" in stats["dice"] else stats["dice"].values()) == game.turns
    measured = json.loads(told("metrics", path, "--quick", "--json", "--out", tmp_path / "metrics"))
    assert measured
    assert len((tmp_path / "metrics" / "actions.csv").read_text().splitlines()) - 1 == count
    assert read_recording(path).step_count == count
    told("page", path, "-o", tmp_path / "game.html")
    steps = json.loads((tmp_path / "game.html").read_text("utf-8").split('id="game">')[1].split("</script>")[0])[
        "steps"
    ]
    assert len(steps) == count + 1  # of a game whose chance is the actors', every step; and the root


def test_all_players_export_the_same_game(folder: Path, told: Told) -> None:
    for format in ("catan", "sgn", "catanatron"):
        assert len({told("export", folder / colour, "--format", format) for colour in COLOURS}) == 1


def test_what_only_others_logs_hold_is_read_in_a_clone(folder: Path, told: Told, tmp_path: Path) -> None:
    """What Git makes of a player's repository has the other logs below ``refs/remotes/origin/``."""
    git(tmp_path, "clone", "--quiet", "--branch", "Red_0", str(folder / "Red"), "clone")
    assert told("log", tmp_path / "clone") == told("log", _only_own(folder / "Red", tmp_path / "own"))


def _only_own(path: Path, to: Path) -> Path:
    """A copy of a player's repository without what was seen of others."""
    shutil.copytree(path, to)
    for ref in git(to, "for-each-ref", "--format=%(refname)", "refs/remotes/").split():
        git(to, "update-ref", "-d", ref)
    return to


def test_each_log_ends_where_it_was_seen_farthest(folder: Path) -> None:
    ends = {colour: load_history(folder / colour).heads for colour in COLOURS}
    own = {colour: load_history(_own) for colour, _own in ((colour, folder / colour) for colour in COLOURS)}
    for seat, colour in enumerate(COLOURS, 1):
        assert {heads[seat] for heads in ends.values()} == {own[colour].heads[seat]}


def test_a_folder_of_players_is_one_game_however_they_are_spelled(folder: Path, told: Told, tmp_path: Path) -> None:
    """``duel/red`` and ``duel/blue``, the repositories of two players."""
    for colour in COLOURS:
        shutil.copytree(folder / colour, tmp_path / "duel" / colour.lower())
    assert len(json.loads(told("verify", tmp_path / "duel", "--json"))) == 3
    assert told("log", tmp_path / "duel") == told("log", folder / "Red")
    assert len(Game.open(tmp_path / "duel")) == len(Game.open(folder / "Red"))
