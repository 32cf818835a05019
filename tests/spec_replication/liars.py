"""Behaviours with a liar: their repository says what the specification has them say, the others are real peers.

A liar continues their log, or replies, in two ways, or makes up what others have done.
"""

from itertools import combinations
from pathlib import Path

from catan_p2p.game.constants import Player
from catan_p2p.game.randomness import logical_clock
from catan_p2p.game.rules import apply, enabled
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.refs import COLOURS, local_ref, remote_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.tables.seat import private_folder
from tests.replication.tables import KEYS
from tests.spec_replication.behaviours import NO_COMMIT, ROOT, Behaviour, Id, Recorded, SpecStep, Stand
from tests.spec_replication.driver import BehaviourDriver, driven, told, window_at


class LyingDriver(BehaviourDriver):
    """Takes honest peers through a behaviour in which one player lies."""

    def __init__(self, template: Path, path: Path, liar: Player, *, signed: bool = True) -> None:
        super().__init__(template, path, liars=(liar,))
        self.is_signed = signed
        self.liar = liar
        self.forged: list[ObjectId] = []
        """Commits that the liar has written in others' names."""
        self.seats[liar].kill()
        self._own = GitStore.open(self.seats[liar].path)
        self._data: dict[ObjectId, bytes] = {}
        self._log = local_ref(self.game.branch(liar))
        self._shown: str | None = None
        """The liar's temporary branch that is there."""

    def _take(self, step: SpecStep, following: SpecStep | None) -> None:
        if step.player != self.liar:
            super()._take(step, following)
            if step.recorded is not None:
                commit = self.ids[step.recorded.id]
                self._data[commit] = self.seats[step.player].running.store.read(commit)[1]
        elif step.recorded is not None:
            self.ids[step.recorded.id] = self._write(step.recorded)
            self.book[step.recorded.id] = step.recorded
            if step.name == "Pretend":
                self._pretend(step.recorded)

    def _compare(self, player: Player, stand: Stand, following: SpecStep | None) -> None:
        if player == self.liar:
            self._show(stand)
        else:
            super()._compare(player, stand, following)

    # What the liar does

    def _write(self, recorded: Recorded) -> ObjectId:
        """Write a commit where the specification says, whatever else the liar has written, in whose name it says.

        In another's name it is written a second later than that player would: else it might be the same commit.
        """
        graph, player = self._graph_at(recorded), recorded.id[1]
        action = next(
            action
            for action in enabled(graph.state, player)
            if told(apply(graph.before(action), action)) == recorded.game
        )
        after = apply(graph.before(action), action)
        time_s = logical_clock(graph.next_height(player)) + (player != self.liar)
        step = graph.write(action, after, time_s, self._own.add)
        self._data[step.commit] = self._own.read(step.commit)[1]
        self._own.record(f"refs/kept/{step.commit}", step.commit, None)
        return step.commit

    def _pretend(self, recorded: Recorded) -> None:
        """Show a commit in another's name as if the liar had seen it in that player's repository."""
        commit, author = self.ids[recorded.id], recorded.id[1]
        self.forged.append(commit)
        ref = remote_ref(self.game.seats[author - 1].colour, self._reply_branch(recorded) or self.game.branch(author))
        self._own.record(ref, commit, self._own.own_ref(ref))

    def _graph_at(self, recorded: Recorded) -> CommitGraph:
        """The graph that ends where a commit hangs; to the liar, whose name is under a commit is all the same."""
        sign = signer(KEYS[COLOURS[self.liar - 1]]) if self.is_signed else None
        graph = read_root(self.ids[ROOT], self._own.read)
        assert isinstance(graph, CommitGraph), graph
        graph = CommitGraph(graph.ledger._replace(verify=None), sign)
        for id in [*sorted(self._past(recorded.on) - {ROOT}), *sorted(recorded.merges)]:
            commit = self.ids[id]
            step = graph.check(commit, self._data[commit], self._own.add)
            assert isinstance(step, LoggedStep), step
            self._own.add("commit", self._data[commit])
            graph.add(step)
        return graph

    def _show(self, stand: Stand) -> None:
        """Point the liar's refs where the specification has them."""
        branch = None
        if stand.shown_reply != NO_COMMIT:
            found = self._reply_branch(self.book[stand.shown_reply])
            assert found is not None
            branch = local_ref(found)
        if self._shown not in (None, branch):
            self._point(str(self._shown), None)
        if branch is not None:
            self._point(branch, self.ids[stand.shown_reply])
        self._shown = branch
        self._point(self._log, self.ids[stand.shown_log])
        self._own.publish()

    def _point(self, ref: str, head: ObjectId | None) -> None:
        old = self._own.own_ref(ref)
        if old == head:
            return
        if head is None:
            assert old is not None
            self._own.delete_ref(ref, old)
        else:
            self._own.record(ref, head, old)

    # What comes of it

    def contradictions(self) -> list[tuple[Id, Id]]:
        """Pairs of commits by which the liar continues from the same place in two ways."""
        own = [one for one in self.book.values() if one.id[1] == self.liar]
        return [
            (one.id, other.id)
            for one, other in combinations(own, 2)
            if one.on == other.on and (self._reply_branch(one) is None) == (self._reply_branch(other) is None)
        ]

    def exchange(self) -> None:
        """Let the honest see everything that is shown, by anybody."""
        for player in self.honest:
            seat = self.seats[player]
            if seat.replica is None or seat.kill_at is not None:
                if seat.replica is not None:
                    seat.kill()
                seat.start()
            for neighbour in seat.running.neighbours:
                window_at(neighbour).is_open = True
        for _ in range(4):
            for player in self.honest:
                self.table.look(self.seats[player].running)
                self.seats[player].publish()

    def unnamed(self) -> list[str]:
        """Lies that two honest peers hold between them, and not both of them can prove; empty if all is well.

        ``AssertionError`` if a peer holds both continuations, or anything that is not by whom it says, or accuses
        anybody else.
        """
        found = []
        lies = [frozenset((self.ids[one], self.ids[other])) for one, other in self.contradictions()]
        graphs = {player: self.seats[player].running.graph for player in self.honest}
        proofs = {player: self._proofs(player) for player in self.honest}
        for player, graph in graphs.items():
            assert not [commit for commit in self.forged if commit in graph], f"{player} holds what the liar made up"
        for lie in lies:
            assert not any(all(commit in graphs[player] for commit in lie) for player in self.honest), "both are held"
        for p, q in combinations(self.honest, 2):
            between = [lie for lie in lies if any(c in graphs[p] for c in lie) and any(c in graphs[q] for c in lie)]
            apart = [lie for lie in between if {c for c in lie if c in graphs[p]} != {c for c in lie if c in graphs[q]}]
            if apart:
                found += [f"{who} cannot name it" for who in (p, q) if not any(lie <= proofs[who] for lie in lies)]
        return found

    def _proofs(self, player: Player) -> set[str]:
        """The commits that a peer keeps as evidence against the liar; it accuses nobody else of a contradiction."""
        colour = self.game.seats[self.liar - 1].colour
        refusals = read_refusals(private_folder(self.seats[player].path))
        accused = {line["colour"] for line in refusals if line["certain"]}
        assert accused <= {colour}, accused
        kept = list_evidence(private_folder(self.seats[player].path))
        return {commit for name, commit in kept.items() if name.startswith(f"{colour}/")}

    def close(self) -> None:
        """End every program that runs."""
        super().close()
        self._own.close()


def run_with_liar(template: Path, path: Path, liar: Player, behaviour: Behaviour, *, signed: bool = True) -> int:
    """Drive real peers through a behaviour with a liar, let them exchange what they have; how many lies there were."""
    with driven(LyingDriver(template, path, liar, signed=signed), behaviour) as driver:
        driver.exchange()
        assert driver.unnamed() == []
        return len(driver.contradictions()) + len(driver.forged)
