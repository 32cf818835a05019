"""Shares that count as told: what a vote by the proof of a lie says of them, and which share comes next in the log.

Red ends the turn in two ways, one shown to Blue and one to Green; all have told as many shares before.
"""

import pytest

from catan_p2p.game.actions import Action, Call, Excuse, Pledge, Reveal
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.chance import SPENT_BY_A_LIE, ShareChain
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.keys import key_secret
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import signer
from catan_p2p.log.verdict import LoggedStep
from tests.log.test_settled_votes import BLUE, GREEN, KEYS, RED, Signed, reason

RULES = "thesis; Leaving = yes; Chance = joint"


class Joint(Signed):
    """A signed game of three who draw together."""

    def __init__(self) -> None:
        super().__init__(rules=RULES)
        self.chains = {
            player: ShareChain(self.root, player, key_secret(KEYS[COLOURS[player - 1]])) for player in self.graphs
        }

    def share_number(self, player: Player, action: Action) -> int:
        number = self.graphs[player].share_number(action)
        assert number is not None
        return number

    def write(
        self,
        player: Player,
        action: Action,
        time_s: int = 2000,
        graph: CommitGraph | None = None,
        number: int | None = None,
    ) -> LoggedStep:
        """A commit of a player's; with the share that it has to tell, or another one."""
        graph = graph or self.graphs[player]
        if number is None:
            number = graph.share_number(action)
        share = None if number is None else self.chains[player].share(number)
        after = apply(graph.before(action), action)
        return graph.write(action, after, time_s, self.objects.add, share)

    def choose(self, player: Player) -> Action:
        state = self.graphs[player].state
        if state.tp == "Pledging":
            return Pledge(player)
        if state.tp == "Drawing":
            return Reveal(player) if owes_reply(state, player) else self.graphs[player].settlement()
        option = self.rng.choice(decisions(state, player))
        return option if isinstance(option, Call) else draw(state, option, self.rng)


@pytest.fixture
def game() -> Joint:
    """Red is to end the turn."""
    game = Joint()
    while (state := game.graphs[RED].state).tp != "Building" or state.ap != RED:
        game.act(awaited(state)[0])
    return game


def settled(game: Joint) -> tuple[Player, Player]:
    """All have voted, and moved over; who is on the side that survives, and who was on the other one."""
    one, other = game.lie([BLUE], [GREEN])
    votes = []
    for voter in (BLUE, GREEN):
        graph = game.graphs[voter]
        lie = graph.ledger.read_lie(game.data(one.commit), game.data(other.commit))
        votes.append(game.charge(voter, one, other, spent=graph.ledger.spent_by(lie.round, voter)))
    game.settle(*votes)
    stays, moves = (BLUE, GREEN) if one.commit in game.graphs[GREEN] or one.commit < other.commit else (GREEN, BLUE)
    kept = one if stays == BLUE else other
    assert game.told(moves, kept) is kept
    return stays, moves


def told_before(game: Joint) -> int:
    return game.graphs[GREEN].known_shares.draws


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"spent": SPENT_BY_A_LIE - 1}, id="fewer"),
        pytest.param({"spent": 4000}, id="more"),
        pytest.param({"spent": 0}, id="none"),
        pytest.param({"holds": None}, id="held by nobody"),
    ],
)
def test_a_vote_cannot_spend_other_shares(game: Joint, changes: dict[str, object]) -> None:
    one, other = game.lie([BLUE], [GREEN])
    right = {"spent": told_before(game) + SPENT_BY_A_LIE}
    bad = game.charge(GREEN, one, other, **{**right, **changes})
    assert reason(game.told(BLUE, bad)) == "proof"
    vote = game.charge(GREEN, one, other, **right)
    assert game.told(BLUE, vote) is vote


def test_where_the_actor_draws_there_is_nothing_to_spend() -> None:
    game = Signed()
    game.until(RED, "Building")
    one, other = game.lie([BLUE], [GREEN])
    assert reason(game.told(BLUE, game.charge(GREEN, one, other, spent=SPENT_BY_A_LIE))) == "proof"


def excused_and_called(game: Joint) -> None:
    """Blue, whose turn it is, excuses Red, whose commit has all votes, and both play until a call waits for Green."""
    excuse = game.write(BLUE, Excuse(BLUE, RED))
    for player in (BLUE, GREEN):
        assert game.told(player, excuse) is excuse
    call = game.write(BLUE, Call(BLUE, "RollDice"))
    for player in (BLUE, GREEN):
        assert game.told(player, call) is call


def test_only_who_was_on_the_other_side_tells_a_later_share(game: Joint) -> None:
    before = told_before(game)
    stays, moves = settled(game)
    excused_and_called(game)
    graph = game.graphs[GREEN]
    assert graph.known_shares.draws == before + 1
    expected = {stays: before + 1, moves: before + SPENT_BY_A_LIE + 1}
    assert game.share_number(GREEN, Reveal(GREEN)) == expected[GREEN]
    assert graph.known_shares.spent(BLUE) == expected[BLUE]
    wrong = game.write(GREEN, Reveal(GREEN), number=sum(expected.values()) - expected[GREEN])
    assert reason(game.told(BLUE, wrong)) == "chance"
    right = game.write(GREEN, Reveal(GREEN))
    for player in (BLUE, GREEN):
        assert game.told(player, right) is right
        assert game.graphs[player].share_number(Call(GREEN, "RollDice")) == expected[GREEN] + 1


def test_a_reveal_brings_no_vote_that_the_call_has(game: Joint) -> None:
    settled(game)
    vote = next(cast.commit for cast in game.graphs[BLUE].ballot.loose.values() if cast.voter == GREEN)
    excused_and_called(game)
    reveal = game.write(GREEN, Reveal(GREEN))
    assert reveal.parents == (game.graphs[GREEN].head,)
    parts = decode_commit(game.data(reveal.commit))
    with_vote = signer(KEYS["Green"])(parts._replace(parents=(*parts.parents, vote), signature=None)).encode()
    verdict = game.graphs[BLUE].check(game.objects.add("commit", with_vote), with_vote)
    assert reason(verdict) == "parents"
