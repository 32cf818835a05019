"""What votes that go by the proof of a lie say: which proofs prove something, which commit survives, who is bound.

Signed logs in memory; each player has a graph of their own. Red is the liar.
"""

from random import Random

import pytest

from catan_p2p.game.actions import Action, EmptyBuild, Excuse, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.limits import MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.game import new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.proof import ProofCharge, charge_of, survivor
from catan_p2p.log.reading import read_root, take_in
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.root import root_commit
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.votes import excusable, overruled, to_merge
from catan_p2p.replication.core.fork_settlement import before_lie
from tests.log.storage.memory import Objects

RED, BLUE, GREEN, ORANGE = 1, 2, 3, 4
KEYS = {colour: new_private_key(colour.encode().ljust(32, b"!")) for colour in COLOURS}


class Signed:
    """A signed game: everybody's graph, and the objects of all."""

    def __init__(self, players: int = 3, rules: str = "thesis; Leaving = yes", *, signed: bool = True) -> None:
        colours = COLOURS[:players]
        keys = {colour: spell_public_key(KEYS[colour]) for colour in colours} if signed else {}
        self.game = new_game(0, Constants(rules_named(rules, players), player_count=players), colours, keys)
        self.objects = Objects()
        self.signed = signed
        self.root, _ = root_commit(self.game, "test", 1000, self.objects.add, self._sign(RED))
        self.graphs = {player: self.fresh(player) for player in self.game.constants.players}
        self.rng = Random(3)

    def _sign(self, player: Player):  # type: ignore[no-untyped-def]
        return signer(KEYS[COLOURS[player - 1]]) if self.signed else None

    def fresh(self, player: Player) -> CommitGraph:
        graph = read_root(self.root, self.objects.read, self._sign(player))
        assert isinstance(graph, CommitGraph), graph
        graph.bind(player)
        return graph

    def told(self, player: Player, step: LoggedStep) -> LoggedStep | CommitRejected:
        """Let a player judge a commit and all that it leads to."""
        graph = self.graphs[player]
        take_in(graph, step.commit, self.objects.read)
        return graph.check(step.commit, self.data(step.commit)) if step.commit not in graph else step

    def data(self, commit: ObjectId) -> bytes:
        return self.objects.read(commit)[1]

    def write(self, player: Player, action: Action, time_s: int = 2000, graph: CommitGraph | None = None) -> LoggedStep:
        """A commit of a player's on what they hold; nobody holds it yet."""
        graph = graph or self.graphs[player]
        return graph.write(action, apply(graph.before(action), action), time_s, self.objects.add)

    def choose(self, player: Player) -> Action:
        state = self.graphs[player].state
        return draw(state, self.rng.choice(decisions(state, player)), self.rng)

    def act(self, player: Player, to: list[Player] | None = None) -> LoggedStep:
        """Let a player act, and some hear of it: by default all."""
        step = self.write(player, self.choose(player))
        for other in to or self.graphs:
            assert self.told(other, step) is step
        return step

    def until(self, player: Player, phase: str = "DiceRoll") -> None:
        """Play until it is a player's turn."""
        while (state := self.graphs[RED].state).to_act != player or state.tp != phase or len(awaited(state)) != 1:
            self.act(awaited(state)[0])

    def lie(self, *to: list[Player]) -> list[LoggedStep]:
        """Red takes one action in two ways, each shown to some."""
        action = self.choose(RED)
        steps = [self.write(RED, action, 3000 + i) for i in range(len(to))]
        for step, players in zip(steps, to, strict=True):
            for player in players:
                assert self.told(player, step) is step
        return steps

    def charge(self, voter: Player, one: LoggedStep, other: LoggedStep, **changes: object) -> LoggedStep:
        """A voter's vote by this proof, as an honest one writes it, but for ``changes``."""
        graph = self.graphs[voter]
        lie = graph.ledger.read_lie(self.data(one.commit), self.data(other.commit))
        newest = graph.line.newest_of(RED)
        held = graph.line.answer_to(lie.round)
        charge = charge_of(held, newest, graph.height(newest), *lie.commits)._replace(**changes)  # type: ignore[arg-type]
        return graph.write_vote(lie.round, Vote(voter, RED, "yes"), 5000, self.objects.add, charge=charge)

    def settle(self, *votes: LoggedStep) -> None:
        """Everybody but Red hears all votes, and moves over where that is due."""
        for player in self.graphs.keys() - {RED}:
            for vote in votes:
                assert self.told(player, vote) is vote
            while (round := overruled(self.graphs[player].ledger)) is not None:
                self.graphs[player] = before_lie(self.graphs[player], round, self.objects.read)
                self.graphs[player].bind(player)


