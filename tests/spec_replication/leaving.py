"""A table at which a player may have gone: real peers, driven one step of spec/CatanLeaving.tla after the other.

Red's turn is at its end, and everybody waits for Red. What is sent are commits: Red's next one, votes, the turns of
the others, the excuse; what is heard, a peer sees in the repository of whoever sent it, and nothing else.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import pytest

from catan_p2p.game.actions import Action, EmptyBuild, EmptyTrade, Excuse, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log import votes
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.refs import HEADS, local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.players.choosing import PolicyChooser, checked
from catan_p2p.replication import peer as peer_module
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.seat import private_folder
from tests.replication.tables import make_seats, opened, write_object
from tests.spec_replication.behaviours import simulate
from tests.spec_replication.table import Seat, SpecTable, copied_seats

RULES = "thesis; Leaving = yes; Dice = 6 8"
ABSENT, EXCUSER = 1, 2


class Stand(NamedTuple):
    """Where a player stands: what they have heard of whom, how it has ended for them, what they have to do."""

    is_up: bool
    end: str
    act: bool
    yes: tuple[bool, ...]
    no: tuple[bool, ...]
    built: tuple[bool, ...]
    excuse: bool
    doubts: bool
    """They hold an action that another doubts, and nobody has testified to it."""
    excuses: bool


class Message(NamedTuple):
    """What was sent: ``act``, ``yes``, ``no``, ``build`` or ``excuse``, and by whom."""

    kind: str
    sender: Player


class Step(NamedTuple):
    """One step: its name, who takes it, what they hear or send, and where all stand after it."""

    name: str
    player: Player
    message: Message | None
    stands: tuple[Stand, ...]

    def __str__(self) -> str:
        return f"{self.name}({self.player}{' ' + self.message.kind if self.message else ''})"


def generate(players: int, count: int, seed: int, **constants: object) -> list[list[Step]]:
    """So many behaviours of a vote, chosen by TLC; the same for the same seed."""
    chosen = {"NPlayers": players, "Length": 50, **constants}
    return [[*map(_step, told)] for told in simulate("MCVoteTrace", chosen, count, seed, 50)]


def _step(raw: list[Any]) -> Step:
    name, player, *rest, stands = raw
    message = Message(*rest[0]) if rest else None
    return Step(name, player, message, tuple(map(_stand, stands)))


def _stand(raw: list[Any]) -> Stand:
    up, end, act, yes, no, built, excuse, doubts, excuses = raw
    rows = (tuple(map(bool, row)) for row in (yes, no, built))
    return Stand(bool(up), end, bool(act), *rows, bool(excuse), bool(doubts), bool(excuses))


class Passing:
    """A player who does nothing but end their turn."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        ends = [one for one in decisions if isinstance(one, EmptyBuild | EmptyTrade)]
        return (ends or [*decisions])[0]


PASSING = Passing()


class VotersSeat(Seat):
    """A seat at such a table."""

    def start(self) -> None:
        super().start()
        assert self.replica is not None
        self.replica._chooser = checked(Passing())


