"""Arguments that make no sense are refused in one line; those that do in another spelling are understood."""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli import values
from catan_p2p.cli.main import main
from catan_p2p.players.policies import POLICIES
from catan_p2p.sessions.saved_games import new_table_path
from tests.for_each import for_each
from tests.log.storage.repositories import played
from tests.typed import Typed


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seats") / "seat"
    assert main(["new-game", str(path), "--players", "2", "-q"]) == 0
    for name in ("key", "other"):
        assert main(["new-key", str(path.with_name(name))]) == 0
    return path


def refusal(args: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of arguments that are refused: the last line."""
    try:
        code = main(args)
    except SystemExit as ended:
        code = ended.code
    told = capsys.readouterr()
    assert (code, told.out) == (2, ""), args
    assert "Traceback" not in told.err
    assert told.err.count("\n") == 1 or told.err.startswith("usage: ")
    return told.err.splitlines()[-1]


KEYS = "--key {seat}/../key --public-key Blue={seat}/../other.pub"
WRONG: dict[str, str | tuple[str, ...]] = {
    "": "VERB",
    "dance": "dance",
    "verify": "PATH",
    "verify /nowhere": "/nowhere: no such folder",
    "log /nowhere": "/nowhere: no such folder",
    "log /": "/: not a Git repository",
    "verify /nowhere --quiet": "catan-p2p: /nowhere: no such folder",
    "verify . --quiet --verbose": "not allowed with argument",
    **{f"{verb} nowhere": "nowhere: no such folder" for verb in ("metrics", "report")},
    **{f"{verb} .": "not a game" for verb in ("metrics", "report")},
    **{f"{verb} nothing": "nothing" for verb in ("export --format catan", "import", "stats")},
    "export {game}": "--format is missing, expected one of catan, sgn, catanatron",
    "export {game} -o /nowhere/at/all.catan": "/nowhere/at/all.catan: cannot write",
    "report . --page a.md --out elsewhere": "--out: expected without --page",
    "report . --page a.md --open": "--open: expected without --page",
    "join {seat} blue --as Blue green": "unrecognized arguments: green",
    "join {seat} --as Blue --bogus blue": "unrecognized arguments: --bogus",
    "join {seat} --as Blue {seat}/inside": "argument DIR: ",
    **{
        f"simulate --resume . {option}": f"{option.split()[0]} cannot be changed when a simulation is resumed"
        for option in ("--seed 0", "--players 2", "--sign", "--out again")
    },
    "join ''": "join: '': not an invitation",
    "play git://host/#direct-0-abc": "git://host/#direct-0-abc: expected a folder; catan-p2p join takes a seat",
    **{
        f"{verb} ''": "an empty path"
        for verb in ("verify", "log", "peer", "watch", "page -o game.html", "export --format sgn", "import", "metrics")
    },
    "check-trace ''": "an empty path",
    "simulate --out ''": "an empty path",
    **{
        f"{verb} git://127.0.0.1:9418/game": (
            "git://127.0.0.1:9418/game: expected a file or folder of this machine, not a URL"
        )
        for verb in ("verify", "log", "status", "stats", "export", "peer", "report")
    },
    # Numbers
    **{
        f"{option} {number}": (number, "expected")
        for option, *numbers in (
            ("simulate --players", "-2"),
            ("simulate --games", "-1"),
            ("simulate --max-actions", "-1"),
            ("simulate --jobs", "-1"),
            ("metrics . --jobs", "-1"),
            ("report . --jobs", "0"),
            ("map variable --game", "-1"),
            ("new-game d --players Red,Blue --number", "-1"),
            ("peer . --stay", "-1", "nan"),
            ("peer . --stop-after", "-1"),
            ("peer . --max-actions", "0"),
            ("watch . --speed", "-1", "nan"),
            ("watch . --scale", "0", "inf"),
            ("watch . --size", "1x1"),
            ("watch git://127.0.0.1:1/x --speed", "-1"),
            ("import x --players", "-1"),
            ("tables --wait", "-1"),
            ("turn . --within", "nan"),
            ("lmu serve --out d --patience", "0"),
            ("lmu serve --out d --wait", "nan"),
            ("lmu serve --out d --games", "0"),
            ("lmu join ws://localhost/catan --name N --wait", "-1"),
            ("check-spec --games", "-1"),
            ("check-spec --workers", "0"),
        )
        for number in numbers
    },
    **{
        f"check-spec --simulate {option} {value}": f"argument {option}: {value!r}, expected {expected}"
        for option, value, expected in (
            ("--games", "1000000000000", "a number from 1 to 2147483647"),
            ("--games", "0", "a number from 1 to 2147483647"),
            ("--workers", "2147483648", "a number from 1 to 2147483647"),
            ("--seed", "9223372036854775808", "a number of 64 bits"),
            ("--seed", "one", "a number of 64 bits"),
        )
    },
    "new-game red --players Red,Blue --leaving --patience 0.5s": "0.5s: expected whole seconds",
    "simulate --games 0": "--games 0: expected at least 1",
    "simulate --jobs 0": "--jobs: 0: expected at least 1",
    "simulate --seed a": "argument --seed: a: expected a whole number",
    "simulate --games 1.5": "argument --games: 1.5: expected a whole number",
    "simulate --jobs all": "argument --jobs: all: expected a whole number, at least 1",
    "watch x --speed fast": "argument --speed: fast: expected a number",
    "map variable --seed a": "argument --seed: a: expected a whole number",
    # Who plays
    "simulate --players 9": "--players 9: expected 2 to 4",
    "simulate --players two": "argument --players: two: expected 2 to 6",
    "simulate --players 2.0": "argument --players: 2.0: expected 2 to 6",
    "play --players two": "argument --players: two: expected 2 to 6",
    "import x --players two": "argument --players: two: expected 2 to 6",
    "new-game x --players two": "--players two: expected 2 to 6, or colours such as Red,Blue of Red",
    "simulate --rules thesis --players 5": "--players 5: expected 2 to 4 under the thesis rules",
    "simulate --rules standard --players 7": "--players 7: expected 2 to 6 under the standard",
    **{
        f"{verb} --players {players}": "at least two" if players == "Red" else "expected 2 to 6"
        for verb in ("new-game d", "host --relay r")
        for players in ("1", "7", "-3", "Red")
    },
    "host red --relay relay --players 3 --computers 2": (
        "--computers 2: 2 of 3 players are computers: expected at least one seat for a guest"
    ),
    "host red --relay relay --players 3 --computers 1=clever": "clever",
    "tournament --policies builder": "1 names, expected 2 to 6",
    "tournament --policies builder,nobody": "'nobody': expected",
    "tournament --policies a,b,c,d,e,f,g": "7 names",
    # Policies, rules and other words
    **{
        f"{verb} --rules mars": "mars: no such rules or file"
        for verb in ("simulate", "tournament --policies builder,random")
    },
    **{
        f"new-game red --players Red,Blue {options}": complaint
        for options, complaint in (
            ("--patience 10m", "--patience: these rules do not let players leave"),
            (
                f"--rules 'standard; Leaving = yes; Patience = 60' --patience 30s {KEYS}",
                "--patience: the rules say Patience = 60",
            ),
            ("--rules 'standard; Patience = 60'", "patience without leaving: expected both, or no patience"),
            (
                f"--rules 'standard; Leaving = yes; Patience = 700000' {KEYS}",
                "Patience = 700000: expected 0 to 604800",
            ),
            ("--rules 'standard; OffersPerTurn = 101'", "OffersPerTurn = 101: expected 0 to 100"),
            ("--rules 'standard; Leaving = yes' --no-leaving", "--no-leaving: the rules say Leaving = yes"),
            ("--rules 'standard; Leaving = no' --leaving", "--leaving: the rules say Leaving = no"),
            ("--rules 'standard; Chance = joint' --chance=actor", "--chance actor: the rules say Chance = joint"),
        )
    },
    "simulate --policy ''": "policy ''",
    "simulate --policy strategist:fast": "policy 'strategist:fast': expected a time of 1 to 99999 ms",
    "simulate --policy a/mine.py:Mine": "expected module:Class, as in a.mine:Mine",
    "simulate --policy greedy": (
        "policy 'greedy': expected one of random, beginner, builder, strategist, or module:Class"
    ),
    "simulate --resume /nowhere": "/nowhere: holds no simulation",
    "simulate --rules ''": "--rules: '': expected one of thesis, brief, standard, or one of them with changes",
    "simulate --rules 'standard; map = mars'": "map: no such rule; --map chooses the map",
    "simulate --rules 'standard; Dice'": "Dice: expected NAME = VALUE",
    "simulate --rules 'standard; HandLimit = 9; HandLimit = 8'": "HandLimit: given twice",
    **{
        f"{verb} {option} {value}": (option, value)
        for verb, option, value in (
            ("host", "--listen", "nowhere"),
            ("join URL --as Red", "--listen", "nowhere"),
            ("peer .", "--listen", ":70000"),
            ("lmu serve --out d", "--tcp", "nowhere"),
            ("host --relay relay", "--map", "nothing"),
            ("tournament --policies builder,random", "--map", "nothing"),
            ("tournament --policies builder,random", "--plot", "x.pdf"),
        )
    },
    # Everywhere where a port may be named, but for servers of the LMU protocol
    **{
        place.replace("HOST", f"127.0.0.1:{port}"): (
            f"there is no port {port}, expected",
            "to 65535",
            f"127.0.0.1:{port}",
        )
        for port in ("99999", "65536")
        for place in (
            "host --listen HOST",
            "play --listen HOST",
            "peer {game} --listen HOST",
            "join URL --as Red --listen HOST",
            "lmu serve --out d --listen HOST",
            "lmu serve --out d --tcp HOST",
            *(f"host --relay {protocol}://HOST/x" for protocol in ("git", "ssh", "https", "http")),
            "join git://HOST/x d --as Red",
            "watch git://HOST/x",
            "watch https://HOST/x",
            "peer {seat} --remote Blue=git://HOST/x",
            "peer {seat} --relay ssh://HOST/x",
            "simulate --executor dask --scheduler tcp://HOST",
            "tournament --policies builder,random --games 2 --scheduler tcp://HOST",
        )
    },
    # A remote of nobody, in a game of Red and Blue
    "peer {seat} --remote Pink=../other --policy builder": "no colour",
    "peer {seat} --remote Green=../other --policy builder": "nobody plays Green",
    "peer {seat} --remote Red=../other --policy builder": "is this",
    # A game from which nobody plays
    **{
        f"{words}": ("{game}: not a player's seat: none was taken by play, host, join or new-game", "log", "verify")
        for words in ("status {game}", "peer {game}", "turn {game}", "say {game} hello", "vote {game}")
    },
    # Nothing is written into a game
    **{
        f"{words} {{game}}/{place}": "inside the game {game}"
        for place in ("x", "state/x", ".git/x")
        for words in (
            "simulate --out",
            "metrics {game} --out",
            "report {game} --out",
            "export {game} --out",
            "stats {game} --plot",
            "watch {game} --snapshot",
            "watch {game} --record",
            "import x.sgn --out",
            "map default --out",
            "new-key",
            "new-game --players Red,Blue",
            "join {game} --as Red",
        )
    },
}
"""What is typed, and what the last line says then, or all parts of it."""


@for_each("words", WRONG)
def test_wrong_usage_is_one_line_and_exit_code_2(
    words: str,
    game: Path,
    seat: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And nothing is written, neither here nor into a game."""
    monkeypatch.chdir(tmp_path)
    files = sorted([*game.rglob("*"), *seat.rglob("*")])
    settings = (seat / ".git/catan-p2p/seat.json").read_text()
    told = refusal([word.format(game=game, seat=seat) for word in shlex.split(words)], capsys)
    parts = WRONG[words]
    for part in (parts,) if isinstance(parts, str) else parts:
        assert part.format(game=game) in told, told
    assert not list(tmp_path.iterdir())
    assert sorted([*game.rglob("*"), *seat.rglob("*")]) == files
    assert (seat / ".git/catan-p2p/seat.json").read_text() == settings


def test_who_plays_is_a_number_or_colours() -> None:
    assert values.seats("3") == ["Red", "Blue", "Green"]
    assert values.seats("blue, Red") == ["Blue", "Red"]


def test_a_new_game_takes_a_number_of_players(tmp_path: Path, typed: Typed) -> None:
    assert "Red begins an unsigned game of 3" in typed(0, "new-game", tmp_path / "seat", "--players", "3").err


def test_a_folder_for_a_new_game_has_no_space_and_comes_after_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path))
    made = []
    for _ in range(3):
        made.append(new_table_path())
        made[-1].mkdir(parents=True)
    assert len({*made}) == 3
    assert not any(character.isspace() for path in made for character in path.name)
    assert sorted(made) == made
    before = f"{made[0].name.partition('_')[0]} 23.59.59"
    assert sorted([before, made[0].name]) == [before, made[0].name], "a folder of an earlier version is older"


