"""Games that play on when a promise is broken: in the end an oracle says which honest players who were there are away.

A player was there who was up, could hear the others and be heard, and was never silent for as long as the table waits.
With views it counts when the others voted to go on without that player: the change that follows may take longer.

Who was left out, and is there and honest, comes back where the game has returns, within a few turns of the first turn
missed, and plays again: else the game has ended before, or says why not (``why_away``).

Where a move takes longer over the network than the others wait, anybody may be left out (``slow``).
"""

from catan_p2p.game.actions import Claim, ComeBack, Excuse
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.log.views.view import View
from catan_p2p.replication.catch_up import GRACE_S
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.sentences import listed
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.scene import PromiseBroken, StandsStill
from catan_p2p.simulation.laboratory.world import SimulatedWorld

PATIENCE_S = 20.0
ON_THE_WAY_S = 3.0
"""By how much a silence may look longer to the others than it was."""
_BACK_TURNS, _BACK_S = 6, 20.0
"""Whoever has missed a turn is back after so many turns, and so long."""
_VOTING_S = 2 * PATIENCE_S
"""So long after a silence a player may still be left out for it."""


class OracleWorld(SimulatedWorld):
    """A game with that oracle; its referee notes what is ``broken`` first, and lets the game go on."""

    gone: set[str]
    """Who does not come back, or has lied."""

    def __init__(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        self._silences: dict[str, list[tuple[int, int]]] = {}
        self._left_out: dict[ObjectId, tuple[Host, int]] = {}
        """By excuse or claim, who is left out by it, and when the first peer held it."""
        self._named: dict[tuple[int, Player, Player], tuple[int, set[ObjectId]]] = {}
        """By the number of a view, an honest voter and whom they have waited for: when they first voted so, and the
        head and the replies at which they did.
        """
        self.stands_still = ""
        """Why the game has ended before its end, if that was to be expected."""
        self._went_back: dict[str, int] = {}
        """Who has been given back an older copy of their repository, and when."""
        self.has_returns = self.game.constants.rules.returns > 0
        self._may_return: dict[str, tuple[int, int]] = {}
        """Who was left out and may come back: since when, and after how many turns."""
        self._kept_out: set[str] = set()
        """Who could for too long, and is not back."""
        self._back: set[str] = set()
        """Who is back and has not played again."""
        self._over_us = 10**18
        """When the first peer held the end: peers may stay long after it."""
        self.returned = 0
        """How often somebody has come back."""
        for host in self.hosts:
            host.seat.pace.patience_s = PATIENCE_S

    def is_silent(self, host: Host, for_us: int) -> None:
        """Note that nobody can hear a player from now on, for a time; what follows at once is the same silence."""
        silences = self._silences.setdefault(host.name, [])
        last = silences.pop() if silences and silences[-1][1] >= self.now else (self.now, self.now)
        silences.append((last[0], max(last[1], self.now + for_us)))

    def stand_still(self, host: Host, for_us: int) -> None:
        """Let a player do nothing for a time."""
        host.absent_until = self.now + for_us
        self.is_silent(host, for_us)

    def has_gone_back(self, host: Host) -> None:
        """Note that a player now has an older copy of their repository."""
        self._went_back[host.name] = self.now

    def _taken_in(self, host: Host, step: LoggedStep) -> None:
        super()._taken_in(host, step)
        if self.has_returns and host.replica is not None and host.name not in self.gone:
            self._note_return(host, host.replica.graph)
            if host.replica.graph.state.is_over:
                self._over_us = min(self._over_us, self.now)
        if isinstance(step.action, ComeBack) and step.action.absent == host.seat.player:
            self.returned += 1
            self._back.add(host.name)
        elif step.action.player == host.seat.player and not isinstance(step.action, ViewMessage):
            self._back.discard(host.name)
        if isinstance(step.action, Excuse | Claim):
            self._left_out.setdefault(step.commit, (self.hosts[step.action.absent - 1], self.now))
        elif isinstance(step.action, ViewMessage) and step.action.player == host.seat.player:
            if host.name not in self.gone:
                assert host.replica is not None
                graph = host.replica.graph
                at = self.now, {graph.head, *(reply.commit for reply in graph.replies.values())}
                for absent in step.action.waits:
                    self._named.setdefault((step.action.view, step.action.player, absent), at)

    def _note_return(self, host: Host, graph: CommitGraph) -> None:
        """Note since when a player who was left out could come back: at once, but for the phase of the turn."""
        duty = ViewDuty(graph.valid, graph.valid.party_of[host.seat.player])
        turns, (since_us, before) = graph.line.turns_ended, self._may_return.get(host.name, (self.now, 0))
        is_back, was_silent = not duty.is_away, any(until > since_us for _, until in self._silences.get(host.name, ()))
        if is_back or was_silent:
            self._may_return.pop(host.name, None)
            self._kept_out.discard(host.name)
        elif host.name in self._may_return:
            if turns >= before + _BACK_TURNS and self.now >= since_us + int(_BACK_S * US):
                self._kept_out.add(host.name)
        elif graph.state.ret[host.seat.player - 1].missed and self._has_settled(graph.state, host):
            self._may_return[host.name] = self.now, self.referee.graph.line.turns_ended

    @staticmethod
    def _has_settled(state: State, host: Host) -> bool:
        return state.s.of(host.seat.player).bit_count() >= 2

    @property
    def why_away(self) -> dict[str, str]:
        """Why honest players who were left out, and are there, do not play again, in a game with returns."""
        state = self.referee.graph.state
        away = [host for host in self.hosts if state.away[host.seat.player - 1] and host.name not in self.gone]
        told = {host.name: self._why_away(host, state) for host in away if self.has_returns}
        return {**dict.fromkeys(self._back - self.gone, "back, and not on turn before the end"), **told}

    def _why_away(self, host: Host, state: State) -> str:
        way, silences = state.ret[host.seat.player - 1], self._silences.get(host.name, ())
        if host.name in self._kept_out:
            return "could come back, and did not"
        if any(until + int(_BACK_S * US) >= min(self.now, self._over_us) for _, until in silences):
            return "silent until shortly before the end"
        if not way.left:
            return "no return left"
        if not way.missed:
            return "no turn missed before the end"
        if not self._has_settled(state, host):
            return "left out in the set-up"
        return "a turn missed shortly before the end" if host.name in self._may_return else "unexplained"

    def _left_view(self, excuse: ObjectId, absent: Player) -> View | None:
        """The view that this excuse leaves behind, with this player."""
        for host in self.hosts:
            graph = None if host.replica is None else host.replica.graph
            is_held = graph is not None and graph.game.has_views and excuse in graph
            node = graph.valid.line_node(excuse) if graph is not None and is_held else None
            view = None if node is None else node.view
            while view is not None and view.before is not None and absent not in view.value.out:
                view = view.before
            if view is not None and view.before is not None:
                return view.before
        return None

    def _stopped_waiting(self, left: int, absent: Player) -> list[tuple[int, bool]]:
        """When the others have stopped waiting for a player, in the view that they left.

        And whether they had waited for less than a move takes, or that player had, and had voted before it came.
        """
        return [
            (voted_us, any(self._is_slow(*vote) for vote in self._named if vote[:2] == (left, absent) or vote == of))
            for of, (voted_us, _) in self._named.items()
            if (of[0], of[2]) == (left, absent)
        ]

    def _takes_no_part(self, left: View | None, host: Host) -> bool:
        """Whether a player has gone back to an older copy after the others had begun to vote: they stay out of it.

        Until they could hear enough of the others that they can ask, they were still going back: all of them, or more
        than half of those present once the grace of catching up is over. Of three that is both, as in a ring.
        """
        if (back_us := self._went_back.get(host.name)) is None or left is None:
            return False
        up_us = self._is_there_us(host, back_us)
        asked = host.seat.settings.remotes if self.relay is None else {one.name for one in self.hosts}
        others = [
            one for one in self.hosts if one is not host and one.name in asked and one.seat.player in left.present
        ]
        there = sorted(self._is_there_us(one, up_us) for one in others) or [up_us]
        most_us = max(there[len(there) // 2], up_us + int(GRACE_S * US))
        heard_us = min(there[-1], most_us) + int(ON_THE_WAY_S * US)
        return any(of[0] == left.number and voted_us <= heard_us for of, (voted_us, _) in self._named.items())

    def _is_there_us(self, host: Host, from_us: int) -> int:
        """When a player who was silent at a moment could be heard again; that moment, if they were not."""
        return max(
            (until for since, until in self._silences.get(host.name, ()) if since <= from_us <= until), default=from_us
        )

    def _is_slow(self, view: int, voter: Player, absent: Player) -> bool:
        """Whether a voter has waited for less than a move takes over this network, there and back.

        There it takes the longest that a commit that was under way meanwhile took to anybody who was there, but for the
        absent player. Where somebody lies or is gone, commits wait for other things than the network.
        """
        voted_us, at = self._named[view, voter, absent]
        since_us = max(self._known_us(voter, commit) for commit in at)
        there_us = 0
        for one in self.recording.actions.values():
            for host in self.hosts:
                known_us = one.by.get(host.name, 0)
                if one.written < voted_us and known_us > since_us and host.seat.player != absent:
                    silences = self._silences.get(host.name, ())
                    if not any(since <= known_us and until >= one.written for since, until in silences):
                        there_us = max(there_us, known_us - one.written)
        return not self.gone and 2 * there_us >= voted_us - since_us

    def _known_us(self, player: Player, commit: ObjectId) -> int:
        """When a player has taken in a commit."""
        known = self.recording.actions.get(commit)
        return known.by.get(self.hosts[player - 1].name, 0) if known is not None else 0

    def _was_silent(self, host: Host, at_us: int) -> bool:
        """Whether a player was silent for as long as the others wait, at this moment or not long before."""
        long_us, ago_us = int((PATIENCE_S - ON_THE_WAY_S) * US), at_us - int(_VOTING_S * US)
        return any(
            until - since >= long_us and since <= at_us and until >= ago_us
            for since, until in self._silences.get(host.name, ())
        )

    @property
    def put_out(self) -> list[str]:
        """The honest players who were there and are away, though moves took less time than the others waited."""
        return self._away_unheard(or_slow=True)

    @property
    def slow(self) -> list[str]:
        """The honest players who were there and are away because moves took longer than the others waited."""
        return [name for name in self._away_unheard(or_slow=False) if name not in self.put_out]

    def _away_unheard(self, *, or_slow: bool) -> list[str]:
        """The honest players who are away, but for those whose silence, or slow network, explains it."""
        unheard = set()
        for excuse, (host, at_us) in self._left_out.items():
            left = self._left_view(excuse, host.seat.player)
            times = [(at_us, False)] if left is None else self._stopped_waiting(left.number, host.seat.player)
            is_explained = all(self._was_silent(host, voted_us) or (or_slow and is_slow) for voted_us, is_slow in times)
            if (times and is_explained) or self._takes_no_part(left, host):
                unheard.add(host.name)
        away: set[Player] = set()
        for host in self.hosts:
            if host.replica is not None and host.name not in self.gone:
                away |= {player for player, is_away in enumerate(host.replica.graph.state.away, 1) if is_away}
        return [host.name for host in self.hosts if host.seat.player in away and host.name not in self.gone | unheard]

    def _why_still(self) -> str:
        """Why play may stand still (docs/how-it-works/replication.md), nothing if it may not."""
        graphs = [host.replica.graph for host in self.hosts if host.replica is not None and host.name not in self.gone]
        views = [graph.valid.view for graph in graphs if graph.game.has_views]
        if not views:
            return ""
        view = max(views, key=lambda one: one.number)
        gone = {host.seat.player for host in self.hosts if host.name in self.gone}
        if 2 * len({*view.electorate} - gone) <= len(view.electorate):
            return "not more than half are there and honest"
        return "two are left, one of whom lies or is gone" if len(view.present) == 2 and gone & {*view.present} else ""

    def run(self) -> None:
        """Play to the end, whatever is broken before; then raise ``PromiseBroken`` for that, and for who is put out."""
        found = []
        try:
            super().run()
        except StandsStill as error:
            self.stands_still = self._why_still()
            found += [str(error)] * (not self.stands_still)
        except PromiseBroken as error:
            found.append(str(error))
        if self.referee.broken is not None:
            found.insert(0, str(self.referee.broken))
        if self.put_out:
            found.append(f"{listed(self.put_out)}, honest and there, {'is' if len(self.put_out) == 1 else 'are'} away")
        told = {**self.why_away, **dict.fromkeys(sorted(self._kept_out - self.gone), "could come back, and did not")}
        found += [
            f"{name} {why}" for name, why in told.items() if why in ("could come back, and did not", "unexplained")
        ]
        if found:
            raise PromiseBroken("; ".join(found))
