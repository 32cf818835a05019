"""``export``, ``import`` and ``stats`` as their users meet them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.constants import Constants
from catan_p2p.notation import WRITABLE, is_view, write_game
from catan_p2p.notation.writing import ENDINGS
from catan_p2p.view.events import renumbered
from tests.notation import samples
from tests.notation.stories import SETUP
from tests.typed import Typed

HEAD = samples.written([samples.start(2)], "catan")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a game of three."""
    constants, steps = samples.random_game(3, 2, in_order=True)
    path = tmp_path_factory.mktemp("games") / "game"
    write_game(path, samples.start(3), constants, steps, "test")
    return path


@pytest.fixture
def sgn(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgn"
    path.write_bytes(samples.written(samples.random_events(2, 1, in_order=True), "sgn").encode())
    return path


def file(tmp_path: Path, body: str, name: str = "game.catan") -> Path:
    path = tmp_path / name
    path.write_bytes((HEAD + SETUP + body).encode())
    return path


def run(*args: object) -> int:
    return main([str(arg) for arg in args])


def test_export_writes_what_the_library_writes(game: Path, tmp_path: Path) -> None:
    events = samples.random_events(3, 2, in_order=True)
    assert run("export", game, "--format", "sgn", "-o", tmp_path / "a.txt") == 0
    assert (tmp_path / "a.txt").read_text() == samples.written(events, "sgn")
    assert run("export", game, "-o", tmp_path / "a.catan") == 0
    text = (tmp_path / "a.catan").read_bytes()
    assert text.startswith(b"catanlog v0.10.0\ntimestamp: 2016-02-15 22:45:00\nplayers: 3\n")
    assert b"\r" not in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.catan", "a.txt"]


def test_export_to_standard_output(game: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("export", game, "--format", "catan") == 0
    assert capfdbinary.readouterr().out.endswith(b" wins\n")


def test_export_to_a_name_with_an_unknown_ending_names_the_endings(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    for name in ("game.foo", "game", "game.catanatron"):
        assert run("export", game, "-o", tmp_path / name) == 2
        expected = f"{name}: expected a name that ends in .catan or .sgn or .json, or --format\n"
        assert capsys.readouterr().err.endswith(expected)
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_every_format_has_an_ending(game: Path, tmp_path: Path) -> None:
    assert {*ENDINGS.values()} == {*WRITABLE}
    for ending, format in ENDINGS.items():
        assert run("export", game, "-o", tmp_path / f"game{ending}") == 0
        assert run("export", game, "-o", tmp_path / "named", "--format", format) == 0
        assert (tmp_path / "named").read_bytes() == (tmp_path / f"game{ending}").read_bytes()


def test_import_makes_a_game(sgn: Path, tmp_path: Path, typed: Typed) -> None:
    told = typed(0, "import", sgn, "-o", tmp_path / "game")
    assert "SGN, 2 players" in told.out and "by the thesis rules: in order" in told.out
    assert "has won" in told.out
    assert f"the game is in {tmp_path / 'game'}" in told.err
    assert run("verify", tmp_path / "game") == 0
    assert run("export", tmp_path / "game", "-o", tmp_path / "again.sgn") == 0
    assert (tmp_path / "again.sgn").read_bytes() == sgn.read_bytes()


@pytest.mark.long
def test_import_makes_a_public_view(tmp_path: Path, typed: Typed) -> None:
    events = samples.random_events(4, 3)
    path = tmp_path / "game.catan"
    path.write_bytes(samples.written(events, "catan").encode())
    told = typed(0, "import", path, "-o", tmp_path / "view")
    assert "a public view, for the file does not say" in told.out
    assert "stolen cards" in told.out and "development cards" in told.out
    assert run("export", tmp_path / "view", "-o", tmp_path / "again.catan") == 0
    assert (tmp_path / "again.catan").read_bytes() == path.read_bytes()
    assert "but this one is unknown" in typed(2, "export", tmp_path / "view", "--format", "sgn").err


def test_log_and_metrics_show_a_public_view(tmp_path: Path, typed: Typed) -> None:
    path = file(tmp_path, "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 4s\n")
    typed(0, "import", path, "-o", tmp_path / "view")
    told = typed(0, "log", tmp_path / "view")
    lines = told.out.splitlines()
    assert len(lines) == 15
    assert "steals a card (open) from Blue" in lines[13]
    assert "open: 1 stolen card" in told.err
    last = json.loads(typed(0, "log", tmp_path / "view", "--json").out.splitlines()[-1])
    assert {"player": "Red", "what": "cards", "low": 4, "high": 4} in last["open"]
    assert "the bandit moved 1 times for a seven" in typed(0, "metrics", tmp_path / "view").out
    assert "view: a public view, in which a peer could check nothing" in typed(1, "verify", tmp_path / "view").out


def test_import_only_checks_without_a_folder(sgn: Path, tmp_path: Path) -> None:
    assert run("import", sgn) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.sgn"]


def test_a_breach_of_the_rules_is_a_finding(tmp_path: Path, typed: Typed) -> None:
    path = file(tmp_path, "red rolls 8\nblue rolls 9\n")
    told = typed(1, "import", path, "-o", tmp_path / "game").out
    problem = "line 23, column 1: Blue rolls the dice, but it is Red's turn (by the thesis rules)"
    assert told == f"{path}: {problem}\n"
    assert not (tmp_path / "game").exists()


def test_a_breach_of_the_format_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    path = file(tmp_path, "red rolls 13\n")
    assert run("import", path, "-o", tmp_path / "game") == 1
    assert "line 22, column 11: '13', expected a sum of two dice (2 to 12)" in capsys.readouterr().out
    path.write_bytes(b"\xff\xfe catan\n")
    assert "line 1, column 1: " in typed(1, "import", path).out


def test_lenient_collects_all_findings_and_goes_on(tmp_path: Path, typed: Typed) -> None:
    body = "red rolls 8\nred rolls 9\nred sings\nred buys city, builds at (10 NW)\nred ends turn after 3s"
    path = file(tmp_path, body)
    told = typed(1, "import", path, "--lenient", "-o", tmp_path / "view").out.splitlines()
    assert told[0].endswith("line 22, column 1: left out: line 23 takes it back")
    assert "line 24, column 5: 'sings'" in told[1]
    assert "line 25, column 1: Red cannot pay 2 Grain, 3 Ore for a city" in told[2]
    assert "line 25, column 1: the cards do not add up, from here on all hands are open" in told[3]
    assert "line 26, column 23: the end of the line, expected a newline" in told[4]
    summary = "1 place after which all hands are open, 2 places that break the format, 1 line undone, 1 breach"
    assert summary in told[5]
    assert (tmp_path / "view").is_dir()


def test_import_as_json(sgn: Path, tmp_path: Path, typed: Typed) -> None:
    told = json.loads(typed(0, "import", sgn, "--json").out)
    assert told["fine"] and told["is_game"] and told["format"] == "sgn" and told["rules"] == "thesis"
    told = json.loads(typed(1, "import", file(tmp_path, "red rolls 1\n"), "--json").out)
    assert told["findings"] == [
        {"line": 22, "column": 11, "kind": "format", "message": "'1', expected a sum of two dice (2 to 12)"}
    ]


def test_import_of_a_file_that_ends_before_it_is_clear_who_plays(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "game.sgn"
    lines = samples.written(samples.random_events(4, 3, 2), "sgn").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"PA"' not in line), encoding="utf-8", newline="\n")
    told = typed(1, "import", path)
    assert "how many play, at least 2" in told.out
    assert told.err == "catan-p2p import: nothing was read; --players N says how many play\n"
    assert run("import", path, "--players", 4, "-o", tmp_path / "game") == 0
    assert run("import", path, "--players", 7) == 2


def test_import_into_a_folder_that_is_there(sgn: Path, tmp_path: Path, typed: Typed) -> None:
    assert "already exists" in typed(2, "import", sgn, "-o", tmp_path).err


def test_rules_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    path = file(tmp_path, "red rolls 8\nred trades [1 wheat] to player blue for [1 ore]\n")
    assert "by the brief rules: in order" in typed(0, "import", path).out
    assert run("import", path, "--rules", "thesis") == 1
    assert "which the thesis's rules do not allow (by the thesis rules)" in capsys.readouterr().out


def test_stats_of_files_repositories_and_views(game: Path, sgn: Path, tmp_path: Path, typed: Typed) -> None:
    path = file(tmp_path, "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 4s\n")
    typed(0, "import", path, "-o", tmp_path / "view")
    told = typed(0, "stats", game, sgn, path, tmp_path / "view")
    assert told.err == ""
    assert "all 4 games" in told.out
    for word in (
        "expected",
        "yields",
        "tile",
        "robs",
        "trades",
        "bought",
        "build order",
        "points after",
        "seconds per",
    ):
        assert word in told.out
    found = json.loads(typed(0, "stats", path, "--json").out)
    assert found["total"]["turns"] == 1
    assert found["games"][0]["dice"]["7"] == 1
    assert found["games"][0]["open"] == {"stolen cards": 1}


def test_stats_tells_what_it_left_out(tmp_path: Path, typed: Typed) -> None:
    path = file(tmp_path, "red rolls 8\nred rolls 9\nred sings\nred buys city, builds at (10 NW)\n")
    error = typed(0, "stats", path).err
    assert "lines left out because later ones undo them: 1" in error
    assert "breaches of the thesis rules, listed by catan-p2p import --lenient: 1" in error
    assert "places that break the format: 1, the first in line 24" in error


def test_stats_tells_what_is_uncertain(game: Path, sgn: Path, tmp_path: Path, typed: Typed) -> None:
    for path in (game, sgn):
        assert "the record leaves nothing open\n" in typed(0, "stats", path).out
    path = file(tmp_path, "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 4s\n")
    told = typed(0, "stats", path)
    assert "\nthe record does not say 1 stolen card\n" in told.out
    assert re.search(r"\nBlue +[0-9]+ +0\n", told.out.partition("held at the end")[2])
    assert told.err == ""
    path = file(tmp_path, "red rolls 8\nred buys city, builds at (10 NW)\n")
    told = typed(0, "stats", path)
    assert "the cards do not add up, from here on all hands are open; possible are " in told.err
    assert "\nthe record contradicts itself\n" in told.out
    assert re.search(r"\nRed +0 to [0-9]+ +0\n", told.out)


def test_stats_of_something_that_is_no_game(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, eggs\n")
    good = file(tmp_path, "red rolls 8\n")
    told = typed(1, "stats", path, good)
    assert "notes.txt: line 1, column 1: 'milk, eggs', expected 'catanlog'" in told.err
    assert "game.catan: 1 turns" in told.out


@pytest.mark.needs("report")
def test_a_plot(tmp_path: Path) -> None:
    path = file(tmp_path, "red rolls 8\n")
    assert run("stats", path, "--plot", tmp_path / "plot.png") == 0
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_only_the_plot_is_missing(tmp_path: Path) -> None:
    path = file(tmp_path, "red rolls 8\n")
    block = "import sys; sys.modules['matplotlib'] = None; from catan_p2p.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", block, "stats", str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    done = subprocess.run([*command, "--plot", str(tmp_path / "a.png")], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "catan-p2p stats: --plot needs matplotlib: pip install 'catan-p2p[report]'\n"


def test_a_game_with_refused_commits_is_exported_as_far_as_it_is_in_order(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    constants = Constants(player_count=2)
    _, steps = samples.random_game(2, 5, 20)
    write_game(tmp_path / "game", samples.start(2), constants, steps, "test")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@1 +0000")
    who = ["-c", "user.name=player1", "-c", "user.email=player1@catan-p2p.invalid", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(tmp_path / "game"), *who, "commit", "-q", "--allow-empty", "-m", "x", "--date=@1 +0000"]
    subprocess.run(command, check=True)
    told = typed(1, "export", tmp_path / "game", "--format", "catan")
    assert "left out:" in told.err and "rejected" in told.err
    assert told.out.count("\n") > 15
    assert run("stats", tmp_path / "game") == 1


# What people's files are like


def test_marks_of_other_encodings_are_named(tmp_path: Path, typed: Typed) -> None:
    text = file(tmp_path, "red rolls 8\n").read_text(encoding="utf-8")
    for encoding in ("utf-16", "utf-16-be"):
        path = tmp_path / f"{encoding}.catan"
        path.write_bytes(text.encode(encoding))
        said = typed(1, "import", path)
        assert "line 1, column 1: UTF-16 text, expected UTF-8" in said.out
        assert "--lenient" not in said.err


def test_a_refusal_names_the_ways_on(tmp_path: Path, typed: Typed) -> None:
    path = file(tmp_path, "red rolls 8\nred buys city, builds at (10 NW)\nred ends turn after 3s\n")
    told = typed(1, "import", path)
    assert "Red cannot pay 2 Grain, 3 Ore for a city" in told.out
    assert "--lenient" in told.err and "--rules-of public" in told.err
    assert "in order" in typed(0, "import", path, "--rules-of", "public").out
    assert run("import", file(tmp_path, "red rolls 8\nblue rolls 9\n"), "--rules-of", "public") == 1


@pytest.mark.parametrize("has_open", [True, False], ids=["view", "game"])
def test_a_file_comes_back_as_it_was_when_seat_1_does_not_begin(tmp_path: Path, has_open: bool) -> None:
    """Colours and seats stay; a view keeps the version, the fraction of a second and that nobody measured a turn."""
    robbed = "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn\n"
    body = f"{robbed}blue rolls 9\n" if has_open else "red rolls 8\nred ends turn after 31s\nblue rolls 9\n"
    text = file(tmp_path, body).read_text(encoding="utf-8")
    for old, new in (("red, seat: 1", "red, seat: 4"), ("blue, seat: 2", "blue, seat: 3")):
        text = text.replace(old, new)
    lines = text.splitlines(keepends=True)
    lines[3:5] = sorted(lines[3:5], key=lambda line: line[-2])
    text = "".join(lines)
    if has_open:
        text = text.replace("v0.10.0", "v0.5.0").replace("22:45:00", "22:45:00.123456")
    path = tmp_path / "seats.catan"
    path.write_text(text, encoding="utf-8", newline="\n")
    assert run("import", path, "-o", tmp_path / "seats") == 0
    assert is_view(tmp_path / "seats") == has_open
    assert run("export", tmp_path / "seats", "-o", tmp_path / "again.catan") == 0
    assert (tmp_path / "again.catan").read_text(encoding="utf-8") == text


def test_sgn_numbers_stay(tmp_path: Path) -> None:
    events = samples.random_events(3, 1, 60, in_order=True)
    turned = [renumbered(event, {1: 3, 2: 1, 3: 2}) for event in events]
    text = samples.written(turned, "sgn").replace('["3","MR"', '["1","MR"', 1)  # as the map, the bandit is seat 1's
    (tmp_path / "game.sgn").write_text(text, encoding="utf-8", newline="\n")
    assert run("import", tmp_path / "game.sgn", "-o", tmp_path / "game") == 0
    assert run("export", tmp_path / "game", "-o", tmp_path / "again.sgn") == 0
    assert (tmp_path / "again.sgn").read_text(encoding="utf-8") == text


def test_a_folder_of_separate_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    """The replica that has come farthest speaks for all."""
    constants, steps = samples.random_game(2, 1, 60, in_order=True)
    for name, most in (("red", 40), ("blue", 60)):
        write_game(tmp_path / "game" / name, samples.start(2), constants, steps[:most], "a test")
    assert run("export", tmp_path / "game", "-o", tmp_path / "peers.sgn") == 0
    assert run("export", tmp_path / "game" / "blue", "-o", tmp_path / "blue.sgn") == 0
    assert (tmp_path / "peers.sgn").read_bytes() == (tmp_path / "blue.sgn").read_bytes()
    capsys.readouterr()
    for verb in ("log", "stats"):
        folder = typed(0, verb, tmp_path / "game").out
        assert run(verb, tmp_path / "game" / "blue") == 0
        assert folder.replace("game:", "game/blue:") == capsys.readouterr().out


@pytest.mark.long
def test_standard_input_is_imported_like_a_file(tmp_path: Path) -> None:
    """It can be read only once; the game that is made of it is the same."""
    text = samples.written(samples.random_events(2, 3, 200), "sgn")
    (tmp_path / "game.sgn").write_text(text, encoding="utf-8")
    heads = []
    for name, out in ((str(tmp_path / "game.sgn"), "one"), ("-", "other")):
        command = [sys.executable, "-m", "catan_p2p.cli.main", "import", name, "-o", str(tmp_path / out)]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "in order" in done.stdout
        told = subprocess.run(
            ["git", "-C", str(tmp_path / out), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        )
        heads.append(told.stdout)
    assert heads[0] == heads[1]


def test_standard_input_is_summarized_like_a_file(tmp_path: Path) -> None:
    text = samples.written(samples.random_events(2, 3, 200), "sgn")
    (tmp_path / "game.sgn").write_text(text, encoding="utf-8")
    told = []
    for name in (str(tmp_path / "game.sgn"), "-"):
        command = [sys.executable, "-m", "catan_p2p.cli.main", "stats", name]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.replace(name, "NAME", 1))
    assert told[0] == told[1]