def reason(verdict: LoggedStep | CommitRejected) -> str:
    assert isinstance(verdict, CommitRejected), "it was accepted"
    return verdict.reason


@pytest.fixture
def game() -> Signed:
    """Red is to end the turn."""
    game = Signed()
    game.until(RED, "Building")
    return game


def test_the_votes_name_one_that_survives_and_the_next_excuses(game: Signed) -> None:
    one, other = game.lie([BLUE], [GREEN])
    game.settle(game.charge(BLUE, one, other), game.charge(GREEN, one, other))
    blue, green = game.graphs[BLUE], game.graphs[GREEN]
    kept = min(one.commit, other.commit)
    assert [*blue.settling.outcomes.values()] == [*green.settling.outcomes.values()] == [kept]


@pytest.mark.parametrize("ahead", [0, 1])
def test_of_two_that_are_held_alike_the_one_survives_that_was_built_on(game: Signed, ahead: int) -> None:
    sides = game.lie(*(([BLUE], [GREEN]) if ahead == 0 else ([GREEN], [BLUE])))
    game.act(BLUE, [BLUE])
    game.settle(game.charge(BLUE, *sides), game.charge(GREEN, *sides))
    assert {*game.graphs[GREEN].settling.outcomes.values()} == {sides[ahead].commit}


def test_whoever_acts_next_excuses_the_liar_and_everybody_follows(game: Signed) -> None:
    one, other = game.lie([BLUE], [GREEN])
    game.act(BLUE, [BLUE])
    game.settle(game.charge(BLUE, one, other), game.charge(GREEN, one, other))
    take_in(game.graphs[GREEN], game.graphs[BLUE].head, game.objects.read)
    blue = game.graphs[BLUE]
    assert excusable(blue.ledger) == (RED,)
    excuse = game.write(excuser(blue.state, RED), Excuse(excuser(blue.state, RED), RED), graph=blue)
    for player in (BLUE, GREEN):
        assert game.told(player, excuse) is excuse
        assert game.graphs[player].state.away[0]
        assert game.graphs[player].head == excuse.commit
    # Whoever has seen nothing of it reads it as it is.
    fresh = game.fresh(BLUE)
    fresh.bind(0)
    take_in(fresh, excuse.commit, game.objects.read)
    assert fresh.head == excuse.commit
    assert other.commit not in fresh


def test_the_other_commit_is_refused_from_then_on(game: Signed) -> None:
    one, other = game.lie([BLUE], [GREEN])
    game.settle(game.charge(BLUE, one, other), game.charge(GREEN, one, other))
    lost = max(one, other, key=lambda step: step.commit)
    for player in (BLUE, GREEN):
        bad = game.told(player, lost)
        assert isinstance(bad, CommitRejected)
        assert (bad.reason, bad.other) == ("fork", min(one.commit, other.commit))


def test_an_excuse_lacks_a_vote(game: Signed) -> None:
    one, other = game.lie([BLUE], [GREEN])
    game.act(BLUE, [BLUE])
    game.told(BLUE, game.charge(BLUE, one, other))
    blue = game.graphs[BLUE]
    who = excuser(blue.state, RED)
    assert reason(game.told(BLUE, game.write(who, Excuse(who, RED), graph=blue))) == "votes"


def racing() -> tuple[Signed, list[LoggedStep], LoggedStep]:
    """Red has lied while it is still Red's turn, and acts once more on the side of Blue and Green."""
    game = Signed(4)
    game.until(RED, "Trading")
    sides = game.lie([RED, BLUE, GREEN], [ORANGE])
    assert game.graphs[RED].state.to_act == RED
    return game, sides, game.write(RED, game.choose(RED))


