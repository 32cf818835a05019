"""The verb ``watch`` without a window: pictures, films, and one clear line for whatever is wrong."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from PIL import Image

import visualizer
from catan_p2p.cli.main import main
from catan_p2p.game.constants import Constants
from tests import test_programs
from tests.log.storage.repositories import copy_of, git
from tests.shared import run_without
from tests.visualizer.games import WrittenGame, random_actions
from visualizer.pictures.layout import SMALLEST

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WrittenGame]:
    constants = Constants(player_count=3)
    game = WrittenGame(tmp_path_factory.mktemp("watch") / "Catan_0", constants)
    game.write(*random_actions(constants, 2, most=60))
    yield game
    game.close()


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str]:
    code = main(["watch", *map(str, args)])
    out, err = capsys.readouterr()
    assert out == ""
    return code, err


def test_a_snapshot_shows_the_last_step_in_the_size_asked_for(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "end.png"
    assert run(capsys, written.path, "--snapshot", file, "--size", "900x700") == (0, f"{file}: step 60 of 60\n")
    picture = pygame.image.load(file)
    assert picture.get_size() == (900, 700)
    assert len({tuple(picture.get_at((x, y))) for x in range(0, 900, 9) for y in range(0, 700, 7)}) > 100


def test_a_snapshot_is_the_same_every_time_and_another_at_another_commit(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("a.png", "b.png", "c.png")
    for name, at in zip(names, (written.commits[20], written.commits[20][:9], written.commits[21]), strict=True):
        code, said = run(capsys, written.path, "--at", at, "--snapshot", tmp_path / name)
        assert code == 0
        assert f"step {20 + (name == 'c.png')} of 60" in said
    a, b, c = ((tmp_path / name).read_bytes() for name in names)
    assert a == b != c


def test_a_gif_has_a_picture_for_every_step(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film, still = tmp_path / "film.gif", tmp_path / "still.png"
    span = ("--at", written.commits[10], "--until", written.commits[22])
    code, said = run(capsys, written.path, "--record", film, *span, "--size", "640x480", "--speed", 8)
    assert (code, said) == (0, f"{film}: 1 of 13 pictures\n{film}: 13 steps, 8 a second\n")
    run(capsys, written.path, "--at", written.commits[22], "--snapshot", still, "--size", "640x480")
    with Image.open(film) as image:
        assert image.size == (640, 480)
        total = 0
        for number in range(image.n_frames):
            image.seek(number)
            total += image.info["duration"]
        last = image.convert("RGB")
    assert total == 12 * 120 + 2000
    wanted = Image.open(still).convert("RGB")
    differences = [
        sum(abs(a - b) for a, b in zip(last.getpixel((x, y)), wanted.getpixel((x, y)), strict=True))
        for x in range(0, 640, 8)
        for y in range(0, 480, 8)
    ]
    assert sum(differences) / len(differences) < 12, "the last picture of the film is the last step"


@pytest.mark.skipif(
    shutil.which("ffmpeg") is None and __import__("importlib.util").util.find_spec("imageio_ffmpeg") is None,
    reason="needs ffmpeg",
)
def test_an_mp4_is_written(written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "film.mp4"
    code, _ = run(capsys, written.path, "--record", film, "--until", written.commits[9], "--size", "641x481")
    assert code == 0
    assert film.read_bytes()[4:8] == b"ftyp"


def test_an_mp4_without_ffmpeg_says_what_to_install(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", git_alone(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert run(capsys, written.path, "--record", tmp_path / "film.mp4") == (
        2,
        "catan-p2p watch: an MP4 needs ffmpeg 4 or newer with libx264: install it, or pip install "
        "'catan-p2p[video]'; a GIF needs neither\n",
    )


def git_alone(folder: Path) -> str:
    """A folder in which the only program is Git."""
    (folder / "bin").mkdir()
    (folder / "bin" / "git").symlink_to(str(shutil.which("git")))
    return str(folder / "bin")


LISTS_X264 = "echo ' V....D libx264  H.264'"


def test_an_ffmpeg_that_makes_no_film_gives_way_to_the_next(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of them takes the pictures, and leaves the film: its complaint is told whole."""
    stubs = [
        test_programs.program(tmp_path / "a", "echo a hint >&2", "exit 1", name="ffmpeg"),
        test_programs.program(tmp_path / "b", "echo 'ffmpeg version 2.8.15-0ubuntu0' >&2", LISTS_X264, name="ffmpeg"),
        test_programs.program(tmp_path / "c", "echo 'ffmpeg version 6.1 Copyright' >&2", name="ffmpeg"),
        test_programs.program(tmp_path / "d", "echo 'another program'", name="ffmpeg"),
    ]
    folders = [git_alone(tmp_path), *(str(stub.parent) for stub in stubs)]
    monkeypatch.setenv("PATH", ":".join(folders))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    code, said = run(capsys, written.path, "--record", tmp_path / "film.mp4")
    assert (code, said.count("\n")) == (2, 1)
    assert (
        f"({stubs[0]}: ended with exit code 1: a hint; {stubs[1]}: is ffmpeg 2; {stubs[2]}: has no encoder libx264; "
        f"{stubs[3]}: is no ffmpeg: another program): install it, or pip install" in said
    )
    last = test_programs.program(
        tmp_path / "e",
        f'[ "$1" = -encoders ] && echo "ffmpeg version N-1-g1 Copyright" >&2 && {LISTS_X264} && exit',
        "cat > /dev/null; echo one >&2; echo two >&2; exit 1",
        name="ffmpeg",
    )
    monkeypatch.setenv("PATH", ":".join([*folders, str(last.parent), "/bin"]))
    code, said = run(capsys, written.path, "--record", tmp_path / "film.mp4", "--until", written.commits[3])
    assert (code, said.splitlines()[-1]) == (
        2,
        f"catan-p2p watch: {tmp_path / 'film.mp4'}: {last} could not write it: one two",
    )


