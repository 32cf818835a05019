"""The referee judges whole logs, forged commits, mutants and roots, and agrees with the program on each."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from catan_p2p.log import judging, rules
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.simulation.game import SimulationSettings, play_game
from tests.log.test_rules import FORGERIES, Forgery
from tests.referee import referee
from tests.referee.beside import Beside, beside
from tests.referee.mutants import mutant
from tests.replication.tables import make_seats

PROGRAM = Path(referee.__file__)
HIDDEN = (
    SimulationSettings(2, 1, 1, ("builder",), "thesis; PointsToWin = 4", chance="joint", hands="hidden"),
    SimulationSettings(3, 1, 2, ("builder",), "brief; PointsToWin = 4", chance="joint", hands="hidden"),
    SimulationSettings(
        4, 1, 3, ("builder",), "standard; PointsToWin = 4; ProposalsPerTurn = 2", chance="joint", hands="hidden"
    ),
)
GAMES = (
    *HIDDEN,
    SimulationSettings(2, 1, 1, ("builder",), "thesis; PointsToWin = 4", map="default"),
    SimulationSettings(5, 1, 2, ("builder", "random"), "standard; PointsToWin = 4; ProposalsPerTurn = 2", map="large"),
    SimulationSettings(
        4, 1, 3, ("random",), "thesis; PointsToWin = 4; BanditTargets = friendly; HandLimit = 3", map="variable"
    ),
    SimulationSettings(3, 1, 4, ("builder",), "brief; PointsToWin = 4", map="beginners", chance="joint"),
    SimulationSettings(4, 1, 5, ("builder",), "brief; PointsToWin = 5; ChanceAhead = yes", chance="joint"),
    SimulationSettings(2, 1, 6, ("builder",), "thesis; PointsToWin = 4; ChanceAhead = yes", chance="joint"),
)


def played(folder: Path, settings: SimulationSettings) -> Path:
    """The repository of a game."""
    play_game(folder, 0, settings)
    return folder / "Catan_0"


def commits(repository: Path) -> list[tuple[ObjectId, bytes]]:
    """All commits of a game, parents first."""
    read = referee.reader(str(repository))
    ids = referee.git(str(repository), "rev-list", "--topo-order", "--reverse", "--all").decode().split()
    return [(ObjectId(id), read(id)[1]) for id in ids]


def judged_mutants(repository: Path, each: int, seed: int) -> Beside:
    """Mutants of every commit of a game, judged by both sides where the commit itself is next."""
    rng, found = Random(seed), commits(repository)
    with GitStore.open(repository, writer=None) as store, beside() as both:
        graph = read_root(found[0][0], store.read)
        assert isinstance(graph, CommitGraph)
        for n, (commit, data) in enumerate(found[1:], 1):
            for _ in range(each):
                bad = mutant(data, found, found[:n], rng)
                graph.check(object_id("commit", bad), bad)
            step = graph.check(commit, data)
            assert not isinstance(step, CommitRejected), step
            graph.add(step)
    return both


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("settings", GAMES, ids=lambda settings: settings.rules)
def test_a_game_and_its_mutants(settings: SimulationSettings, tmp_path: Path) -> None:
    repository = played(tmp_path, settings)
    count, bad = referee.audit(str(repository))
    assert (count, bad) == (len(commits(repository)), [])
    both = judged_mutants(repository, 3, settings.seed)
    assert {"accepted", "format", "author", "parents", "fork"} <= both.judged.keys()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("chance", ["actor", "joint", "hidden"])
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", ["thesis", "brief", "standard"])
def test_games_of_all_kinds(name: str, players: int, chance: str, seed: int, tmp_path: Path) -> None:
    if name == "thesis" and players > 4:
        pytest.skip("the thesis has no five and six players")
    small = ("default", "variable", "variable-free", "beginners" if players < 5 else "default")
    map = (*small[: 4 if players < 5 else 0], "large", "large-free")[seed % (6 if players < 5 else 2)]
    told = f"{name}; PointsToWin = 6" + "; OffersPerTurn = 3; ProposalsPerTurn = 3" * (name == "standard")
    hands, chance = ("hidden", "joint") if chance == "hidden" else ("open", chance)
    settings = SimulationSettings(players, 1, seed, ("builder", "random"), told, map=map, chance=chance, hands=hands)
    repository = played(tmp_path, settings)
    assert referee.audit(str(repository))[1] == []
    judged_mutants(repository, 10, seed)


def test_it_is_a_program_that_shares_nothing(tmp_path: Path) -> None:
    for module in ("referee.py", "sealing.py", "vault.py"):
        text = PROGRAM.with_name(module).read_text("utf-8")
        assert "import catan_p2p" not in text and "from catan_p2p" not in text
    repository = played(tmp_path, GAMES[0])
    command = [sys.executable, "-I", str(PROGRAM)]
    fine = subprocess.run([*command, str(repository)], capture_output=True, text=True, check=False)
    assert (fine.returncode, fine.stdout[-10:]) == (0, "0 refused\n")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
    forged = subprocess.run(
        ["git", "-C", str(repository), "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"],
        env={"GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    referee.git(str(repository), "update-ref", "refs/heads/Red_0", forged)
    bad = subprocess.run([*command, str(repository)], capture_output=True, text=True, check=False)
    assert (bad.returncode, f"{forged[:10]} format" in bad.stdout) == (1, True)


@pytest.mark.sampled(8)
@pytest.mark.long
@pytest.mark.parametrize(
    ("rule", "forged"),
    [pytest.param(rule, one, id=one.__name__) for rule, forgeries in FORGERIES.items() for one in forgeries],
)
def test_the_forgery_of_each_rule(
    rule: rules.Rule, forged: Callable[[], Forgery], monkeypatch: pytest.MonkeyPatch
) -> None:
    with beside() as both:
        graph, commit, data, reason = forged()
        bad = graph.check(commit, data)
        assert isinstance(bad, CommitRejected) and bad.reason == reason
        assert both.judged[reason] > 0
        # A program that has lost the rule is found out.
        monkeypatch.setattr(judging, "RULES", tuple(other for other in rules.RULES if other is not rule))
        with pytest.raises(AssertionError):
            graph.check(commit, data)
        both.differences.clear()


ROOTS: dict[str, tuple[str, str, str]] = {
    "unknown version": ("format", "1", "3"),
    "views that nobody can leave": ("format", "1", "2"),
    "leaving without views": ("rules", "Hands = hidden", "Leaving = yes\nHands = hidden"),
    "an end that nobody signs": ("rules", "SignedEnd = yes\n", ""),
    "an end that is signed where nobody leaves": ("rules", "Hands = hidden\n", "Hands = hidden\nSignedEnd = yes\n"),
    "unknown constant": ("rules", "HandLimit", "HandLimits"),
    "out of range": ("rules", "PointsToWin = 4", "PointsToWin = 2"),
    "not canonical": ("rules", "HandLimit = 7", "HandLimit = 07"),
    "out of reach": ("rules", "PointsToWin = 4", "PointsToWin = 40"),
    "told without need": ("rules", "Cities = 4\n", "Cities = 4\nOfferMax = 0\n"),
    "a poor bank": ("rules", "ResourcePool = 19", "ResourcePool = 1"),
    "no dice": ("rules", "Dice = 2 3 ", "Dice = 3 2 "),
    "a colour twice": ("players", "Blue", "Red"),
    "no key": ("players", " - Blue_0", " AAAA Blue_0"),
    "a bracket in a name": ("players", "Blue_0", "Blue<0"),
    "a number on sand": ("map/tiles", "desert,-", "desert,4"),
    "a hole": ("map/tiles", "0,0,1,sea,-\n", ""),
    "out of order": ("map/tiles", "0,0,1,sea,-\n0,0,2,sea,-\n", "0,0,2,sea,-\n0,0,1,sea,-\n"),
    "a wharf on land": ("map/wharfs", "0,0,1 1,0,2", "1,0,2 1,0,3"),
    "an empty opening": ("map/opening", "", ""),
    "a rich hand": ("state/game/player_hands/player_1/resource_cards", "Ore 0", "Ore 9"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ROOTS)
def test_a_forged_root(name: str, tmp_path: Path) -> None:
    path, old, new = ROOTS[name]
    if "SignedEnd" in old:
        repository = str(make_seats(tmp_path, rules="thesis; Leaving = yes", chance="joint", hands="hidden")[0])
    else:
        repository = str(played(tmp_path, GAMES[0]))
    root = commits(Path(repository))[0]
    files = referee.git(repository, "ls-tree", "-r", "--name-only", root[0]).decode().split()
    text = referee.git(repository, "show", f"{root[0]}:{path}").decode() if path in files else ""
    assert old in text
    blob = referee.git(repository, "hash-object", "-w", "--stdin", given=text.replace(old, new)).decode().strip()
    referee.git(repository, "read-tree", root[0])
    referee.git(repository, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    tree = referee.git(repository, "write-tree").decode().strip()
    data = root[1].replace(root[1][5:45], tree.encode())
    forged = (
        referee.git(repository, "hash-object", "-w", "-t", "commit", "--stdin", given=data.decode()).decode().strip()
    )
    with GitStore.open(Path(repository), writer=None) as store:
        found = read_root(ObjectId(forged), store.read)
    with pytest.raises(referee.Refused) as refused:
        referee.read_game(forged, referee.reader(repository))
    assert isinstance(found, CommitRejected) and found.reason == refused.value.reason


def test_a_root_that_counts_other_players(tmp_path: Path) -> None:
    repository = played(tmp_path, GAMES[0])
    data = commits(repository)[0][1]
    given = data.replace(b"Players: 2", b"Players: 3").decode()
    forged = referee.git(str(repository), "hash-object", "-w", "-t", "commit", "--stdin", given=given).decode().strip()
    with GitStore.open(repository, writer=None) as store:
        found = read_root(ObjectId(forged), store.read)
    assert isinstance(found, CommitRejected) and found.reason == "format"
