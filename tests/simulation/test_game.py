"""Whole games on Git: a winner, the same ids for the same seed, and a history that plain Git understands."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.log import shared_work
from catan_p2p.log.history import load_history
from catan_p2p.log.judging import judge
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.state_files import files_of_state
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.log.views.nodes import Node
from catan_p2p.players.policies import POLICIES
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, create_game, play_game
from tests.log.storage.repositories import git

pytestmark = [pytest.mark.long, pytest.mark.sampled(12)]


@pytest.mark.parametrize(
    ("rules", "players"),
    [*(("thesis", players) for players in (2, 3, 4)), *(("brief", players) for players in (2, 4, 6))],
)
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_game_ends_with_a_winner_and_no_finding(tmp_path: Path, rules: str, players: int, policy: str) -> None:
    played = play_game(tmp_path, 0, SimulationSettings(players=players, seed=11, policies=(policy,), rules=rules))
    result = played.result
    assert played.findings == ()
    assert max(result.points) >= 10
    assert result.points[COLOURS.index(result.winner)] >= 10
    assert result.commits == result.actions + 1
    history = load_history(tmp_path / "Catan_0")
    assert history.rejected == ()
    assert history.last.is_over
    assert set(history.heads.values()) == {result.head}


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_the_same_seed_gives_the_same_object_ids_however_peers_are_scheduled(tmp_path: Path, rules: str) -> None:
    settings = SimulationSettings(players=4, seed=1, policies=("builder",), rules=rules)
    heads = {
        play_game(tmp_path / schedule, 3, replace(settings, schedule=schedule)).result.head
        for schedule in ("round-robin", "random")
    }
    assert len(heads) == 1
    other = play_game(tmp_path / "other", 3, replace(settings, seed=2)).result.head
    assert other not in heads


GAMES = (
    SimulationSettings(players=2, seed=2),
    SimulationSettings(players=5, seed=3, rules="standard", policies=("strategist",)),
    SimulationSettings(players=4, seed=4, rules="standard", schedule="random"),
    SimulationSettings(players=3, seed=5, rules="brief", chance="joint"),
)


def outcome(out: Path, settings: SimulationSettings) -> tuple[dict[str, str], int, tuple[object, ...]]:
    """All refs at the end, how many tries there were, and the findings."""
    try:
        played = play_game(out, 0, settings)
        told = played.result.tries, played.findings
    except RunawayGame as error:
        told = 0, (str(error),)
    with GitStore.open(out / "Catan_0", writer=None) as store:
        return {**store.list_refs()}, *told


@pytest.mark.parametrize("settings", GAMES, ids=lambda one: one.rules)
def test_a_game_is_the_same_however_often_commits_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: SimulationSettings
) -> None:
    count = 0

    def counted(*arguments: object, **more: object) -> Node | CommitRejected:
        nonlocal count
        count += 1
        return judge(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(shared_work, "judge", counted)
    settings = replace(settings, max_actions=300)
    once = outcome(tmp_path / "once", settings)
    counts = [count]
    assert once == outcome(tmp_path / "each", replace(settings, judging="each"))
    counts.append(count - counts[0])
    assert counts[1] > 0.9 * settings.players * counts[0]


def test_an_idle_peer_tries_and_is_refused(tmp_path: Path) -> None:
    result = play_game(
        tmp_path, 0, SimulationSettings(players=4, seed=1, policies=("builder",), schedule="random")
    ).result
    assert result.tries > 1000
    assert result.findings == 0


def test_git_itself_finds_nothing_wrong(tmp_path: Path) -> None:
    play_game(tmp_path, 0, SimulationSettings(players=4, seed=1, policies=("builder",)))
    path = tmp_path / "Catan_0"
    assert git(path, "fsck", "--strict", "--full") == ""
    assert git(path, "status", "--porcelain") == ""
    assert git(path, "symbolic-ref", "HEAD").startswith("refs/heads/")
    assert not list((path / ".git").glob("logs/**/*"))
    git(path, "clone", "--quiet", "--no-local", str(path), str(tmp_path / "clone"))
    assert git(tmp_path / "clone", "rev-parse", "HEAD") == git(path, "rev-parse", "HEAD")
    assert git(path, "log", "--format=%(trailers:key=Action,valueonly)", "-1").strip() == "empty_build"


def test_every_tree_holds_the_state_of_its_action(tmp_path: Path) -> None:
    play_game(tmp_path, 0, SimulationSettings(players=3, seed=4, policies=("builder",)))
    history = load_history(tmp_path / "Catan_0")
    for logged in history.actions[::40]:
        for path, text in files_of_state(logged.state).items():
            assert git(tmp_path / "Catan_0", "show", f"{logged.commit}:{path}") == text.strip()


def test_authors_and_dates_are_the_players_and_the_logical_clock(tmp_path: Path) -> None:
    play_game(tmp_path, 7, SimulationSettings(players=2, seed=4, policies=("builder",)))
    lines = git(tmp_path / "Catan_7", "log", "--topo-order", "--reverse", "--format=%an %cn %at %ct", "Red_7").split(
        "\n"
    )
    assert lines[0].startswith("Red_7 Red_7")
    dates = [int(line.split()[2]) for line in lines]
    assert dates == sorted(dates)
    assert all(line.split()[0] == line.split()[1] and line.split()[2] == line.split()[3] for line in lines)


def test_a_cap_stops_a_runaway_game_with_a_clear_message(tmp_path: Path) -> None:
    with pytest.raises(RunawayGame, match=r"game 0, seed 1: no winner after 5. actions, the cap is 50"):
        play_game(tmp_path, 0, SimulationSettings(seed=1, max_actions=50))


def test_a_game_is_not_made_twice_and_a_half_made_one_is_replaced(tmp_path: Path) -> None:
    from catan_p2p.game.constants import Constants
    from catan_p2p.log.game import new_game

    (tmp_path / ".Catan_0.new" / ".git").mkdir(parents=True)
    create_game(tmp_path / "Catan_0", new_game(0, Constants()), "x")
    assert not (tmp_path / ".Catan_0.new").exists()
    with pytest.raises(StoreError, match="already exists"):
        create_game(tmp_path / "Catan_0", new_game(0, Constants()), "x")
