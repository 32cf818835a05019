"""A table at which a player has lied: real peers, driven one step of spec/CatanSettling.tla after the other.

Blue has signed two commits on one. Red plays next, then Blue again, then Green: so it is at the end of the set-up,
where Blue places a second village in two ways, and after a seven of Red's, to which Blue replies in two ways. What is
shown, a peer sees in the repository of whoever wrote it, and nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import pytest

from catan_p2p.game.actions import Action, Excuse, RollDice
from catan_p2p.game.actions.absence import excuser, is_owing
from catan_p2p.game.cards import total
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, decisions
from catan_p2p.game.state import State
from catan_p2p.log import votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import HEADS, abandoned_ref, local_ref
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing
from catan_p2p.log.tree import hash_only
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication import peer as peer_module
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.seat import private_folder
from tests.replication.tables import write_object
from tests.spec_replication import leaving
from tests.spec_replication.behaviours import simulate
from tests.spec_replication.leaving import Passing, VotersSeat, first_draw
from tests.spec_replication.table import SpecTable, copied_seats

Side: TypeAlias = Literal["A", "B"]

SEATS: Mapping[Player, Player] = {1: 2, 2: 1, 3: 3, 4: 4}
"""Who is who in the specification: the liar, who is the first there, is Blue here."""
LIAR, FIRST = SEATS[1], SEATS[2]
FORK = "thesis; Leaving = yes; Dice = 6 8"
REPLIES = "thesis; Leaving = yes; Dice = 6 7 8; HandLimit = 2"
ROLLED_AGAIN = 6
"""The liar's second commit is a roll of the dice."""


class Stand(NamedTuple):
    """Where a player stands: what they hold, whom they have heard, and what comes of the votes."""

    side: str
    at: int
    heard: tuple[bool, ...]
    """Whose votes, by seat."""
    survives: str
    """Which side, once they have heard all votes."""
    settles: bool
    """They are the one who excuses the liar now."""
    has_ended: bool
    """The liar is excused, as far as they hold."""


class Step(NamedTuple):
    """One step: its name, who takes it, whose vote or commit is heard or which commit is seen, where all stand."""

    name: str
    player: Player
    other: Player | None
    side: Side | None
    number: int
    stands: Mapping[Player, Stand]

    def __str__(self) -> str:
        return f"{self.name}({self.player} {self.other or self.side or ''}{self.number or ''})"


def generate(players: int, count: int, seed: int, *, are_replies: bool = False) -> list[list[Step]]:
    """So many behaviours of what comes of a lie, chosen by TLC; the same for the same seed."""
    constants = {"NPlayers": players, "AreReplies": str(are_replies).upper(), "Length": 60}
    return [[*map(_step, told)] for told in simulate("MCSettleTrace", constants, count, seed, 60)]


def _step(raw: list[Any]) -> Step:
    name, player, *rest, stands = raw
    side, number, other = None, 0, None
    if name in ("Hear", "Follow"):
        other = SEATS[rest[0]]
    elif name == "See":
        side, number = rest
    elif name in ("Act", "ActAgain"):
        (side,) = rest
    stood = {SEATS[at]: _stand(stand) for at, stand in enumerate(stands, 2)}
    return Step(name, SEATS[player], other, side, number, stood)


def _stand(raw: list[Any]) -> Stand:
    side, at, heard, survives, settles, ended = raw
    by_seat = {SEATS[player]: bool(flag) for player, flag in enumerate(heard, 1)}
    return Stand(side, at, tuple(by_seat[seat] for seat in sorted(by_seat)), survives, bool(settles), bool(ended))


