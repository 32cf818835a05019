"""The Git program: its least version and its environment. Every module that runs Git imports this one first.

The import removes every environment variable that refers to some other repository: a hook, an alias or a careless
``export`` sets them, and Git would write a game into that repository.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from catan_p2p.log.storage.loggers import logger
from catan_p2p.log.storage.objects import StoreError

LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""What ``git rev-parse --local-env-vars`` lists, in any version, and the namespace of refs."""

LEAST_VERSION = (2, 34)
"""The first that knows signatures by ssh: an older one fails on the configuration of a signed game."""

_VERSION = re.compile(r"git version (\d+)\.(\d+)")
_DOWNLOADS = "https://git-scm.com/downloads"
_STARTING_S = 30.0
_REFRESH = "GIT_PYTHON_REFRESH"

for _name in LOCAL_VARIABLES:
    os.environ.pop(_name, None)

OWN_CONFIG_ONLY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""The variables with which Git reads the configuration of a repository, and nobody's personal one."""

NEW_REPOSITORY = {"GIT_TEMPLATE_DIR": "", "GIT_DEFAULT_HASH": "sha1", "GIT_DEFAULT_REF_FORMAT": "files"}
"""The variables with which ``git init`` makes the repository of a game, whatever the user's defaults are."""


@contextmanager
def importing_gitpython() -> Iterator[None]:
    """Import GitPython inside: its import runs Git at once, and ``check_git`` explains a failure of that."""
    # It may put another Git first on the PATH, and GitPython keeps the one that it finds.
    find_git()
    before = {name: os.environ.get(name) for name in (*OWN_CONFIG_ONLY, _REFRESH)}
    os.environ.update(OWN_CONFIG_ONLY)
    os.environ.setdefault(_REFRESH, "quiet")
    try:
        yield
    finally:
        for name, value in before.items():
            # In the real environment, because GitPython's import passes no other one to Git.
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def check_git() -> None:
    """Raise ``StoreError``, with a remedy, unless there is a Git that runs and is not too old."""
    if (fault := find_git()) is not None:
        raise StoreError(f"{fault}; expected Git {'.'.join(map(str, LEAST_VERSION))} or newer ({_DOWNLOADS})")


@cache
def find_git() -> str | None:
    """Find a Git that will do; return why there is none, else None. Log a warning if it needs a workaround.

    If the first Git on the PATH will not do, the next one that does is put before it for this process and its children.
    Personal settings that Git cannot read concern only the Git that talks to other machines, which needs them.
    """
    found = _try("git", {})
    if found.fault is None:
        return None
    # A personal configuration with a mistake stops every Git command, even ``git version``.
    without = _try("git", OWN_CONFIG_ONLY)
    if without.fault is None:
        logger(__name__).warning(
            "Git cannot read your personal settings, so games are stored without them: %s", found.complaint
        )
        return None
    from catan_p2p.programs import on_path

    for program in on_path("git"):
        if _try(str(program), OWN_CONFIG_ONLY).fault is None:
            logger(__name__).warning("%s; using %s", without.fault, program)
            os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
            return None
    return without.fault


class _GitTrial(NamedTuple):
    """Why a Git cannot be used, None if it can, and what it said then."""

    fault: str | None
    complaint: str


def _try(program: str, variables: Mapping[str, str]) -> _GitTrial:
    try:
        done = subprocess.run(
            [program, "version"],
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_STARTING_S,
            check=False,
        )
    except FileNotFoundError:
        return _GitTrial("Git is missing: there is no program git on the PATH", "")
    except (OSError, subprocess.TimeoutExpired) as error:
        return _GitTrial(f"Git cannot be run: {error}", "")
    found = _VERSION.match(done.stdout.decode("utf-8", "replace"))
    if done.returncode == 0 and found is not None and (int(found[1]), int(found[2])) >= LEAST_VERSION:
        return _GitTrial(None, "")
    from catan_p2p.programs import complaint

    said = complaint(done.stderr.decode("utf-8", "replace"))
    if done.returncode != 0 or found is None:
        return _GitTrial(f"Git cannot be run: {said}", said)
    return _GitTrial(f"Git {found[1]}.{found[2]} is too old", said)


def own_environment(git_folder: Path, work_tree: Path | None = None) -> dict[str, str]:
    """The variables for a Git that works in one repository of this machine, and talks to no other.

    The folder is named, so Git does not ask who owns it. Only its own configuration counts: nobody's personal settings
    change how a game is stored, or stop Git if they cannot be read. No object is fetched on demand, none is replaced.
    """
    place = {"GIT_DIR": str(git_folder)}
    if work_tree is not None:
        place["GIT_WORK_TREE"] = str(work_tree)
    return {
        **place,
        **OWN_CONFIG_ONLY,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
