"""Whom a game waits for, and whether it can go on without them, by a vote or a claim: the one place that decides it.

A running peer asks with its own clock, ``status`` with the clock that the peer has kept, so the button of a window,
``vote``, ``turn``, ``status`` and every message agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from catan_p2p import durations
from catan_p2p.game.actions import Claim, ComeBack, Excuse
from catan_p2p.game.actions.absence import is_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited, broken_guards
from catan_p2p.game.state import State
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.nodes import DueRecord
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits, proven_in
from catan_p2p.log.views.deciding import next_change
from catan_p2p.log.views.nodes import AcceptanceNode
from catan_p2p.log.views.view import Change
from catan_p2p.replication.turn_clock import TurnClock
from catan_p2p.safe_text import shown_date
from catan_p2p.sentences import listed

LEFT_OUT = "the others have gone on without you; you can watch"
"""What a player who was left out for good is told."""
BACK = "you are back in the game"
"""What a player who was left out is told once the others have decided that they come back."""
Read: TypeAlias = Callable[[ObjectId], tuple[str, bytes]]
"""Reads a Git object: its type and its bytes."""


class OpenVote(NamedTuple):
    """A change of the view that is open, or could be: parties are named by their first seats."""

    change: Change
    awaited: tuple[Player, ...]
    """Who is awaited."""
    voted: tuple[Player, ...]
    """Who has voted in it."""
    named: tuple[Player, ...]
    """Without whom somebody has voted to go on."""
    is_of_two: bool
    """Whether only two parties still play, of which neither can leave the other out."""
    proofs: Mapping[Player, tuple[ObjectId, ...]]
    """The two commits that prove that a party has forked."""

    @property
    def missing(self) -> tuple[Player, ...]:
        """Who counts, and has not voted."""
        return tuple(party for party in self.change.members if party not in self.voted)

    @property
    def needed(self) -> int:
        """How many must vote: more than half of those who count."""
        return len(self.change.members) // 2 + 1

    def may_pass_without(self, party: Player) -> bool:
        """Whether all who are not awaited are enough, with this party's vote not counted."""
        silent = {party, *self.awaited} - {*self.voted}
        return not self.is_of_two and len(self.change.members) - len(silent) >= self.needed

    def tally(self, absent: Player, names: Sequence[str]) -> str:
        """How many must vote, who has and who has not, apart from the absent party; ``names`` are the players'."""
        groups = ("voted", self.voted), ("not voted yet", self.missing)
        who = [(word, [names[party - 1] for party in group if party != absent]) for word, group in groups]
        said = [f"; {word}: {listed(group)}" for word, group in who if group and self.voted]
        return f"{self.needed} of {len(self.change.members)} must vote{''.join(said)}"

    def without(self, absent: Player, names: Sequence[str]) -> str:
        """``without Red``, with the proof if the party has forked."""
        proof = " and ".join(commit[:10] for commit in self.proofs.get(absent, ()))
        return f"without {names[absent - 1]}{f', who has lied (with {proof})' if proof else ''}"

    def in_words(self, absent: Player, names: Sequence[str]) -> str:
        """How the vote on going on without a party stands, or why it cannot pass."""
        without = self.without(absent, names)
        if self.is_of_two:
            return f"nobody can go on {without}: of two who have a vote, neither can leave the other out"
        if not self.may_pass_without(absent):
            silent = [names[party - 1] for party in sorted({absent, *self.awaited} - {*self.voted})]
            return f"nobody can go on without {listed(silent)}: {self.tally(absent, names)}"
        return f"going on {without}: {self.tally(absent, names)}"


def open_vote(valid: ValidCommits) -> OpenVote:
    """The change that comes next, as far as it is known here."""
    change = next_change(valid)
    votes = [vote for said in valid.changes.votes.get(change, {}).values() for vote in said.values()]
    voted = {vote.link.player for vote in votes}
    awaited = valid.awaited(valid.newest, valid.replies(), valid.view)
    named = {party for vote in votes for party in vote.waits}
    proofs = {party: proof for party, proof in valid.forkers.items() if party in valid.view.present}
    return OpenVote(change, tuple(sorted(awaited)), tuple(sorted(voted)), tuple(sorted(named)), valid.is_of_two, proofs)


class LeaveProspect(NamedTuple):
    """Whether one player can go on without another who is awaited."""

    absent: Player
    left_s: float
    """How long until the table's patience ends, if nothing comes; 0 from then on."""
    said: str | None = None
    """The player's vote so far."""
    is_claim: bool = False
    """Whether only two are left: then nobody votes, and the waiting player can claim the game."""
    open: OpenVote | None = None
    """The change in which the player can vote; None where they can claim."""

    @property
    def is_possible(self) -> bool:
        """Whether the vote, or the claim, is possible now."""
        may_pass = self.open is None or self.open.may_pass_without(self.absent)
        return self.left_s <= 0 and self.said is None and may_pass

    def in_words(self, names: Sequence[str]) -> str:
        """The same in a sentence; ``names`` are the players' names."""
        name, open = names[self.absent - 1], self.open
        when = f"in {durations.left(self.left_s)}, if nothing comes from {name}" if self.left_s > 0 else "now"
        if open is None:
            return f"you can claim the game without {name} {when}"
        if not open.may_pass_without(self.absent):
            return open.in_words(self.absent, names)
        without, tally = open.without(self.absent, names), open.tally(self.absent, names)
        if self.said is not None:
            return f"you have voted to go on {without} ({tally})"
        return f"you can vote to go on {without} {when} ({tally})"


