"""Whatever a file holds, reading it gives a game or a NotationError: no other exception, no hang, no heap of memory."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.game.board import DEFAULT_MAP
from catan_p2p.game.constants import profile
from catan_p2p.notation import (
    FORMATS,
    Format,
    GameStarted,
    NotationError,
    catanlog,
    events_of,
    in_order_of_play,
    read,
    sgn,
)
from tests.for_each import with_soak
from tests.notation import samples
from tests.notation.mutants import digest, mutate
from tests.notation.replays import as_colonist, as_soclog
from tests.notation.stac_log import as_stac
from tests.notation.stories import SETUP
from tests.notation.test_contradictions import own_game

pytestmark = [pytest.mark.long, pytest.mark.sampled(3, together=True)]

HEADER = samples.written([samples.start(2)], "catan")
MAP = samples.written([GameStarted((), DEFAULT_MAP)], "sgn")


def texts() -> list[tuple[Format, str]]:
    games = [samples.random_events(2 + seed % 3, seed, 20 + 10 * (seed % 4)) for seed in range(8)]
    tokens = [samples.start(), *samples.every_token()]
    return [(format, samples.written(game, format)) for game in [*games, tokens] for format in ("catan", "sgn")]


def recorded() -> list[tuple[Format, str]]:
    """Games of our own in the formats of other programs: begun ones with many kinds of events, and short whole ones."""
    found: list[tuple[Format, str]] = []
    for count, seed, points, actions in ((2, 17, 10, 70), (3, 12, 10, 45), (4, 17, 10, 45), (2, 1, 4, 400)):
        rules = replace(profile("brief", count), points_to_win=points)
        constants, steps = own_game(count, seed, "brief", "builder", actions, rules)
        told = list(
            in_order_of_play(
                events_of(constants, samples.participants(constants.player_count), steps, samples.STARTED_S)
            )
        )
        if points == 10:
            found.append(("catanatron", samples.written(told, "catanatron")))
            found.append(("soclog", as_stac(told)))
        found.append(("colonist", as_colonist(told, points).replace("}, {", "},\n{")))
        found.append(("soclog", as_soclog(told).replace("PL=4", f"PL=4,VP=t{points}")))
    return found


def digest_mutants(
    count: int, seed: int, originals: list[tuple[Format, str]] | None = None, folder: Path | None = None
) -> Counter[str]:
    """What so many mutants come to; of each fiftieth a repository is written, where there is a folder for it."""
    rng = Random(seed)
    originals = originals or texts()
    outcomes: Counter[str] = Counter()
    for number in range(count):
        format, text = originals[rng.randrange(len(originals))] if number % 20 else originals[-1 - number % 2]
        mutant = mutate(text, format, rng)
        try:
            outcomes[digest(mutant, None if number % 50 else folder)] += 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {mutant!r}") from error
    return outcomes


@pytest.mark.parametrize("seed", [1, 5, 6])
def test_500_mutants_give_a_game_or_a_notation_error(seed: int, tmp_path: Path) -> None:
    outcomes = digest_mutants(500, seed, None, tmp_path)
    for needed in ("refused", "well formed, against the rules", "well formed, a view", "well formed, a game"):
        assert outcomes[needed] > 3, outcomes


def test_500_mutants_of_the_formats_of_other_programs(tmp_path: Path) -> None:
    outcomes = digest_mutants(500, 3, recorded(), tmp_path)
    for needed in ("refused", "well formed, against the rules", "well formed, a game"):
        assert outcomes[needed] > 5, outcomes


@pytest.mark.soak
@pytest.mark.parametrize("format", FORMATS)
def test_100_000_mutants_of_each_format(tmp_path: Path, format: Format) -> None:
    originals = [original for original in [*recorded(), *texts()] if original[0] == format]
    print(format, dict(digest_mutants(100_000, 4, originals, tmp_path)))


@given(st.text())
def test_any_text(text: str) -> None:
    digest(text)


@given(st.text(alphabet="redbluolstnwigkcy 123456789()[],:NESW.", max_size=60))
def test_any_line_of_a_body(line: str) -> None:
    digest(f"{HEADER}{SETUP}{line}\n")


PHRASES = """\
red|blue|rolls|moves robber to|steals from|nobody|buys road, builds at|buys settlement, builds at|buys city, builds at|\
buys dev card|trades|to port|to player|for|plays knight|plays monopoly on|ends turn|after|wins|2|7|8|12|5s|(1 NW)|\
(5 E)|(10 NE)|[1 wood]|[4 ore]|[]|4:1|3:1|wheat"""


def fragments() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PHRASES.split("|")), max_size=6).map(" ".join)


@given(st.lists(fragments(), max_size=6))
def test_any_words_of_the_notation(lines: list[str]) -> None:
    digest(HEADER + SETUP + "".join(f"{line}\n" for line in lines))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-200, 200)
    | st.floats()
    | st.sampled_from(["1", "B", "BS", "MO", "0", "-1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tile", "path", "intersection", "player", "resources", "cCode", "B"]), inner)
    ),
    max_leaves=12,
)
CODES = st.sampled_from(["BC", "BD", "BR", "BS", "DM", "MR", "PD", "RD", "ST", "TR"])


@given(st.sampled_from("123456"), CODES, JSON)
def test_any_value_of_a_message(player: str, code: str, value: Any) -> None:
    line = json.dumps([player, code, value])
    error = None
    try:
        list(sgn.read(StringIO(f"{MAP}{line}\n")))
    except NotationError as raised:
        error = raised
    if error is not None:
        assert error.line == 2 and 1 <= error.column <= len(line) + 1


@given(JSON, JSON)
def test_any_map(tiles: Any, harbors: Any) -> None:
    with pytest.raises(NotationError):
        list(sgn.read(StringIO(json.dumps(["1", "DM", {"tiles": tiles, "harbors": harbors}]) + "\n")))


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    try:
        list(read(StringIO(text, newline="\n")))
    except NotationError as error:
        str(error).encode("utf-8", "backslashreplace")


def test_a_handle_that_cannot_decode_is_a_notation_error(tmp_path: Any) -> None:
    path = tmp_path / "game.catan"
    path.write_bytes(HEADER.encode() + b"red rolls \xff\n")
    with path.open(encoding="utf-8", newline="\n") as handle, pytest.raises(NotationError, match="UTF-8"):
        list(catanlog.read(handle))


# Memory

STREAM = """
import resource, sys
from catan_p2p.notation import judged, read, table_for
from catan_p2p.game.constants import PROFILES
from tests.notation.test_robustness import HEADER, MAP
from tests.notation.stac_log import as_stac
from tests.notation.stories import SETUP

