"""The lies that a host can show instead of its repository; the tests of hostile players have the same."""

from collections.abc import Callable, Container, Iterable, Mapping
from random import Random
from typing import Protocol

from catan_p2p.game.actions import EmptyBuild, EmptyTrade
from catan_p2p.game.rules import broken_guards, effect
from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.game import FormatError
from catan_p2p.log.refs import HEADS, REMOTES, remote_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, object_id
from catan_p2p.log.tree import keeper
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from catan_p2p.simulation.laboratory.served_disk import Objects, between, listing_bytes


class HonestRepository(ShownRepository, Protocol):
    """A repository as it is on the disk; ``version`` changes with its refs."""

    version: int

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object; ``ObjectMissing`` if it is not there."""


class ForgedRefs:
    """A repository with other refs, and with forged objects besides its own."""

    def __init__(self, honest: HonestRepository, refs: Mapping[str, ObjectId], objects: Objects) -> None:
        self._honest = honest
        self._objects = objects
        self.refs = refs

    @property
    def listing_bytes(self) -> int:
        """The size of a listing of the refs."""
        return listing_bytes(self.refs)

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits that lead to the heads, forged ones among them."""
        return between(heads, held, self.read)

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """The size of a pack of these commits."""
        return self._honest.pack_bytes(commits)

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object, forged or not."""
        return self._objects[oid] if oid in self._objects else self._honest.read(oid)


class ReplayedListing:
    """An old listing again: to the host named ``to``, the refs are shown as they were when this lie began."""

    def __init__(self, host: SimulatedRepository, to: str) -> None:
        self._to = to
        self._served: HonestRepository = host.honest
        self._refs = dict(self._served.refs)

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
        """The repository as this host sees it."""
        return ForgedRefs(self._served, self._refs, {}) if visitor.name == self._to else self._served


class ServedLie:
    """A false head of the host's own log, or of copies of others' logs. It is made anew whenever the refs move."""

    def __init__(self, host: Host, rng: Random) -> None:
        self._host = host
        self._rng = rng
        self._made: tuple[int, ShownRepository | None] = (-1, None)
        """A version of the refs and the lie that was made of it, which all hosts see."""
        keys = host.seat.key
        self._sign = None if keys is None else signer(keys)

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository | None:
        """The repository that all hosts see."""
        served: HonestRepository = source.honest
        if self._made[0] != served.version:
            self._made = served.version, self._make(served)
        return self._made[1]

    def _make(self, served: HonestRepository) -> ShownRepository | None:
        """The repository to show; the true one while the newest commit cannot be turned into a lie."""
        found = self._head(served)
        return served if found is None else self._change(served, *found)

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        """The repository to show instead of one whose own log ends with this commit."""
        raise NotImplementedError

    def _head(self, served: HonestRepository) -> tuple[ObjectId, Commit] | None:
        """The newest commit of the host's own log; None if it is the root, or cannot be read."""
        head = served.refs.get(self._host.seat.log)
        try:
            commit = None if head is None else decode_commit(served.read(head)[1])
        except (ObjectMissing, ObjectDamaged, FormatError):
            return None
        return None if head is None or commit is None or not commit.parents else (head, commit)

    def _with(self, served: HonestRepository, kind: ObjectKind, data: bytes) -> ForgedRefs:
        """The repository with the host's own log at this forged object."""
        oid = object_id(kind, data)
        return ForgedRefs(served, {**served.refs, self._host.seat.log: oid}, {oid: (kind, data)})

    def _signed(self, commit: Commit) -> bytes:
        commit = commit._replace(signature=None)
        return (commit if self._sign is None else self._sign(commit)).encode()


class SilentRepository(ServedLie):
    """No answer, on an open connection."""

    def _make(self, served: HonestRepository) -> ShownRepository | None:
        return None


class WrongTree(ServedLie):
    """The newest action again, with a tree that it does not produce: an object that is no tree at all."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(tree=head, parents=(head,))))


class RepeatedAction(ServedLie):
    """The newest action once more, on top of itself."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(parents=(head,))))


class OtherSignature(ServedLie):
    """The newest action with the signature of another, or with one in a game without keys."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        author = commit.author._replace(time_s=commit.author.time_s + 1)
        signature = commit.signature or "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----"
        lie = commit._replace(author=author, committer=author, signature=signature)
        return self._with(served, "commit", lie.encode())


class AnotherAuthor(ServedLie):
    """An action in another player's name."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        other = self._host.world.hosts[self._host.seat.player % len(self._host.world.hosts)]
        author = commit.author._replace(name=f"{other.name}_0", email=f"{other.name}_0@catan-p2p.invalid")
        return self._with(
            served, "commit", self._signed(commit._replace(author=author, committer=author, parents=(head,)))
        )


class GarbageCommit(ServedLie):
    """Random bytes instead of a commit."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return self._with(served, "commit", self._rng.randbytes(200))


class FileAsCommit(ServedLie):
    """A file instead of a commit."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return self._with(served, "blob", b"bricks\n")


class OversizedCommit(ServedLie):
    """A commit that is far too large."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(message="x" * 200_000)))


class UnknownFormat(ServedLie):
    """An action of an unknown kind, as from a later version of the format."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        message = "teleport_bandit player_1\n\nAction: TeleportBandit\nPlayer: 1\n"
        return self._with(served, "commit", self._signed(commit._replace(message=message, parents=(head,))))


class OtherGame(ServedLie):
    """A commit without parents, as of the log of another game."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(parents=())))


class MissingHead(ServedLie):
    """A head without an object."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return ForgedRefs(served, {**served.refs, self._host.seat.log: ObjectId("1" * 40)}, {})


class GoneBack(ServedLie):
    """The host's own log without its newest commit."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return ForgedRefs(served, {**served.refs, self._host.seat.log: commit.parents[0]}, {})


class NoBranches(ServedLie):
    """No branches at all."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return ForgedRefs(served, {}, {})


class FalseCopies(ServedLie):
    """Copies of the other players' logs with a commit that they did not write."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        refs, objects = dict(served.refs), Objects()
        for host in self._host.world.hosts:
            if host is not self._host:
                author = commit.author._replace(name=f"{host.name}_0", email=f"{host.name}_0@catan-p2p.invalid")
                data = self._signed(commit._replace(author=author, committer=author, parents=(head,)))
                oid = object_id("commit", data)
                objects[oid] = "commit", data
                refs[remote_ref(host.name, self._host.world.game.branch(host.seat.player))] = oid
        return ForgedRefs(served, refs, objects)


class StrangeNames(ServedLie):
    """Branches with names that no player of this game has."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        strange = {f"{folder}{name}": head for folder in (HEADS, REMOTES) for name in ("Purple_0", "Red_99", "x/y")}
        return ForgedRefs(served, {**served.refs, **strange}, {})


class AgainstRules(ServedLie):
    """An own action that is not enabled, correctly signed, with the tree that it would produce."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        replica = self._host.replica
        if replica is None:
            return served
        state, player = replica.graph.state, replica.player
        objects = Objects()
        put = keeper(objects)
        wrong = [action for action in (EmptyTrade(player), EmptyBuild(player)) if broken_guards(state, action)]
        if state.is_over or not wrong:
            return served
        action = self._rng.choice(wrong)
        step = replica.graph.write(action, effect(state, action), int(self._host.time.date_s()), put)
        return ForgedRefs(served, {**served.refs, self._host.seat.log: step.commit}, objects)


# In the order of definition: a seed chooses a lie by its index.
LIES: tuple[Callable[[Host, Random], ServedLie], ...] = tuple(ServedLie.__subclasses__())
