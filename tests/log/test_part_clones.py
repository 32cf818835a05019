"""A clone of only a part of a game is refused, and says what it is and how it becomes whole."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.audit import audit
from tests.replication.tables import git

PARTS = {
    "a shallow clone": (["--depth=5"], "git fetch --unshallow completes it"),
    "a partial clone": (["--filter=blob:none"], "clone it again without --filter"),
    "a partial clone of no trees": (["--filter=tree:0"], "clone it again without --filter"),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("part")
    rules = ["--rules", "thesis; PointsToWin = 3"]
    assert main(["simulate", "--players", "2", "--seed", "1", *rules, "--out", str(folder / "run")]) == 0
    git(folder / "run" / "Catan_0", "config", "uploadpack.allowFilter", "true")
    return folder / "run" / "Catan_0"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("verb", ["verify", "log", "stats"])
def test_it_says_what_it_is(
    verb: str, part: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, remedy = PARTS[part]
    git(tmp_path, "clone", "--quiet", "--no-checkout", *options, game.as_uri(), "clone")
    assert main([verb, str(tmp_path / "clone")]) in (1, 2)
    told = capsys.readouterr()
    said = told.out + told.err
    assert part.removesuffix(" of no trees") in said and remedy in said


def test_a_shallow_one_becomes_whole_as_it_says(game: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--depth=5", game.as_uri(), "clone")
    git(tmp_path / "clone", "fetch", "--quiet", "--unshallow")
    assert audit(tmp_path / "clone").is_fine
