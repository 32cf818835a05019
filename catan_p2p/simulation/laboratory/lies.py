"""What a host may show in the place of its repository: the lies that the tests of hostile players know."""

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
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from catan_p2p.simulation.laboratory.served_disk import Objects, between, listing_bytes


class HonestRepository(ShownRepository, Protocol):
    """A repository that can be read."""

    version: int

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object."""


class ForgedRefs:
    """A repository with some refs and objects that are not there."""

    def __init__(self, honest: HonestRepository, refs: Mapping[str, ObjectId], objects: Objects) -> None:
        self._honest = honest
        self._objects = objects
        self.refs = refs

    @property
    def listing_bytes(self) -> int:
        """What telling the refs takes."""
        return listing_bytes(self.refs)

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits that lead to the heads, forged ones among them."""
        return between(heads, held, self.read)

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """What a pack of them takes."""
        return self._honest.pack_bytes(commits)

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object, forged or not."""
        return self._objects[oid] if oid in self._objects else self._honest.read(oid)


class ReplayedListing:
    """A listing that comes a second time: to one visitor the refs stay as they were when this began."""

    def __init__(self, host: SimulatedRepository, to: str) -> None:
        self._to = to
        self._served: HonestRepository = host.honest
        self._refs = dict(self._served.refs)

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
        """What a visitor is shown."""
        return ForgedRefs(self._served, self._refs, {}) if visitor.name == self._to else self._served


class ServedLie:
    """Another head in the place of the own log's, or of others', made anew whenever the log has moved."""

    def __init__(self, host: Host, rng: Random) -> None:
        self._host = host
        self._rng = rng
        self._made: tuple[int, ShownRepository | None] = (-1, None)
        keys = host.seat.key
        self._sign = None if keys is None else signer(keys)

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository | None:
        """What everybody is shown."""
        served: HonestRepository = source.honest
        if self._made[0] != served.version:
            self._made = served.version, self._make(served)
        return self._made[1]

    def _make(self, served: HonestRepository) -> ShownRepository | None:
        """What is shown instead; what is there, as long as nothing can be made of the newest commit."""
        found = self._head(served)
        return served if found is None else self._change(served, *found)

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        """What is shown instead of a log whose newest commit this is."""
        raise NotImplementedError

    def _head(self, served: HonestRepository) -> tuple[ObjectId, Commit] | None:
        """The newest commit of the own log; None if it is the first, or cannot be read."""
        head = served.refs.get(self._host.seat.log)
        try:
            commit = None if head is None else decode_commit(served.read(head)[1])
        except (ObjectMissing, ObjectDamaged, FormatError):
            return None
        return None if head is None or commit is None or not commit.parents else (head, commit)

    def _with(self, served: HonestRepository, kind: ObjectKind, data: bytes) -> ForgedRefs:
        """The own log at some object."""
        oid = object_id(kind, data)
        return ForgedRefs(served, {**served.refs, self._host.seat.log: oid}, {oid: (kind, data)})

    def _signed(self, commit: Commit) -> bytes:
        commit = commit._replace(signature=None)
        return (commit if self._sign is None else self._sign(commit)).encode()


class SilentRepository(ServedLie):
    """Nothing comes, on an open connection."""

    def _make(self, served: HonestRepository) -> ShownRepository | None:
        return None


class WrongTree(ServedLie):
    """The newest action again, with a tree that it does not produce."""

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
    """An action in somebody else's name."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        other = self._host.world.hosts[self._host.seat.player % len(self._host.world.hosts)]
        author = commit.author._replace(name=f"{other.name}_0", email=f"{other.name}_0@catan-p2p.invalid")
        return self._with(
            served, "commit", self._signed(commit._replace(author=author, committer=author, parents=(head,)))
        )


class GarbageCommit(ServedLie):
    """Bytes that are no commit in the place of one."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return self._with(served, "commit", self._rng.randbytes(200))


class FileAsCommit(ServedLie):
    """A file in the place of a commit."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return self._with(served, "blob", b"bricks\n")


class OversizedCommit(ServedLie):
    """A commit that is far too large."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(message="x" * 200_000)))


class UnknownFormat(ServedLie):
    """An action of a format that is not known yet."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        message = "teleport_bandit player_1\n\nAction: TeleportBandit\nPlayer: 1\n"
        return self._with(served, "commit", self._signed(commit._replace(message=message, parents=(head,))))


class OtherGame(ServedLie):
    """The log of another game."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return self._with(served, "commit", self._signed(commit._replace(parents=())))


class MissingHead(ServedLie):
    """A head that is not there."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return ForgedRefs(served, {**served.refs, self._host.seat.log: ObjectId("1" * 40)}, {})


class GoneBack(ServedLie):
    """The own log a commit shorter."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        return ForgedRefs(served, {**served.refs, self._host.seat.log: commit.parents[0]}, {})


class NoBranches(ServedLie):
    """No branches at all."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        return ForgedRefs(served, {}, {})


class FalseCopies(ServedLie):
    """Copies of others' logs that go on with what they did not do."""

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
    """Branches under names that nobody knows."""

    def _change(self, served: HonestRepository, head: ObjectId, commit: Commit) -> ShownRepository:
        strange = {f"{folder}{name}": head for folder in (HEADS, REMOTES) for name in ("Purple_0", "Red_99", "x/y")}
        return ForgedRefs(served, {**served.refs, **strange}, {})


class AgainstRules(ServedLie):
    """An action that is not enabled, by the host's own hand, with the tree that it would produce."""

    def _make(self, served: HonestRepository) -> ShownRepository:
        replica = self._host.replica
        if replica is None:
            return served
        state, player = replica.graph.state, replica.player
        objects = Objects()

        def put(kind: ObjectKind, data: bytes) -> ObjectId:
            oid = object_id(kind, data)
            objects[oid] = kind, data
            return oid

        wrong = [action for action in (EmptyTrade(player), EmptyBuild(player)) if broken_guards(state, action)]
        if state.is_over or not wrong:
            return served
        action = self._rng.choice(wrong)
        step = replica.graph.write(action, effect(state, action), int(self._host.time.date_s()), put)
        return ForgedRefs(served, {**served.refs, self._host.seat.log: step.commit}, objects)


LIES: tuple[Callable[[Host, Random], ServedLie], ...] = tuple(ServedLie.__subclasses__())
