"""The promises of the program that must hold in a simulated game, whatever fails. They are checked after every event.

The referee sees all hosts. It judges every commit that any peer holds by one graph of its own, which has no forks. So
no peer may hold anything else, and no peer may forget what it has acknowledged.
"""

from collections.abc import Callable, Mapping
from typing import Any

from catan_p2p.game.rules import awaited
from catan_p2p.log.commit import decode_commit, parse_action
from catan_p2p.log.evidence import REFUSALS_FILE, read_evidence, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import new_commits, read_root
from catan_p2p.log.refs import HEADS, REMOTES, ReplyBranch, parse_branch
from catan_p2p.log.storage.medium import FileStatus
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing, StoreError
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.core.refusals import PROVEN
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.served_disk import Objects

_PRIVATE = FOLDER / "catan-p2p"
_REFUSALS = str(_PRIVATE / REFUSALS_FILE)
_REPLY_AGE = 20
"""At the end, a player may still show a reply that is at most this many commits old."""


class KeptEvidence:
    """The evidence that hosts keep of refused commits: it is never lost, and it never charges an honest player."""

    def __init__(self) -> None:
        self.liars: set[str] = set()
        """The players who have shown, themselves or by the relay, something else than their repository."""
        self._kept: dict[str, list[dict[str, Any]]] = {}
        self._seen: dict[str, FileStatus | None] = {}
        self._changes: dict[str, int] = {}
        """How many changes each disk had when it was last looked at."""

    def look(self, host: Host) -> None:
        """Note the evidence of a host that has carried out its effects."""
        # This comes after every step of every host, so the file is read only if the disk and its status have changed.
        if self._changes.get(host.name) == host.disk.changes:
            return
        self._changes[host.name] = host.disk.changes
        status = host.disk.status(_REFUSALS)
        if status != self._seen.get(host.name):
            self._seen[host.name] = status
            self._kept[host.name] = read_refusals(_PRIVATE, host.disk)

    def look_again(self, host: Host) -> None:
        """A disk may have lost data, which it does not count as a change."""
        self._changes.pop(host.name, None)

    def forget(self, host: Host) -> None:
        """A host has gone back to an older copy."""
        self._kept.pop(host.name, None)
        self._seen.pop(host.name, None)
        self.look_again(host)

    def problem(self, host: Host) -> str | None:
        """A sentence about evidence that a host has lost, or an honest player whom it charges; None if all is well."""
        there = read_refusals(_PRIVATE, host.disk)
        for line in self._kept.get(host.name, ()):
            if line not in there:
                return f"forgot that it had refused {line['commit'][:10]}"
        for line in there:
            if line["colour"] not in self.liars and line.get("certain", True) and line["reason"] in PROVEN:
                return f"charges {line['colour']}, who has not lied, with {line['commit'][:10]}: {line['reason']}"
            if line["reason"] in PROVEN and (problem := _unread(host, f"{line['colour']}/{line['commit']}")):
                return problem
        return None

    def unkept(self, host: Host) -> str | None:
        """A sentence about a refused commit of which a host wrongly keeps no evidence; None if there is none."""
        rejected: Mapping[ObjectId, CommitRejected] = {} if host.replica is None else host.replica.rejected
        there = {line["commit"] for line in read_refusals(_PRIVATE, host.disk)}
        lacking = [bad.commit for bad in rejected.values() if bad.reason in PROVEN and bad.commit not in there]
        return f"refused {lacking[0][:10]}, and kept no evidence of it" if lacking else None


def _unread(host: Host, name: str) -> str | None:
    try:
        read_evidence(_PRIVATE, name, host.disk)
    except StoreError as error:
        return f"lost evidence: {error}"
    return None


