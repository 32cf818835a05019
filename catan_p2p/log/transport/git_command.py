"""How Git is called for repositories of others: only by the documented protocols, and only for the given URL.

Otherwise the owner of a relay could make players send requests into their own networks: by a redirect, by packs at
other URLs (packfile-uris), or by a URL that runs a program.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from catan_p2p.log.transport.configured import configured
from catan_p2p.log.transport.ssh import ssh_command, ssh_trouble

PROTOCOLS = ("file", "git", "http", "https", "ssh")
"""What a URL may begin with, as Git spells it."""
_OPTIONS = (
    # A fetch by name then lists these names only, where the server knows it.
    "protocol.version=2",
    "http.followRedirects=false",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "credential.interactive=false",
)
_DENIED = Path(__file__).parent / "denied"
"""Programs that shadow Git's own of the same name: no option keeps Git from fetching packs from other hosts."""
_MEANINGS = (
    ("not allowed", "; see protocol.allow in Git's configuration and GIT_ALLOW_PROTOCOL"),
    *((f"error: {code}", ": it redirects to another URL; use that one") for code in (300, 301, 302, 303, 307, 308)),
)
"""Messages of Git that say too little, and what is added to them."""


def git_command(options: Sequence[str] = ()) -> list[str]:
    """Return the Git command with the options for every neighbour, and these besides."""
    return ["git", *(word for option in (*_OPTIONS, *options) for word in ("-c", option))]


def git_environment(own: Path) -> dict[str, str]:
    """The environment of Git and its children: the own repository, and nobody to answer questions."""
    environment = os.environ | {"GIT_DIR": str(own), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    environment["GIT_ALLOW_PROTOCOL"] = _allowed(own, os.environ.get("GIT_ALLOW_PROTOCOL"))
    path = os.environ.get("PATH", os.defpath)
    if programs := _programs_of_git(path, os.environ.get("GIT_EXEC_PATH")):
        # Git searches its exec path first, so the denied programs win; its real programs are found by the PATH.
        environment |= {"GIT_EXEC_PATH": str(_DENIED), "PATH": f"{path}{os.pathsep}{programs}"}
    if (command := ssh_command(own)) is not None:
        environment["GIT_SSH_COMMAND"] = command
    return environment


def _allowed(own: Path, by_variable: str | None) -> str:
    """Return the protocols that Git may use, as ``GIT_ALLOW_PROTOCOL`` spells them: ours, except denied ones."""
    if by_variable is not None:
        return ":".join(name for name in PROTOCOLS if name in by_variable.split(":"))
    found = configured(own, "--get-regexp", r"^protocol\.(.*\.)?allow$")
    policies = dict(line.split(" ", 1) for line in found.splitlines() if " " in line)
    general = policies.get("protocol.allow", "always")
    return ":".join(name for name in PROTOCOLS if policies.get(f"protocol.{name}.allow", general) != "never")


@cache
# The arguments only make the cache forget its answer when the environment changes.
def _programs_of_git(path: str, chosen: str | None) -> str:
    """The folder of Git's own programs; empty if Git cannot be asked."""
    try:
        done = subprocess.run(["git", "--exec-path"], capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return os.fsdecode(done.stdout).strip() if done.returncode == 0 else ""


def last_line(text: str) -> str:
    """Return the line of Git's output that says what is wrong, and a remedy where one is known."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Please make sure")]
    told = [place for place, line in enumerate(lines) if line.startswith(("fatal:", "error:"))]
    # Git blames the connection; what ssh said before it is the reason.
    if told and "Could not read from remote" in lines[told[0]]:
        return ssh_trouble(lines[: told[0]]) or lines[told[0]].removeprefix("fatal: ")
    line = (lines[told[0]] if told else (lines or [""])[0]).removeprefix("fatal: ").strip()
    return line + next((more for words, more in _MEANINGS if line.endswith(words)), "")