class VotersTable(SpecTable[Step]):
    """A table whose game waits for the end of Red's turn."""

    def __init__(self, template: Path, path: Path, liars: Sequence[Player] = ()) -> None:
        super().__init__(copied_seats(template, path, VotersSeat), liars)
        self.round = self.seats[ABSENT].running.graph.line.round_of(ABSENT)
        self.ids: dict[Message, ObjectId] = {}
        self.refs: dict[Message, str] = {}
        self._heard: dict[Player, Message] = {}
        """What was heard last, by player."""

    # Steps

    def _take(self, step: Step, following: Step | None) -> None:
        seat = self.seats[step.player]
        if step.name == "Crash":
            seat.kill()
        elif step.name == "Restart":
            seat.start()
        elif step.name == "Hear":
            assert step.message is not None
            self._heard[step.player] = step.message
            is_taken_in_next = following is not None and following.name in ("Accept", "Follow")
            if step.message.kind in ("yes", "no") or not is_taken_in_next:
                self._hear(step.player, step.message)
        elif step.name in ("Accept", "Follow"):
            self._hear(step.player, self._wanted(step))
        elif step.name == "Lie":
            assert step.message is not None
            self._lie(step.message)
        else:
            self._send(step.name.lower(), step.player)
            seat.publish()

    def _wanted(self, step: Step) -> Message:
        """What to look at for what is taken in now: a no leads to no action, it only says that there is one."""
        heard = self._heard[step.player]
        return Message("act", ABSENT) if heard.kind in ("yes", "no") else heard

    def _hear(self, player: Player, message: Message) -> None:
        self.seats[player].see(message.sender, self.refs[message], self.ids[message])

    def _send(self, kind: str, player: Player) -> None:
        replica = self.seats[player].running
        if kind in ("act", "build"):
            assert replica.is_awaited
            while replica.is_awaited:
                steps = replica.act()
            self._sent(Message(kind, player), steps[-1].commit, local_ref(self.game.branch(player)))
            return
        voting = VotingDuty(replica)
        step = voting.vote(ABSENT, "yes") if kind == "yes" else None
        if step is None:
            (step,) = voting.go_on()
        expected = Excuse if kind == "excuse" else Vote
        assert isinstance(step.action, expected), step.action
        is_vote = isinstance(step.action, Vote)
        assert not is_vote or cast(Vote, step.action).says == kind
        ref = local_ref(self._vote_branch(player) if is_vote else self.game.branch(player))
        self._sent(Message(kind, player), step.commit, ref)

    def _sent(self, message: Message, commit: ObjectId, ref: str) -> None:
        self.ids[message] = commit
        self.refs[message] = ref

    def _vote_branch(self, player: Player) -> Any:
        return self.game.reply_branch(self.round.base, f"turn{ABSENT}", player)

    def _lie(self, message: Message) -> None:
        """Write a vote in a liar's repository, whatever else they have said."""
        seat = self.seats[message.sender]
        was_down = seat.replica is None
        if was_down:
            seat.start()
        graph = seat.running.graph
        names = self.ids.get(Message("act", ABSENT), graph.root) if message.kind == "no" else None
        vote = Vote(message.sender, ABSENT, cast(Any, message.kind))
        step = graph.write_vote(self.round, vote, 4000, lambda kind, data: write_object(seat.path, kind, data), names)
        self._sent(message, step.commit, local_ref(self._vote_branch(message.sender)))
        if was_down:
            seat.kill()

    # Comparing

    def _compare_all(self, step: Step, following: Step | None) -> None:
        midst = following.player if following is not None and following.name in ("Accept", "Follow") else None
        for player in self.honest:
            if player != midst:
                self._compare(player, step.stands[player - 1])

    def _compare(self, player: Player, stand: Stand) -> None:
        seat = self.seats[player]
        assert (seat.replica is not None) == stand.is_up
        if not stand.is_up:
            return
        graph, name = seat.running.graph, self.game.seats[player - 1].colour
        end = "excused" if graph.state.away[ABSENT - 1] else "acted" if self._holds(player, "act", ABSENT) else "open"
        assert end == stand.end, f"{name} ends with {end} instead of {stand.end}"
        for kind, row in (("yes", stand.yes), ("no", stand.no)):
            held = tuple(self._holds(player, kind, other) for other in self.seats)
            if votes.is_decided(graph.ledger, self.round):  # a vote that comes now is left alone
                assert not any(mine and not heard for mine, heard in zip(held, row, strict=True)), f"{name}, {kind}"
            else:
                assert held == row, f"{name} holds {kind} of {held} instead of {row}"
        if end == "acted":
            held = tuple(self._holds(player, "build", other) for other in self.seats)
            assert held == stand.built, f"{name} holds turns of {held} instead of {stand.built}"
        assert self._holds(player, "excuse", EXCUSER) == (end == "excused"), f"the excuse that {name} holds"
        doubts = bool([*votes.doubted(graph.ledger, player)])
        assert doubts == stand.doubts, f"{name} has {'' if doubts else 'nothing '}to testify"
        excuses = ABSENT in votes.excusable(graph.ledger) and excuser(graph.state, ABSENT) == player
        assert excuses == stand.excuses, f"{name} can{'' if excuses else 'not'} excuse"
        self._compare_shown(player)
        refusals = read_refusals(private_folder(seat.path))
        assert {line["colour"] for line in refusals} <= {self.game.seats[liar - 1].colour for liar in self.liars}

    def _compare_shown(self, player: Player) -> None:
        """What a player has sent can be seen in their repository as long as nobody else's commit has merged it.

        A no that takes a yes back stands on the branch of the yes.
        """
        shown = self.seats[player].refs.list(HEADS)
        graph = self.seats[player].running.graph
        for message, commit in self.ids.items():
            if message.sender == player and message.kind in ("yes", "no") and commit in graph.ballot.loose:
                found = shown.get(self.refs[message])
                assert found in (commit, self.ids.get(Message("no", player))), f"a {message.kind} of {player}"

    def _holds(self, player: Player, kind: str, sender: Player) -> bool:
        return self.ids.get(Message(kind, sender)) in self.seats[player].running.graph

    # What comes of lies

    def exchange(self) -> None:
        """Let the honest see all votes of the liars."""
        for player in self.honest:
            if self.seats[player].replica is None:
                self.seats[player].start()
            for message in self.ids:
                if message.sender in self.liars:
                    self._hear(player, message)

    def check_proofs(self) -> int:
        """Whoever goes on in another way than somebody else can prove it was a liar's doing; how many do."""
        ends = {player: self.seats[player].running.graph.state.away[ABSENT - 1] for player in self.honest}
        acted = {player for player in self.honest if self._holds(player, "act", ABSENT) and player != ABSENT}
        excused = {player for player in self.honest if ends[player] and player != ABSENT}
        if not acted or not excused:
            return 0
        both = {self.ids[message] for message in self.ids if message.sender in self.liars}
        for player in acted | excused:
            kept = {*list_evidence(private_folder(self.seats[player].path)).values()}
            assert both <= kept, f"{player} has no proof"
        return 1


