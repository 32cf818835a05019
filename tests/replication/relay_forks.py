"""Games of four real peers at a relay in a folder, where one player lies alone:
``python -m tests.replication.relay_forks``.

Each peer has a repository of its own. The liar has two peers in one seat, and moves the own branches at the relay by
force before any other peer looks: some see what one of the liar's peers has done, the rest what the other has. Once
somebody has voted because of the lie, all see the same: one side, the other, what was there before the lie, or nothing.
Or the liar has one peer, and some never see anything new of it.

Time is counted in rounds, in each of which every peer looks, acts and votes once. In the end nobody but the liar is
left out or charged, and all others have ended on one commit.
"""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from catan_p2p.game.randomness import logical_clock
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.refs import branch_at
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.seat import private_folder
from tests import campaigns
from tests.replication.peers import PeerTable, views_of
from tests.replication.relays import bare, meet_at
from tests.replication.tables import git, heads_of, make_seats, open_replica

KINDS = ("both", "one side", "other side", "before", "nothing", "hides")
RULES = (
    "thesis; PointsToWin = 3; Leaving = yes; HandLimit = 3",
    "brief; PointsToWin = 3; Leaving = yes; Chance = joint",
    "thesis; PointsToWin = 3; Leaving = yes; Chance = joint",
    "brief; PointsToWin = 3; Leaving = yes",
)
PATIENCE = 30
MOST_ROUNDS = 1500
_PUSH_S = 2.0
_LATER_S = 3600
"""By so much the clock of the liar's second peer is ahead, so that its commits are other ones."""

Refs = Mapping[str, ObjectId]


class Failed(Exception):
    """What does not hold."""


