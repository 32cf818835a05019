"""A table without repositories: one game in memory, of which everybody at the table holds the same graph.

Whoever sits there can write any commit, honest or not, and everybody else judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from catan_p2p.game.actions import Action, Claim, ComeBack, Excuse, Pledge, Reveal, RollDice
from catan_p2p.game.chance import Nonce, ShareChain
from catan_p2p.game.constants import THESIS, Constants, Player, Rules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State
from catan_p2p.log.commit import LogEntry, SecretParts, decode_commit, entry_message
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.graph import CommitGraph, DueMessage
from catan_p2p.log.keys import key_secret
from catan_p2p.log.reading import read_root, take_in
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.deciding import returning
from catan_p2p.players.choosing import checked
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.own_cards import OwnCards
from tests.log.storage.memory import Objects
from tests.seat_keys import KEYS, PUBLIC_KEYS, sign_as_author

JOINT = replace(THESIS, chance="joint")

Change = Callable[[SecretParts], SecretParts]
Table = TypeVar("Table", bound="LogTable")


class LogTable:
    """One game; ``graph`` is what everybody accepts, ``reader`` another that checks what is written.

    All tables of the same rules, players and nonce have the same root; ``secret`` is in all private keys, ``key_nonce``
    in each pledge. ``policies`` choose where hands are hidden, by seat; fewer than seats take turns.
    """

    def __init__(
        self,
        players: int = 2,
        rules: Rules | str = "thesis",
        *,
        number: int = 0,
        has_keys: bool = False,
        nonce: str = "test",
        secret: bytes = b"",
        of_keys: bool = False,
        key_nonce: Nonce | None = None,
        seed: int = 0,
        policies: Sequence[str] = ("builder",),
        parties: Iterable[tuple[Player, ...]] = (),
    ) -> None:
        if isinstance(rules, str):
            rules = rules_named(rules, players)
        self.of_keys = of_keys
        self.objects = Objects()
        self._sign = sign_as_author if has_keys or rules.leaving else None
        public_keys = {} if self._sign is None else PUBLIC_KEYS
        constants = Constants(rules, player_count=players)
        self.game: GameDefinition = new_game(number, constants, keys=public_keys, parties=parties)
        self.root, _ = root_commit(self.game, nonce, 0, self.objects.add, self._sign)
        self.graph = self.fresh_graph()
        self.reader = self.graph.at_root()
        keys = {player: secret + bytes([player]) * 32 for player in self.game.constants.players}
        if of_keys:  # as programs have it
            keys = {player: key_secret(KEYS[seat.colour]) for player, seat in enumerate(self.game.seats, 1)}
        self.secrets = keys
        self.own = {p: OwnCards(self.root, p, key) for p, key in keys.items() if rules.hands == "hidden"}
        self.chains = {p: ShareChain(self.root, p, key, key_nonce) for p, key in keys.items()}
        self.rolls = {p: ShareChain(self.root, p, key, of_rolls=True) for p, key in keys.items() if rules.chance_ahead}
        self.key_nonce = key_nonce
        self.rng = Random(seed)
        self._choosers = [checked(make_policy(policies[seat % len(policies)])) for seat in range(players)]
        self.steps: list[LoggedStep] = []
        """What was done, and signed about views."""
        self.later_s = 0
        """By so much the clocks are ahead, which count commits."""

    def fresh_graph(self) -> CommitGraph:
        graph = read_root(self.root, self.objects.read, self._sign)
        assert isinstance(graph, CommitGraph), graph
        return graph

    def replay(self, upto: int) -> CommitGraph:
        """A second peer's graph that has validated the first so many steps."""
        graph = self.fresh_graph()
        for step in self.steps[:upto]:
            checked = self.check(graph, step.commit)
            assert isinstance(checked, LoggedStep), checked
            graph.add(checked)
        return graph

    @property
    def state(self) -> State:
        return self.graph.state

    @property
    def actions(self) -> list[Action]:
        """What was done, and signed about views."""
        return [step.action for step in self.steps]

    @property
    def sealed_cards(self):  # type: ignore[no-untyped-def]
        """The sealed cards, all replies heard."""
        return self.graph.line.hearing_all().sealed_cards

    # Playing

    def next_action(self, player: Player = 0, rng: Random | None = None, graph: CommitGraph | None = None) -> Action:
        """What a player's program does next, by default the first one's: at random where all hands are open.

        ``graph`` is what this player knows, by default what everybody accepts.
        """
        graph, rng = graph or self.graph, rng or self.rng
        state = graph.state
        player = player or awaited(state)[0]
        if state.tp == "Pledging":
            return Pledge(player)
        if self.own and (course := self.own[player].course(graph.line)) is not None:
            return course
        if state.tp == "Drawing":
            return Reveal(player) if state.due[player - 1] else graph.settlement()
        if self.own:
            return self.own[player].choose(self._choosers[player - 1], graph.line, rng)
        action = rng.choice(decisions(state, player))
        if isinstance(action, RollDice) and (number := graph.ahead_number(action)) is not None:
            return graph.settlement(self.rolls[player].share(number))
        return draw(state, action, rng) if state.constants.rules.chance == "actor" else action

    def write(
        self,
        action: Action,
        share: str | None = None,
        time_s: int | None = None,
        *,
        ahead: str | None = None,
        change: Change = lambda told: told,
        graph: CommitGraph | None = None,
    ) -> LoggedStep:
        """The commit that an honest player writes for an action, with any shares in place of their own.

        ``change`` may change what it tells of hidden cards; ``graph`` is what this player knows. Nobody holds it yet.
        """
        graph = graph or self.graph
        prepared, player = graph.prepare(action), action.player
        if share is None and (number := graph.share_number(action)) is not None:
            share = self.chains[player].share(number)
        if ahead is None and (number := graph.ahead_number(action)) is not None:
            ahead = self.rolls[player].share(number)
        key_nonce = self.key_nonce if isinstance(action, Pledge) else None
        told = {"told": change(self.own[player].told(prepared, action, key_nonce))} if self.own else {}
        time_s = len(graph) + self.later_s if time_s is None else time_s
        after = apply(prepared.state, action)
        return graph.write(action, after, time_s, self.objects.add, share, nonce=key_nonce, ahead=ahead, **told)

    def take_in(self, step: LoggedStep) -> LoggedStep:
        """Everybody takes in a commit, and agrees on it."""
        for parent in step.parents:
            take_in(self.reader, parent, self.objects.read)
        judged = self.check(self.reader, step.commit)
        assert isinstance(judged, LoggedStep), judged
        assert judged.sealed_cards == step.sealed_cards
        self.reader.add(judged)
        self.graph.add(step)
        self.steps.append(step)
        return step

    def take(self, action: Action) -> LoggedStep:
        """Write an action honestly, and let everybody take it in."""
        return self.take_in(self.write(action))

    def act(self, player: Player, change: Change = lambda told: told) -> LoggedStep:
        """What a player's program does next, done: whoever reads it agrees."""
        return self.take_in(self.write(self.next_action(player), change=change))

    def play_until(
        self,
        stop: Callable[[State], bool],
        seed: int | None = None,
        *,
        without: Player = 0,
        order: Callable[[Iterator[Player]], Player] = next,
        most: int = 3000,
    ) -> None:
        """Play until something holds; ``order`` picks who acts if several may, by default whom the rules name first.

        ``without`` does nothing, and must not be awaited alone before.
        """
        if seed is not None:
            self.rng = Random(seed)
        for _ in range(most):
            if stop(self.state):
                return
            self.act(order(player for player in awaited(self.state) if player != without))
        raise AssertionError(f"{most} actions, and it never was so")

    def play_to(self, kind: type[Action], seed: int = 0) -> Action:
        """Play until the next action is of this kind, which is not taken yet."""
        self.rng = Random(seed)
        while not isinstance(action := self.next_action(), kind):
            self.take(action)
        return action

    # Lying

    def forge(self, step: LoggedStep, entry: LogEntry | None = None, **changes: object) -> ObjectId:
        """The id of a commit like a step's, with some of its parts or its message changed, by its author."""
        if entry is not None:
            changes["message"] = entry_message(entry)
        commit = decode_commit(self.objects.read(step.commit)[1])._replace(**changes)  # type: ignore[arg-type]
        return self.objects.add("commit", (commit if self._sign is None else self._sign(commit)).encode())

    def forged(self, step: LoggedStep, entry: LogEntry | None = None, **changes: object) -> LoggedStep | CommitRejected:
        """What the others say of a commit that is otherwise as ``step``."""
        return self.check(self.graph, self.forge(step, entry, **changes))

    def check(self, graph: CommitGraph, commit: ObjectId) -> LoggedStep | CommitRejected:
        return graph.check(commit, self.objects.read(commit)[1])

    # Going on without a player

    def play_what_is_owed(self, absent: Player) -> None:
        """All others do what the game waits for besides a player."""
        while absent in (waits := awaited(self.state)) and (owing := [one for one in waits if one != absent]):
            self.act(owing[0])

    def decide(self, absent: Player) -> Excuse:
        """All others vote and decide to go on without a player; the record that one of them makes next."""
        self.play_what_is_owed(absent)
        record = self._decide([player for player in self.state.present if player != absent], (absent,))
        assert isinstance(record, Excuse)
        return record

    def _decide(self, voters: Sequence[Player], waited: tuple[Player, ...]) -> Excuse | ComeBack:
        duties = self.change_view(voters, waited)
        return next(record for duty in duties if (record := duty.record(self.state)) is not None)

    def change_view(self, voters: Sequence[Player], waited: tuple[Player, ...] = ()) -> list[ViewDuty]:
        """Some players, whose duties these are, sign what is due until the next view begins."""
        assert self.graph.game.has_views
        valid = self.graph.valid
        duties, number = {player: ViewDuty(valid, player) for player in voters}, valid.view.number
        while valid.view.number == number:
            player, due = next(
                (player, due)
                for is_over in (False, True)
                for player, duty in duties.items()
                if (due := duty.due(waited, is_round_over=is_over)) is not None
            )
            self.sign(player, due)
        return [*duties.values()]

    def request(self, absent: Player) -> LoggedStep:
        """The request of who was left out to come back, by what is known now. Nobody holds it yet."""
        openings = self.own[absent].openings_of_party(self.graph.valid, self.own) if self.own else ()
        due, time_s = DueMessage("request", openings=openings), len(self.graph) + self.later_s
        return self.graph.sign(absent, due, time_s, self.objects.add)

    def decide_return(self, absent: Player) -> ComeBack:
        """Who was left out asks to come back as soon as they may; the record of what all decide once it is granted."""
        valid = self.graph.valid
        self.play_until(lambda state: ViewDuty(valid, absent).may_come_back)
        self.take_in(self.request(absent))
        self.play_until(lambda state: returning(valid, valid.newest, valid.replies(), valid.view, valid.requests) != ())
        record = self._decide(self.state.present, ())
        assert isinstance(record, ComeBack)
        return record

    def come_back(self, absent: Player) -> LoggedStep:
        """Who was left out comes back, and the line records it."""
        return self.take(self.decide_return(absent))

    def excuse(self, absent: Player) -> None:
        """All others go on without a player, and the line records it."""
        self.take(self.decide(absent))

    def sign(self, player: Player, due: DueMessage) -> LoggedStep:
        """A player signs something about views, and everybody takes it in."""
        assert self.graph.game.has_views
        return self.take_in(self.graph.sign(player, due, len(self.graph) + self.later_s, self.objects.add))

    def claim(self, absent: Player) -> None:
        """The only other player claims the game."""
        self.play_what_is_owed(absent)
        self.take(Claim(next(player for player in self.state.present if player != absent), absent))


def joint_log(players: int = 4, nonce: str = "a table", secret: bytes = b"", rules: Rules = JOINT) -> LogTable:
    """A game in which all draw together."""
    return LogTable(players, rules, nonce=nonce, secret=secret)


def hidden_log(
    rules: str,
    players: int,
    seed: int,
    key_nonce: Nonce | None = None,
    *,
    leaving: bool = True,
    returns: int = 0,
    of_keys: bool = False,
    policies: Sequence[str] = ("builder",),
    parties: Iterable[tuple[Player, ...]] = (),
    kind: type[Table] = LogTable,  # type: ignore[assignment]
) -> Table:
    """A game of hidden hands."""
    chosen = replace(rules_named(rules, players), chance="joint", hands="hidden", leaving=leaving, returns=returns)
    chosen = replace(chosen, signed_end=leaving)
    told = {"nonce": "00" * 16, "of_keys": of_keys, "key_nonce": key_nonce, "seed": seed, "policies": policies}
    return kind(players, chosen, parties=parties, **told)  # type: ignore[arg-type]
