"""Real peers with a repository each, driven one step of the specification after the other."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

import pytest

from catan_p2p.game.actions import Action
from catan_p2p.game.cards import unpack
from catan_p2p.game.constants import BRIEF, THESIS, Player, Rules
from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.state import State
from catan_p2p.log.evidence import list_evidence
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import COLOURS, HEADS, ReplyBranch, local_ref, parse_branch, remote_ref
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.ref_files import RefFiles
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.folder import LocalRemote
from catan_p2p.log.transport.queries import DirectRemote
from catan_p2p.log.transport.remote import Remote, chosen_heads
from catan_p2p.replication import peer as peer_module
from catan_p2p.replication.neighbour import Neighbour
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.seat import private_folder
from tests.replication.peers import Killed, PeerTable
from tests.replication.tables import copied_table, make_seats
from tests.spec_replication.behaviours import NO_COMMIT, ROOT, Behaviour, Id, Recorded, SpecStep, Stand

DISCARDS = replace(THESIS, hand_limit=1, dice=(6, 7, 8))
"""The rules of MCP2PTrace in spec/models.toml."""

OFFERS = replace(DISCARDS, dice=(6, 8), domestic_trade=True, offer_max=1)
"""The same with ``behaviours.OFFERS``."""

RULE_BOOK = replace(BRIEF, hand_limit=1, dice=(6, 7, 8), offer_max=1, special_building=True)
"""The same with ``behaviours.RULE_BOOK``."""


KINDS = {"Discarding": "loss", "Offering": "answer"}
"""What kind of replies a phase is for."""


class Enough(BaseException):
    """The peer has done the one action that it was to do."""


def told(state: State) -> tuple[Any, ...]:
    """A state as plain tuples: ``Told`` in spec/MCP2PTrace.tla."""
    board = state.constants.board
    cities = 0
    for points in state.s.cities:
        cities |= points
    owners = tuple(state.s.owner(sp) for sp in range(1, board.settlement_count + 1))
    ranks = tuple((2 if cities >> sp & 1 else 1) if owner else 0 for sp, owner in enumerate(owners, 1))
    roads = tuple(
        next((seat for seat, points in enumerate(state.r, 1) if points >> rp & 1), 0)
        for rp in range(1, board.road_count + 1)
    )
    hands = tuple((unpack(h.rc), unpack(h.bc)[:4], unpack(h.ac)[:4], unpack(h.uc)[3:]) for h in state.h)
    return (
        *(state.sup, state.su_ap, state.ap, state.tp, state.dice, state.ba, unpack(state.dp)[:3], state.lr, state.la),
        *(state.lim, owners, ranks, roads, unpack(state.bnk.rc), unpack(state.bnk.dc), hands),
        tuple(tuple(pieces) for pieces in state.b),
        *(state.first, state.rolls, state.pd, state.sb),
        *(unpack(state.offer.give), unpack(state.offer.receive), state.ans),
    )


class Planned:
    """A chooser that takes the action which leads to a given game, once; any action if no game is given."""

    def __init__(self) -> None:
        self.replica: Replica | None = None
        self.target: tuple[Any, ...] | None = None
        self.acted = False

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        if self.acted:
            raise Enough
        self.acted = True
        assert self.replica is not None
        graph = self.replica.graph
        for action in enabled(state, player):
            if self.target is None or told(apply(graph.before(action), action)) == self.target:
                return action
        raise AssertionError(f"player {player} has no action that leads to {self.target}")


class Window:
    """Another player's repository, of which only chosen refs are seen: a fetch that brings a part of what is there.

    It is read as a worker process reads it, without starting one.
    """

    def __init__(self, folder: Path, own: Path) -> None:
        self.visible: dict[str, ObjectId] = {}
        self.is_open = False
        """Whether everything is seen after all."""
        self._inner = LocalRemote(str(folder), folder, own)

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        if self.is_open:
            return self._inner.heads(refs, folder)
        return chosen_heads(self.visible.items(), frozenset(refs), folder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def window_at(neighbour: Neighbour) -> Window:
    """What a neighbour's remote was replaced by."""
    return cast(Window, cast(DirectRemote, neighbour.remote).remote)


