"""A joint game in memory: whoever sits at the table can write any commit, and everybody else judges it."""

from dataclasses import replace
from random import Random

from catan_p2p.game.actions import Action, Call, Pledge, Reveal, RollDice
from catan_p2p.game.chance import ShareChain
from catan_p2p.game.constants import THESIS, Constants, Rules
from catan_p2p.game.rules import apply, awaited, called_for, decisions
from catan_p2p.log.commit import Commit, LogEntry, decode_commit, entry_message
from catan_p2p.log.game import new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.verdict import CommitRejected, LoggedStep

JOINT = replace(THESIS, chance="joint")


class Table:
    """Players around one graph, which judges what they write."""

    def __init__(self, players: int = 4, nonce: str = "a table", secret: bytes = b"", rules: Rules = JOINT) -> None:
        self.objects: dict[ObjectId, bytes] = {}
        self.game = new_game(0, Constants(rules, player_count=players))
        root, tree = root_commit(self.game, nonce, 0, self.put)
        self.graph = CommitGraph(Ledger.begin(self.game, root, tree))
        self.chains = {p: ShareChain(root, p, secret + bytes([p])) for p in self.game.constants.players}
        self.rolls = {
            p: ShareChain(root, p, secret + bytes([p]), of_rolls=True)
            for p in self.game.constants.players
            if rules.chance_ahead
        }
        self.time_s = 0

    def put(self, kind: ObjectKind, data: bytes) -> ObjectId:
        oid = object_id(kind, data)
        self.objects[oid] = data
        return oid

    def write(
        self, action: Action, share: str | None = None, time_s: int | None = None, ahead: str | None = None
    ) -> LoggedStep:
        """The commit that an honest player would write for an action, with any shares in place of their own."""
        number = self.graph.share_number(action)
        if share is None and number is not None:
            share = self.chains[action.player].share(number)
        if ahead is None and (number := self.graph.ahead_number(action)) is not None:
            ahead = self.rolls[action.player].share(number)
        self.time_s += 1
        after = apply(self.graph.before(action), action)
        return self.graph.write(action, after, self.time_s if time_s is None else time_s, self.put, share, ahead=ahead)

    def do(self, action: Action) -> LoggedStep:
        """Write an action honestly, and take it in."""
        step = self.write(action)
        verdict = self.graph.check(step.commit, self.objects[step.commit])
        assert isinstance(verdict, LoggedStep), verdict
        self.graph.add(verdict)
        return verdict

    def judge(self, commit: Commit) -> LoggedStep | CommitRejected:
        """What the others say of a commit."""
        data = commit.encode()
        return self.graph.check(object_id("commit", data), data)

    def forged(self, step: LoggedStep, entry: LogEntry | None = None, **changes: object) -> LoggedStep | CommitRejected:
        """What the others say of a commit that is otherwise as ``step``."""
        commit = decode_commit(self.objects[step.commit])
        message = commit.message if entry is None else entry_message(entry)
        return self.judge(commit._replace(message=message, **changes))  # type: ignore[arg-type]

    def next_action(self, rng: Random) -> Action:
        """Any action that the game waits for."""
        state = self.graph.state
        player = awaited(state)[0]
        if state.tp == "Pledging":
            return Pledge(player)
        if state.tp == "Drawing":
            return Reveal(player) if any(state.due) else self.graph.settlement()
        action = rng.choice(decisions(state, player))
        if isinstance(action, RollDice) and (number := self.graph.ahead_number(action)) is not None:
            return self.graph.settlement(self.rolls[player].share(number))
        return action

    def play_until(self, what: type, seed: int = 0) -> Action:
        """Play until the next action is of this kind, which is not taken yet."""
        rng = Random(seed)
        while not isinstance(action := self.next_action(rng), what):
            self.do(action)
        return action


__all__ = ["JOINT", "Call", "Table", "called_for"]
