"""Git as it is found on other machines: variables of another repository, unreadable settings, an old Git, none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage import git_program
from catan_p2p.log.storage.git_program import LOCAL_VARIABLES, check_git, find_git
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.readable import readable_with_git
from tests.log.storage.chains import git
from tests.replication.tables import make_seats

RED = f"{HEADS}Red_0"

MAKE_A_REPOSITORY = """
from pathlib import Path
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import act
with GitStore.create(Path("made")) as store:
    _, commit = act(store, "refs/heads/main")
    store.check_out("refs/heads/main")
    store.gc()
    assert store.read(commit)[0] == "commit"
"""
PLAY_A_GAME = """
import sys
from catan_p2p.__main__ import run
sys.argv[1:] = "simulate --max-actions 20 --seed 1 --out made --quiet".split()
run()
"""
ELSEWHERE = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "objects",
    "GIT_COMMON_DIR": "",
    "GIT_CONFIG": "config",
    "GIT_DIR": "",
    "GIT_GRAFT_FILE": "grafts",
    "GIT_INDEX_FILE": "index",
    "GIT_OBJECT_DIRECTORY": "objects",
    "GIT_SHALLOW_FILE": "shallow",
}
"""The variables that are paths in the other repository's Git folder."""
OTHERS = {
    "GIT_CONFIG_COUNT": "abc",
    "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    "GIT_IMPLICIT_WORK_TREE": "0",
    "GIT_INTERNAL_SUPER_PREFIX": "sub/",
    "GIT_NAMESPACE": "elsewhere",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PREFIX": "sub/",
    "GIT_REPLACE_REF_BASE": "refs/elsewhere/",
}


def run_python(program: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path.cwd())} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("program", [MAKE_A_REPOSITORY, PLAY_A_GAME], ids=["library", "program"])
@pytest.mark.parametrize(
    "names",
    [["GIT_COMMON_DIR"], ["GIT_DIR", "GIT_WORK_TREE"], ["GIT_CONFIG_COUNT"], LOCAL_VARIABLES],
    ids=["common", "folders", "settings", "all"],
)
def test_variables_of_another_repository_do_not_lead_there(program: str, names: list[str], tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "elsewhere")
    elsewhere = tmp_path / "elsewhere" / ".git"
    paths = {name: str(elsewhere / inside) for name, inside in ELSEWHERE.items()}
    values = paths | OTHERS | {"GIT_WORK_TREE": str(tmp_path / "elsewhere")}
    before = contents(tmp_path / "elsewhere")
    done = run_python(program, tmp_path, **{name: values[name] for name in names})
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "elsewhere") == before
    made = next(path.parent for path in (tmp_path / "made").rglob(".git"))
    assert git(made, "log", "--all", "--format=%s", "-1") != ""
    assert git(made, "fsck", "--strict") == ""


def test_every_variable_that_git_calls_local_is_dropped() -> None:
    listed = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True)
    assert {*listed.stdout.split()} <= {*LOCAL_VARIABLES} == {*ELSEWHERE, *OTHERS, "GIT_WORK_TREE"}
    assert not {*LOCAL_VARIABLES} & {*os.environ}


def test_a_copy_to_watch_is_made_whatever_hash_is_the_default(tmp_path: Path) -> None:
    make_a_copy = """
from pathlib import Path
from catan_p2p.log.transport.mirror import BranchMirror
from tests.replication.tables import make_seats
seat = make_seats(Path("game"))[0]
mirror = BranchMirror(f"file://{seat.absolute()}", Path("copy"))
mirror.fetch()
"""
    done = run_python(make_a_copy, tmp_path, GIT_DEFAULT_HASH="sha256")
    assert done.returncode == 0, done.stderr
    assert git(tmp_path / "copy", "rev-parse", "--show-object-format", "Red_0").startswith("sha1")


def test_a_relay_is_found_whole_whatever_hash_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    red, blue = make_seats(tmp_path)
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    heads = {RED: ObjectId(git(red, "rev-parse", RED))}
    incoming = blue / ".git" / "catan-p2p" / "incoming" / "relay"
    assert readable_with_git(f"file://{red}", blue / ".git", incoming, heads, 1 << 20) == heads


def test_a_game_is_made_and_read_whatever_the_personal_settings_are(tmp_path: Path) -> None:
    for name, settings in {
        "unreadable": "[core\n",
        "worktree": f"[core]\n\tworktree = {tmp_path}\n\tbare = true\n",
        "stored": "[core]\n\tcompression = 0\n\tlogAllRefUpdates = always\n\tsharedRepository = 0660\n"
        "[init]\n\tdefaultObjectFormat = sha256\n\tdefaultRefFormat = reftable\n[feature]\n\tmanyFiles = true\n",
    }.items():
        home = tmp_path / name
        home.mkdir()
        (home / ".gitconfig").write_text(settings)
        done = run_python(MAKE_A_REPOSITORY, home, HOME=str(home), XDG_CONFIG_HOME=str(home))
        assert done.returncode == 0, done.stderr
        assert git(home / "made", "rev-parse", "--show-object-format", "main").startswith("sha1")
        is_told = f"settings, so games are stored without them: fatal: bad config line 1 in file {home}" in done.stderr
        assert (is_told, done.stderr.count("\n")) == ((True, 1) if name == "unreadable" else (False, 0))
        assert not (home / "made" / ".git" / "logs").exists()


def stand_in(folder: Path, script: str) -> Path:
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return folder


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Git is a shell script")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo git version 2.33.9", "Git 2.33 is too old"),
        ("echo no settings >&2; exit 128", "Git cannot be run: no settings"),
        ("echo gitoxide 1.0", "Git cannot be run"),
        (None, "Git is missing"),
    ],
    ids=["old", "failing", "another", "none"],
)
def test_a_git_that_will_not_do_is_named_with_a_remedy(
    script: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path if script is None else stand_in(tmp_path, script)))
    find_git.cache_clear()
    try:
        with pytest.raises(StoreError) as refusal:
            check_git()
    finally:
        find_git.cache_clear()
    message = str(refusal.value)
    assert message.startswith(said) and "\n" not in message
    assert "2.34 or newer" in message and "https://git-scm.com/downloads" in message
    done = run_python("from catan_p2p.__main__ import run; raise SystemExit(run())", tmp_path, PATH=str(tmp_path))
    assert done.returncode == 2, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Git is a shell script")
@pytest.mark.parametrize("script", ["echo see the vendor for how to get it >&2; exit 1", "echo git version 2.25.1"])
def test_behind_a_git_that_will_not_do_the_next_on_the_path_is_taken(script: str, tmp_path: Path) -> None:
    stand_in(tmp_path, script)
    done = run_python(MAKE_A_REPOSITORY, tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert git(tmp_path / "made", "log", "--format=%s", "main") != ""
    (told,) = done.stderr.splitlines()
    assert told.startswith("Git ") and "; using /" in told


def test_an_own_build_of_a_new_git_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("the stand-in for Git is a shell script")
    monkeypatch.setenv("PATH", str(stand_in(tmp_path, "echo git version 3.0.GIT")))
    assert git_program.find_git.__wrapped__() is None
