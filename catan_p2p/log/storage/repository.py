"""Creates, configures, finds and maintains repositories: everything that runs Git, by itself or through GitPython.

GitPython is imported when a caller asks for it (``open_repository``), or when a repository is not laid out as this
program does it. Games do not wait for the import, wherever they are kept.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

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
"""The configuration of a new repository: no background collection, no reflogs, no changed line ends, pack indexes
without a checksum for each object, and delta chains as long as ours when Git packs again."""


# Messages quote Git's, and are in English themselves.
_IN_ENGLISH = {"LANGUAGE": "C", "LC_ALL": "C"}


@cache
def _gitpython() -> Any:
    with importing_gitpython():
        import git.exc
    return git


def __getattr__(name: str) -> Any:
    if name not in ("git", "GitCommandError", "GitError"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Importing lazily lets other modules write repository.GitError without loading GitPython at start.
    return _gitpython() if name == "git" else getattr(_gitpython().exc, name)


class RepositoryPlace(NamedTuple):
    """Where a repository is: its Git folder, the folder of its objects and refs, and its work tree, if it has one."""

    git_folder: Path
    folder: Path
    work_tree: Path | None

    def run(self, doing: str, *arguments: str, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """Run Git there, with ``more`` variables; ``StoreError`` that begins with ``doing`` if it fails."""
        try:
            done = subprocess.run(
                ["git", *arguments],
                cwd=self.work_tree or self.folder,
                env={**os.environ, **_IN_ENGLISH, **own_environment(self.git_folder, self.work_tree), **more},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise StoreError(f"{doing}: {disk.reason(error)}") from error
        if done.returncode != 0:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())
            raise StoreError(f"{doing}: {said or f'Git ended with {done.returncode}'}")


def create_repository(path: Path, *, work_tree: bool, branch: str) -> RepositoryPlace:
    """Make a repository at ``path``, which is missing or an empty folder; nothing is left of it if that fails."""
    check_git()
    with disk.explained("make the repository", path):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise StoreError(f"{path}: already exists and is not an empty folder")
        path.mkdir(parents=True, exist_ok=True)
    top = path.absolute()
    folder = top / ".git" if work_tree else top
    place = RepositoryPlace(folder, folder, top if work_tree else None)
    kind = ("--quiet",) if work_tree else ("--quiet", "--bare")
    without_reflogs = ("-c", "core.logAllRefUpdates=false")  # or Git turns them on
    failed = f"{path}: cannot make a repository"
    try:
        place.run(failed, *without_reflogs, "init", *kind, f"--initial-branch={branch}", more=NEW_REPOSITORY)
        with (folder / "config").open("ab") as config:
            # Appended: in Git the last value of an option counts.
            config.write(config_text(CONFIG))
        return place
    except OSError as error:
        empty(path)
        raise StoreError(f"{failed}: {disk.reason(error)}") from error
    except StoreError:
        empty(path)
        raise


def config_text(settings: Mapping[tuple[str, str], str]) -> bytes:
    """Lines for the file ``config`` of a repository: the value of each section and option."""
    return "".join(f"[{section}]\n\t{option} = {value}\n" for (section, option), value in settings.items()).encode()


def empty(path: Path) -> None:
    """Remove everything inside a folder whose repository could not be made."""
    import shutil

    for left in path.iterdir():
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def find_repository(path: Path) -> RepositoryPlace:
    """Find the repository at ``path``; ``StoreError``, with the reason, if it is none or of another format.

    Repositories laid out as this program does it are read here; GitPython knows the others, such as linked work trees.
    """
    check_git()
    place = _plain_repository(path.absolute())
    if place is not None:
        return place
    with open_repository(path) as repo:
        work_tree = repo.working_tree_dir
        folders = Path(repo.git_dir).absolute(), Path(repo.common_dir).absolute()
        return RepositoryPlace(*folders, None if work_tree is None else Path(work_tree).absolute())


_HEAD = re.compile(rb"(ref: refs/heads/[^\0\n]+|[0-9a-f]{40})\s*")


def has_config(folder: Path) -> bool:
    """Whether a Git folder has a configuration that Git can read."""
    content = disk.read(folder / "config") or b""
    # Zeros are what a loss of power leaves where a file was lengthened and not yet written.
    return b"repositoryformatversion" in content and b"\0" not in content


def has_head(folder: Path) -> bool:
    """Whether a Git folder has a HEAD that Git can read."""
    return _HEAD.fullmatch(disk.read(folder / "HEAD") or b"") is not None


def is_whole(folder: Path) -> bool:
    """Whether Git takes the folder for a repository."""
    try:
        return all((folder / name).is_dir() for name in ("objects", "refs")) and has_config(folder) and has_head(folder)
    except OSError:
        return False


# Only what is surely plain: extensions change the format, and an include brings settings from elsewhere.
_PLAIN_LINE = r'(?:\[(?!extensions|include)\w+(?: "[^"\\\n]*")?\]|\t\w+ = [^"\\#;\n]*)?\n'
_PLAIN = re.compile(f"(?:{_PLAIN_LINE})*", re.IGNORECASE)
_BARE = re.compile(r"^\tbare = (true|false)$", re.MULTILINE)


def _plain_repository(path: Path) -> RepositoryPlace | None:
    """Return the repository at ``path`` if it is plain: no links, no files in other places, simple settings."""
    for folder, work_tree in ((path / ".git", path), (path, None)):
        try:
            if not is_whole(folder):
                continue
            config = (disk.read(folder / "config") or b"").decode()
            odd = ((folder / "HEAD").is_symlink(), (folder / "commondir").exists(), (folder / "gitdir").exists())
        except (OSError, UnicodeDecodeError):
            return None
        is_bare = _BARE.findall(config)
        if any(odd) or is_bare != [str(work_tree is None).lower()] or _PLAIN.fullmatch(config) is None:
            return None
        return RepositoryPlace(folder, folder, work_tree)
    return None


def open_repository(path: Path) -> git.Repo:
    """Open the repository at ``path``; StoreError, with the reason, if it is none or of another format."""
    check_git()
    from configparser import Error as ConfigError

    # A $ in a path is part of its name.
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
    """Explain why there is no repository at ``path``: GitPython takes an unreadable one for none."""
    try:
        os.scandir(path).close()
    except FileNotFoundError:
        return "no such folder"
    # The system reports a file at the path and a file above it alike.
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


def check_out(place: RepositoryPlace, branch: str) -> None:
    """Set HEAD to ``branch`` and write its newest tree into the work tree, if there is one."""
    failed = f"{place.folder}: cannot check out {branch}"
    if place.work_tree is None:
        place.run(failed, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
    else:
        # No hook takes part in showing a game.
        place.run(failed, "-c", f"core.hooksPath={os.devnull}", "checkout", "--force", "--quiet", branch, "--")


def collect(place: RepositoryPlace) -> None:
    """Run ``git gc``."""
    place.run(f"{place.folder}: git gc failed", "gc", "--quiet")


def delete_packed_ref(place: RepositoryPlace, ref: str, old: ObjectId) -> None:
    """Have Git delete a ref that has a line in packed-refs and is at ``old``."""
    place.run(f"{ref}: cannot delete", "update-ref", "-d", ref, old)


def _prepared(repo: git.Repo) -> git.Repo:
    work_tree = repo.working_tree_dir
    repo.git.update_environment(**own_environment(Path(repo.git_dir), Path(work_tree) if work_tree else None))
    # Other repositories may have a commit graph that names commits which a repack has dropped: to fsck, that is damage.
    repo.git.set_persistent_git_options(c="core.commitGraph=false")
    return repo


def _one_line(error: Exception) -> str:
    text = str(getattr(error, "stderr", "") or error)
    return re.sub(r"\s+", " ", text.replace("stderr:", "")).strip(" '")