def make_template(
    path: Path,
    players: int,
    rules: str = RULES,
    awaited: Player = ABSENT,
    when: Callable[[State], bool] = lambda state: state.tp == "Building",
    chance: Callable[[State, Action, Random], Action] = peer_module.draw_or_call,
    chooser: PolicyChooser = PASSING,
) -> Path:
    """The repositories of a game in which everybody waits for a player, there where it is wanted, and knows it.

    ``chance`` is what the actions until then bring.
    """
    path.mkdir(parents=True)
    paths = make_seats(path, players, 7, rules=rules, signed=True)
    with pytest.MonkeyPatch.context() as patched, opened(paths, alone=True) as replicas:
        patched.setattr(peer_module, "draw_or_call", chance)
        one = replicas[awaited - 1]
        for replica in replicas:
            replica._chooser = checked(chooser)
        while len(one.graph) < 200:
            for replica in replicas:
                replica.synchronize()
            is_there = when(one.graph.state) and one.is_awaited
            is_only = is_there and not any(other.is_awaited for other in replicas if other is not one)
            known = {(replica.graph.head, len(replica.graph.replies)) for replica in replicas}
            if is_only and len(known) == 1:
                return path
            for replica in replicas:
                if replica.is_awaited and not (is_there and replica is one):
                    replica.act_one()
    raise AssertionError("it did not come to that")


def follow(template: Path, path: Path, behaviour: Sequence[Step], liars: Sequence[Player] = ()) -> int:
    """Drive real repositories through a behaviour; whether two honest players have ended in different ways."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patched:
        patched.setattr(peer_module, "draw_or_call", first_draw)
        table = VotersTable(template, path, liars)
        stack.callback(table.close)
        table.run(behaviour)
        if not liars:
            return 0
        table.exchange()
        return table.check_proofs()


def first_draw(state: State, action: Action, rng: Random, right: Any = peer_module.draw_or_call) -> Action:
    """What chance brings, the same at every table."""
    return cast(Action, right(state, action, Random(1)))
