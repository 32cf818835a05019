"""One seat of a table: a peer that a person or a policy plays, or each in turn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import cast

from catan_p2p.game.actions import Action, Claim, Excuse
from catan_p2p.game.actions.replies import may_reply
from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.game.move_watcher import Watch, watches
from catan_p2p.game.rules import NotEnabled, awaited
from catan_p2p.game.state import State
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.opening import open_client, open_remote
from catan_p2p.log.transport.queries import AsyncRemote, DirectRemote
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.players.policies import Policy, make_policy
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.peer import COURSE
from catan_p2p.replication.play import LookPace, PeerLife, is_full, may_pass
from catan_p2p.replication.prospects import (
    LeaveProspect,
    Standing,
    back_in_words,
    is_left_out,
    left_out_in_words,
    newest_at,
    still_owed,
)
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import TooEarly, VotingProblem
from catan_p2p.sentences import listed
from catan_p2p.sessions.messages import NO_DEAL, ActionDone, ActionRefused, AgreedDeal, AwayPlayers, deal_in
from catan_p2p.tables.foreign_commits import describe_displaced

ANSWERS_S = 60.0
"""How long a computer player's offer waits for optional answers: a person takes time to think."""
SILENCE_S = 60.0
"""After how long without news the seat offers a vote, at a table that has agreed on no patience."""


class Metronome:
    """Says when the computer players of a table may act: a while after the last action, so that people can follow."""

    def __init__(self, pace_s: float) -> None:
        self.pace_s = pace_s
        self._next = 0.0

    @property
    def wait_s(self) -> float:
        """How long until a computer player may act."""
        return max(0.0, self._next - monotonic())

    def tick(self) -> None:
        """Start the pause anew, since somebody has acted."""
        self._next = monotonic() + self.pace_s


class SeatControl:
    """Decides for the seat: its replica asks this."""

    def __init__(self, policy: str | None) -> None:
        self._moves: list[tuple[State, Action, State]] = []
        self.hand_to(policy)

    def hand_to(self, policy: str | None) -> None:
        """Let a policy decide, or the person with None."""
        self.policy = policy
        self._policy: Policy | None = None if policy is None else make_policy(policy)
        self._watching: list[Watch] = watches([self._policy])
        # A policy that takes over must know what was played before.
        for watch in self._watching:
            for move in self._moves:
                watch(*move)

    def watch(self, before: State, action: Action, after: State) -> None:
        """Remember a move for the policy that decides, now or later."""
        self._moves.append((before, action, after))
        for watch in self._watching:
            watch(before, action, after)

    @property
    def name(self) -> str:
        """The name of the policy that decides."""
        return self.policy or "of nobody"

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """The policy's choice; for a person's seat this is never called."""
        assert self._policy is not None
        return self._policy.choose(state, player, decisions, rng)


