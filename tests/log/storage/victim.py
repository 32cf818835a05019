"""A process that logs until it is killed: ``python -m tests.log.storage.victim PATH SEED``.

It does everything a store can do, in an order that follows from the seed, with packs folded all the time. Each record
is told on standard output once it is acknowledged: ``<ref> <number> <id>``, or ``<ref> gone``.
"""

import os
import random
import sys
from pathlib import Path

from catan_p2p.log.storage import pack_store
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import act

REFS = ("refs/heads/Red_0", "refs/heads/Blue_0")


def main(path: Path, seed: int) -> None:
    draw = random.Random(seed)
    pack_store.FOLD_AT = draw.choice([2, 3, 5, 64])
    pack_store.GRACE_S = draw.choice([0.0, 0.05])
    with GitStore.open(path, lag_s=draw.choice([0.0, 0.0, 0.02])) as store:
        passing = store.list_refs("refs/heads/passing")
        for number in range(10**9):
            ref = draw.choice(REFS)
            _tell(ref, *act(store, ref))
            what = draw.random()
            if what < 0.2:
                ref = f"refs/heads/passing_{os.getpid()}_{number}"
                at, passing[ref] = act(store, ref)
                _tell(ref, at, passing[ref])
            elif what < 0.4 and passing:
                ref = draw.choice(sorted(passing))
                store.delete_ref(ref, passing.pop(ref))
                _tell(ref, "gone")
            if draw.random() < 0.5:
                store.publish()
            if draw.random() < 0.02:
                store.fold()


def _tell(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
