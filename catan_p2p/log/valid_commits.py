"""All valid commits of a game, and which of them is the line.

Whether a commit is valid follows from what it links to, and nothing else: all judge it alike, in any order. Which of
several valid commits is the newest of the line is another question: that of the newest view, and within a view the one
heard first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from catan_p2p.game.actions import ComeBack, Excuse
from catan_p2p.game.actions.absence import all_awaited, is_owing
from catan_p2p.game.cards import NO_CARDS, Cards
from catan_p2p.game.constants import Player
from catan_p2p.game.state import WITHIN_PHASES, State
from catan_p2p.log.ancestors import Ancestors
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.nodes import ChainLink, DueRecord, LineNode, Promises, ReplyNode, Tips
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.changes import Changes
from catan_p2p.log.views.nodes import Node, RequestNode
from catan_p2p.log.views.view import View, ViewValue


@lru_cache(maxsize=64)
def parties_of(game: GameDefinition) -> Mapping[Player, Player]:
    """By seat, the first seat of its party."""
    return {player: seat.party for player, seat in enumerate(game.seats, 1)}


class ValidCommits:
    """The valid commits of one game, as one peer has heard of them.

    ``line`` has the first parents of actions, ``chains`` the previous commits of players. ``newest`` is the newest
    commit of the line, ``view`` the newest view that was decided.
    """

    def __init__(self, first: Ledger) -> None:
        self.me: Player = 0
        """The player whose graph it is: its line leads from what they have signed themselves; 0: nobody's."""
        self.game, self.root, self.verify = first.game, first.root, first.verify
        self.has_views = first.game.has_views
        self.party_of = parties_of(first.game)
        parties = tuple(sorted({*self.party_of.values()}))
        self.view = View.first(self.root, parties)
        self.line, self.chains = Ancestors(self.root), Ancestors(self.root)
        promises = Promises(self.view, self.root)
        tips = dict.fromkeys(self.party_of, frozenset((self.root,)))
        root = LineNode(ChainLink(self.root, (), 0, self.root, 0, tips, promises), first, self.view)
        self.nodes: dict[ObjectId, Node] = {self.root: root}
        self.known = self.nodes.keys()
        """The ids of all of them, whenever it is asked."""
        self.newest = self.root
        self.changes = Changes()
        """What parties have signed about changes of the view."""
        self.chain_ends: dict[Player, ObjectId] = dict.fromkeys(self.party_of, self.root)
        """By player, the end of their chain; of a forker's, the one heard first."""
        self.forkers: dict[Player, tuple[ObjectId, ObjectId]] = {}
        """By party of which a seat has forked, two commits that prove it."""
        self._following: dict[ObjectId, tuple[ObjectId, ...]] = {}
        self._replies: dict[ObjectId, dict[Player, list[ReplyNode]]] = {}
        self._merged: tuple[object, Ledger] = ((), first)

    def __contains__(self, commit: object) -> bool:
        return commit in self.nodes

    def __len__(self) -> int:
        return len(self.nodes)

    def line_node(self, commit: ObjectId) -> LineNode:
        """The action that is no reply, or the root, with this id; KeyError if there is none."""
        node = self.nodes[commit]
        if not isinstance(node, LineNode):
            raise KeyError(commit)
        return node

    # Links

    def tips(self, commits: Sequence[ObjectId]) -> Tips:
        """By player, the newest commits among these and their ancestors."""
        if len(commits) == 1:
            return self.nodes[commits[0]].link.tips
        found, *others = [self.nodes[commit].link.tips for commit in commits]
        for other in others:
            if other is not found and other != found:
                found = {player: self._newest(ends | other[player]) for player, ends in found.items()}
        return found

    def _newest(self, ends: frozenset[ObjectId]) -> frozenset[ObjectId]:
        """Those of some commits of one player that are not before another of them."""
        if len(ends) == 1:
            return ends
        return frozenset(one for one in ends if not any(one != end and self.chains.leads(end, one) for end in ends))

    def promises_of(self, player: Player) -> Promises:
        """What a player has promised up to the end of their chain."""
        return self.nodes[self.chain_ends[player]].link.promises

    def leads(self, commit: ObjectId, to: ObjectId) -> bool:
        """Whether a commit links to what somebody has signed, or is that."""
        player = self.nodes[to].link.player
        return not player or any(self.chains.leads(end, to) for end in self.tips((commit,))[player])

    @property
    def requests(self) -> dict[Player, ObjectId]:
        """The requests to come back that parties have made in the newest view, but for proven forkers."""
        asked = self.changes.requests.get(self.view.id, {})
        return {party: asked[party] for party in sorted(asked) if party not in self.forkers}

    def forked(self, commits: Iterable[ObjectId]) -> list[Player]:
        """The parties that have forked, as these commits show by what they link to."""
        return sorted({self.party_of[player] for player, ends in self.tips([*commits]).items() if len(ends) > 1})

    # The game at a commit

    def ledger_with(self, node: LineNode, replies: Sequence[ObjectId]) -> Ledger:
        """What is known of the game after a commit of the line and these replies to it, in the order of players."""
        if not replies:
            return node.ledger
        key = (node.head, tuple(replies))
        if self._merged[0] != key:
            ledger = node.ledger
            for reply in map(self.nodes.__getitem__, replies):
                assert isinstance(reply, ReplyNode)
                told = reply.link.promises.told - (reply.step.entry.share is not None)
                ledger = after_own_shares(ledger, reply.link.player, told).extend(reply.step)
            self._merged = key, ledger
        return self._merged[1]

    @property
    def ledger(self) -> Ledger:
        """What is known of the game after the newest commit of the line and the replies to it that count."""
        node = self.nodes[self.newest]
        assert isinstance(node, LineNode)
        return self.ledger_with(node, tuple(self.replies().values())) if self.newest in self._replies else node.ledger

    def awaited(self, head: ObjectId, replies: Mapping[Player, ObjectId], view: View) -> frozenset[Player]:
        """The parties that are awaited in a view, after a commit of the line and these replies to it."""
        return frozenset(self.party_of[seat] for seat in self.awaited_seats(head, replies, view))

    def awaited_seats(self, head: ObjectId, replies: Mapping[Player, ObjectId], view: View) -> tuple[Player, ...]:
        """The same by player: who owes a reply, else who acts next, as whoever records a decision does."""
        node = self.line_node(head)
        state = self.ledger_with(node, [replies[player] for player in sorted(replies)]).line.state
        if state.tp == "top":
            return ()
        if not (pending := self.pending(node, view)):
            return all_awaited(state)
        return owing_first(state, pending) or (next_record(state, pending).player,)

    def pending(self, node: LineNode, view: View) -> tuple[DueRecord, ...]:
        """What decisions up to a view say of seats, and the line has still to record after a commit."""
        if view.id == node.view.id:
            return node.pending
        values = list[ViewValue]()
        while view.id != node.view.id and view.before is not None:
            values.insert(0, view.value)
            view = view.before
        found, away, proven = [*node.pending], node.ledger.line.state.away, proven_in(node.ledger)
        is_away = dict(enumerate(away, 1)) | {record.seat: not record.is_back for record in found}
        for value in values:
            requests = dict(value.back)
            for seat, party in self.party_of.items():
                if party in (requests if is_away[seat] else value.out) and not (is_away[seat] and seat in proven):
                    shown = self.shown(requests[party], seat) if is_away[seat] else NO_CARDS
                    found.append(DueRecord(seat, is_away[seat], shown))
                    is_away[seat] = not is_away[seat]
        return tuple(found)

    def may_return(self, party: Player, ledger: Ledger) -> list[Player]:
        """The seats of a party that come back if it does: those that are away, but for proven liars about cards."""
        away, proven = ledger.line.state.away, proven_in(ledger)
        return [seat for seat, of in self.party_of.items() if of == party and away[seat - 1] and seat not in proven]

    def gone(self, head: ObjectId, view: View) -> tuple[Player, ...]:
        """The parties of a view that have no seat left at a commit: all were excused by proofs of lies about cards."""
        proven = proven_in(self.line_node(head).ledger)
        seated = {party for seat, party in self.party_of.items() if seat not in proven}
        return tuple(party for party in view.present if party not in seated)

    @property
    def is_of_two(self) -> bool:
        """Whether at most two parties still play: neither is left out, before a third comes back."""
        return len(self.view.present) - len(self.gone(self.newest, self.view)) <= 2

    def can_record(self, head: ObjectId, view: View, late: Collection[Player]) -> bool:
        """Whether somebody is left to record what is decided at a commit if these parties are left out there."""
        node = self.line_node(head)
        staying = _staying(node.ledger.line.state, self.pending(node, view))
        return any(self.party_of[seat] not in late for seat in staying)

    def is_exact(self, node: LineNode, view: View) -> bool:
        """Whether only the decided replies to a commit count: after those, somebody may come back."""
        return view.value.head == node.head and any(record.is_back for record in self.pending(node, view))

    def shown(self, request: ObjectId, seat: Player) -> Cards:
        """The sealed cards of a seat that a request to come back opens."""
        node = self.nodes[request]
        assert isinstance(node, RequestNode)
        return node.shown.get(seat, NO_CARDS)

    # Growing

    def add(self, node: Node) -> None:
        """Add a commit that was judged or written, and let the line go on if it does."""
        commit, link = node.link.commit, node.link
        if commit in self.nodes:
            return
        self.link(node)
        end, party = self.chain_ends[link.player], self.party_of[link.player]
        if end == link.after:
            self.chain_ends[link.player] = commit
        elif party not in self.forkers:
            other = self.chains.at(end, self.chains.depth(link.after) + 1)
            self.forkers[party] = (other, commit)
        if isinstance(node, LineNode):
            before = link.parents[0]
            self._following[before] = *self._following.get(before, ()), commit
            if before == self.newest and node.view.id == self.view.id:
                self.newest = commit
                return
        elif isinstance(node, ReplyNode):
            self._replies.setdefault(node.head, {}).setdefault(link.player, []).append(node)
        elif (settled := self.changes.add(node)) is not None:
            change, view = settled.change, settled.view
            if self.view.has_passed(change.id) and not self.view.has_passed(view.id):
                self.view, self.newest = view, settled.value.head
        self._move()

    def link(self, node: Node) -> None:
        """Let what links to a commit be judged, and nothing else: ``add`` follows, or ``unlink``."""
        commit = node.link.commit
        self.nodes[commit] = node
        self.chains.add(commit, node.link.after)
        if isinstance(node, LineNode):
            self.line.add(commit, node.link.parents[0])

    def unlink(self, commit: ObjectId) -> None:
        """Take back ``link``, of the newest commits first."""
        for known in (self.nodes, self.chains, self.line):
            known.pop(commit, None)

    def _move(self) -> None:
        while self.changes.decisions and (decision := self.changes.decision_in(self.view)) is not None:
            self.view, self.newest = decision.view, decision.value.head
        if self.me:
            mine = self.promises_of(self.me)
            if mine.view.id == self.view.id and not self.line.leads(self.newest, mine.built_on):
                self.newest = mine.built_on
        # Of several that go on in the newest view, the one that was heard first.
        while self.newest in self._following:
            following = map(self.line_node, self._following[self.newest])
            on = next((node for node in following if node.view.id == self.view.id), None)
            if on is None:
                break
            self.newest = on.head

    def is_end(self, commit: ObjectId) -> bool:
        """Whether no action and no reply has been heard that goes on from a commit."""
        return commit not in self._following and commit not in self._replies

    def following(self, commit: ObjectId) -> Sequence[ObjectId]:
        """The actions that go on from a commit of the line, in the order in which they were heard."""
        return self._following.get(commit, ())

    def replies_of(self, head: ObjectId, player: Player) -> Sequence[ReplyNode]:
        """A player's replies to a commit of the line, in the order in which they were heard."""
        return self._replies.get(head, {}).get(player, ())

    def replies(self, head: ObjectId | None = None) -> dict[Player, ObjectId]:
        """The replies to the newest commit of the line that count, by player: those decided, else the first heard.

        Where somebody is to come back, only those decided.
        """
        found: dict[Player, ObjectId] = {}
        head = self.newest if head is None else head
        there = self._replies.get(head)
        if there is None:
            return found
        decided = self.view.value.replies if self.view.value.head == head else ()
        is_exact = self.is_exact(self.line_node(head), self.view)
        for player in sorted(there):
            for node in there[player]:
                is_decided = node.link.commit in decided
                is_present = not is_exact and self.party_of[player] in self.view.present
                if is_decided or (player not in found and is_present):
                    found[player] = node.link.commit
        return found