class SettlingWell(Passing):
    """A player who looks for places that yield something, and then does nothing but end their turn."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        if state.phase == "bot":
            return POLICIES["builder"]().choose(state, player, decisions, rng)
        return super().choose(state, player, decisions, rng)


class Torn(SpecTable[Step]):
    """A table whose game waits for Blue; Blue's two commits are written, and not yet shown."""

    def __init__(self, template: Path, path: Path, rng: Random) -> None:
        super().__init__(copied_seats(template, path, VotersSeat), (LIAR,))
        self._rng = rng
        graph = self.seats[LIAR].running.graph
        self.base, self._trunk = graph.head, graph
        self.replies = [reply.commit for reply in graph.replies.values()]
        self.round = VotingRound(self.base, "lies" if is_owing(graph.state, LIAR) else "fork", LIAR)
        self.ids: dict[tuple[Side, int], ObjectId] = {}
        """The newest commit of each part of each side: the liar's, Red's, the liar's again."""
        self.votes: dict[Player, ObjectId] = {}
        self.excuses: dict[Player, ObjectId] = {}
        action = first_draw(graph.state, decisions(graph.state, LIAR)[0], Random(1))
        both = sorted(self._write([self.base, *self.replies], action, 4000 + i) for i in range(2))
        self.ids["A", 1], self.ids["B", 1] = both  # of two that are held alike the one survives whose id comes first
        self._abandoned: set[ObjectId] = set()

    # Steps

    def _take(self, step: Step, following: Step | None) -> None:
        doing: Callable[[Step], None] | None = getattr(self, f"_{step.name.lower()}", None)
        if doing is not None:  # to move and take over is a part of what comes before
            doing(step)

    def _see(self, step: Step) -> None:
        assert step.side is not None
        author = FIRST if step.number == 2 else LIAR
        branch = self.game.branch(author)
        ref = self._reply_ref if step.number == 1 and self.round.stage == "lies" else local_ref(branch)
        self.seats[step.player].see(author, ref, self.ids[step.side, step.number])

    def _hear(self, step: Step) -> None:
        assert step.other is not None
        self.seats[step.player].see(step.other, self._vote_ref(step.other), self.votes[step.other])

    def _vote(self, step: Step) -> None:
        voting = VotingDuty(self.seats[step.player].running)
        held = next(stand for player, stand in step.stands.items() if player == step.player)
        written = voting.charge_liars()
        self.seats[step.player].publish()
        assert len(written) == 1, f"{len(written)} votes are written"
        charge = written[0].entry.charge
        assert charge is not None
        self.votes[step.player] = written[0].commit
        assert {*charge.commits} == {self.ids["A", 1], self.ids["B", 1]}, "the vote names other commits than the two"
        if held.survives == "none":  # else they may have moved over at once
            names = self.ids[cast(Side, held.side), 1], self.ids[cast(Side, held.side), held.at]
            assert (charge.holds, charge.newest) == names, f"the vote names {charge.holds} and {charge.newest}"

    def _act(self, step: Step) -> None:
        seat = self.seats[FIRST]
        assert step.side is not None and seat.running.is_awaited
        while seat.running.is_awaited:
            steps = seat.running.act()
        seat.publish()
        self.ids[step.side, 2] = steps[-1].commit

    def _actagain(self, step: Step) -> None:
        assert step.side is not None
        head = self.ids[step.side, 2]
        self.ids[step.side, 3] = self._write([head], RollDice(LIAR, ROLLED_AGAIN), 5000)

    def _settle(self, step: Step) -> None:
        (written,) = VotingDuty(self.seats[step.player].running).go_on()
        assert isinstance(written.action, Excuse)
        self.seats[step.player].publish()
        self.excuses[step.player] = written.commit

    def _follow(self, step: Step) -> None:
        assert step.other is not None
        log = local_ref(self.game.branch(step.other))
        self.seats[step.player].see(step.other, log, self.excuses[step.other])

    def _write(self, on: Sequence[ObjectId], action: Action, time_s: int) -> ObjectId:
        """A commit of the liar's, whatever else they have signed; in their repository."""
        graph = self._trunk.at_root()
        for head in on:
            take_in(graph, head, self._read)
        before = graph.before(action)

        def put(kind: ObjectKind, data: bytes) -> ObjectId:
            return write_object(self.seats[LIAR].path, kind, data) if kind == "commit" else hash_only(kind, data)

        return graph.write(action, apply(before, action), time_s, put).commit

    def _read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        for seat in self.seats.values():
            try:
                return seat.running.store.read(oid)
            except ObjectMissing:
                continue
        raise ObjectMissing(oid)

    @property
    def _reply_ref(self) -> str:
        return local_ref(self.game.reply_branch(self.base, "loss", LIAR))

    def _vote_ref(self, voter: Player) -> str:
        return local_ref(self.game.reply_branch(self.base, f"{self.round.stage}{LIAR}", voter))

    # Comparing

    def _compare_all(self, step: Step, following: Step | None) -> None:
        """Now and then one restarts before."""
        if following is not None and following.name in ("MoveOver", "TakeOver"):
            return  # whoever has heard all votes moves over at once
        seat = self.seats[step.player]
        if step.player != LIAR and self._rng.random() < 0.25:
            seat.kill()
            seat.start()
        for player in self.honest:
            self._compare(player, step.stands[player])

    def _compare(self, player: Player, stand: Stand) -> None:
        seat = self.seats[player]
        graph, name = seat.running.graph, self.game.seats[player - 1].colour
        held = {part for part, commit in self.ids.items() if commit in graph}
        expected = {(side, number) for side, number in self.ids if side == stand.side and number <= stand.at}
        assert held == expected, f"{name} holds {held} instead of {expected}"
        heard = tuple(self.votes.get(other) in graph for other in self.seats)
        assert heard == stand.heard, f"{name} has heard the votes of {heard} instead of {stand.heard}"
        survives = {side for side in ("A", "B") for kept in graph.settling.outcomes.values() if self._is(side, kept)}
        assert survives == {stand.survives} - {"none"}, f"{name} has {survives} survive, not {stand.survives}"
        settles = LIAR in votes.excusable(graph.ledger) and excuser(graph.state, LIAR) == player
        assert settles == stand.settles, f"{name} can{'' if settles else 'not'} excuse"
        has_ended = graph.state.away[LIAR - 1]
        assert has_ended == stand.has_ended, f"{name} has {'' if has_ended else 'not '}excused the liar"
        self._compare_kept(player, stand)
        refusals = read_refusals(private_folder(seat.path))
        charged = {line["colour"] for line in refusals}
        assert charged <= {self.game.seats[LIAR - 1].colour}, f"{name} charges {charged}"

    def _is(self, side: Side | str, commit: ObjectId | None) -> bool:
        return commit == self.ids[cast(Side, side), 1]

    def _compare_kept(self, player: Player, stand: Stand) -> None:
        """What a player has written leads to what they hold, is shown until it is merged, and is kept when dropped."""
        seat = self.seats[player]
        graph, shown = seat.running.graph, seat.refs.list("refs/")
        assert shown[local_ref(self.game.branch(player))] in graph, f"the log of {player} leads to what was dropped"
        if (own := self.votes.get(player)) in graph.ballot.loose:
            assert shown.get(self._vote_ref(player)) == own, f"the vote of {player} is not shown"
        if player == FIRST:
            self._abandoned |= {self.ids[part] for part in self.ids if part[1] == 2 and part[0] != stand.side}
            for commit in self._abandoned:
                assert shown.get(abandoned_ref(commit)) == commit, "what was dropped is not kept aside"
        assert all(ref.startswith((HEADS, "refs/remotes/", "refs/abandoned/")) for ref in shown)

    def check_proofs(self, behaviour: Sequence[Step]) -> None:
        """Whoever has moved over, or has seen both of the liar's commits, keeps both; all have, in the end."""
        both = {self.ids["A", 1], self.ids["B", 1]}
        for player in self.honest:
            if behaviour[-1].stands[player].has_ended:
                kept = {*list_evidence(private_folder(self.seats[player].path)).values()}
                assert both <= kept, f"{player} has no proof"


