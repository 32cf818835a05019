"""``check-trace`` of a folder with every player's repository: what the peers did is a behaviour of the replication."""

import json
import shutil
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.model_check.peers import TraceVerdict, check_peers, read_peers
from catan_p2p.model_check.tlc import OutOfTime, TlcError, TlcProgram
from tests.log.storage.repositories import git
from tests.model_check.guard_mutations import quick_tlc
from tests.replication.tables import finish, make_seats, opened, play_rounds
from tests.typed import Typed

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(3, together=True)]

SHORT = "; PointsToWin = 3"
FIVE = "thesis; SpecialBuilding = yes" + SHORT
TALK = "brief; TableTalk = yes; Chance = joint" + SHORT


def verdict(paths: list[Path]) -> TraceVerdict:
    peers = read_peers(paths)
    return check_peers(peers.events, peers.game.constants, quick_tlc(), signed=peers.is_signed)


@pytest.mark.parametrize(
    ("players", "rules", "signed"),
    [
        pytest.param(3, "thesis; Chance = joint" + SHORT, True, id="joint"),
        pytest.param(3, "thesis" + SHORT, False, id="unsigned", marks=pytest.mark.soak),
        pytest.param(4, TALK, True, id="talk", marks=pytest.mark.soak),
        pytest.param(5, FIVE, True, id="five", marks=pytest.mark.soak),
        pytest.param(2, "brief" + SHORT, False, id="two", marks=pytest.mark.soak),
    ],
)
def test_a_game_of_repositories(players: int, rules: str, signed: bool, tmp_path: Path) -> None:
    paths = make_seats(tmp_path, players, 7, signed=signed, rules=rules)
    with opened(paths) as replicas:
        finish(replicas)
    assert verdict(paths) == (True, 0, "")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repositories of three in the midst of a game."""
    folder = tmp_path_factory.mktemp("peers")
    with opened(make_seats(folder, 3, 7, signed=True, rules="thesis; HandLimit = 3")) as replicas:
        while len(replicas[0].graph) < 45:
            for replica in replicas:
                replica.synchronize()
                replica.act()
    return folder


def own_commits(repository: Path) -> list[str]:
    """The commits of the line by the player of a repository, the newest first."""
    name = repository.name
    return git(repository, "log", "--first-parent", f"--author=^{name}_0 ", "--format=%H", f"{name}_0").split()


def test_what_was_changed_is_told(played: Path, tmp_path: Path, typed: Typed) -> None:
    steps = typed(0, "check-trace", played).out
    assert "a behaviour of the specification; 3 repositories, a behaviour of the replication" in steps

    game = tmp_path / "Catan_0"
    shutil.copytree(played, game)
    git(game / "Blue", "update-ref", "refs/heads/Blue_0", own_commits(game / "Blue")[1])
    (told,) = json.loads(typed(1, "check-trace", "--json", game).out)
    assert told["accepted"] and told["replication"] == {
        "repositories": 3,
        "accepted": False,
        "detail": "the repository of Blue is not what Blue has recorded and shown",
    }


def test_of_a_game_that_players_may_leave_and_nobody_has_left_the_line_is_checked(tmp_path: Path, typed: Typed) -> None:
    folder = tmp_path / "Catan_0"
    with opened(make_seats(folder, 3, 7, signed=True, rules="thesis; Leaving = yes")) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) >= 25)
    told = typed(0, "check-trace", folder).out
    assert told.endswith("steps, a behaviour of the specification\n")


def test_what_cannot_be_read_is_told(played: Path, tmp_path: Path, typed: Typed) -> None:
    game = tmp_path / "Catan_0"
    shutil.copytree(played, game)
    tree = git(game / "Blue", "rev-parse", "Blue_0^{tree}")
    odd = git(
        game / "Blue", "-c", "user.name=x", "-c", "user.email=x", "commit-tree", "-p", "Blue_0", "-m", "hello", tree
    )
    git(game / "Blue", "update-ref", "refs/heads/Blue_0", odd)
    assert f"{odd[:10]}: the message is not a subject, a blank line and trailers" in typed(2, "check-trace", game).err


def test_peers_for_whom_there_is_no_time_are_told_how_far_it_came(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_time(*args: object, most_s: float, **settings: object) -> None:
        raise OutOfTime(most_s, 5)

    monkeypatch.setattr(TlcProgram, "run", out_of_time)
    peers = read_peers([played / colour for colour in ("Red", "Blue", "Green")])
    with pytest.raises(TlcError, match=r"within 60 s; the first 4 of \d+ events of the peers are"):
        check_peers(peers.events, peers.game.constants, quick_tlc(), signed=True, most_s=60.0)


def test_another_game_is_told(played: Path, tmp_path: Path) -> None:
    (other,) = make_seats(tmp_path, 3, 8, signed=True)[:1]
    with pytest.raises(StoreError, match="another game than that of"):
        read_peers([played / "Red", other])
