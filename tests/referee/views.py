"""The second validator in games with views: docs/reference/log-format.md, "Views (version 2)".

Plain and slow: each commit keeps all that it links to, and what follows from that alone. Like ``referee.py`` it imports
nothing of ``catan_p2p``.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from tests.referee import referee, sealing, vault
from tests.referee.referee import (
    RESOURCES,
    Action,
    Commit,
    Game,
    Node,
    Refused,
    broken_guards,
    check_author,
    copied,
    decode_base64,
    effect,
    owes_reply,
    parse,
    present,
    sha256,
    state_files,
    to_act,
    tree_id,
    value_of,
)

MAX_PARENTS, MAX_ROUNDS, MAX_CHANGES = 54, 1_000, 256
MESSAGE = re.compile(
    r"(vote|propose|accept) player_([1-6]) round (\d+)\n\nAction: (\w+)\nPlayer: ([1-6])\nView: (0|[1-9]\d{0,4})\n"
    r"Round: (0|[1-9]\d{0,4})\n(?:Waits: (-|[1-6](?: [1-6])*)\n)?"
)
REQUEST = re.compile(
    r"request player_([1-6])\n\nAction: request\nPlayer: ([1-6])\nView: (0|[1-9]\d{0,4})\n((?:Shown: .*\nSeal: .*\n)*)"
)

Value = tuple[str, tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, str], ...]]
"""The head, the replies to it in the order of players, the parties left out, those of them that have forked, and those
that come back, each with its request.
"""
Record = tuple[str, int, str]
"""``excuse`` or ``come_back``, whose, and of who comes back the request."""


class View:
    """Who is present from a commit on."""

    def __init__(self, id: str, present: tuple[int, ...], value: Value, before: "View | None", settles: str) -> None:
        self.id, self.present, self.value, self.before, self.settles = id, present, value, before, settles
        self.number: int = 0 if before is None else before.number + 1

    def next(self, value: Value, settles: str = "-") -> "View":
        """The view that a decision of this value begins."""
        parts = *value[1:4], [request for _, request in value[4]]
        words = [" ".join(map(str, part)) or "-" for part in parts]
        id = sha256("catan-p2p view 1", self.id, settles, value[0], *words)
        back = {party for party, _ in value[4]}
        return View(id, tuple(sorted({*self.present} - {*value[2]} | back)), value, self, settles)

    def way(self) -> "list[View]":
        """This view and all before it."""
        found = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found

    def count(self) -> tuple[int, ...]:
        """Who counts in the change from it."""
        if len(self.present) != 2:
            return self.present
        last: set[int] = set()
        for one in reversed(self.way()):
            if one.value[2]:
                last = {*one.value[2]} - {*one.value[3]}
            last -= {party for party, _ in one.value[4]}
        return tuple(sorted({*self.present} | last))

    def follows(self, other: "View") -> bool:
        """Whether decisions have led here from another view, or a settlement has replaced it."""
        passed = {one.id for one in other.way()}
        return any(one.id == other.id or one.settles in passed for one in self.way())


class Change:
    """The change from a view: ``key`` is what makes two of them one."""

    def __init__(self, view: View, forkers: Iterable[int] = ()) -> None:
        self.view, self.without = view, tuple(p for p in view.count() if p in {*forkers})
        self.members = tuple(p for p in view.count() if p not in self.without)
        self.key = view.id, self.without

    def has(self, parties: Iterable[int]) -> bool:
        """Whether these are more than half."""
        return 2 * len({*parties} & {*self.members}) > len(self.members)

    def coordinator(self, number: int) -> int:
        """Who proposes in a round."""
        return self.members[(self.view.number + len(self.without) + number) % len(self.members)]


class ViewsLog(referee.Log):
    """The commits of one game with views that were accepted, and the judgement of the next one."""

    def __init__(self, root: str, game: Game) -> None:
        super().__init__(root, game)
        parties = tuple(sorted({*game.party.values()}))
        view = View(root, parties, (root, (), (), (), ()), None, "-")
        first = self.node[root]
        first.facts = {"kind": "line", "view": view, "pending": (), "shares": copied(self.shares)}
        first.facts |= {"past": frozenset((root,)), "line": (root,), "told": 0, "promises": {"view": view, "on": root}}

    def judge(self, id: str, data: bytes) -> Node:
        """What a commit is; ``Refused`` if it is invalid. Nothing changes."""
        game = self.game
        commit = Commit(data, game.most_bytes)
        if not commit.parents:
            raise Refused("game", "another root")
        text, _, last = commit.message[:-1].rpartition("\n")
        if not (found := re.fullmatch(r"After: ([0-9a-f]{40})", last)) or len(commit.parents) > MAX_PARENTS:
            raise Refused("format", "no After, or too many parents")
        a = self._read(text + "\n")
        if a["player"] not in game.players:
            raise Refused("format", "no such player")
        check_author(game, commit, a["player"])
        missing = [at for at in commit.parents if at not in self.node]
        if missing:
            raise Refused("missing", missing[0])
        return _Judgement(self, id, commit, a, found[1]).node()

    def _read(self, text: str) -> Action:
        if (asks := REQUEST.fullmatch(text)) is not None:
            if asks[1] != asks[2]:
                raise Refused("format", "a message in another spelling")
            told = [line.partition(": ")[2] for line in asks[4].split("\n")]
            openings = [
                (value_of(self.game, "cards", cards), decode_base64(seal))
                for cards, seal in zip(told[:-1:2], told[1::2], strict=True)
            ]
            if openings and not self.game.is_hidden:
                raise Refused("format", "cards are opened that are not hidden")
            return {"name": "request", "player": int(asks[1]), "View": int(asks[3]), "openings": openings}
        found = MESSAGE.fullmatch(text)
        if found is None:
            return parse(self.game, text)
        kind, player, number, again, same, view, said, waits = found.groups()
        if (kind, player, number) != (again, same, said) or (waits is not None) != (kind == "vote"):
            raise Refused("format", "a message in another spelling")
        names = [] if waits in (None, "-") else [*map(int, waits.split(" "))]
        if names != sorted({*names}):
            raise Refused("format", "Waits in another order")
        return {"name": kind, "player": int(player), "View": int(view), "Round": int(number), "Waits": names}

    def take(self, node: Node) -> None:
        """Add a commit that was judged."""
        self.node[node.id] = node

    # What the rules of the game, which are in ``Log``, ask about what is before an action

    def stand_at(self, head: str, replies: dict[int, str]) -> None:
        """Let the next action or reply be judged after a commit of the line and these replies to it."""
        self.head, self.replies = head, {head: dict(replies)}
        self.shares = copied(self.node[head].facts["shares"])
        for at in replies.values():
            self.skip(self.node[at].player, self.node[at].facts["told"] - ("Share" in self.node[at].a))
            self._tell(self.node[at])

    def shares_after(self, node: Node) -> dict[str, Any]:
        """What is told after an action of the line, which is judged now."""
        self._tell(node)
        return copied(self.shares)

    def next_share(self, p: int) -> int:
        """The number of a player's next share."""
        return self._told(p) + 1

    def skip(self, p: int, told: int) -> None:
        """Count the shares as told that a player has told in their own chain."""
        if p in self.shares["number"]:
            self.shares["apart"][p] = max(told, self.shares["apart"].get(p, 0))

    # What commits link to

    def tips(self, past: frozenset[str]) -> dict[int, list[str]]:
        """By player, their newest commits among these."""
        followed = {self.node[at].facts.get("after") for at in past}
        return {p: [at for at in past if self.node[at].player == p and at not in followed] for p in self.game.players}

    def forked(self, past: frozenset[str]) -> set[int]:
        """The parties that these commits prove to have forked."""
        return {self.game.party[p] for p, ends in self.tips(past).items() if len(ends) > 1}

    def pending(self, node: Node, view: View) -> tuple[Record, ...]:
        """The records that the line has still to have."""
        new: list[View] = []
        for one in view.way():
            if one.id == node.facts["view"].id:
                break
            new.insert(0, one)
        found, away = list(node.facts["pending"]), dict(node.state["away"])
        for name, p, _ in found:
            away[p] = name == "excuse"
        for one in new:
            back = dict(one.value[4])
            for p, party in self.game.party.items():
                if away[p] and party in back and p not in self.proven(node):
                    found.append(("come_back", p, back[party]))
                    away[p] = False
                elif not away[p] and party in one.value[2]:
                    found.append(("excuse", p, ""))
                    away[p] = True
        return tuple(found)

    def proven(self, node: Node) -> frozenset[int]:
        """Who was excused by a proof that they had lied about cards."""
        found: frozenset[int] = node.vault.get("proven", frozenset())
        return found

    def seatless(self, node: Node, view: View) -> set[int]:
        """Who is present in a view, and has no seat there once all is recorded."""
        away = dict(node.state["away"]) | {p: name == "excuse" for name, p, _ in self.pending(node, view)}
        return {*view.present} - {party for p, party in self.game.party.items() if not away[p]}

    def returning(self, node: Node, party: int) -> list[int]:
        """The seats of a party that come back if it does."""
        away = node.state["away"]
        return [p for p, of in self.game.party.items() if of == party and away[p] and p not in self.proven(node)]

    def come_back(self, s: Any, p: int, request: dict[int, Any]) -> Action:
        """The record that a player is back, by any who is present, with the cards that a request opens."""
        shown = request.get(p, dict.fromkeys(RESOURCES, 0))
        return {"name": "come_back", "player": present(self.game, s)[0], "Absent": p, "Shown": shown}

    def staying(self, s: Any, pending: tuple[Record, ...]) -> list[int]:
        """Who is present, and not left out by what is to be recorded."""
        return [p for p in present(self.game, s) if ("excuse", p, "") not in pending]

    def granted(self, head: str, replies: Iterable[str], view: View, requests: dict[int, str]) -> Any:
        """Which requests the game grants there, in the order of parties."""
        s, found, node = self.node[head].state, [], self.node[head]
        if self.pending(node, view):
            return ()
        for at in sorted(replies, key=lambda one: self.node[one].player):
            s = effect(self.game, s, self.node[at].a)
        for party in sorted(requests):
            seats, tried = self.returning(node, party), s
            for p in seats:
                record = self.come_back(tried, p, self.node[requests[party]].facts["shown"])
                if broken_guards(self.game, tried, record):
                    break
                tried = effect(self.game, tried, record)
            else:
                if seats:
                    s = tried
                    found.append((party, requests[party]))
        return tuple(found)

    def is_needed(self, s: Any, p: int, pending: tuple[Record, ...]) -> bool:
        """Whether a player owes a reply that is needed before a record: none that tells something to who leaves."""
        is_for_them = s["tp"] in ("Drawing", "Surrendering") and ("excuse", to_act(s), "") in pending
        return owes_reply(self.game, s, p) and not is_for_them

    def next_seat(self, s: Any, seats: list[int]) -> int:
        """Who of some players acts next."""
        at = to_act(s)
        while at not in seats:
            at = at % len(self.game.seats) + 1
        return at

    def awaited(self, head: str, replies: Iterable[str], view: View) -> set[int]:
        """The parties that are awaited."""
        s, node = self.node[head].state, self.node[head]
        for at in sorted(replies, key=lambda one: self.node[one].player):
            s = effect(self.game, s, self.node[at].a)
        if s["tp"] == "top":
            return set()
        pending = self.pending(node, view)
        seats = self.staying(s, pending)
        owing = {p for p in seats if self.is_needed(s, p, pending)}
        return {self.game.party[p] for p in owing or {self.next_seat(s, seats)}}

    # What votes give

    def leads(self, head: str, to: str) -> bool:
        """Whether a commit of the line goes on from another, or is that."""
        return to in self.node[head].facts["line"]

    def walk(self, votes: list[Node]) -> str:
        """The head to which votes lead."""
        lines = [self.node[vote.facts["head"]].facts["line"] for vote in votes]
        depth = max(i for i in range(min(map(len, lines))) if len({line[i] for line in lines}) == 1)
        at = lines[0][depth]
        while True:
            depth += 1
            led = Counter(line[depth] for line in lines if len(line) > depth and line[depth - 1] == at)
            if not led:
                return str(at)
            at = min(led, key=lambda one: (-led[one], one))

    def counted(self, votes: list[Node]) -> tuple[list[Node], set[int]]:
        """The votes that count, and the parties that they prove to have forked."""
        proven = self.forked(frozenset().union(*(vote.facts["past"] for vote in votes)))
        return [vote for vote in votes if vote.player not in proven], proven

    def value(self, votes: list[Node], change: Change) -> tuple[Value, View] | None:
        """What votes of a round give, and the view that it begins; None if that is nothing."""
        counted, proven = self.counted(votes)
        voters = {vote.player for vote in counted}
        if not change.has(voters):
            return None
        taken = [one for vote in counted if (one := vote.facts["promises"].get("accepted")) is not None]
        if taken:
            of_round = Counter(view.id for number, _, view in taken if number == max(one[0] for one in taken))
            best = sorted(id for id, n in of_round.items() if n == max(of_round.values()))
            others = {*change.members} - voters
            could = max(of_round.values()) + len(others)
            if len(best) > 1 and others - proven and 2 * could > len(change.members):
                return None
            return next((value, view) for _, value, view in taken if view.id == best[0])
        counted = self.kept(counted, change)
        head = self.walk(counted)
        there = [vote for vote in counted if vote.facts["head"] == head]
        view = max((vote.facts["view"] for vote in there), key=lambda one: (one.number, one.id))
        held: dict[int, set[str]] = {}
        for vote in there:
            for p, at in vote.facts["replies"].items():
                held.setdefault(p, set()).add(at)
        replies = tuple(min(held[p]) for p in sorted(held) if len(held[p]) == 1)
        waited = self.awaited(head, replies, view)
        named = {p for p in waited if change.has(vote.player for vote in there if p in vote.a["Waits"])}
        missing = waited - voters - proven
        if not missing <= named:
            return None
        again = view.before is not None and view.value[0] == head and not view.value[2]
        new = {self.game.party[p] for p in held if len(held[p]) == 1 and min(held[p]) not in view.value[1]}
        first = self.awaited(head, view.value[1], view) - new if again else set()
        asked: dict[int, str] = {}
        for vote in counted:
            asked |= {party: at for party, at in vote.facts["requests"].items() if party not in proven}
        back = self.granted(head, replies, view, asked)
        staying = self.staying(self.node[head].state, self.pending(self.node[head], view))
        lied = proven | self.seatless(self.node[head], view)
        for leaving in (missing | (named & first), missing):
            out = tuple(sorted((leaving | lied) & {*view.present}))
            if len(view.present) - len(out) >= 2 and {self.game.party[p] for p in staying} - {*out}:
                break
        else:
            if not change.without and not back:
                return None
            out = ()
        value = head, replies, out, tuple(p for p in out if p in lied), () if out else back
        return value, view.next(value, change.view.id if change.without else "-")

    def kept(self, votes: list[Node], change: Change) -> list[Node]:
        """In a settlement, the votes on the side that is kept."""
        if not change.without:
            return votes
        ids = {vote.id: self._side(vote.facts["view"], change.view.id) for vote in votes}
        number = Counter(ids.values())
        side = min(number, key=lambda one: (-number[one], one))
        return [vote for vote in votes if ids[vote.id] == side]

    @staticmethod
    def _side(view: View, id: str) -> str:
        way = [one.id for one in view.way()]
        return way[way.index(id) - 1] if id in way and way.index(id) else way[-1]


