"""Repositories with a pack that compresses badly, behind ``http://`` and ``ssh://``, and cut or stalled on the way."""

import os
import random
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catan_p2p.log.storage.objects import ObjectId
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare
from tests.replication.tables import git, write_object

REF = "refs/heads/Red_0"
SCHEMES = ("http", "ssh")
SSH = """\
import os, subprocess, sys, time

def serve(cuts_after, stalls, speaks_2):
    # Git asks for upload-pack by the last word of the command line.
    command = sys.argv[-1]
    if not speaks_2:
        os.environ.pop("GIT_PROTOCOL", None)
        if not command.startswith("git-upload-pack "):
            sys.exit("there is no shell here")
    git = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE)
    left = cuts_after
    while (left is None or left > 0) and (data := os.read(git.stdout.fileno(), 65536)):
        data = data[:left]
        os.write(1, data)
        left = None if left is None else left - len(data)
    if stalls:
        time.sleep(60)
    git.kill()

"""


def with_a_large_pack(path: Path, size: int, ref: str = REF) -> tuple[Path, ObjectId]:
    """A repository in which one branch leads to about so many bytes, in twenty files; and its head."""
    bare(path)
    noise = random.Random(7)
    entries = b""
    for number in range(20):
        blob = write_object(path, "blob", noise.randbytes(size // 20))
        entries += b"100644 %05d\0" % number + bytes.fromhex(blob)
    tree = write_object(path, "tree", entries)
    person = b"Red_0 <Red_0@catan-p2p.invalid> 7 +0000"
    text = b"tree %s\nauthor %s\ncommitter %s\n\nlarge\n" % (tree.encode(), person, person)
    head = write_object(path, "commit", text)
    git(path, "update-ref", ref, head)
    return path, head


@contextmanager
def served(
    scheme: str, path: Path, *, speaks_2: bool = True, cuts_after: int | None = None, stalls: bool = False
) -> Iterator[str]:
    """The URL of a repository whose server, after so many bytes of an answer, ends it or says nothing more.

    One that does not speak version 2 of the protocol is left to Git.
    """
    if scheme == "http":
        assert http_backend() is not None
        with http_server(path.parent, Conduct(speaks_2=speaks_2, cuts_after=cuts_after, stalls=stalls)) as url:
            yield f"{url}/{path.name}"
        return
    before = os.environ.get("GIT_SSH_COMMAND")
    script = path.parent / "ssh"
    script.write_text(f"#!{sys.executable}\n{SSH}serve({cuts_after}, {stalls}, {speaks_2})\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    os.environ["GIT_SSH_COMMAND"] = str(script)
    try:
        yield f"ssh://somewhere{path}"
    finally:
        os.environ.pop("GIT_SSH_COMMAND")
        if before is not None:
            os.environ["GIT_SSH_COMMAND"] = before


def on_disk(folder: Path) -> int:
    """How many bytes the files below a folder have, also while some of them go."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.stat(os.path.join(place, name)).st_size  # noqa: PTH116, PTH118
            except OSError:
                continue
    return size