def test_a_gif_without_pillow_says_what_to_install(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    code, said = run(capsys, written.path, "--record", tmp_path / "film.gif")
    assert (code, said) == (2, "catan-p2p watch: a GIF needs Pillow: pip install 'catan-p2p[play]'\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--size", "10x10", "--snapshot", "x.png"], "--size 10x10: expected a size in pixels from 640x480 on"),
        (["--size", "big"], "--size big: expected"),
        (["--size", "99999x99999"], "--size 99999x99999: expected"),
        (["--scale", "9"], "--scale 9: expected 0.25 to 4"),
        (["--speed", "0"], "--speed 0: expected 0.5 to 64"),
        (["--snapshot", "x.jpg"], "--snapshot x.jpg: expected a .png file"),
        (["--record", "x.avi"], "--record x.avi: expected a .gif or .mp4 file"),
        (["--snapshot", "x.png", "--follow"], "--follow needs a window"),
        (["--until", "ab"], "--until says where a film ends; it needs --record"),
        (["--snapshot", "x.png", "--at", "zz"], "--at zz: no commit id of this game begins with it"),
        (["--snapshot", "x.png", "--peer", "Brown"], "Brown does not play in this game; Red, Blue, Green do"),
        (["--snapshot", "/no/such/folder/x.png"], "/no/such/folder/x.png: cannot be written: No such file"),
        (["--record", "/no/such/folder/x.gif", "--until", "first"], "--until first: no commit"),
        (["--record", "/no/such/folder/x.gif"], "/no/such/folder/x.gif: cannot be written: No such file"),
    ],
)
def test_wrong_usage_is_one_line_that_names_it(
    written: WrittenGame, capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, err = run(capsys, written.path, *args)
    assert code == 2
    assert said in err
    assert err.startswith("catan-p2p watch: ")
    assert err.count("\n") == 1


def test_an_ambiguous_commit_asks_for_more_digits(written: WrittenGame, capsys: pytest.CaptureFixture[str]) -> None:
    first = next(c[0] for c in written.commits if sum(o[0] == c[0] for o in written.commits) > 1)
    code, err = run(capsys, written.path, "--snapshot", "x.png", "--at", first)
    assert code == 2
    assert "commit ids begin with it; give more digits" in err


def test_a_film_cannot_end_before_it_begins(written: WrittenGame, capsys: pytest.CaptureFixture[str]) -> None:
    span = ("--at", written.commits[20], "--until", written.commits[10])
    code, err = run(capsys, written.path, "--record", "x.gif", *span)
    assert code == 2
    assert "comes before --at" in err


@pytest.mark.parametrize("name", ["nowhere", "empty", "plain"])
def test_a_path_without_a_game_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "-q", "empty")
    code, err = run(capsys, tmp_path / name, "--snapshot", tmp_path / "x.png")
    assert code == 2
    assert str(tmp_path / name) in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x.png").exists()


