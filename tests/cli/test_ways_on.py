"""A refusal names what helps, and only that: each way on that is named gets further when it is taken."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from catan_p2p import play
from catan_p2p.cli.main import main
from catan_p2p.game.board import DEFAULT_BOARD, Tile, make_map
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run
from tests.log.storage.repositories import commit_at, git, write_commit
from tests.log.test_audit import damaged_tree
from tests.notation.replays import as_soclog
from tests.notation.test_foreign_files import in_order
from tests.replication.tables import make_seats
from tests.typed import Typed


def small_map() -> str:
    """An island of the desert in the middle and the six tiles around it."""
    tiles = {tile.at: tile for tile in DEFAULT_BOARD.map.tiles}
    middle = next(tile.at for tile in tiles.values() if tile.terrain == "desert")
    land = {middle, *middle.neighbours()}
    sea = {at for here in land for at in here.neighbours()} - land
    return format_map_file(make_map([*(tiles[at] for at in land), *(Tile(at, "sea", None) for at in sea)], ()))


def import_(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    code = main(["import", str(path), *options])
    told = capsys.readouterr()
    return code, told.out, told.err


def broken_files(folder: Path) -> dict[str, Path]:
    """A file for each kind of refusal, by its name."""
    game = play(players=2, rules="thesis", seed=1)
    for ending in ("catan", "sgn", "json"):
        game.save(folder / f"good.{ending}")
    catan = (folder / "good.catan").read_text("utf-8").splitlines()
    sgn = (folder / "good.sgn").read_text("utf-8").splitlines()
    rolls = next(i for i, line in enumerate(catan) if " rolls " in line)
    log = as_soclog(in_order(3, 2, "builder")[1])
    texts = {
        "a word of no line.catan": [*catan[:rolls], "red whistles", *catan[rolls:]],
        "a version.catan": ["catanlog v1.0.0", *catan[1:]],
        "no map.sgn": sgn[1:],
        "a broken map.sgn": [sgn[0].replace("tiles", "stones", 1), *sgn[1:]],
        "a code.sgn": [*sgn[:12], '["1","XX",{}]', *sgn[12:]],
        "nobody settles.sgn": sgn[:1],
        "no turn.catan": [*catan[: rolls + 1], catan[rolls], *catan[rolls + 1 :]],
        "another game.soclog": log.replace("SOCDiceResult:game=g", "SOCDiceResult:game=h").splitlines(),
        "no start.soclog": log.splitlines()[:3],
        "no JSON.json": ["{"],
        "no game.json": ['{"modelVersion":2400,"savedByVersion":2400}'],
        "a wrong action.json": [(folder / "good.json").read_text("utf-8").replace("BUILD_CITY", "BUILD_TOWER", 1)],
        "empty.catan": [],
    }
    files = {}
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        files[name] = folder / name
    (folder / "utf-16.catan").write_bytes("\n".join(catan).encode("utf-16"))
    return files | {"utf-16": folder / "utf-16.catan"}


def test_ways_on_that_are_named_get_further_and_others_are_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--lenient`` was advised for every refusal, also where not even the beginning could be read."""
    named = set()
    files = list(broken_files(tmp_path).values())
    for path in files:
        code, out, err = import_(path, capsys)
        assert "Traceback" not in err
        if "nothing was read" not in err:
            assert code == 0
            continue
        assert code == 1
        for option in (["--lenient"], ["--rules-of", "public"]):
            _, again, complaint = import_(path, capsys, *option)
            gets_further = "nothing was read" not in complaint or _place(again) > _place(out)
            assert (" ".join(option) in err) == gets_further, (path, option, out, again)
            named.add((option[0], gets_further))
    assert len(named) == 4 or ("--rules-of", True) not in named