def prospects(graph: CommitGraph, player: Player, clock: TurnClock, read: Read) -> tuple[LeaveProspect, ...]:
    """What a player can do about each awaited player, in the order of seats; ``clock`` has seen the graph.

    Nobody can be voted on, and no game claimed, before the table's patience is over. It only counts time in which this
    machine ran and a connected program heard nothing new, or learned afterwards that nothing had been new. Nor can the
    game be claimed in the first patience after somebody has asked to come back, as requests are dated.
    """
    state = graph.state
    if not state.constants.rules.leaving or state.tp == "top" or is_left_out(graph, player):
        return ()
    valid = graph.valid
    # Whoever of two has voted to bring a third back signs no action of this view any more, and so no claim.
    has_voted = valid.promises_of(player).has_left(valid.view)
    if graph.game.has_views and (len(state.present) > 2 or has_voted):
        return tuple(_in_views(graph, player, clock))
    asked_s = [_date_s(one, read) for one in valid.requests.values()] if graph.game.has_views else []
    return tuple(_claims(state, player, clock, asked_s))


def _in_views(graph: CommitGraph, player: Player, clock: TurnClock) -> Iterator[LeaveProspect]:
    valid, patience_s = graph.valid, graph.state.constants.rules.patience
    open, waited = open_vote(valid), dict[Player, float]()
    for seat in graph.awaited:
        party, left_s = valid.party_of[seat], clock.left_s(seat, patience_s)
        waited[party] = min(left_s, waited.get(party, left_s))
    # A party's first seat votes for it.
    if player not in open.change.members:
        return
    own = [vote for said in valid.changes.votes.get(open.change, {}).values() if (vote := said.get(player))]
    named = {party for vote in own for party in vote.waits}
    for party in open.awaited:
        if party != player:
            said = "yes" if party in named else None
            yield LeaveProspect(party, waited.get(party, float(patience_s)), said, open=open)


def _claims(state: State, player: Player, clock: TurnClock, asked_s: Sequence[int]) -> Iterator[LeaveProspect]:
    patience_s = state.constants.rules.patience
    # A request that says it comes from the future holds nobody up.
    passed_s = min((clock.date_s - date_s for date_s in asked_s if date_s <= clock.date_s), default=patience_s)
    for other in state.present:
        if other != player and is_awaited(state, other) and not broken_guards(state, Claim(player, other)):
            left_s = max(clock.left_s(other, patience_s), patience_s - passed_s)
            yield LeaveProspect(other, left_s, is_claim=True)


def _date_s(commit: ObjectId, read: Read) -> int:
    return decode_commit(read(commit)[1]).author.time_s


def awaited_in(graph: CommitGraph) -> tuple[Player, ...]:
    """Whom the table waits for, as votes count it, not for an optional answer; after the end, who must open cards."""
    return awaited(graph.state) if graph.state.tp == "top" else graph.awaited


def is_left_out(graph: CommitGraph, player: Player) -> bool:
    """Whether the others have gone on without a player, be it recorded yet or not."""
    return {record.seat: not record.is_back for record in _pending(graph)}.get(player, graph.state.away[player - 1])


def left_out_in_words(graph: CommitGraph, player: Player) -> str:
    """What a player who was left out is told."""
    state, valid = graph.state, graph.valid
    party, proven = valid.party_of[player], proven_in(valid.ledger)
    seats = [seat for seat in valid.party_of if valid.party_of[seat] == party and seat not in proven]
    # A party comes back as a whole, and never without what the set-up asked for: CB5 of ``ComeBack``.
    is_out = any(not state.ret[seat - 1].left or state.s.of(seat).bit_count() < 2 for seat in seats)
    if party in valid.forkers or player in proven or is_out:
        return LEFT_OUT
    return f"{LEFT_OUT}, and are back once you have missed a turn and the others have heard from your program"


def _pending(graph: CommitGraph) -> tuple[DueRecord, ...]:
    """What the line has still to record of decisions."""
    valid = graph.valid
    return valid.pending(valid.line_node(graph.head), valid.view) if graph.game.has_views else ()