class _Judgement:
    """One commit, whose parents are taken from the first to the last."""

    def __init__(self, log: ViewsLog, id: str, commit: Commit, a: Action, after: str) -> None:
        self.log, self.id, self.commit, self.a, self.after = log, id, commit, a, after
        self.player: int = a["player"]
        self.party: int = log.game.party[self.player]
        self.left = [*commit.parents]
        before = log.node.get(after)
        if before is None or before.player not in (0, self.player):
            raise Refused("chain", "After is not there, or another's")
        self.mine: dict[str, Any] = before.facts["promises"]

    def node(self) -> Node:
        """The commit as it is accepted."""
        name = self.a["name"]
        signed = {"vote": self._vote, "propose": self._propose, "accept": self._accept, "request": self._request}
        made = signed.get(name, self._of_game)()
        state, facts, vault, tree = made
        past = frozenset().union(*(self.log.node[at].facts["past"] for at in self.taken))
        if self.left:
            before = self.log.tips(past)[self.player] or [self.root]
            if self.left != [self.after] or any(self._chain_leads(end, self.after) for end in before):
                raise Refused("parents", "one that has no place there")
            past |= self.log.node[self.after].facts["past"]
        ends = self.log.tips(past)[self.player] or [self.root]
        if ends != [self.after]:
            raise Refused("chain", "it links to something else by its player")
        if self.commit.tree != tree:
            raise Refused("tree", "another than it must have")
        made_node = Node(self.id, self.commit.parents, self.a, state)
        made_node.facts = {**facts, "past": past | {self.id}, "after": self.after}
        made_node.vault = vault
        told: int = self.log.node[self.after].facts["told"]
        if "Share" in self.a:
            told = 0 if self.a["name"] == "pledge" else self.log.next_share(self.player)
        made_node.facts["told"] = told
        if made_node.facts["kind"] == "line":
            made_node.facts["shares"] = self.log.shares_after(made_node)
            made_node.facts["line"] = (*self.log.node[self.commit.parents[0]].facts["line"], self.id)
        return made_node

    @property
    def root(self) -> str:
        return next(iter(self.log.node))

    @property
    def taken(self) -> tuple[str, ...]:
        return self.commit.parents[: len(self.commit.parents) - len(self.left)]

    @property
    def past(self) -> frozenset[str]:
        return frozenset().union(*(self.log.node[at].facts["past"] for at in self.taken))

    def _chain_leads(self, end: str, to: str) -> bool:
        while end != to and end != self.root:
            end = self.log.node[end].facts["after"]
        return end == to

    # Parents

    def _next(self, kind: str) -> Node | None:
        node = self.log.node[self.left[0]] if self.left else None
        return node if node is not None and node.facts["kind"] == kind else None

    def _head(self) -> Node:
        if (node := self._next("line")) is None:
            raise Refused("parents", "it builds on no action of the line")
        self.left.pop(0)
        return node

    def _replies(self, head: Node) -> dict[int, str]:
        found: dict[int, str] = {}
        while (node := self._next("reply")) is not None and node.facts["head"] == head.id:
            if found and node.player <= max(found):
                break
            found[node.player] = self.left.pop(0)
        return found

    def _decision(self) -> Node | None:
        """The first of the acceptances that follow, if they are a decision."""
        found: list[Node] = []
        for at in self.left:
            node = self.log.node[at]
            same = not found or node.facts.get("of") == found[0].facts["of"]
            if node.facts["kind"] != "accept" or not same or (found and at <= found[-1].id):
                break
            found.append(node)
        if not found or not found[0].facts["change"].has(node.player for node in found):
            return None
        self.left = self.left[len(found) :]
        return found[0]

    def _view(self, head: Node) -> View:
        view: View = head.facts["view"]
        if (decision := self._decision()) is None:
            return view
        new: View = decision.facts["new"]
        for one in new.way():
            if one.id == view.id:
                return new
            if one.value[0] != head.id:
                break
        raise Refused("votes", "a decision that does not begin here")

    def _keep_decided(self, view: View, head: Node, replies: dict[int, str]) -> None:
        if view.value[0] != head.id:
            return
        if not {*view.value[1]} <= {*replies.values()}:
            raise Refused("votes", "it lacks replies that were decided")
        if self._is_return(head, view) and {*view.value[1]} != {*replies.values()}:
            raise Refused("votes", "other replies before a return than those decided")
        for p, at in replies.items():
            if at not in view.value[1] and self.log.game.party[p] not in view.present:
                raise Refused("votes", "a reply by who is left out")

    def _is_return(self, head: Node, view: View) -> bool:
        """Whether somebody comes back there, after the replies that were decided and no others."""
        return view.value[0] == head.id and any(name == "come_back" for name, *_ in self.log.pending(head, view))

    def _has_left(self, view: View) -> bool:
        left = self.mine.get("left")
        return left is not None and left.id == view.id

    def _keep_promises(self, view: View, head: str) -> None:
        if self._has_left(view):
            raise Refused("promise", "after a vote in this view")
        if view.id == self.mine["view"].id:
            if not self.log.leads(head, self.mine["on"]):
                raise Refused("promise", "behind what it has built on")
        elif not view.follows(self.mine["view"]):
            raise Refused("promise", "of an earlier view")

    # Actions and replies

    def _of_game(self) -> tuple[Any, dict[str, Any], dict[str, Any], str]:
        log, a, head = self.log, self.a, self._head()
        is_reply = a["name"] in referee.REPLIES
        replies = {} if is_reply else self._replies(head)
        view = self._view(head)
        if not is_reply:
            self._keep_decided(view, head, replies)
        self._keep_promises(view, head.id)
        log.stand_at(head.id, replies)
        promises = {"view": view, "on": head.id if is_reply else self.id}
        promises |= {name: self.mine.get(name) for name in ("replied", "asked")}
        facts: dict[str, Any] = {"view": view, "promises": promises}
        if is_reply:
            if self.party not in view.present:
                raise Refused("excused", "it is left out")
            if (self.mine.get("replied") or ("",))[0] == head.id:
                raise Refused("promise", "a second reply")
            promises["replied"] = head.id, self.id
            facts |= {"kind": "reply", "head": head.id}
        else:
            pending = log.pending(head, view)
            is_proof = a["name"] == "excuse" and {"Seal", "Place"} & a.keys()
            if pending or (a["name"] in ("excuse", "come_back") and not is_proof):
                self._check_record(head, replies, pending)
                pending = pending[1:]
            facts |= {"kind": "line", "pending": pending}
        log.skip(self.player, log.node[self.after].facts["told"])
        state, proved, vault = log.action(a, (head.id, *replies.values()))
        return state, {**proved, **facts}, vault, tree_id(state_files(log.game, state))

    def _check_record(self, head: Node, replies: dict[int, str], pending: tuple[Record, ...]) -> None:
        log, a, s = self.log, self.a, head.state
        for p in sorted(replies):
            s = effect(log.game, s, log.node[replies[p]].a)
        if not pending or (a["name"], a.get("Absent")) != pending[0][:2]:
            raise Refused("votes", "not the record that is due")
        if a["name"] == "come_back":
            opened = log.node[pending[0][2]].facts["shown"]
            if a["Shown"] != log.come_back(s, a["Absent"], opened)["Shown"]:
                raise Refused("votes", "other cards than the request opens")
        seats = log.staying(s, pending)
        if any(log.is_needed(s, p, pending) for p in seats):
            raise Refused("guard", "somebody owes a reply first")
        if self.player != log.next_seat(s, seats):
            raise Refused("votes", "another player records it")

    # Changes

    def _promised(self, change: Change) -> dict[str, Any]:
        """The promises after a message in a round of a change."""
        mine, a = self.mine, self.a
        if self.party not in change.members:
            raise Refused("excused", "it does not count")
        number = a["Round"]
        way = [*change.view.way()]
        if sum(one.value[0] == other.value[0] for one, other in pairwise(way)) >= MAX_CHANGES:
            raise Refused("votes", "too many changes")
        if not 1 <= number <= MAX_ROUNDS or self.player != self.party or a["View"] != change.view.number:
            raise Refused("votes", "another party, view or round")
        last = mine.get("change")
        if last is None or last.key != change.key:
            return {**mine, "change": change, "round": number, "signed": {a["name"]}, "accepted": None}
        done = mine["signed"] if number == mine["round"] else set()
        if number < mine["round"] or a["name"] in done or (a["name"] == "vote" and number == mine["round"]):
            raise Refused("promise", "it has signed that already, or in a later round")
        return {**mine, "round": number, "signed": {*done, a["name"]}}

    def _change(self, view: View) -> Change:
        """The change of a vote."""
        if (other := self._decision()) is not None:
            left = next((one for one in view.way() if one.id == other.facts["change"].view.id), None)
            passed = {one.id for one in view.way()}
            if left is None or other.facts["change"].without or other.facts["new"].id in passed:
                raise Refused("votes", "no decision that contradicts its view")
            return Change(left, self.log.forked(self.past))
        last: Change | None = self.mine.get("change")
        return last if last is not None and self._has_left(view) else Change(view)

    def _merged_votes(self, change: Change | None, rounds: tuple[int, ...]) -> list[Node]:
        found: list[Node] = []
        while (node := self._next("vote")) is not None:
            is_same = change is None or node.facts["change"].key == change.key
            if (found and node.id <= found[-1].id) or not is_same or node.a["Round"] not in rounds:
                break
            change = change or node.facts["change"]
            found.append(node)
            self.left.pop(0)
        return found

    def _requests(self, change: Change) -> dict[int, str]:
        found: dict[int, str] = {}
        while not change.without and (node := self._next("request")) is not None:
            if node.facts["view"].id != change.view.id or any(node.player <= party for party in found):
                break
            found[node.player] = self.left.pop(0)
        return found

    def _request(self) -> tuple[Any, dict[str, Any], dict[str, Any], str]:
        head, mine, past = self._head(), self.mine, self.past
        view = self._view(head)
        asked: View | None = mine.get("asked")
        everything = past.union(*(self.log.node[at].facts["past"] for at in self.commit.parents))
        if not self.log.game.rules["Returns"] or self.party in self.log.forked(everything):
            raise Refused("excused", "it does not come back")
        if self.party in view.present or self.player != self.party or self.a["View"] != view.number:
            raise Refused("votes", "another party or view, or it is present")
        if not view.follows(mine["view"]) or (asked and (asked.id == view.id or not view.follows(asked))):
            raise Refused("promise", "it has signed something in a later view, or asked in this one")
        facts = {"kind": "request", "head": head.id, "view": view, "promises": {**mine, "asked": view}}
        facts["shown"] = self._opened(head, view) if self.log.game.is_hidden else {}
        return head.state, facts, {}, self._tree(head)

    def _opened(self, head: Node, view: View) -> dict[int, dict[str, int]]:
        """The sealed cards that a request opens, by seat: they can come back as soon as the phase allows it."""
        log, s = self.log, head.state
        seats = log.returning(head, self.party)
        if log.pending(head, view) or not seats:
            raise Refused("guard", "the line has not recorded all, or nobody comes back")
        sealed = [p for p in seats if s["hid"]["sealed"][p]]
        if len(sealed) != len(self.a["openings"]):
            raise Refused("seal", "not one opening for each seat with sealed cards")
        opened = dict(zip(sealed, self.a["openings"], strict=True))
        shown = {p: cards for p, (cards, _) in opened.items()}
        for p in seats:
            if {*broken_guards(log.game, s, log.come_back(s, p, shown))} - {"CB1", "CB4"}:
                raise Refused("guard", f"player {p} does not come back")
        for p, (cards, seal) in opened.items():
            try:
                vault.check_opening(head.vault, [cards[kind] for kind in RESOURCES], seal, (self.root, p, head.id))
            except sealing.Wrong as wrong:
                raise Refused("seal", str(wrong)) from None
        return shown

    def _proofs(self) -> None:
        found: list[str] = []
        while self.left and self.left != [self.after] and (not found or self.left[0] > found[-1]):
            found.append(self.left.pop(0))
        tips = self.log.tips(self.past)
        for p, number in Counter(self.log.node[at].player for at in found).items():
            if number > 2 or len(tips.get(p, [])) < 2 or self.log.game.party[p] == self.party:
                raise Refused("parents", "commits that prove nothing")

    def _vote(self) -> tuple[Any, dict[str, Any], dict[str, Any], str]:
        log, a, head = self.log, self.a, self._head()
        replies = self._replies(head)
        view = self._view(head)
        self._keep_decided(view, head, replies)
        change = self._change(view)
        votes = self._merged_votes(change, (a["Round"] - 1, a["Round"]))
        requests = self._requests(change)
        self._proofs()
        begun = [change.has(v.player for v in votes if v.a["Round"] == n) for n in (a["Round"] - 1, a["Round"])]
        if a["Round"] > 1 and not any(begun):
            raise Refused("votes", "a round that has not begun")
        last = self.mine.get("change")
        is_going_on = last is not None and last.key == change.key
        if not is_going_on and not (change.without and self._has_left(view)):
            self._keep_promises(view, head.id)
        elif not log.leads(head.id, self.mine["on"]) and not self._goes_over(head.id, votes, change):
            raise Refused("promise", "behind what it has built on")
        own = self.mine.get("replied") or ("", "")
        if own[0] == head.id and not self._is_return(head, view) and replies.get(self.player) != own[1]:
            raise Refused("promise", "it lacks its own reply")
        if not {*a["Waits"]} <= log.awaited(head.id, replies.values(), view) - {self.party}:
            raise Refused("votes", "Waits names who is not awaited")
        promises = {**self._promised(change), "view": view, "on": head.id, "left": view}
        facts = {"kind": "vote", "head": head.id, "replies": replies, "view": view, "change": change}
        facts["requests"] = requests
        return head.state, {**facts, "promises": promises}, {}, self._tree(head)

    def _goes_over(self, head: str, votes: list[Node], change: Change) -> bool:
        if not votes:
            return False
        counted, _ = self.log.counted(votes)
        is_enough = change.has(vote.player for vote in counted)
        return is_enough and self.log.leads(head, self.log.walk(self.log.kept(counted, change)))

    def _tree(self, head: Node) -> str:
        return tree_id(state_files(self.log.game, head.state))

    def _propose(self) -> tuple[Any, dict[str, Any], dict[str, Any], str]:
        votes = self._merged_votes(None, (self.a["Round"],))
        if not votes or len({vote.player for vote in votes}) < len(votes):
            raise Refused("votes", "no votes, or two of one party")
        change: Change = votes[0].facts["change"]
        if change.coordinator(self.a["Round"]) != self.party:
            raise Refused("votes", "another coordinates")
        if (found := self.log.value(votes, change)) is None:
            raise Refused("votes", "its votes give nothing")
        value, new = found
        head = self.log.node[value[0]]
        facts = {"kind": "propose", "head": head.id, "change": change, "new": new, "value": value}
        promises = self._taking_part(change, new)
        return head.state, {**facts, "promises": promises}, {}, self._tree(head)

    def _accept(self) -> tuple[Any, dict[str, Any], dict[str, Any], str]:
        proposal = self._next("propose")
        if proposal is None or proposal.a["Round"] != self.a["Round"]:
            raise Refused("votes", "it accepts no proposal of this round")
        self.left.pop(0)
        change, new, value = (proposal.facts[key] for key in ("change", "new", "value"))
        promises = {**self._taking_part(change, new), "accepted": (self.a["Round"], value, new)}
        head = self.log.node[value[0]]
        facts = {"kind": "accept", "head": head.id, "change": change, "new": new, "value": value}
        facts["of"] = change.key, self.a["Round"], value
        return head.state, {**facts, "promises": promises}, {}, self._tree(head)

    def _taking_part(self, change: Change, new: View) -> dict[str, Any]:
        promises, last, view = self._promised(change), self.mine.get("change"), new.before
        assert view is not None
        if last is not None and last.key == change.key:
            return promises
        if change.without:
            raise Refused("promise", "it has not voted in this settlement")
        if not view.follows(self.mine["view"]):
            raise Refused("promise", "it has signed something in a later view")
        on = self.mine["on"] if view.id == self.mine["view"].id else view.value[0]
        return {**promises, "view": view, "on": on, "left": view}
