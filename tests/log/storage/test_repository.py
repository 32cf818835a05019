"""Repositories as they are found: by a look at their files, or by GitPython where anything is unusual."""

import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.log.storage import repository
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.repository import CONFIG, create_repository, find_repository, open_repository
from catan_p2p.log.storage.store import GitStore
from catan_p2p.tables.completeness import check_objects
from tests.log.storage.chains import act, git

PLAY = """
import sys
from pathlib import Path
from catan_p2p.log.storage.store import GitStore
from catan_p2p.simulation.game import SimulationSettings, play_game
play_game(Path("run"), 0, SimulationSettings(players=2, rules="thesis; PointsToWin = 3", policies=("builder",), seed=1))
with GitStore.open(Path("run/Catan_0"), writer=None) as store:
    assert store.list_refs()
    assert "git" not in sys.modules
    assert not store.repo.bare and "git" in sys.modules
"""


def test_a_game_is_played_and_read_without_gitpython(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PLAY], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def made(folder: Path, *, work_tree: bool = True) -> Path:
    create_repository(folder, work_tree=work_tree, branch="main")
    return folder


@pytest.mark.parametrize("work_tree", [True, False])
def test_what_is_made_is_configured_and_found_without_gitpython(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work_tree: bool
) -> None:
    place = create_repository(tmp_path / "made", work_tree=work_tree, branch="other")
    for (section, option), value in CONFIG.items():
        assert git(tmp_path / "made", "config", "--get-all", f"{section}.{option}").strip() == value
    assert git(tmp_path / "made", "symbolic-ref", "HEAD").strip() == "refs/heads/other"
    monkeypatch.setattr(repository, "open_repository", lambda path: pytest.fail("GitPython was asked"))
    assert find_repository(tmp_path / "made") == place


def linked(folder: Path) -> Path:
    main = made(folder / "main")
    git(main, "commit", "--quiet", "--allow-empty", "-m", "first")
    git(main, "worktree", "add", "--quiet", str(folder / "linked"))
    return folder / "linked"


def elsewhere(folder: Path) -> Path:
    main = made(folder / "main")
    (main / ".git").rename(folder / "moved")
    (main / ".git").write_text(f"gitdir: {folder / 'moved'}\n")
    return main


def with_settings(text: str, *, work_tree: bool = True):  # type: ignore[no-untyped-def]
    def make(folder: Path) -> Path:
        main = made(folder / "main", work_tree=work_tree)
        config = main / ".git" / "config" if work_tree else main / "config"
        config.write_text(config.read_text() + text)
        return main

    return make


UNUSUAL = {
    "a linked work tree": linked,
    "a Git folder elsewhere": elsewhere,
    "a work tree elsewhere": with_settings("[core]\n\tworktree = ../../other\n"),
    "a file included": with_settings("[include]\n\tpath = other\n"),
    "a file included if": with_settings('[includeIf "gitdir:main"]\n\tpath = other\n'),
    "an extension": with_settings("[extensions]\n\tobjectFormat = sha1\n"),
    "bare and not": with_settings("[core]\n\tbare = true\n"),
    "a comment": with_settings("# [core]\n"),
    "bare": with_settings("[gc]\n", work_tree=False),
}


@pytest.mark.parametrize("what", UNUSUAL)
def test_a_repository_is_where_gitpython_finds_it(tmp_path: Path, what: str) -> None:
    path = UNUSUAL[what](tmp_path)
    place = find_repository(path)
    with open_repository(path) as repo:
        found = None if repo.working_tree_dir is None else Path(repo.working_tree_dir)
        assert (place.git_folder, place.folder) == (Path(repo.git_dir), Path(repo.common_dir).absolute())
        assert place.work_tree == found
    assert place.folder.resolve().joinpath("objects").is_dir()


OTHER_FORMATS = [
    "[extensions]\n\tobjectFormat = sha256\n",
    "[EXTENSIONS]\n\trefStorage = reftable\n",
    "[include]\n\tpath = sha256\n",
]


@pytest.mark.parametrize("lines", OTHER_FORMATS)
def test_another_format_is_refused_however_it_is_spelled(tmp_path: Path, lines: str) -> None:
    path = with_settings(lines)(tmp_path)
    (path / ".git" / "sha256").write_text(OTHER_FORMATS[0])
    with pytest.raises(StoreError, match="expected sha1 and files"):
        find_repository(path)


def test_a_commit_graph_that_is_out_of_date_is_no_damage(tmp_path: Path) -> None:
    with GitStore.create(tmp_path / "made") as store:
        act(store, "refs/heads/main")
        _, passing = act(store, "refs/heads/passing")
        store.publish()
        git(tmp_path / "made", "-c", "gc.writeCommitGraph=true", "gc", "--quiet")
        store.delete_ref("refs/heads/passing", passing)
        store.publish()
        git(tmp_path / "made", "repack", "-a", "-d", "-q")
        assert check_objects(store) is None


def test_git_that_fails_is_quoted(tmp_path: Path) -> None:
    place = create_repository(tmp_path / "made", work_tree=True, branch="main")
    with pytest.raises(StoreError, match=r"^cannot do it: fatal: invalid reference: no-such-branch$"):
        place.run("cannot do it", "checkout", "no-such-branch", "--")
