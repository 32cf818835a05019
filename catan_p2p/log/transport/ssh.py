"""How Git calls ``ssh``, unless the user has configured it: without any questions, and with one shared connection.

Opening a connection takes several round trips and most of a look's time. The first look at a host opens one and leaves
it open for the next ones. It ends by itself a while after the last look, or when nothing comes through any more.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from catan_p2p.limits import MAX_COMPLAINT_CHARACTERS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.configured import configured
from catan_p2p.log.transport.remote import port_of

_OPTIONS = ("BatchMode=yes", "ConnectTimeout=10")
_KEPT_S = 60
_ALIVE = ("ServerAliveInterval=5", "ServerAliveCountMax=2")
"""A connection that is cut silently is noticed within a look's time, and the next look opens a new one."""
_LONGEST_NAME = 104
"""The longest path of a socket, on macOS; ``ssh`` adds 40 letters to the name, and at first another 17."""
_LETTERS = 40 + 17
_CHANGED = re.compile(r"(?:Host key for|host key for) (\S+) has changed")
_UNKNOWN = re.compile(r"No \S+ host key is known for .+")
_FINGERPRINT = re.compile(r"SHA256:[0-9A-Za-z+/=]+")
_FAILED = "Host key verification failed."


def ssh_command(own: Path) -> str | None:
    """Return the value of ``GIT_SSH_COMMAND`` for Git in ``own``, None if the user has configured ``ssh``."""
    if any(os.environ.get(name) for name in ("GIT_SSH_COMMAND", "GIT_SSH")) or configured(
        own, "--get", "core.sshCommand"
    ):
        return None
    options = [*_OPTIONS]
    folder = _socket_folder()
    if folder is not None:
        options += ["ControlMaster=auto", f"ControlPath={folder}/catan-%C", f"ControlPersist={_KEPT_S}", *_ALIVE]
    return " ".join(["ssh", *(f"-o {shlex.quote(option)}" for option in options)])


class SshPlace(NamedTuple):
    """A repository behind ``ssh``."""

    host: str
    """With the user name, if there is one."""
    port: int | None
    path: str


_BRACKETED = re.compile(r"((?:[^/:\[@]+@)?)\[([^]/]+)\]:(?!:|//)(.+)", re.DOTALL)
_SHORT = re.compile(r"([^/:\[]+):(?!:|//)(.+)", re.DOTALL)


def ssh_place(url: str) -> SshPlace | None:
    """Parse ``ssh://HOST/PATH`` or ``HOST:PATH`` as Git does; None for what is better left to Git."""
    if url.startswith("ssh://"):
        netloc, slash, rest = url.removeprefix("ssh://").partition("/")
        try:
            port = port_of(url)
        except StoreError:
            return None
        user, at, name = unquote(netloc).rpartition("@")
        named = re.fullmatch(r"\[([^]]+)\](?::\d*)?|([^:]*)(?::\d*)?", name)
        host = None if named is None else f"{user}{at}{named[1] or named[2]}"
        path = unquote(slash + rest)
        # Git leaves /~user to the server's shell, without the slash.
        path = path.removeprefix("/") if path.startswith("/~") else path
    elif (found := _BRACKETED.fullmatch(url)) is not None:
        host, port, path = found[1] + found[2], None, found[3]
        if re.fullmatch(r"[^:]*:\d*", found[2]):
            return None  # a port, in a way that nobody documents
    elif (found := _SHORT.fullmatch(url)) is not None:
        host, port, path = found[1], None, found[2]
    else:
        return None
    # A host or path with a leading dash could be an option to ssh or to the server's Git.
    if not host or host.endswith("@") or host.startswith("-") or not path or path.startswith("-"):
        return None  # Git says what is wrong with it
    return SshPlace(host, port, path)


def ssh_program(own: Path, environment: Mapping[str, str]) -> list[str] | None:
    """Return the configured command for ``ssh``, None if it may be a program that takes other options."""
    line = environment.get("GIT_SSH_COMMAND") or configured(own, "--get", "core.sshCommand")
    program = environment.get("GIT_SSH") or "ssh"
    try:
        name = Path(shlex.split(line)[0] if line else program).name.lower()
    except (ValueError, IndexError):
        return None
    variant = environment.get("GIT_SSH_VARIANT") or configured(own, "--get", "ssh.variant")
    if variant.lower() != "ssh" and (variant.lower() not in ("", "auto") or name not in ("ssh", "ssh.exe")):
        return None
    # The configured command is a line for the shell, and arguments are appended to it as Git does.
    return ["sh", "-c", f'{line} "$@"', line] if line else [program]


_SERVE = 'export GIT_PROTOCOL=version=2; while read -r _; do git-upload-pack --stateless-rpc "$1" || exit 1; done'
"""The shell script for the server: for each request, which a line precedes, it runs a Git process that answers it.

One process for all requests would answer from the refs at the first one: Git reads their files only once.
"""


def serving_command(program: Sequence[str], place: SshPlace) -> list[str]:
    """Return the command for a server that answers any number of requests in version 2 of Git's protocol."""
    # Quoted as Git does, also against csh, which replaces ! within quotes.
    path = "'" + place.path.replace("'", "'\\''").replace("!", "'\\!'") + "'"
    port = [] if place.port is None else ["-p", str(place.port)]
    return [*program, *port, place.host, f"exec sh -c '{_SERVE}' sh {path}"]


def _socket_folder() -> Path | None:
    """Return a folder for sockets that only this user can use, None if there is none."""
    for folder in (os.environ.get("XDG_RUNTIME_DIR"), os.path.expanduser("~/.ssh")):  # noqa: PTH111 - may be missing
        if folder and len(f"{folder}/catan-") + _LETTERS < _LONGEST_NAME and _is_private(Path(folder)):
            return Path(folder)
    return None


def _is_private(folder: Path) -> bool:
    if sys.platform == "win32":
        # On Windows ssh cannot share a connection.
        return False
    try:
        found = folder.stat()
    except OSError:
        return False
    writable = os.access(folder, os.W_OK | os.X_OK)
    # Somebody who can write there could put their own socket in the place of ours.
    return folder.is_absolute() and writable and found.st_uid == os.getuid() and not found.st_mode & 0o022


def ssh_trouble(lines: Sequence[str]) -> str:
    """Return the complaint of ``ssh`` in one line; empty if it has said nothing.

    The server's greeting, whatever it is, comes first, so the last line counts; for a changed host key several do.
    """
    # OpenSSH frames its warning with lines of @.
    said = [line for line in lines if any(letter.isalnum() for letter in line)]
    text = "\n".join(said)
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in text and _FAILED in text:
        host = match[1] if (match := _CHANGED.search(text)) else "the server"
        now = f" (now {match[0]})" if (match := _FINGERPRINT.search(text)) else ""
        return (
            f"the host key of {host} has changed{now}: somebody else may answer there; "
            f"if you know that the new key is right, remove the old one with: ssh-keygen -R {shlex.quote(host)}"
        )[:MAX_COMPLAINT_CHARACTERS]
    if _FAILED in said and (unknown := _UNKNOWN.search(text)) is not None:
        return f"{_FAILED.removesuffix('.')}: {unknown[0]}"[:MAX_COMPLAINT_CHARACTERS]
    return said[-1][:MAX_COMPLAINT_CHARACTERS] if said else ""