def test_a_snapshot_of_a_game_with_a_refused_commit_is_made_and_the_finding_told(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copy_of(written.path, tmp_path / "copy")
    tree, head = git(copy, "rev-parse", "Red_0^{tree}"), git(copy, "rev-parse", "Red_0")
    git(copy, "update-ref", "refs/heads/Red_0", git(copy, "commit-tree", tree, "-p", head, "-m", "nonsense"))
    code, err = run(capsys, copy, "--snapshot", tmp_path / "x.png")
    assert code == 1
    assert "rejected" in err
    assert (tmp_path / "x.png").exists()


def program(*args: object, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
    command = [sys.executable, "-m", "catan_p2p.cli.main", "watch", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, env=variables | environment, timeout=60)


def test_without_a_display_one_line_names_the_snapshot(written: WrittenGame, tmp_path: Path) -> None:
    done = program(written.path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr
    assert "--snapshot" in done.stderr
    done = program(written.path, "--snapshot", tmp_path / "x.png")
    assert (done.returncode, done.stderr) == (0, f"{tmp_path / 'x.png'}: step 60 of 60\n")


def test_a_display_that_cannot_be_reached_is_one_line(written: WrittenGame) -> None:
    done = program(written.path, SDL_VIDEODRIVER="x11", DISPLAY=":4711")
    assert done.returncode == 2
    assert done.stderr.startswith("catan-p2p watch: no display to open a window on (")
    assert done.stderr.endswith("--snapshot FILE.png saves a picture, and catan-p2p turn and peer play\n")
    assert done.stderr.count("\n") == 1


def test_without_pygame_one_line_says_what_to_install(written: WrittenGame) -> None:
    done = run_without("pygame", "watch", str(written.path))
    assert done.returncode == 2
    assert done.stderr == "catan-p2p watch: needs pygame: pip install 'catan-p2p[play]'\n"


PURE = ("view", "commands", "data", "pictures", "control")
"""The rooms that need no pygame; those that draw do."""


def test_everything_but_the_drawing_itself_does_without_pygame() -> None:
    root = Path(visualizer.__file__).parent
    modules = [path.relative_to(root).with_suffix("").parts for path in sorted(root.rglob("*.py"))]
    names = [".".join(("visualizer", *parts)) for parts in modules if parts[0] in PURE]
    assert len(names) > 25
    code = f"import sys\nfor name in {names}: __import__(name)\nsys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_picture_can_hide_the_future(
    written: WrittenGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And then it is that of a repository in which the game has not gone any further."""
    short = WrittenGame(tmp_path / "Catan_0", written.game.constants)
    short.write(*random_actions(Constants(player_count=3), 2, most=60)[:20])
    short.close()
    at = ("--at", written.commits[20], "--hide-future", "--snapshot")
    assert run(capsys, written.path, *at, tmp_path / "long.png")[0] == 0
    assert run(capsys, short.path, *at, tmp_path / "short.png")[0] == 0
    assert run(capsys, written.path, *at[:2], "--snapshot", tmp_path / "all.png")[0] == 0
    long, brief, whole = (timeline_of(tmp_path / f"{name}.png") for name in ("long", "short", "all"))
    assert long == brief != whole


def timeline_of(path: Path) -> bytes:
    with Image.open(path) as picture:
        return picture.convert("RGB").crop((0, 670, 1280, 800)).tobytes()


def test_the_smallest_size_is_the_one_named() -> None:
    assert SMALLEST == (640, 480)