class RelayLie:
    """What one of four players who meet at a relay shows the others: some of them see another log than the rest."""

    def __init__(self, folder: Path, seed: int, stack: ExitStack) -> None:
        rng = Random(f"real relay forks {seed}")
        self.kind = KINDS[seed % len(KINDS)]
        self.rules = rng.choice(RULES)
        self.relay = bare(folder / "relay")
        self._stack = stack
        paths = make_seats(folder, 4, seed, rules=self.rules)
        for path in paths:
            meet_at(path, str(self.relay))
        self.liar = rng.randrange(4)
        self.at = rng.randrange(1, 60)
        self.path = paths[self.liar]
        self.colour = self.path.name
        self.table = PeerTable[Replica]([])
        self.liars = [self._seated(self.path)]
        """The liar's one peer, or both."""
        self.there = [self._seated(path) for path in paths if path != self.path]
        names = [path.name for path in paths if path != self.path]
        self.side = {*rng.sample(names, rng.randrange(1, len(names)))}
        """Who is shown what the second peer has done, or nothing new."""
        self._before: Refs | None = None
        self._left: Refs | None = None
        self._sent: set[ObjectId] = set()

    def __str__(self) -> str:
        return f"{self.rules}; {self.colour} lies from commit {self.at} on, {self.kind}, towards {sorted(self.side)}"

    @property
    def has_lied(self) -> bool:
        return self._before is not None

    def _seated(self, path: Path, later_s: int = 0) -> Replica:
        replica: Replica = self._stack.enter_context(open_replica(path, lambda height: logical_clock(height) + later_s))
        relay = replica.relay
        assert relay is not None
        relay.meeting.least_s = 0.0
        if path.name.startswith(self.colour):

            def look_only(*_: object, **__: object) -> None:
                relay.meeting.turn()

            relay.tend = look_only  # type: ignore[method-assign]
        self.table.seat(replica)
        return replica

    def play(self) -> None:
        """Play to the end."""
        for _ in range(MOST_ROUNDS):
            for replica in (*self.liars, *self.there):
                self._turn(replica)
            if all(replica.graph.state.is_over and replica.has_pushed_all for replica in self.there):
                if len({replica.graph.head for replica in self.there}) == 1:
                    return
            self.table.time.sleep(1.0)
        raise Failed(f"it stands still: {[replica.graph.head[:10] for replica in self.there]}")

    def _turn(self, replica: Replica) -> None:
        self._move(self._shown_to(replica))
        self.table.look(replica)
        is_liar = replica in self.liars
        if is_liar and not self.has_lied and len(replica.graph) >= self.at and replica.is_awaited:
            self._lie(replica)
        self.table.go_on(replica, PATIENCE)
        if not is_liar:
            assert replica.relay is not None
            replica.relay.flush(replica.store, replica.graph, _PUSH_S)  # whoever has moved over looks there first
            self._leave_one()

    def _lie(self, replica: Replica) -> None:
        """Begin a second peer from what the first one holds, or hide what comes from now on."""
        replica.store.publish()
        self._before = self._own(self.path)
        if self.kind == "hides":
            return
        twin = self.path.with_name(f"{self.colour}_twin")
        shutil.copytree(self.path, twin, ignore=shutil.ignore_patterns("*.lock"))
        self.liars.append(self._seated(twin, _LATER_S))

    def _leave_one(self) -> None:
        """Once somebody has voted because of the lie, leave one thing for all."""
        if self._left is not None or not self.has_lied or self.kind in ("both", "hides"):
            return
        if any(views_of(replica).changes.votes for replica in self.there):
            one, other = (self._own(replica.store.folder.parent) for replica in self.liars)
            choices: dict[str, Refs | None] = {"one side": one, "other side": other, "before": self._before}
            self._left = choices.get(self.kind, {})

    def _shown_to(self, replica: Replica) -> Refs:
        """The liar's branches as a peer finds them at the relay."""
        if replica in self.liars:
            return self._own(replica.store.folder.parent)
        if self._left is not None:
            return self._left
        name = replica.store.folder.parent.name
        if name in self.side and self.has_lied:
            return (
                (self._before or {}) if self.kind == "hides" else self._own(self.path.with_name(f"{self.colour}_twin"))
            )
        return self._own(self.path)

    def _own(self, path: Path) -> Refs:
        heads = heads_of(path)
        branches = {ref: branch_at(ref) for ref in heads}
        own = {
            ref: heads[ref] for ref, branch in branches.items() if branch is not None and branch.colour == self.colour
        }
        if lacking := {*own.values()} - self._sent:
            git(path, "push", "--quiet", str(self.relay), *(f"{head}:refs/liar/{head}" for head in lacking))
            self._sent |= lacking
        return own

    def _move(self, own: Refs) -> None:
        """Move the liar's branches at the relay by force."""
        heads = heads_of(self.relay)
        theirs = {ref for ref in heads if (branch := branch_at(ref)) is not None and branch.colour == self.colour}
        lines = [f"delete {ref}\n" for ref in theirs - own.keys()]
        lines += [f"update {ref} {head}\n" for ref, head in own.items() if heads.get(ref) != head]
        if lines:
            git(self.relay, "update-ref", "--stdin", data="".join(lines).encode())

    def check(self) -> None:
        """Raise ``Failed`` if somebody honest is left out or charged."""
        honest = {replica.store.folder.parent.name for replica in self.there}
        for replica in self.there:
            seats = zip(replica.game.seats, replica.graph.state.away, strict=True)
            if away := {seat.colour for seat, is_away in seats if is_away} & honest:
                raise Failed(f"{away}, honest, has been left out")
            path = replica.store.folder.parent
            if charged := {line["colour"] for line in read_refusals(private_folder(path))} & honest:
                raise Failed(f"{path.name} charges {charged}")
            copies = git(path, "for-each-ref", "--format=%(refname)", "refs/heads/*_copy_*").splitlines()
            if copies:
                raise Failed(f"{path.name} still shows {copies}")


def play_one(folder: Path, seed: int) -> RelayLie:
    """One game; ``Failed`` says what does not hold."""
    with ExitStack() as stack:
        lie = RelayLie(folder, seed, stack)
        try:
            lie.play()
            lie.check()
        except Failed as error:
            raise Failed(f"seed {seed}: {lie}: {error}") from None
        return lie


@dataclass
class Figures(campaigns.Figures):
    """What a campaign has seen."""

    lies: int = 0
    actions: int = 0

    def summary(self, spent: dict[str, float]) -> str:
        return f"{self.games} games, {self.actions} actions, {self.lies} with a lie, {len(self.failures)} failures"


def play_asked(seed: int, args: Namespace) -> Figures:
    """One game of the campaign."""
    with TemporaryDirectory(prefix="catan-p2p-relay-forks-") as temporary:
        try:
            lie = play_one(Path(temporary), seed)
        except Failed as error:
            return Figures(1, [str(error)])
    return Figures(1, [], lie.has_lied, len(lie.there[0].graph) - 1)


if __name__ == "__main__":
    parser = campaigns.options("Let a player of real games lie alone at a relay.", 10, 0)
    sys.exit(campaigns.run_campaign(parser.parse_args(), play_asked, Figures()))
