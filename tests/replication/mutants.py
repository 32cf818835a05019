"""Mutants of a valid log: every commit changed at random, offered to a peer that must neither accept it nor crash.

Some are unsigned, some signed with a wrong key, some with the author's own: a cheating player has that.
"""

from collections import Counter
from pathlib import Path
from random import Random

from catan_p2p.log.commit import Commit, Signature, decode_commit
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import DirectRemote
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings
from tests.log.storage.memory import MemoryRemote, Objects
from tests.replication.conftest import POLICY_OF
from tests.replication.tables import KEYS, finish, git, make_seats, neighbour, open_replica, opened, play_rounds, settle

RED = "refs/heads/Red_0"


class Log:
    """A signed game as bytes: a finished one, or the first 500 actions of one with offers."""

    def __init__(self, folder: Path, seed: int, rules: str) -> None:
        policy = POLICY_OF[rules]
        paths = make_seats(folder / "played", 3, seed, signed=True, policy=policy, rules=rules)
        with opened(paths) as replicas:
            if rules == "thesis":
                finish(replicas)
            else:
                play_rounds(replicas, lambda replica: len(replica.graph) > 500 and replica.graph.state.tp == "DiceRoll")
                settle(replicas)
        self.history: GameHistory = load_history(paths[0])
        with GitStore.open(paths[0], writer=None) as store:
            self.commits = [(logged.commit, store.read(logged.commit)[1]) for logged in self.history.actions]
        self.ids = [self.history.root, *(commit for commit, _ in self.commits)]
        self.trees = [logged.tree for logged in self.history.actions]
        self.source = paths[0]

    def beginner(self, folder: Path) -> Path:
        """The seat of a peer that knows the root only."""
        git(folder, "clone", "-q", "--bare", str(self.source), str(folder / "begun"))
        for ref in git(folder / "begun", "for-each-ref", "--format=%(refname)").split():
            git(folder / "begun", "update-ref", "-d", ref)
        git(folder / "begun", "update-ref", RED, self.history.root)
        path = folder / "Blue"
        settings = SeatSettings("Blue", 1, "logical", remotes={"Red": "nowhere"})
        join_game(str(folder / "begun"), path, settings, KEYS["Blue"])
        return path


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """The same bytes with a few changes anywhere."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(out) + 1)
        length = rng.choice((1, 1, 2, 8, 40))
        kind = rng.randrange(5)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del out[at : at + length]
        elif kind == 2:
            out[at:at] = rng.randbytes(length)
        elif kind == 3:
            out[at:at] = out[at : at + length]
        else:
            lines = bytes(out).split(b"\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            out = bytearray(b"\n".join(lines))
    return bytes(out)


def mutate_parts(commit: Commit, log: Log, rng: Random) -> Commit:
    """A well-formed commit in which one or two parts are others."""
    out = commit
    for _ in range(rng.choice((1, 1, 2))):
        other = decode_commit(rng.choice(log.commits)[1])
        kind = rng.randrange(7)
        if kind == 0:
            out = out._replace(tree=rng.choice(log.trees))
        elif kind == 1:
            parents = [*out.parents, rng.choice(log.ids)]
            rng.shuffle(parents)
            out = out._replace(parents=tuple(parents[: rng.randrange(len(parents) + 1)]))
        elif kind == 2:
            out = out._replace(message=other.message)
        elif kind == 3:
            name = f"{rng.choice(COLOURS)}_{rng.randrange(2)}"
            person = Signature(name, f"{name}@catan-p2p.invalid", out.author.time_s)
            out = out._replace(author=person, committer=person)
        elif kind == 4:
            out = out._replace(message=_other_value(out.message, rng))
        elif kind == 5:
            out = out._replace(committer=other.committer)
        else:
            out = out._replace(parents=other.parents)
    return out


def _other_value(message: str, rng: Random) -> str:
    lines = message.split("\n")
    i = rng.randrange(len(lines))
    words = lines[i].split(" ")
    words[-1] = rng.choice((str(rng.randrange(80)), "none", "Wool", "Brick", "-1", "", words[-1] + "0"))
    lines[i] = " ".join(words)
    return "\n".join(lines)


def mutant(commit: ObjectId, data: bytes, log: Log, rng: Random) -> bytes | None:
    """Another commit that may not follow, None if nothing was changed but what a player may choose."""
    if rng.random() < 0.4:
        changed = mutate_bytes(data, rng)
        return None if changed == data else changed
    before = decode_commit(data)
    after = mutate_parts(before, log, rng)
    # With another date it is as good as the first; whether it may follow is then a matter of what else it says.
    if (after.tree, after.parents, after.author[:2], after.committer[:2], after.message) == (
        before.tree,
        before.parents,
        before.author[:2],
        before.committer[:2],
        before.message,
    ):
        return None
    how = rng.randrange(4)
    if how == 0:
        after = after._replace(signature=None)
    elif how == 1:
        after = signer(KEYS[rng.choice(COLOURS)])(after)
    elif how == 2:
        colour = after.author.name.partition("_")[0]
        after = signer(KEYS.get(colour, KEYS["Red"]))(after)
    return after.encode() if after.encode() != data else None


def try_mutants(folder: Path, count: int, seed: int, rules: str = "thesis") -> Counter[str]:
    """Offer mutants to a peer; how often each reason was given. Fails if one is accepted or the peer crashes."""
    rng = Random(seed)
    log = Log(folder, seed, rules)
    reasons: Counter[str] = Counter()
    per_commit = -(-count // len(log.commits))
    with open_replica(log.beginner(folder)) as replica:
        shown, objects = dict[str, ObjectId](), Objects()
        neighbour(replica, "Red").remote = DirectRemote(MemoryRemote("memory", lambda: shown, objects))
        for commit, data in log.commits:
            for _ in range(per_commit):
                source = (commit, data) if rng.random() < 0.8 else rng.choice(log.commits)
                changed = mutant(*source, log, rng)
                if changed is None or object_id("commit", changed) in log.ids:
                    continue
                reasons[_offer(replica, shown, objects, changed, rng)] += 1
            objects.add("commit", data)
            shown[RED] = commit
            _look(replica)
            assert commit in replica.graph, f"the peer refuses the true log at {commit}: seed {seed}"
        assert replica.graph.head == log.history.graph.head
    return reasons


def _look(replica: Replica) -> None:
    one = neighbour(replica, "Red")
    one.backoff._next = 0.0
    replica.synchronize()
    if replica.looks % 50 == 0:
        replica.store.publish()


def _offer(replica: Replica, shown: dict[str, ObjectId], objects: Objects, changed: bytes, rng: Random) -> str:
    before = replica.graph.head, dict(replica.graph.replies), len(replica.graph)
    oid = objects.add(rng.choice(("commit",) * 9 + ("blob",)), changed)
    shown[RED] = oid
    _look(replica)
    del objects.kept[oid]
    assert oid not in replica.graph, f"accepted: {changed!r}"
    assert (replica.graph.head, dict(replica.graph.replies), len(replica.graph)) == before
    one = neighbour(replica, "Red")
    if one.rejected:
        return next(iter(one.rejected.values())).reason
    assert one.trouble, f"neither accepted nor refused: {changed!r}"
    return "missing"