class Endless:
    def __init__(self, head, lines, size):
        self.head, self.lines, self.left, self.at, self.rest = iter(head), lines, size, 0, ""
    def readline(self, limit=-1):
        if not self.rest:
            self.rest = next(self.head, "") or self.next_line()
        line, self.rest = (self.rest, "") if limit < 0 else (self.rest[:limit], self.rest[limit:])
        return line
    def next_line(self):
        if self.left <= 0:
            return ""
        self.at += 1
        line = self.lines[self.at % len(self.lines) - 1]
        self.left -= len(line)
        return line

what, size = sys.argv[1], int(sys.argv[2])
if what != "sgn":
    lines = ["red rolls 8\\n", "red ends turn after 9s\\n", "blue rolls 8\\n", "blue ends turn after 9s\\n"]
    handle = Endless((HEADER + SETUP).splitlines(True), lines, size)
else:
    handle = Endless([MAP], ['["1","RD",{"result":8}]\\n', '["1","BD",{"cCode":"VP"}]\\n'], size)
stream = read(handle)
start = next(stream)
count = 0
if what == "judged":
    for step in judged(start, stream, table_for(start, "catan"), PROFILES["brief"]):
        count += 1
else:
    for event in stream:
        count += 1
"""

PEAK = """
def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(count, peak())
"""
"""On Linux what getrusage says begins with the peak of the process that started this one."""

IMPORT = """
import contextlib, io, re, resource, sys
from catan_p2p.cli.main import main

with contextlib.redirect_stdout(io.StringIO()) as told:
    assert main(["import", "--rules", "brief", *sys.argv[1:]]) == 0
count = int(re.search("([0-9]+) events", told.getvalue())[1])
"""


def peak_of(what: str, size_bytes: int) -> tuple[int, int]:
    """Events read from a file of this size, and the most memory that took, in kilobytes."""
    return measured(STREAM, what, str(size_bytes))


def measured(program: str, *arguments: str) -> tuple[int, int]:
    """What a program counts, and the most memory that it took, in kilobytes."""
    command = [sys.executable, "-c", program + PEAK, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, peak = done.stdout.split()
    return int(count), int(peak)


@pytest.mark.skipif(sys.platform == "win32", reason="the module resource is missing")
@pytest.mark.parametrize(
    ("what", "size_bytes"),
    with_soak(
        [("catan", 5_000_000), ("sgn", 5_000_000), ("judged", 800_000)],
        [("catan", 100_000_000), ("sgn", 100_000_000), ("judged", 10_000_000)],
    ),
)
def test_megabytes_stream_in_flat_memory(what: str, size_bytes: int) -> None:
    few, small = peak_of(what, 200_000)
    many, large = peak_of(what, size_bytes)
    assert many > few * (size_bytes // 400_000)
    assert large < small + 3_000, f"{small} kB for 0.2 MB, {large} kB for {size_bytes / 1e6} MB"


def long_file(path: Path, turns: int, *, is_whole: bool) -> str:
    """A file of so many turns in which nothing but the dice happens; if it is not whole, a card that nobody names."""
    turn = "red rolls 8\nred ends turn after 9s\nblue rolls 8\nblue ends turn after 9s\n"
    trade = "red trades [1 wheat] to player blue for [1 ore]\nred buys dev card\n"
    first = turn if is_whole else turn.replace("8\n", f"8\n{trade}", 1)
    path.write_text(HEADER + SETUP + first + turn * turns)
    return str(path)


def check_import(folder: Path, turns: int, allowed_kb: int, *options: str, is_whole: bool = True) -> None:
    few, small = measured(IMPORT, long_file(folder / "few.catan", 50, is_whole=is_whole))
    many, large = measured(IMPORT, long_file(folder / "many.catan", turns, is_whole=is_whole), *options)
    print(f"{few} events: {small} kB, {many} events: {large} kB")
    assert many > few * turns // 100
    assert large < small + allowed_kb, f"{small} kB for {few} events, {large} kB for {many}"


@pytest.mark.skipif(sys.platform == "win32", reason="the module resource is missing")
@pytest.mark.parametrize("turns", with_soak([1_000], [25_000]))
@pytest.mark.parametrize("is_whole", [True, False], ids=["game", "view"])
def test_import_takes_the_same_memory_for_files_of_any_length(tmp_path: Path, turns: int, is_whole: bool) -> None:
    check_import(tmp_path, turns, 3_000, is_whole=is_whole)
