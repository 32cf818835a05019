"""A neighbour's repository in a folder that holds what no repository holds.

Each was seen to hang the peer, to fill its memory, or to end it. Where a line below names a change, the attack comes
through with it: that is how it was tried.
"""

import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.attacks.registry import attack, put
from tests.attacks.table import SLOW, deal, play_goes_on

REF, PACKED_REFS, HEAD, ALTERNATES = (
    f".git/{name}" for name in ("refs/heads/Green_0", "packed-refs", "HEAD", "objects/info/alternates")
)
OBJECT = f".git/objects/11/{'1' * 38}"
PACK, INDEX = (f".git/objects/pack/pack-{'1' * 40}.{end}" for end in ("pack", "idx"))
AVOIDED, IGNORED = "avoided", "ignored"

Make = Callable[[Path], object]
"""Makes something at a path at which there is nothing."""


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 << 30)


def noise(path: Path) -> None:
    path.write_bytes(os.urandom(10_000))


def holds(data: bytes) -> Make:
    return lambda path: path.write_bytes(data)


LOST = holds(b"1" * 40 + b"\n")
"""A ref that leads to what is not there."""


def _look(folder: Path, made: dict[str, Make | None], hears: str | None) -> None:
    """Let Green's repository hold other files than it had, or none there, and Blue look at it while Red acts."""
    green = deal(folder) / "Green"
    for path, make in made.items():
        (green / path).parent.mkdir(parents=True, exist_ok=True)
        (green / path).unlink(missing_ok=True)
        if make is not None:
            make(green / path)
    play_goes_on(folder, str(green), hears=hears)


def files(name: str, what: str, expected: str, made: dict[str, Make | None], hears: str | None = None) -> None:
    put(name, what, expected, partial(_look, made=made, hears=hears))


# Without O_NONBLOCK in read_start the pipes hang the worker, and without HEADS_S the peer.
files("pipe_as_ref", "a ref that is a pipe", IGNORED, {REF: os.mkfifo})
for _name, _what, _make in (("pipe", "is a pipe", os.mkfifo), ("device", "links to `/dev/zero`", zeros)):
    _made = {PACKED_REFS: _make, REF: None}
    files(f"{_name}_as_packed_refs", f"`packed-refs` that {_what}", AVOIDED, _made, "not a regular file")
# Git itself opens these: without the deadlines of WorkerRemote the look never ends.
for _name, _what, _path in (
    ("alternates", "`objects/info/alternates`", ALTERNATES),
    ("object", "an object", OBJECT),
    ("index", "a pack index", INDEX),
):
    _made = {PACK: holds(b"PACK")} if _path == INDEX else {}
    files(f"pipe_as_{_name}", f"{_what} that is a pipe", AVOIDED, _made | {_path: os.mkfifo, REF: LOST}, SLOW)
files("device_as_ref", "a ref that links to `/dev/zero`", IGNORED, {REF: zeros})
# Without MAX_WORKER_MEMORY_BYTES Git fills the memory with it.
_what = "`objects/info/alternates` that links to `/dev/zero`"
files("device_as_alternates", _what, AVOIDED, {ALTERNATES: zeros, REF: LOST}, "")
# Without MAX_REF_FILE_BYTES and MAX_PACKED_REFS_BYTES all of it is read.
files("sparse_ref", "a ref, and `packed-refs`, of 100 GB", IGNORED, {REF: huge, PACKED_REFS: huge})
files("sparse_pack", "a pack and its index of 100 GB", AVOIDED, {PACK: huge, INDEX: huge, REF: LOST}, "missing")
_refs = b"".join(b"%b refs/heads/%d\n" % (b"1" * 40, i) for i in range(100_000))
files("many_refs", "100,000 refs", IGNORED, {PACKED_REFS: holds(_refs)})
files("climbing_ref", "`ref: refs/../x` as a ref", IGNORED, {REF: holds(b"ref: refs/../x\n")})
files("looping_ref", "a symbolic ref to itself", IGNORED, {REF: holds(b"ref: refs/heads/Green_0\n")})
_made = {REF: holds(b"\xff\x00\x1b[2J"), PACKED_REFS: noise, HEAD: noise}
files("garbage_in_refs", "garbage in `packed-refs`, a ref and `HEAD`", IGNORED, _made)


@attack("ref folders 3,000 deep", IGNORED)
def deep_refs(folder: Path) -> None:
    heads = deal(folder) / "Green/.git/refs/heads"
    here = os.open(heads, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    try:
        play_goes_on(folder, str(folder / "Green"))
    finally:
        # Python's own rmtree, with which pytest tidies, cannot remove it.
        subprocess.run(["rm", "-rf", str(heads / "d")], check=True)


@attack("a `.git` file with NULs in its path", AVOIDED)
def nul_in_gitfile(folder: Path) -> None:
    deal(folder)
    seat = folder / "Elsewhere"
    seat.mkdir()
    (seat / ".git").write_bytes(b"gitdir: a\0b\n")
    play_goes_on(folder, str(seat), hears="null byte")


@attack("a `.git` file or link to itself", AVOIDED)
def looping_gitfile(folder: Path) -> None:
    deal(folder)
    seat = folder / "Elsewhere"
    seat.mkdir()
    (seat / "loop").symlink_to("loop")
    (seat / ".git").write_bytes(b"gitdir: loop\n")
    play_goes_on(folder, str(seat), hears=str(seat))


# /proc/self/mem gives EIO on reading, a closed folder EACCES to everybody but root.
@attack("an unreadable ref (`EIO`), closed folders (`EACCES`)", IGNORED)
def unreadable_ref(folder: Path) -> None:
    (deal(folder) / "Green" / REF).unlink()
    (folder / "Green" / REF).symlink_to("/proc/self/mem")
    closed = folder / "Green/.git/refs/heads/closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        play_goes_on(folder, str(folder / "Green"))
    finally:
        closed.chmod(0o700)


@attack("an empty folder, a file, or nothing", AVOIDED)
def no_repository(folder: Path) -> None:
    folder.mkdir()
    (folder / "file").write_bytes(b"")
    (folder / "empty").mkdir()
    for name in ("empty", "file", "nowhere"):
        play_goes_on(deal(folder / f"table-{name}"), str(folder / name), hears="not a Git repository")