def _place(out: str) -> tuple[int, ...]:
    found = re.search(r": line (\d+)(?:, column (\d+))?: ", out)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "constant"),
    [
        ("standard; PointsToWin = 14", "PointsToWin"),
        ("standard; PointsToWin = 5", "PointsToWin"),
        ("thesis; PointsToWin = 13", "PointsToWin"),
        ("thesis; PointsToWin = 5", "PointsToWin"),
        ("thesis; HandLimit = 20", "HandLimit"),
        ("standard; HandLimit = 4", "HandLimit"),
    ],
)
@pytest.mark.parametrize("ending", ["sgn", "json"])
def test_a_refusal_over_points_or_hand_limits_names_the_rule(
    rules: str, constant: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, change = rules.split("; ")
    path = tmp_path / f"game.{ending}"
    refused = 0
    for seed in range(4):
        path.unlink(missing_ok=True)
        play(players=3, rules=rules, policies="builder", seed=seed).save(path)
        code, _, err = import_(path, capsys, "--rules", profile)
        if code:
            refused += 1
            assert f"--rules FILE can have another {constant}" in err
        (tmp_path / "own.rules").write_text(f"Profile = {profile}\n{change}\n", encoding="utf-8")
        assert import_(path, capsys, "--rules", str(tmp_path / "own.rules"))[0] == 0
    assert refused or (ending == "sgn" and rules.endswith("= 5")), "SGN does not say who has won"


@pytest.mark.parametrize(
    ("rules", "map_", "players", "what", "helps"),
    [
        ("Profile = standard\nPointsToWin = 39\n", None, 3, "PointsToWin = 39", "--rules FILE with fewer PointsToWin"),
        ("Profile = standard\nPointsToWin = 39\n", None, 3, "PointsToWin = 39", "--map with a larger map"),
        ("Profile = standard\nHandLimit = 900\n", None, 3, "HandLimit = 900", "--rules FILE with HandLimit"),
        ("Profile = standard\nPointsToWin = 2\n", None, 3, "PointsToWin = 2", "--rules FILE with PointsToWin"),
        ("Profile = standard\n", "small", 4, "settlement points", "--map with a larger map"),
        ("Profile = standard\n", "beginners", 6, "for at most 4 players", "another --map"),
    ],
)
@pytest.mark.parametrize("verb", ["simulate", "new-game", "play"])
def test_a_refusal_over_points_limits_or_a_small_map_names_the_option(
    verb: str,
    rules: str,
    map_: str | None,
    players: int,
    what: str,
    helps: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "own.rules").write_text(rules, encoding="utf-8")
    argv = [verb, "--rules", str(tmp_path / "own.rules"), "--players"]
    argv += [",".join(COLOURS[:players]) if verb == "new-game" else str(players)]
    if map_ == "small":
        map_ = str(tmp_path / "small.map")
        (tmp_path / "small.map").write_text(small_map(), encoding="utf-8")
    argv += ["--map", map_] if map_ else []
    argv += [str(tmp_path / "game")] if verb == "new-game" else []
    assert main(argv) == 2
    told = capsys.readouterr().err
    assert what in told and "what helps: " in told and helps in told


VERBS = (
    "peer --stop-after 1",  # so that a peer that mends such a game and plays fails the test instead of hanging
    "turn",
    "vote",
    "status",
    "verify",
    "log",
    "stats",
    "metrics",
    "export --format catan",
    "page --out x.html",
    "watch --snapshot x.png",
)


@pytest.mark.parametrize("version", ["1", "3"])
@pytest.mark.parametrize(
    "verbs",
    [VERBS, pytest.param(("check-trace",), marks=pytest.mark.needs("spec"))],
    ids=["reading", "check-trace"],
)
def test_every_verb_says_the_same_of_a_game_of_another_version(
    version: str, verbs: Sequence[str], tmp_path: Path, typed: Typed
) -> None:
    seat, other = make_seats(tmp_path, 2)
    shutil.rmtree(other)
    rules = git(seat, "show", "HEAD:rules")
    changed = ("rules", f"{rules}\nLeaving = yes\n") if version == "1" else ("format", f"{version}\n")
    commit = commit_at(seat, "HEAD")._replace(
        tree=damaged_tree(seat, ObjectId(git(seat, "rev-parse", "HEAD")), *changed)
    )
    for ref in git(seat, "for-each-ref", "--format=%(refname)").split():
        git(seat, "update-ref", ref, write_commit(seat, commit))
    git(seat, "prune", "--expire=now")
    why = "releases of catan-p2p up to 1.0.0 read such a game" if version == "1" else "this program reads 1 and 2"
    begin_run(run := tmp_path / "run", SimulationSettings(players=2))
    shutil.copytree(seat, run / "Catan_0")
    for verb, path in (*((verb, seat) for verb in verbs), ("simulate --quiet --resume", run)):
        said = typed(1 if verb in ("verify", "check-trace") else 2, *verb.split(), path)
        (line,) = (said.out + said.err).splitlines() or [""]
        assert why in line
