"""A table without repositories: every player's program and one graph, for games in which somebody leaves or lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from catan_p2p.game.actions import Action, Claim, Excuse, Pledge, Reveal, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.chance import Nonce, ShareChain
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import apply, awaited
from catan_p2p.game.state import State
from catan_p2p.log.commit import SecretParts, decode_commit, entry_message
from catan_p2p.log.game import new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.players.choosing import checked
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.own_cards import OwnCards

Change = Callable[[SecretParts], SecretParts]


class Table:
    """One game; ``graph`` is what everybody accepts, ``reader`` another that checks what is written.

    All tables of the same rules and players have the same root, and the same private keys; ``nonce`` is in each pledge.
    ``policies`` are by seat; fewer than seats take turns.
    """

    def __init__(
        self,
        rules: str,
        players: int,
        seed: int,
        nonce: Nonce | None = None,
        *,
        leaving: bool = True,
        is_signed: bool = True,
        policies: Sequence[str] = ("builder",),
    ) -> None:
        chosen = replace(rules_named(rules, players), chance="joint", hands="hidden", leaving=leaving)
        chosen = replace(chosen, signed_end=leaving and is_signed)
        game = new_game(0, Constants(chosen, player_count=players))
        self.objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self.root, _ = root_commit(game, "00" * 16, 0, self.put)
        graph = read_root(self.root, self.objects.__getitem__)
        assert isinstance(graph, CommitGraph)
        self.graph, self.reader = graph, graph.at_root()
        keys = {player: bytes([player]) * 32 for player in game.constants.players}
        self.own = {player: OwnCards(self.root, player, key) for player, key in keys.items()}
        self.nonce = nonce
        self._chains = {player: ShareChain(self.root, player, key, nonce) for player, key in keys.items()}
        self.rng = Random(seed)
        self._choosers = [checked(make_policy(policies[seat % len(policies)])) for seat in range(players)]
        self.actions: list[Action] = []
        """What was done, votes included."""

    def put(self, kind: ObjectKind, data: bytes) -> ObjectId:
        oid = object_id(kind, data)
        self.objects[oid] = kind, data
        return oid

    @property
    def state(self) -> State:
        return self.graph.state

    @property
    def sealed_cards(self):  # type: ignore[no-untyped-def]
        """The sealed cards, all replies heard."""
        return self.graph.line.hearing_all().sealed_cards

    def next_action(self, player: Player) -> Action:
        """What a player's program does next."""
        if self.state.tp == "Pledging":
            return Pledge(player)
        if (course := self.own[player].course(self.graph.line)) is not None:
            return course
        if self.state.tp == "Drawing":
            return Reveal(player) if self.state.due[player - 1] else self.graph.settlement()
        return self.own[player].choose(self._choosers[player - 1], self.graph.line, self.rng)

    def written(self, action: Action, change: Change = lambda told: told) -> LoggedStep:
        """The commit of an action; ``change`` may change what it tells of hidden cards."""
        prepared = self.graph.line.prepare(action)
        number = self.graph.share_number(action)
        share = None if number is None else self._chains[action.player].share(number)
        nonce = self.nonce if isinstance(action, Pledge) else None
        told = change(self.own[action.player].told(prepared, action, nonce))
        after = apply(prepared.state, action)
        return self.graph.write(action, after, len(self.graph), self.put, share, nonce=nonce, told=told)

    def act(self, player: Player, change: Change = lambda told: told) -> LoggedStep:
        """What a player's program does next, done: whoever reads it agrees."""
        step = self.written(self.next_action(player), change)
        self.take_in(step)
        return step

    def take_in(self, step: LoggedStep) -> None:
        """Everybody takes in a commit."""
        judged = self.reader.check(step.commit, self.objects[step.commit][1])
        assert isinstance(judged, LoggedStep), judged
        assert judged.sealed_cards == step.sealed_cards
        self.reader.add(judged)
        self.graph.add(step)
        self.actions.append(step.action)

    def forged(self, step: LoggedStep, **changes: object) -> LoggedStep | CommitRejected:
        """The judgement of a commit that is not taken in yet, with another message."""
        parts = decode_commit(self.objects[step.commit][1])
        message = entry_message(step.entry._replace(**changes))  # type: ignore[arg-type]
        return self.reader.check("f" * 40, parts._replace(message=message).encode())

    def play(self, until: Callable[[Table], bool], without: Player = 0, most: int = 3000) -> None:
        """Play until something holds; ``without`` does nothing, and must not be awaited alone before."""
        for _ in range(most):
            if until(self):
                return
            self.act(next(player for player in awaited(self.state) if player != without))
        raise AssertionError(f"{most} actions, and it never was so")

    def excuse(self, absent: Player) -> None:
        """All others vote, and the next of them excuses a player."""
        others = [player for player in self.state.present if player != absent]
        while (owing := [player for player in awaited(self.state) if player != absent]) and absent in awaited(
            self.state
        ):
            self.act(owing[0])
        round = self.graph.line.round_of(absent)
        for player in others:
            self.take_in(self.graph.write_vote(round, Vote(player, absent, "yes"), 0, self.put))
        state = self.graph.before(Excuse(1, absent))
        self.take_in(self.written(Excuse(excuser(state, absent), absent)))

    def claim(self, absent: Player) -> None:
        """The only other player claims the game."""
        others = [player for player in self.state.present if player != absent]
        while (owing := [player for player in awaited(self.state) if player != absent]) and absent in awaited(
            self.state
        ):
            self.act(owing[0])
        self.take_in(self.written(Claim(others[0], absent)))