class SteppedPeer:
    """One player of the table: the repository on disk, and the program while it runs, which may be killed anywhere."""

    def __init__(self, table: PeerTable[Replica], path: Path) -> None:
        self.table = table
        self.path = path
        self.refs = RefFiles(path / ".git", lock_wait_s=0.0)
        """What anybody sees of the repository."""
        self.replica: Replica | None = None
        self.planned = Planned()
        self.recorded: dict[str, ObjectId | None] = {}
        """The refs as the journal has them, where it has moved them."""
        self.kill_at: int | None = None
        """Kill the program at the so many-th record from now."""
        self.is_torn = False
        """Whether a part of that record gets into the journal."""

    def start(self) -> None:
        self.planned = Planned()
        self.kill_at = None
        self.replica = self.planned.replica = self.table.start(self.path, self.planned)
        for neighbour in self.replica.neighbours:
            window = Window(Path(neighbour.remote.url), self.path / ".git")
            neighbour.remote = DirectRemote(cast(Remote, window))
        store = self.replica.store
        self.recorded = dict(store.list_refs())
        store.record = self._record  # type: ignore[method-assign]
        store.publish = lambda: None  # type: ignore[method-assign]

    def _record(self, ref: str, new: ObjectId | None, old: ObjectId | None) -> None:
        if self.kill_at == 0:
            if self.is_torn:
                self._tear(ref, new, old)
            raise Killed
        GitStore.record(self.running.store, ref, new, old)
        self.recorded[ref] = new
        if self.kill_at is not None:
            self.kill_at -= 1

    def _tear(self, ref: str, new: ObjectId | None, old: ObjectId | None) -> None:
        """Write half of the record."""

        def half(descriptor: int, data: bytes) -> None:
            whole_append(descriptor, data[: len(data) // 2])
            raise Killed

        whole_append = disk.append
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(disk, "append", half)
            GitStore.record(self.running.store, ref, new, old)

    @property
    def running(self) -> Replica:
        """The program, which runs."""
        assert self.replica is not None
        return self.replica

    def publish(self) -> None:
        GitStore.publish(self.running.store)

    def kill(self) -> None:
        self.table.kill(self.running)
        self.replica = None

    def look(self, at: Player | None = None, ref: str = "", head: ObjectId | None = None) -> int:
        """Synchronize, seeing one head at one other player's, or nothing."""
        for neighbour in self.running.neighbours:
            window_at(neighbour).visible = {ref: head} if neighbour.player == at and head is not None else {}
        return self.table.look(self.running)


Driver = TypeVar("Driver", bound="BehaviourDriver")


class BehaviourDriver:
    """Takes the peers of a copied folder through the steps of spec/CatanP2P.tla, one after the other from the root."""

    def __init__(self, template: Path, path: Path, *, liars: Collection[Player] = ()) -> None:
        self.table = PeerTable[Replica]([])
        folders = sorted(copied_table(template, path).iterdir(), key=lambda folder: COLOURS.index(folder.name))
        self.seats = {player: SteppedPeer(self.table, folder) for player, folder in enumerate(folders, 1)}
        self.liars = liars
        for seat in self.seats.values():
            seat.start()
        first = self.seats[1].running.graph
        self.game, self.root = first.game, first.root
        self.ids: dict[Id, ObjectId] = {ROOT: self.root}
        self.book: dict[Id, Recorded] = {}
        self.rng = Random(0)
        self._taken: SpecStep | None = None
        """The commit that is taken in and not yet kept."""

    @property
    def honest(self) -> list[Player]:
        """All who do not lie."""
        return [player for player in self.seats if player not in self.liars]

    def run(self, behaviour: Sequence[SpecStep]) -> None:
        """Take every step, and compare all repositories and programs with the specification after each."""
        for at, step in enumerate(behaviour):
            following = behaviour[at + 1] if at + 1 < len(behaviour) else None
            try:
                self._take(step, following)
                self._compare_all(step, following)
            except AssertionError as error:
                done = ", ".join(map(str, behaviour[: at + 1]))
                raise AssertionError(f"step {at + 1}, after {done}: {error}") from error

    def close(self) -> None:
        """End every program that runs."""
        for seat in self.seats.values():
            if seat.replica is not None:
                seat.kill()

    # Steps

    def _take(self, step: SpecStep, following: SpecStep | None) -> None:
        getattr(self, f"_{step.name.lower()}")(step, following)

    def _sit(self, step: SpecStep, following: SpecStep | None) -> None:
        assert self.seats[step.player].running.is_awaited

    def _play(self, step: SpecStep, following: SpecStep | None) -> None:
        """Choose and write; if the next step records, that is left to it, else the peer is killed just before."""
        if following is not None and following.name == "Record":
            return
        seat = self.seats[step.player]
        seat.planned.target, seat.planned.acted = None, False
        self._killed_at(seat, 0, seat.running.act)

    def _record(self, step: SpecStep, following: SpecStep | None) -> None:
        seat = self.seats[step.player]
        assert step.recorded is not None
        before = set(self.ids.values())
        seat.planned.target, seat.planned.acted = step.recorded.game, False
        try:
            steps = seat.running.act()
        except Enough:
            steps = []
        heads = {oid for oid in seat.recorded.values() if oid is not None} - before
        assert len(heads) == 1, f"{len(steps)} steps, new heads {heads}"
        self.ids[step.recorded.id] = heads.pop()
        self.book[step.recorded.id] = step.recorded
        parents = tuple(self.ids[parent] for parent in (step.recorded.on, *step.recorded.merges))
        assert self._parents(seat.running.store, self.ids[step.recorded.id]) == parents

    def _parents(self, store: GitStore, commit: ObjectId) -> tuple[ObjectId, ...]:
        text = store.read(commit)[1].decode()
        return tuple(ObjectId(line[7:]) for line in text.splitlines() if line.startswith("parent "))

    def _publish(self, step: SpecStep, following: SpecStep | None) -> None:
        self.seats[step.player].publish()

    def _remove(self, step: SpecStep, following: SpecStep | None) -> None:
        """The removal may have been done together with keeping the merge."""
        seat = self.seats[step.player]
        if any(seat.recorded.get(ref) is not None for ref in self.own_replies(step.player)):
            assert seat.look() == 0

    def _takein(self, step: SpecStep, following: SpecStep | None) -> None:
        """Validate; what follows keeps it, or the peer is killed just before."""
        self._taken = step
        if following is not None and following.name == "Keep":
            return
        self._killed_at(self.seats[step.player], 0, lambda: self.fetch(step))

    def _keep(self, step: SpecStep, following: SpecStep | None) -> None:
        """Keep what the last step took in; if a removal is due and does not follow, the peer is killed before it."""
        seat = self.seats[step.player]
        taken = self._taken
        assert taken is not None and taken.commit is not None
        is_removing = any(one[1] == step.player for one in self.book[taken.commit].merges)
        if is_removing and following is not None and following.name == "Crash" and following.player == step.player:
            self._killed_at(seat, 1, lambda: self.fetch(taken))
            return
        assert self.fetch(taken) == 1

    def fetch(self, step: SpecStep) -> int:
        """Have a peer see the commit that a step takes in, and nothing else; how many commits that brought."""
        assert step.commit is not None
        return self.seats[step.player].look(step.other, self._ref_of(step), self.ids[step.commit])

    def _ref_of(self, step: SpecStep) -> str:
        """Under which ref a commit is looked for in another player's repository: a log, or a temporary branch."""
        assert step.commit is not None and step.other is not None
        author = step.commit[1]
        recorded = self.book[step.commit]
        branch = self._reply_branch(recorded)
        if branch is not None:
            colour = self.game.seats[author - 1].colour
            return local_ref(branch) if author == step.other else remote_ref(colour, branch)
        return local_ref(self.game.branch(step.other))

    def _crash(self, step: SpecStep, following: SpecStep | None) -> None:
        self.seats[step.player].kill()

    def _restart(self, step: SpecStep, following: SpecStep | None) -> None:
        self.seats[step.player].start()

    def _killed_at(self, seat: SteppedPeer, count: int, doing: Callable[[], object]) -> None:
        seat.kill_at, seat.is_torn = count, self.rng.random() < 0.5
        with pytest.raises(Killed):
            doing()

    # Comparing

    def _reply_branch(self, recorded: Recorded) -> ReplyBranch | None:
        """The branch of a reply: it merges nothing, and the phase before and after it is one for replies."""
        before = self.book.get(recorded.on)
        if recorded.merges or before is None or before.game[3] != recorded.game[3] or before.game[3] not in KINDS:
            return None
        return self.game.reply_branch(self.ids[recorded.on], KINDS[before.game[3]], recorded.id[1])

    def own_replies(self, player: Player) -> list[str]:
        """All temporary branches that a player ever had."""
        branches = [self._reply_branch(recorded) for recorded in self.book.values() if recorded.id[1] == player]
        return [local_ref(branch) for branch in branches if branch is not None]

    def _past(self, commit: Id) -> set[Id]:
        found: set[Id] = set()
        while commit != ROOT:
            found.add(commit)
            found.update(self.book[commit].merges)
            commit = self.book[commit].on
        return found | {ROOT}

    def _reached(self, *heads: Id) -> set[ObjectId]:
        return {self.ids[one] for head in heads if head != NO_COMMIT for one in self._past(head)}

    def _compare_all(self, step: SpecStep, following: SpecStep | None) -> None:
        for player, stand in enumerate(step.stands, 1):
            self._compare(player, stand, following)

    def _compare(self, player: Player, stand: Stand, following: SpecStep | None) -> None:
        seat = self.seats[player]
        game, names = self.game, {oid: id for id, oid in self.ids.items()}
        own = local_ref(game.branch(player))
        published = {ref: oid for ref, oid in seat.refs.list("refs/").items() if oid is not None}
        assert published[own] == self.ids[stand.shown_log], f"published log of {player}"
        temporary = {oid for ref, oid in published.items() if _is_reply_of(game, ref, player)}
        assert temporary == self._ids_of(stand.shown_reply), f"published temporary branches of {player}"
        mine = {own, *(ref for ref in published if _is_reply_of(game, ref, player))}
        assert {ref for ref in published if ref.startswith(HEADS)} == mine, f"local branches of {player}"
        assert not list_evidence(private_folder(seat.path)), f"evidence of {player}"
        if not stand.is_up:
            assert seat.replica is None
            return
        if seat.kill_at is not None:
            return  # killed in the midst of a step of the specification; compared once it has restarted
        kept = {ref: oid for ref, oid in seat.recorded.items() if oid is not None}
        assert kept[own] == self.ids[stand.log], f"own log of {player}"
        if following is None or (following.player == player and following.name in ("Record", "Keep", "Remove")):
            return  # perhaps in the midst of a step of the program
        temporary = {oid for ref, oid in kept.items() if _is_reply_of(game, ref, player)}
        assert temporary == self._ids_of(stand.reply), f"temporary branches of {player}"
        leads_to = self._reached(*(names[oid] for oid in kept.values()))
        expected = self._reached(stand.log, stand.reply, stand.seen, *stand.seen_replies)
        assert leads_to == expected, f"what {player} has kept: {_named(leads_to ^ expected, names)}"
        held = self._reached(stand.head, *stand.replies)
        graph = seat.running.graph
        assert {oid for oid in names if oid in graph} == held and len(graph) == len(held), f"what {player} holds"
        assert graph.head == self.ids[stand.head], f"newest commit of {player}"

    def _ids_of(self, commit: Id) -> set[ObjectId]:
        return set() if commit == NO_COMMIT else {self.ids[commit]}


def _is_reply_of(game: GameDefinition, ref: str, player: Player) -> bool:
    branch = parse_branch(ref.removeprefix(HEADS)) if ref.startswith(HEADS) else None
    return isinstance(branch, ReplyBranch) and branch.colour == game.seats[player - 1].colour


def _named(oids: set[ObjectId], names: Mapping[ObjectId, Id]) -> list[Id | ObjectId]:
    return [names.get(oid, oid) for oid in oids]


def make_template(path: Path, players: int, rules: Rules = DISCARDS, *, signed: bool = True) -> Path:
    """The repositories of the game of MCP2PTrace in spec/models.toml, which has just begun."""
    make_seats(path, players, 0, rules=rules, signed=signed)
    return path


@contextmanager
def driven(driver: Driver, behaviour: Behaviour) -> Iterator[Driver]:
    """A driver that has gone through a behaviour, whose programs end with this.

    ``AssertionError`` tells the step after which repositories and specification differ.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(peer_module, "draw_or_call", lambda state, action, rng: action)
        try:
            driver.run(behaviour)
            yield driver
        finally:
            driver.close()