def back_in_words(graph: CommitGraph, player: Player, read: Read, *, is_news: bool = False) -> str:
    """What a player who has come back is told, with what they missed.

    Empty if they have not, or have acted since, unless that ``is_news`` to them.
    """
    valid, node = graph.valid, graph.valid.line_node(graph.head)
    back = node if any(record.is_back and record.seat == player for record in _pending(graph)) else None
    if back is None and graph.state.ret[player - 1].left == graph.game.constants.rules.returns:
        return BACK * is_news
    while node.step is not None:
        match action := node.step.action:
            case Excuse(_, absent) if absent == player and back is not None:
                times = [f"{shown_date(_date_s(one.head, read)):%H:%M:%S}" for one in (node, back)]
                turns = back.ledger.line.turns_ended - node.ledger.line.turns_ended
                missed = f"; the others ended {turns} turn{'s' * (turns > 1)}" * (turns > 0)
                return f"{BACK}: away from {times[0]} to {times[1]} UTC{missed}"
            case ComeBack(_, absent) if absent == player and back is None:
                back = node
        if back is None and action.player == player and not is_news:
            return ""
        node = valid.line_node(node.step.parents[0])
    return BACK * (is_news or back is not None)


def newest_at(graph: CommitGraph, read: Read) -> int:
    """Since when a game waits, in seconds since 1970: the date of what has come last.

    That is the newest commit of the line, a reply to it, or the decision that is still to be recorded.
    """
    newest = [graph.head, *(reply.commit for reply in graph.replies.values())]
    if _pending(graph):
        nodes, begun = graph.valid.nodes, graph.valid.view
        newest += (one for one, node in nodes.items() if isinstance(node, AcceptanceNode) and node.view.id == begun.id)
    return max(_date_s(oid, read) for oid in newest)


def still_owed(state: State) -> str:
    """What awaited players still have to do in a game of hidden hands that somebody has won."""
    if state.tp != "Signing":
        return "open the cards"
    return "sign the end" if any(state.due) else "close the game"


class Standing(NamedTuple):
    """Whom a game waits for and since when, and how a vote on going on without them stands: for people and scripts."""

    graph: CommitGraph
    player: Player
    """This player, for whom it is said."""
    since_s: int
    """Since when the game waits, in seconds since 1970."""
    prospects: tuple[LeaveProspect, ...]
    """What this player can do about awaited players."""
    back: str = ""
    """What this player, if they have just come back, has missed."""

    @property
    def awaited(self) -> tuple[str, ...]:
        """The colours of the players for whom the table waits."""
        return tuple(self.graph.game.seats[player - 1].colour for player in awaited_in(self.graph))

    def waiting(self, remark: str = "") -> str:
        """Who has won or whether this player is left out; who is awaited, since when, and for how long."""
        game, state, since = self.graph.game, self.graph.state, shown_date(self.since_s)
        who = listed([game.called[colour] for colour in self.awaited]) or "nobody"
        is_out = is_left_out(self.graph, self.player)
        before = f"{left_out_in_words(self.graph, self.player)}; " * is_out
        if state.is_over:
            before, remark = f"{[*game.called.values()][state.ap - 1]} has won; ", f"{remark} to {still_owed(state)}"
            if not self.awaited:
                return before.removesuffix("; ")
        patience_s = game.constants.rules.patience if state.tp != "top" else 0
        agreed = f"; this table waits {durations.agreed(patience_s)} for a silent player" if patience_s else ""
        return f"{before}waiting for {who}{remark} since {since:%Y-%m-%d %H:%M:%S} UTC{agreed}"

    @property
    def _votes(self) -> list[tuple[OpenVote, Player]]:
        """The vote that is open, and each party about which it is: whom somebody has named, or who has forked."""
        vote = open_vote(self.graph.valid) if self.graph.game.has_views else None
        return [(vote, one) for one in sorted({*vote.named, *vote.proofs})] if vote is not None and vote.voted else []

    def sentences(self) -> list[str]:
        """That this player is back, who asks for it, what can be done about awaited players; each open vote once."""
        names, told = [*self.graph.game.called.values()], {one.absent for one in self.prospects}
        others = (vote.in_words(absent, names) for vote, absent in self._votes if absent not in told)
        who = {**dict(enumerate((f"{name} has" for name in names), 1)), self.player: "you have"}
        requests = self.graph.valid.requests if self.graph.game.has_views else ()
        asked = (f"{who[party]} asked to come back" for party in requests)
        # Why no vote can pass is the same for all who are awaited.
        said = (self.back, *asked, *(one.in_words(names) for one in self.prospects), *others)
        return [*dict.fromkeys(filter(None, said))]

    def as_json(self) -> dict[str, Any]:
        """Return the same as a JSON object; players are named by their colours."""
        colours = [seat.colour for seat in self.graph.game.seats]
        return {
            "waiting_for": self.awaited,
            "since": self.since_s,
            "left_out": is_left_out(self.graph, self.player),
            "patience_s": self.graph.game.constants.rules.patience or None,
            "standing": self.sentences(),
            "may_vote_on": [
                {"absent": colours[one.absent - 1], "possible": one.is_possible, "left_s": one.left_s, "said": one.said}
                for one in self.prospects
            ],
            "votes": [
                {
                    "absent": colours[absent - 1],
                    "voted": [colours[party - 1] for party in vote.voted if party != absent],
                    "lacking": [colours[party - 1] for party in vote.missing if party != absent],
                    "needed": vote.needed,
                    "may_pass": vote.may_pass_without(absent),
                    "proof": vote.proofs.get(absent, ()),
                }
                for vote, absent in self._votes
            ],
        }