def proven_in(ledger: Ledger) -> frozenset[Player]:
    """The players who were excused by a proof that they had lied about cards."""
    sealed_cards = ledger.line.sealed_cards
    return frozenset() if sealed_cards is None else sealed_cards.proven


def _staying(state: State, pending: Sequence[DueRecord]) -> list[Player]:
    """Who is present and stays, whatever is ``pending``."""
    out = {record.seat for record in pending if not record.is_back}
    return [seat for seat in state.present if seat not in out]


def owing_first(state: State, pending: Sequence[DueRecord]) -> tuple[Player, ...]:
    """The players who owe a reply that the game needs before what is ``pending`` is recorded.

    Nobody tells a share or sealed cards to who is left out: they may have asked twice, and have seen some.
    """
    staying = _staying(state, pending)
    if state.tp in WITHIN_PHASES and state.caller not in staying:
        return ()
    return tuple(seat for seat in staying if is_owing(state, seat))


def next_record(state: State, pending: Sequence[DueRecord]) -> Excuse | ComeBack:
    """The record that comes next, by the player who acts next among those who stay."""
    seat, is_back, shown = pending[0]
    player = next_seat(state, _staying(state, pending))
    return ComeBack(player, seat, shown) if is_back else Excuse(player, seat)


def after_own_shares(ledger: Ledger, player: Player, told: int) -> Ledger:
    """What is known before a player's next share: what they have told for another call is not told again.

    ``told`` is the number of the newest share in their own chain.
    """
    known = ledger.known_shares
    is_elsewhere = player in known.number and told > known.spent(player)
    return ledger._replace(known_shares=known.spend(player, told)) if is_elsewhere else ledger


def next_seat(state: State, present: Sequence[Player]) -> Player:
    """The player among ``present`` who acts next."""
    player = state.to_act
    while player not in present:
        player = player % state.constants.player_count + 1
    return player