class SeatDriver:
    """A seat at work: its replica, its life as a peer, and who decides."""

    def __init__(
        self, colour: str, replica: Replica, control: SeatControl, metronome: Metronome, *, is_person: bool
    ) -> None:
        self.colour = colour
        self.replica = replica
        self.control = control
        self.is_person = is_person
        self._metronome = metronome
        self.decided: list[tuple[Action, AgreedDeal]] = []
        """The person's decisions that still wait: first the others must be asked for this player's own log."""
        # For folders of this process looking is cheap, and rest is what saves the battery.
        self.life = PeerLife(
            replica, LookPace(max_wait_s=0.25, stay_s=float("inf"), answers_s=ANSWERS_S), act=self._act
        )
        self.hand_to(control.policy)

    def hand_to(self, policy: str | None) -> None:
        """Let a policy play the seat, and vote as a peer does, or let the person play with None."""
        if policy != self.control.policy:
            self.control.hand_to(policy)
        # Without a patience the peer casts no votes: a person decides on theirs.
        self.life.pace.patience_s = None if policy is None else self.life.voting.table_patience_s or None

    def _act(self, replica: Replica) -> Sequence[LoggedStep]:
        if not self._may_act(replica):
            # The window reads the repository as soon as it is told of a move: an own action may be minutes away.
            replica.store.publish()
            return ()
        return (replica.act_one(),)

    def _may_act(self, replica: Replica) -> bool:
        # After a start, only others may know the last own actions; acting before they are here would contradict them.
        if not replica.may_sign:
            return False
        # What is owed without a choice, such as a share of a draw, is given at once and for a person too.
        if replica.has_choice or not replica.is_awaited:
            if self.control.policy is None or self._metronome.wait_s > 0:
                return False
            self._metronome.tick()
        return True

    @property
    def is_thinking(self) -> bool:
        """Whether a policy will act here as soon as it may."""
        return self.control.policy is not None and self.replica.is_awaited

    def carry_out(self, action: Action, deal: AgreedDeal = NO_DEAL) -> ActionDone | ActionRefused:
        """Carry out what the person has decided; ``deal`` is the trade that they have seen."""
        replica = self.replica
        # Before the checks of turn: the game waits for the absent player, not for the one who votes.
        if isinstance(action, Excuse | Claim) and action.player == replica.player:
            return self._leave_behind(action)
        if action.player != replica.player or self.control.policy is not None:
            return ActionRefused(self.colour, "a computer plays for you now")
        state = replica.graph.state
        replies = may_reply(state, replica.player) and replica.graph.may_act(replica.player)
        if not (replica.is_awaited or replica.may_settle or replies) or state.tp in COURSE:
            return ActionRefused(self.colour, "the game is not waiting for you")
        # The person may have clicked before the newest offer was shown.
        if deal not in (NO_DEAL, deal_in(state, action)):
            return ActionRefused(self.colour, "the trade has changed since you chose it")
        try:
            replica.carry_out(action)
        except NotEnabled as error:
            return ActionRefused(self.colour, "the rules do not allow it", error.guards)
        except InvariantBroken as error:
            return ActionRefused(self.colour, f"it would break the invariant {error.name}")
        except GaveUp as error:  # there is no share for this draw; what needs none can still be done
            return ActionRefused(self.colour, str(error))
        # A full disk may have room again: the game goes on, and the person can try again.
        except StoreError as error:
            if not may_pass(error):
                raise
            why = "no room left on the disk" if is_full(error) else "the disk cannot be written"
            return ActionRefused(self.colour, f"{why}: {error}")
        self._metronome.tick()
        return ActionDone(self.colour)

    def _leave_behind(self, action: Excuse | Claim) -> ActionDone | ActionRefused:
        """Vote to go on without a player, or claim the game; the peer does by itself what follows from it."""
        voting = self.life.voting
        if any(one.absent == action.absent and one.said is not None for one in voting.prospects()):
            return ActionRefused(self.colour, "you have already voted")
        try:
            if isinstance(action, Claim):
                voting.claim()
            else:
                voting.vote(action.absent)
        except TooEarly as error:
            return ActionRefused(self.colour, str(error))
        except VotingProblem:
            return ActionRefused(self.colour, "the game is not waiting for that player")
        self.replica.store.publish()
        return ActionDone(self.colour)

    def away_players(self) -> AwayPlayers:
        """Who has been waited for too long, and what can be done; at a table without a patience, after some silence."""
        voting, graph, player = self.life.voting, self.replica.graph, self.replica.player
        if is_left_out(graph, player) and not graph.state.is_over:
            return AwayPlayers(self.colour, words=left_out_in_words(graph, player))
        back, late = back_in_words(graph, player, self.replica.store.read), tuple[LeaveProspect, ...]()
        if voting.table_patience_s or voting.clock.silent_s >= SILENCE_S:
            late = tuple(prospect for prospect in voting.prospects() if prospect.left_s <= 0)
        possible = tuple(prospect.absent for prospect in late if prospect.is_possible)
        words = "; ".join(Standing(graph, player, 0, late, back).sentences())
        return AwayPlayers(self.colour, possible, words, is_back=bool(back))

    @property
    def newest(self) -> tuple[ObjectId, ...]:
        """The newest commit of the line, and the replies to it."""
        graph = self.replica.graph
        return graph.head, *(graph.replies[player].commit for player in sorted(graph.replies))

    def newest_at(self) -> int:
        """Since when the game waits, in seconds since 1970: the date of the newest commit.

        Where players may leave, it is since when this peer has waited, as far as that counts for a vote: the dates of
        commits are what others claim. A player who has taken several patiences for this turn is shown as silent for
        that much longer.
        """
        if self.replica.game.constants.rules.leaving:
            return int(self.waits_since())
        return newest_at(self.replica.graph, self.replica.store.read)

    def waits_since(self) -> float:
        """Since when this peer has waited, as far as that counts for a vote; now, where nobody may leave."""
        now_s = self.replica.time.date_s()
        return now_s - self.life.voting.longest_wait_s() if self.replica.game.constants.rules.leaving else now_s

    def trouble(self) -> list[str]:
        """What the person should know of the other players' repositories."""
        relay, state, lines = self.replica.relay, self.replica.graph.state, list[str]()
        names = dict(zip(self.replica.game.called, self.replica.game.names, strict=True))
        if state.is_over and (closed := [self.replica.game.names[player - 1] for player in awaited(state)]):
            # First, since a window may show one line only: whoever is awaited there may be out of reach.
            lines.append(f"{listed(closed)} must still {still_owed(state)}: wait before you leave")
        # A first failure is not told: it may be over at the next look.
        lines += [
            f"{names[one.colour]}: {one.note}" for one in self.replica.neighbours if one.note and one.failures != 1
        ]
        if relay is not None and relay.trouble is not None and relay.backoff.failures != 1:
            lines.append(relay.trouble)
        if relay is not None and not relay.has_all(self.replica.store):
            what = "the end of the game" if state.is_over else "what you did last"
            lines.append(f"{what} has not reached the relay yet: wait before you leave")
        lines += [describe_displaced(one) for one in self.replica.store.displaced[-1:]]
        unheard = [names[colour] for colour in self.replica.catch_up.unheard]
        if not self.replica.catch_up.is_over and unheard and self.replica.looks > 3:
            lines.append(f"waiting for {listed(unheard)}: you can act once their copies of your log have been read")
        return lines


def opener_for(table: frozenset[Path]) -> Callable[[str, Path, Path, threading.Condition], AsyncRemote]:
    """Returns an opener that reads the table's own repositories in this process, and all others in processes."""

    def opened(url: str, own: Path, incoming: Path, news: threading.Condition) -> AsyncRemote:
        if Path(url) in table:
            return cast(AsyncRemote, DirectRemote(open_client(url, own, incoming)))
        return open_remote(url, own, incoming, news)

    return opened
