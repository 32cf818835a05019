"""A neighbour's repository in a folder that holds what no repository holds.

Each was seen to hang the peer, to fill its memory, or to end it. Where a line below names a change, the attack comes
through with it: that is how it was tried.
"""

import os
import subprocess
from pathlib import Path

from tests.attacks.registry import attack
from tests.attacks.table import SLOW, deal, play_goes_on

REF = ".git/refs/heads/Green_0"
AVOIDED = "avoided"
IGNORED = "ignored"


def _green(folder: Path) -> Path:
    return deal(folder) / "Green"


def _with_ref(folder: Path, content: bytes) -> str:
    green = _green(folder)
    (green / REF).write_bytes(content)
    return str(green)


def _replaced(folder: Path, path: str) -> Path:
    """A path of Green's repository at which there is nothing any more."""
    file = _green(folder) / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    return file


# Without O_NONBLOCK in read_start the pipes hang the worker, and without HEADS_S the peer.
@attack("a ref that is a pipe", IGNORED)
def pipe_as_ref(folder: Path) -> None:
    os.mkfifo(_replaced(folder, REF))
    play_goes_on(folder, str(folder / "Green"))


@attack("`packed-refs` that is a pipe", AVOIDED)
def pipe_as_packed_refs(folder: Path) -> None:
    os.mkfifo(_replaced(folder, ".git/packed-refs"))
    (folder / "Green" / REF).unlink()
    play_goes_on(folder, str(folder / "Green"), hears="not a regular file")


# Git itself opens these: without the deadlines of WorkerRemote the look never ends.
@attack("`objects/info/alternates` that is a pipe", AVOIDED)
def pipe_as_alternates(folder: Path) -> None:
    os.mkfifo(_replaced(folder, ".git/objects/info/alternates"))
    (folder / "Green" / REF).write_text("1" * 40 + "\n")
    play_goes_on(folder, str(folder / "Green"), hears=SLOW)


@attack("an object that is a pipe", AVOIDED)
def pipe_as_object(folder: Path) -> None:
    os.mkfifo(_replaced(folder, f".git/objects/11/{'1' * 38}"))
    (folder / "Green" / REF).write_text("1" * 40 + "\n")
    play_goes_on(folder, str(folder / "Green"), hears=SLOW)


@attack("a pack index that is a pipe", AVOIDED)
def pipe_as_index(folder: Path) -> None:
    pack = _replaced(folder, f".git/objects/pack/pack-{'1' * 40}.pack")
    pack.write_bytes(b"PACK")
    os.mkfifo(pack.with_suffix(".idx"))
    (folder / "Green" / REF).write_text("1" * 40 + "\n")
    play_goes_on(folder, str(folder / "Green"), hears=SLOW)


@attack("a ref that links to `/dev/zero`", IGNORED)
def device_as_ref(folder: Path) -> None:
    _replaced(folder, REF).symlink_to("/dev/zero")
    play_goes_on(folder, str(folder / "Green"))


@attack("`packed-refs` that links to `/dev/zero`", AVOIDED)
def device_as_packed_refs(folder: Path) -> None:
    _replaced(folder, ".git/packed-refs").symlink_to("/dev/zero")
    (folder / "Green" / REF).unlink()
    play_goes_on(folder, str(folder / "Green"), hears="not a regular file")


# Without MAX_WORKER_MEMORY_BYTES Git fills the memory with it.
@attack("`objects/info/alternates` that links to `/dev/zero`", AVOIDED)
def device_as_alternates(folder: Path) -> None:
    _replaced(folder, ".git/objects/info/alternates").symlink_to("/dev/zero")
    (folder / "Green" / REF).write_text("1" * 40 + "\n")
    play_goes_on(folder, str(folder / "Green"), hears="")


# Without MAX_REF_FILE_BYTES and MAX_PACKED_REFS_BYTES all of it is read.
@attack("a ref, and `packed-refs`, of 100 GB", IGNORED)
def sparse_ref(folder: Path) -> None:
    for path in (REF, ".git/packed-refs"):
        with _replaced(folder, path).open("wb") as file:
            file.truncate(100 << 30)
    play_goes_on(folder, str(folder / "Green"))


@attack("a pack and its index of 100 GB", AVOIDED)
def sparse_pack(folder: Path) -> None:
    pack = _replaced(folder, f".git/objects/pack/pack-{'1' * 40}.pack")
    for file in (pack, pack.with_suffix(".idx")):
        with file.open("wb") as out:
            out.truncate(100 << 30)
    (folder / "Green" / REF).write_text("1" * 40 + "\n")
    play_goes_on(folder, str(folder / "Green"), hears="missing")


@attack("ref folders 3,000 deep", IGNORED)
def deep_refs(folder: Path) -> None:
    heads = _green(folder) / ".git/refs/heads"
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


@attack("100,000 refs", IGNORED)
def many_refs(folder: Path) -> None:
    packed = _green(folder) / ".git/packed-refs"
    packed.write_text("".join(f"{'1' * 40} refs/heads/{i}\n" for i in range(100_000)))
    play_goes_on(folder, str(folder / "Green"))


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


@attack("`ref: refs/../x` as a ref", IGNORED)
def climbing_ref(folder: Path) -> None:
    play_goes_on(folder, _with_ref(folder, b"ref: refs/../x\n"))


@attack("a symbolic ref to itself", IGNORED)
def looping_ref(folder: Path) -> None:
    play_goes_on(folder, _with_ref(folder, b"ref: refs/heads/Green_0\n"))


@attack("garbage in `packed-refs`, a ref and `HEAD`", IGNORED)
def garbage_in_refs(folder: Path) -> None:
    green = Path(_with_ref(folder, b"\xff\x00\x1b[2J"))
    (green / ".git/packed-refs").write_bytes(os.urandom(10_000))
    (green / ".git/HEAD").write_bytes(os.urandom(100))
    play_goes_on(folder, str(green))


# /proc/self/mem gives EIO on reading, a closed folder EACCES to everybody but root.
@attack("an unreadable ref (`EIO`), closed folders (`EACCES`)", IGNORED)
def unreadable_ref(folder: Path) -> None:
    _replaced(folder, REF).symlink_to("/proc/self/mem")
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