def test_who_has_voted_accepts_nothing_more_of_the_liar() -> None:
    game, sides, more = racing()
    vote = game.charge(BLUE, *sides)
    game.told(BLUE, vote)
    assert reason(game.told(BLUE, more)) == "promised"
    assert game.told(GREEN, more) is more


def test_what_another_voter_has_accepted_is_accepted_after_all() -> None:
    game, sides, more = racing()
    game.told(BLUE, game.charge(BLUE, *sides))
    game.told(GREEN, more)
    game.told(BLUE, game.charge(GREEN, *sides))
    assert game.told(BLUE, more) is more


def test_an_excuse_must_not_undo_what_a_voter_has_accepted() -> None:
    # Blue, who excuses, has voted before Red's last action; Green has accepted it before voting.
    game, sides, more = racing()
    votes = [game.charge(BLUE, *sides), game.charge(ORANGE, *sides)]
    game.told(GREEN, more)
    votes.append(game.charge(GREEN, *sides))
    game.settle(*votes)
    blue = game.graphs[BLUE]
    assert blue.settling.outcomes
    assert excusable(blue.ledger) == ()
    excuse = game.write(BLUE, Excuse(BLUE, RED), graph=blue)
    assert reason(blue.check(excuse.commit, game.data(excuse.commit))) == "votes"
    take_in(blue, more.commit, game.objects.read)
    assert excusable(blue.ledger) == (RED,)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"proof": (b"", b"")}, "proof"),
        ({"holds": ObjectId("1" * 40)}, "proof"),
        ({"proof": "same"}, "proof"),
        ({"proof": "swapped"}, "proof"),
        ({"proof": "unsigned"}, "proof"),
        ({"proof": "honest"}, "proof"),
        ({"proof": "large"}, "proof"),
    ],
    ids=str,
)
def test_a_proof_that_proves_nothing(game: Signed, changes: dict[str, object], why: str) -> None:
    honest = game.write(BLUE, Vote(BLUE, RED, "yes"))
    one, other = game.lie([BLUE], [GREEN])
    first, second = sorted((one.commit, other.commit))
    forged = decode_commit(game.data(second))
    if "proof" in changes and isinstance(changes["proof"], str):
        told = {
            "same": (first, first),
            "swapped": (second, first),
            "unsigned": (first, forge(game, forged._replace(signature=None))),
            "honest": (first, honest.commit),
            "large": (first, forge(game, signed(forged._replace(parents=forged.parents * 200)))),
        }[changes["proof"]]
        changes = {"proof": tuple(game.data(commit) for commit in told)}
    assert reason(game.told(BLUE, game.charge(GREEN, one, other, **changes))) == why


def signed(commit: Commit) -> Commit:
    return signer(KEYS["Red"])(commit._replace(signature=None))


def forge(game: Signed, commit: Commit) -> ObjectId:
    return game.objects.add("commit", commit.encode())


def test_the_proof_of_another_lie(game: Signed) -> None:
    early = Signed()
    early.until(RED)
    stale = early.lie([BLUE], [GREEN])
    one, other = game.lie([BLUE], [GREEN])
    proof = tuple(early.data(commit) for commit in sorted(step.commit for step in stale))
    vote = game.charge(GREEN, one, other, proof=proof, holds=None)
    assert reason(game.told(BLUE, vote)) == "proof"


def test_without_keys_nobody_can_prove_anything() -> None:
    game = Signed(signed=False)
    game.until(RED, "Building")
    one, other = game.lie([BLUE], [GREEN])
    graph = game.graphs[BLUE]
    charge = charge_of(one.commit, one.commit, 1, game.data(one.commit), game.data(other.commit))
    round = VotingRound(one.parents[0], "fork", RED)
    vote = graph.write_vote(round, Vote(BLUE, RED, "yes"), 5000, game.objects.add, charge=charge)
    assert reason(game.told(BLUE, vote)) == "proof"


