"""How Git calls ``ssh``, where nobody has said it: nobody is asked anything, and one connection serves many looks.

Making a connection takes several round trips and most of a look's time. The first look at a host makes one, and leaves
it open for those that follow; it ends by itself a while after the last, or when nothing comes through any more.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from catan_p2p.limits import MAX_COMPLAINT_CHARACTERS
from catan_p2p.log.transport.configured import configured

_OPTIONS = ("BatchMode=yes", "ConnectTimeout=10")
_KEPT_S = 60
_ALIVE = ("ServerAliveInterval=5", "ServerAliveCountMax=2")
"""A connection that is cut silently is noticed before a look is over, and the next look makes a new one."""
_LONGEST_NAME = 104
"""So long the name of a socket may be at most, on macOS; ``ssh`` names it by 40 letters, and 17 more at first."""
_LETTERS = 40 + 17
_CHANGED = re.compile(r"(?:Host key for|host key for) (\S+) has changed")
_UNKNOWN = re.compile(r"No \S+ host key is known for .+")
_FINGERPRINT = re.compile(r"SHA256:[0-9A-Za-z+/=]+")
_FAILED = "Host key verification failed."


def ssh_command(own: Path) -> str | None:
    """What ``GIT_SSH_COMMAND`` is to be where Git works in ``own``, None if the user has said how ``ssh`` is called."""
    if any(os.environ.get(name) for name in ("GIT_SSH_COMMAND", "GIT_SSH")) or configured(
        own, "--get", "core.sshCommand"
    ):
        return None
    options = [*_OPTIONS]
    folder = _socket_folder()
    if folder is not None:
        options += ["ControlMaster=auto", f"ControlPath={folder}/catan-%C", f"ControlPersist={_KEPT_S}", *_ALIVE]
    return " ".join(["ssh", *(f"-o {shlex.quote(option)}" for option in options)])


def _socket_folder() -> Path | None:
    """Where a connection can be left open for this user alone, None if nowhere."""
    for folder in (os.environ.get("XDG_RUNTIME_DIR"), os.path.expanduser("~/.ssh")):  # noqa: PTH111 - may be missing
        if folder and len(f"{folder}/catan-") + _LETTERS < _LONGEST_NAME and _is_private(Path(folder)):
            return Path(folder)
    return None


def _is_private(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        found = folder.stat()
    except OSError:
        return False
    writable = os.access(folder, os.W_OK | os.X_OK)
    return folder.is_absolute() and writable and found.st_uid == os.getuid() and not found.st_mode & 0o022


def ssh_trouble(lines: Sequence[str]) -> str:
    """What ``ssh`` has said is wrong, in one line; empty if it has said nothing.

    A server may greet with whatever it likes before that, so the last line counts; of a changed host key several do.
    """
    said = [line for line in lines if any(letter.isalnum() for letter in line)]
    text = "\n".join(said)
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in text and _FAILED in text:
        host = match[1] if (match := _CHANGED.search(text)) else "the server"
        now = f" (now {match[0]})" if (match := _FINGERPRINT.search(text)) else ""
        return (
            f"the host key of {host} has changed{now}: somebody else may answer there; "
            f"if it is known to be right, forget the old one with: ssh-keygen -R {shlex.quote(host)}"
        )[:MAX_COMPLAINT_CHARACTERS]
    if _FAILED in said and (unknown := _UNKNOWN.search(text)) is not None:
        return f"{_FAILED.removesuffix('.')}: {unknown[0]}"[:MAX_COMPLAINT_CHARACTERS]
    return said[-1][:MAX_COMPLAINT_CHARACTERS] if said else ""
