"""Repositories made, configured, opened and tended through GitPython: everything that starts a process.

GitPython is imported when the first repository is made or opened: games that are kept nowhere do not wait for it.
"""

from __future__ import annotations

import os
import re
import shutil
from configparser import Error as ConfigError
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.git_program import NEW_REPOSITORY, check_git, importing_gitpython, own_environment
from catan_p2p.log.storage.objects import ObjectId, StoreError

if TYPE_CHECKING:  # all other modules take these names from here
    import git as git
    from git.exc import GitCommandError as GitCommandError
    from git.exc import GitError as GitError

CONFIG = {
    ("gc", "auto"): "0",
    ("gc", "writeCommitGraph"): "false",
    ("maintenance", "auto"): "false",
    ("core", "logAllRefUpdates"): "false",
    ("core", "autocrlf"): "false",
    ("pack", "depth"): "250",
    ("pack", "indexVersion"): "1",
    ("pack", "writeReverseIndex"): "false",
    ("repack", "writeBitmaps"): "false",
}
"""What a new repository is configured with: no collection behind our back, no reflogs, files as they are,
indexes of packs without checksums of single objects, chains of deltas as long as ours when Git packs again."""


@cache
def _gitpython() -> Any:
    with importing_gitpython():
        import git.exc
    return git


def __getattr__(name: str) -> Any:
    if name not in ("git", "GitCommandError", "GitError"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _gitpython() if name == "git" else getattr(_gitpython().exc, name)


def create_repository(path: Path, *, work_tree: bool, branch: str) -> git.Repo:
    """Make a repository at ``path``, which is missing or an empty folder; nothing is left of it if that fails."""
    check_git()
    with disk.explained("make the repository", path):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise StoreError(f"{path}: already exists and is not an empty folder")
        path.mkdir(parents=True, exist_ok=True)
    try:
        folder = path.absolute() / ".git" if work_tree else path.absolute()
        environment = NEW_REPOSITORY | own_environment(folder, path.absolute() if work_tree else None)
        repo: git.Repo = _gitpython().Repo.init(
            path,
            expand_vars=False,
            bare=not work_tree,
            initial_branch=branch,
            env=environment,
        )
        with repo.config_writer() as config:
            for (section, option), value in CONFIG.items():
                config.set_value(section, option, value)
        return _prepared(repo)
    except (_gitpython().exc.CommandError, OSError) as error:
        empty(path)
        raise StoreError(f"{path}: cannot make a repository: {_one_line(error)}") from error


def empty(path: Path) -> None:
    """Remove what is left in a folder of a repository that could not be made."""
    for left in path.iterdir():
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def open_repository(path: Path) -> git.Repo:
    """Open the repository at ``path``; StoreError, with the reason, if it is none or of another format."""
    check_git()
    exc = _gitpython().exc
    try:
        repo = _prepared(_gitpython().Repo(path, expand_vars=False))
    except (exc.NoSuchPathError, exc.InvalidGitRepositoryError):
        raise StoreError(f"{path}: {_why_none(path)}") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot open: {disk.reason(error)}") from error
    try:
        with repo.config_reader("repository") as config:
            hashes = config.get_value("extensions", "objectformat", "sha1")
            refs = config.get_value("extensions", "refstorage", "files")
    except (OSError, ConfigError) as error:
        raise StoreError(f"{repo.common_dir}: cannot read config: {_one_line(error)}") from error
    if hashes != "sha1" or refs != "files":
        raise StoreError(f"{path}: ids of objects are {hashes} and refs in {refs}; expected sha1 and files")
    return repo


def _why_none(path: Path) -> str:
    """Why there is no repository at ``path``, as far as can be seen: GitPython takes what it may not read for none."""
    try:
        os.scandir(path).close()
    except FileNotFoundError:
        return "no such folder"
    except NotADirectoryError:
        return "not a folder" if path.exists() else "no such folder"
    except OSError as error:
        return f"cannot read: {disk.reason(error)}"
    try:
        os.scandir(path / ".git").close()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        return f"cannot read: {disk.reason(error)}"
    return "not a Git repository"


def check_out(repo: git.Repo, branch: str) -> None:
    """Set HEAD to ``branch`` and write its newest tree into the work tree, if there is one."""
    try:
        if repo.bare:
            repo.git.symbolic_ref("HEAD", f"refs/heads/{branch}")
        else:
            repo.git(c=f"core.hooksPath={os.devnull}").checkout("--force", "--quiet", branch, "--")
    except _gitpython().exc.CommandError as error:
        raise StoreError(f"{repo.common_dir}: cannot check out {branch}: {_one_line(error)}") from error


def collect(repo: git.Repo) -> None:
    """Run ``git gc``."""
    try:
        repo.git.gc("--quiet")
    except _gitpython().exc.CommandError as error:
        raise StoreError(f"{repo.common_dir}: git gc failed: {_one_line(error)}") from error


def delete_packed_ref(repo: git.Repo, ref: str, old: ObjectId) -> None:
    """Have Git delete a ref that has a line in packed-refs and is at ``old``."""
    try:
        repo.git.update_ref("-d", ref, old)
    except _gitpython().exc.CommandError as error:
        raise StoreError(f"{ref}: cannot delete: {_one_line(error)}") from error


def _prepared(repo: git.Repo) -> git.Repo:
    work_tree = repo.working_tree_dir
    repo.git.update_environment(**own_environment(Path(repo.git_dir), Path(work_tree) if work_tree else None))
    return repo


def _one_line(error: Exception) -> str:
    text = str(getattr(error, "stderr", "") or error)
    return re.sub(r"\s+", " ", text.replace("stderr:", "")).strip(" '")