def make_fork(path: Path, players: int) -> Path:
    """The repositories of a game in which everybody waits for Blue's second village."""
    return leaving.make_template(path, players, FORK, LIAR, lambda state: state.sup == "PhaseTwo")


def make_replies(path: Path, players: int) -> Path:
    """The repositories of a game in which Red has rolled a seven, and only Blue has not discarded."""
    return leaving.make_template(
        path, players, REPLIES, LIAR, lambda state: state.tp == "Discarding", _seven, SettlingWell()
    )


def _seven(state: State, action: Action, rng: Random, right: Any = peer_module.draw_or_call) -> Action:
    """A seven for Red as soon as Blue has to discard after it."""
    if isinstance(action, RollDice):
        is_due = action.player == FIRST and total(state.h[LIAR - 1].rc) > state.constants.rules.hand_limit
        return RollDice(action.player, 7 if is_due else 8 if rng.random() < 0.5 else 6)
    return cast(Action, right(state, action, rng))


def follow(template: Path, path: Path, behaviour: Sequence[Step], seed: int = 1) -> None:
    """Drive real repositories through a behaviour."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patched:
        patched.setattr(peer_module, "draw_or_call", first_draw)
        table = Torn(template, path, Random(seed))
        stack.callback(table.close)
        table.run(behaviour)
        table.check_proofs(behaviour)