def test_colours_are_understood_in_any_case(tmp_path: Path, typed: Typed) -> None:
    red, blue = str(tmp_path / "red"), str(tmp_path / "blue")
    assert main(["new-game", red, "--players", "red,BLUE"]) == 0
    assert main(["join", red, blue, "--as", "blue"]) == 0
    typed(0, "peer", red, "--remote", f"blue={blue}", "--stop-after", "0")
    assert '"colour": "Blue"' in typed(0, "status", red, "--json").out


@for_each("text", ["Pink", "", "Re d", "Red,Blue"])
def test_what_is_no_colour(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no colour"):
        values.colour(text)


NAME = b"caf\xe9"
"""A folder's name that is no UTF-8 text, as older systems wrote them."""


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize(
    "args",
    [
        ["verify", "{game}"],
        ["verify", "{game}/nowhere"],
        ["log", "{game}"],
        ["metrics", "{game}", "--quick"],
        ["export", "{game}", "--format", "sgn"],
        ["import", "{folder}/x.sgn"],
        ["simulate", "--policy", "builder", "--seed", "3", "--out", "{folder}/run"],
        ["new-game", "{folder}/red", "--players", "Red,Blue"],
        ["map", "{folder}/none.map"],
        ["stats", "{game}"],
    ],
    ids=" ".join,
)
def test_names_that_are_not_utf_8_and_terminals_that_are_ascii(
    args: list[str], encoding: str, game: Path, tmp_path: Path
) -> None:
    folder = tmp_path / os.fsdecode(NAME)
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"this file system has no such names: {error}")
    (folder / "game").symlink_to(game)
    paths = {"game": folder / "game", "folder": folder}
    done = subprocess.run(
        [sys.executable, "-m", "catan_p2p", *(arg.format(**paths) for arg in args)],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    assert done.returncode in (0, 2)
    if encoding == "utf-8" and args[0] == "verify":
        # A byte that is no text is spelled: printed raw it could begin a command to the terminal.
        assert os.fsdecode(NAME).encode("ascii", "backslashreplace") in done.stdout + done.stderr


def test_help_names_every_policy_of_ours() -> None:
    assert values.POLICY_NAMES.split(", ")[: len(POLICIES)] == list(POLICIES)
