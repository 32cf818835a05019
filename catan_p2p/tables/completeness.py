"""Whether a seat's repository holds what its game needs: it is sound, damaged, or could not be checked."""

from catan_p2p.log.game import FormatError
from catan_p2p.log.reading import entries_of
from catan_p2p.log.refs import HEADS, REMOTES, branch_at
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, parents_of
from catan_p2p.log.storage.repository import GitCommandError
from catan_p2p.log.storage.store import GitStore


def check_objects(store: GitStore) -> str | None:
    """Check that the repository lacks nothing of the game; else raise ``ObjectDamaged``.

    Returns Git's complaints about anything else, None if there are none.

    A damaged repository would be useless to others who fetch from it; objects that the game's branches do not lead to
    harm nobody. ``StoreError`` if the check itself is impossible, because a file is unreadable or Git cannot run: that
    says nothing about the game, and nothing should be repaired then.
    """
    broken = [ref for ref in _broken_refs(store) if branch_at(ref) is not None]
    if broken:
        raise ObjectDamaged(f"{store.folder}: {broken[0]}: a ref that holds no object id")
    if not store.has_git:
        _check_by_reading(store)
        return None
    try:
        store.repo.git.fsck("--no-dangling", "--no-progress")
    except GitCommandError as error:
        lines = str(error.stderr or error.stdout or error).strip().strip("'").splitlines()
        complaint = lines[-1].strip() if lines else "git fsck fails"
    else:
        return None
    # An unreadable file looks like damage to Git, but must not be repaired.
    disk.check_readable(store.folder)
    # fsck also complains about objects that the game does not need.
    try:
        _check_by_reading(store)
    except ObjectDamaged:
        raise ObjectDamaged(f"{store.folder}: {complaint}") from None
    return complaint


def _check_by_reading(store: GitStore) -> None:
    """Raise ``ObjectDamaged`` unless everything that the branches lead to is readable."""
    waiting, known = sorted(_heads(store)), set(_heads(store))
    try:
        while waiting:
            kind, data = store.read(waiting.pop())
            below = objects_below(kind, data)
            waiting += [oid for oid in below if oid not in known]
            known.update(below)
    except (ObjectMissing, FormatError) as error:
        raise ObjectDamaged(f"{store.folder}: {error}") from None


def objects_below(kind: ObjectKind, data: bytes) -> list[ObjectId]:
    """The objects that an object names: tree and parents of a commit, entries of a tree; or ``FormatError``."""
    if kind == "commit":
        tree = data.partition(b"\n")[0].removeprefix(b"tree ")
        return [ObjectId(tree.decode("ascii", "replace")), *parents_of(data)]
    # A mode of 160000 is a submodule, whose commit is in another repository.
    return [oid for mode, oid in entries_of(data).values() if mode != "160000"] if kind == "tree" else []


def _heads(store: GitStore) -> set[ObjectId]:
    refs = store.list_refs(HEADS, broken=[]) | store.list_refs(REMOTES, broken=[])
    return {head for ref, head in refs.items() if branch_at(ref) is not None}


def _broken_refs(store: GitStore) -> list[str]:
    broken: list[str] = []
    for folder in (HEADS, REMOTES):
        store.list_refs(folder, broken)
    return broken