def test_who_has_built_on_one_cannot_say_to_hold_the_other(game: Signed) -> None:
    # Else Red and Green together could undo whatever Blue has done since.
    one, other = game.lie([BLUE, GREEN], [])
    while game.graphs[BLUE].state.to_act != GREEN:
        game.act(game.graphs[BLUE].state.to_act, [BLUE, GREEN])
    built = game.act(GREEN, [BLUE, GREEN])
    vote = game.charge(GREEN, one, other, holds=other.commit)
    bad = game.told(BLUE, vote)
    assert isinstance(bad, CommitRejected)
    assert (bad.reason, bad.other) == ("vote", built.commit)


def test_voting_twice(game: Signed) -> None:
    one, other = game.lie([BLUE], [GREEN])
    first = game.charge(GREEN, one, other)
    second = game.charge(GREEN, one, other, holds=one.commit)
    assert game.told(BLUE, first) is first
    bad = game.told(BLUE, second)
    assert isinstance(bad, CommitRejected)
    assert (bad.reason, bad.other) == ("fork", first.commit)


def _says(holds: str | None, height: int = 1) -> ProofCharge:
    return ProofCharge(None if holds is None else ObjectId(holds * 40), ObjectId("0" * 40), height, (b"", b""))


def test_which_of_the_commits_survives() -> None:
    a, b = ObjectId("a" * 40), ObjectId("b" * 40)
    assert survivor({BLUE: _says("a"), GREEN: _says("b"), ORANGE: _says("b")}, 0) == b
    assert survivor({BLUE: _says("a"), GREEN: _says("b", 2)}, 0) == b
    assert survivor({BLUE: _says("b"), GREEN: _says("a")}, 0) == a
    assert survivor({BLUE: _says("a"), GREEN: _says("b"), ORANGE: _says("b")}, BLUE) == a
    assert survivor({BLUE: _says(None), GREEN: _says("b")}, BLUE) is None
    assert survivor({BLUE: _says(None), GREEN: _says(None)}, 0) is None


def test_of_two_replies_the_one_survives_that_was_merged() -> None:
    # Blue merges Red's discard; Green and Orange, who are more, hold another. Blue need not merge twice.
    game = Signed(4, "thesis; Leaving = yes; HandLimit = 2")
    while True:
        state = game.graphs[RED].state
        if state.tp == "Discarding" and state.to_act == BLUE and {RED, BLUE} <= {*awaited(state)}:
            break
        game.act(max(awaited(state)))
    for player in {*awaited(state)} - {RED}:
        game.act(player)
    sides = game.lie([RED, BLUE], [GREEN, ORANGE])
    merge = game.act(BLUE, [BLUE])
    assert sides[0].commit in merge.parents
    votes = [game.charge(voter, *sides) for voter in (BLUE, GREEN, ORANGE)]
    game.settle(*votes)
    for player in (GREEN, ORANGE):
        assert game.told(player, merge) is merge
        assert game.graphs[player].head == merge.commit
    assert {*game.graphs[GREEN].settling.outcomes} == {VotingRound(sides[0].parents[0], "lies", RED)}


def test_the_votes_that_settled_a_lie_are_merged_before_all_others() -> None:
    """Green has more votes than one commit merges of a player; those on old commits come later."""
    game = Signed()
    asked = []
    while len(asked) < 2 * MAX_MERGED_VOTES_OF_PLAYER:
        state = game.graphs[GREEN].state
        if awaited(state) == (RED,):
            asked.append(game.graphs[GREEN].head)
        game.act(awaited(state)[0])
    game.until(RED, "Building")
    green = game.graphs[GREEN]
    old = [
        green.write_vote(VotingRound(base, "turn", RED), Vote(GREEN, RED, "no"), 4000, game.objects.add, green.root)
        for base in asked
    ]
    for vote in old:
        assert game.told(BLUE, vote) is vote
    one, other = game.lie([BLUE], [GREEN])
    charges = game.charge(BLUE, one, other), game.charge(GREEN, one, other)
    game.settle(*charges)
    ledger = game.graphs[BLUE].ledger
    assert ledger.ballot.loose.keys() == {vote.commit for vote in (*old, *charges)}
    for action in (Excuse(BLUE, RED), EmptyBuild(BLUE)):
        merged = to_merge(ledger, action)
        assert {charge.commit for charge in charges} <= {*merged}
        assert len(merged) == MAX_MERGED_VOTES_OF_PLAYER + 1, "eight of Green's and the one of Blue's"
