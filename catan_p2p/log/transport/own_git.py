"""Yes-or-no questions to Git about the own repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from catan_p2p.log.storage.git_program import own_environment
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.bounded import TIMEOUT_S


def has_object(own: Path, oid: ObjectId) -> bool:
    """Whether the repository has an object."""
    return _agrees(own, "cat-file", "-e", oid)


def continues(own: Path, old: ObjectId, new: ObjectId) -> bool:
    """Whether ``old`` is ``new`` or an ancestor of it."""
    return _agrees(own, "merge-base", "--is-ancestor", old, new)


def _agrees(own: Path, *arguments: str) -> bool:
    done = subprocess.run(
        ["git", *arguments],
        env=os.environ | own_environment(own),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode == 0