class Referee:
    """The referee of one game; it calls ``tell`` with each commit that a host accepts."""

    def __init__(self, root: ObjectId, objects: Objects, now: Callable[[], int]) -> None:
        graph = read_root(root, objects.__getitem__)
        assert isinstance(graph, CommitGraph), graph
        self.graph = graph
        self.root = root
        self.tell: Callable[[Host, LoggedStep], None] = lambda host, step: None
        self.acknowledged: dict[str, set[ObjectId]] = {}
        self._now = now
        self._own: dict[str, list[tuple[ObjectId, bytes]]] = {}
        self._late: set[ObjectId] = set()
        self._shown: dict[str, dict[str, ObjectId]] = {}
        self._owed: dict[str, set[ObjectId]] = {}
        """What hosts had acknowledged before they went back to an older copy: the others must give it back to them."""
        self.evidence = KeptEvidence()

    # Events

    def has_started(self, host: Host, replica: Replica) -> None:
        """A peer has opened its repository: nothing that it has acknowledged may be missing."""
        for commit in sorted(self.acknowledged.get(host.name, ())):
            if commit not in replica.graph:
                self._fail(host, f"forgot {commit[:10]}, which it had acknowledged")
        if problem := self.evidence.problem(host):
            self._fail(host, problem)
        self._own[host.name] = []
        for ref, head in replica.store.list_refs(HEADS).items():
            if parse_branch(ref.removeprefix(HEADS)) is not None:
                commits = new_commits(head, self.graph, replica.store.read)
                for commit, data in [] if isinstance(commits, CommitRejected) else commits:
                    self._judge(host, commit, data)
        replica.tell_step = lambda step, before: self._taken_in(host, replica, step)

    def has_died(self, host: Host) -> None:
        """A peer was killed; what it had written and not shown may be lost."""
        self._own[host.name] = []
        self.evidence.look_again(host)

    def has_acknowledged(self, host: Host, commit: ObjectId) -> None:
        """A peer says that nothing can undo a commit any more."""
        self._judge_own(host)
        self.acknowledged.setdefault(host.name, set()).add(commit)

    def has_shown(self, host: Host) -> None:
        """A repository shows something new: its own log must only have grown, all names be right, no object missing."""
        # What the host shows includes everything up to its newest own commit that a ref names.
        own, shown = self._own.get(host.name, []), {*host.served.refs.values()}
        self._judge_own(host, max((n for n, (commit, _) in enumerate(own, 1) if commit in shown), default=0))
        refs, before = host.served.refs, self._shown.get(host.name, {})
        for ref, head in refs.items():
            if before.get(ref) == head:
                continue
            branch = parse_branch(ref.rpartition("/")[2])
            if branch is None:
                continue
            try:
                host.served.read(head)
            except (ObjectMissing, ObjectDamaged) as error:
                self._fail(host, f"shows {ref} at {head[:10]}, which cannot be read: {error}")
            if ref.startswith(HEADS) and branch.colour != host.name:
                self._fail(host, f"writes {ref}, which is not its own")
            if ref.startswith((HEADS, REMOTES)) and head not in self.graph and head not in self._late:
                self._fail(host, f"{ref} leads to {head[:10]}, which nobody has validated")
            old = before.get(ref)
            if old is not None and not isinstance(branch, ReplyBranch) and old in self.graph and head in self.graph:
                if self.graph.height(head) < self.graph.height(old):
                    self._fail(host, f"{ref} goes back from {old[:10]} to {head[:10]}")
        for ref, old in before.items():
            if ref not in refs and ref == host.seat.log:
                self._fail(host, f"its own log, at {old[:10]}, is gone")
        self._shown[host.name] = dict(refs)

    def has_stepped(self, host: Host) -> None:
        """A peer has carried out the effects of a step."""
        self.evidence.look(host)

    def has_lied(self, lie: object) -> None:
        """A host, or the relay, lies from now on; the player in whose name it does so may be charged."""
        liar = getattr(lie, "_host", None)
        if liar is not None:
            self.evidence.liars.add(liar.name)

    def goes_back(self, host: Host) -> None:
        """A host now has an older copy of its repository; all others hold what it had done."""
        self._owed.setdefault(host.name, set()).update(self.acknowledged.pop(host.name, ()))
        self._shown.pop(host.name, None)
        self.evidence.forget(host)

    def _taken_in(self, host: Host, replica: Replica, step: LoggedStep) -> None:
        self.tell(host, step)
        data = replica.store.read(step.commit)[1]
        if step.action.player == replica.player and step.commit not in self.graph:
            self._own[host.name].append((step.commit, data))
        else:
            self._judge(host, step.commit, data)

    def _judge_own(self, host: Host, count: int | None = None) -> None:
        """Judge what a peer has written, in order: all, or the first ``count``.

        Own commits are judged only when they are shown or acknowledged. Until then they may be lost, and others follow.
        """
        own = self._own.get(host.name, [])
        for _ in range(len(own) if count is None else count):
            self._judge(host, *own.pop(0))

    def _judge(self, host: Host, commit: ObjectId, data: bytes) -> None:
        """Judge a commit that a peer holds by the referee's own graph, which has no forks."""
        if commit in self.graph or commit in self._late:
            return
        judged = self.graph.check(commit, data)
        if isinstance(judged, LoggedStep):
            self.graph.add(judged)
        elif judged.reason == "late" and judged.other is None and self._author(data) == host.seat.player:
            self._late.add(commit)  # its own reply, written when the game no longer waited for it, is allowed
        else:
            self._fail(host, f"holds what breaks the rules, or contradicts what others hold: {judged}")

    def _author(self, data: bytes) -> int:
        return parse_action(decode_commit(data).message, self.graph.game.constants).player

    # The end

    def check_end(self, hosts: list[Host]) -> None:
        """Raise ``PromiseBroken`` unless all hosts end on one commit, at which the game is over.

        All hidden cards must be open, nothing acknowledged may be missing, and old replies must be gone.
        """
        heads = {host.name: self._end_of(host) for host in hosts}
        if len(set(heads.values())) != 1:
            told = ", ".join(f"{name} {str(head)[:10]}" for name, head in heads.items())
            raise PromiseBroken(f"the peers ended on different commits: {told}")
        if not self.graph.state.is_over or set(heads.values()) != {self.graph.head}:
            raise PromiseBroken(f"the peers ended on {str(heads[hosts[0].name])[:10]}, where the game is not over")
        if closed := awaited(self.graph.state):
            raise PromiseBroken(f"the game ended, and {closed} did not open their hidden cards")
        for host in hosts:
            if problem := self.evidence.problem(host) or self.evidence.unkept(host):
                raise PromiseBroken(f"{host.name} {problem}")
            for commit in sorted(self.acknowledged.get(host.name, set()) | self._owed.get(host.name, set())):
                if commit not in self.graph and commit not in self._late:
                    raise PromiseBroken(f"{host.name} acknowledged {commit[:10]}, which is not in the log")
            for ref, head in host.served.refs.items():
                branch = parse_branch(ref.removeprefix(HEADS))
                is_old = (
                    head in self.graph and self.graph.height(head) < self.graph.height(self.graph.head) - _REPLY_AGE
                )
                if isinstance(branch, ReplyBranch) and branch.colour == host.name and is_old:
                    raise PromiseBroken(f"{host.name} still shows {ref}, which was merged long ago")

    def _end_of(self, host: Host) -> ObjectId | None:
        """The commit on which a host has ended; with views its log has the key to its cards after that."""
        head = host.served.refs.get(host.seat.log)
        if head is None or not self.graph.game.has_views:
            return head
        commit = decode_commit(host.served.read(head)[1])
        return commit.parents[0] if parse_action(commit.message, self.graph.game.constants).reply else head

    def _fail(self, host: Host, what: str) -> None:
        raise PromiseBroken(f"{self._now() / 1e6:.6f} s: {host.name} {what}")
