"""Every way out of the protocol is refused, by its reason; what may vary does not matter."""

from dataclasses import replace
from random import Random

import pytest

from catan_p2p.game.actions import Action, Call, MoveBandit, Pledge, Reveal, RollDice
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.rules import broken_guards, enabled
from catan_p2p.log.commit import Signature
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.log.table import LogTable, joint_log


def reason(verdict: LoggedStep | CommitRejected) -> str:
    assert isinstance(verdict, CommitRejected), verdict
    return verdict.reason


@pytest.fixture
def called() -> LogTable:
    """A table at which the dice were called for, and nobody has revealed."""
    table = joint_log()
    table.take(table.play_to(Call, seed=3))
    return table


def revealed(table: LogTable) -> Action:
    """Everybody reveals; the settling action."""
    while any(table.graph.state.due):
        table.take(table.next_action(rng=Random(0)))
    return table.graph.settlement()


def test_another_outcome_is_refused_and_both_are_told(called: LogTable) -> None:
    action = revealed(called)
    assert isinstance(action, RollDice)
    for dice in {*range(2, 13)} - {action.dice}:
        step = called.write(action)
        shows = (1, dice - 1) if dice < 8 else (6, dice - 6)
        verdict = called.forged(step, step.entry._replace(action=replace(action, dice=dice), shows=shows))
        assert reason(verdict) == "chance"
        assert str(verdict).endswith(
            f"draw 1 makes {action.dice} ({step.entry.shows[0]} and {step.entry.shows[1]}), "  # type: ignore[index]
            f"not {dice} ({shows[0]} and {shows[1]})"
        )


def test_the_same_sum_of_other_dice_is_refused(called: LogTable) -> None:
    action = revealed(called)
    step = called.write(action)
    first, second = step.entry.shows or (0, 0)
    other = next((a, first + second - a) for a in range(1, 7) if a != first and 1 <= first + second - a <= 6)
    assert reason(called.forged(step, step.entry._replace(shows=other))) == "chance"


def test_another_stolen_card_is_refused() -> None:
    for seed in range(20):
        table = joint_log(2)
        rng = Random(seed)
        for _ in range(900):
            action = table.next_action(rng=rng)
            if isinstance(action, MoveBandit) and table.graph.state.tp == "Drawing":
                step = table.write(action)
                others = [card for card in ("Lumber", "Brick", "Wool", "Grain", "Ore") if card != action.card]
                verdicts = [table.forged(step, step.entry._replace(action=replace(action, card=c))) for c in others]
                assert {reason(verdict) for verdict in verdicts} <= {"chance", "guard"}, "guard: none of these is held"
                assert "chance" in {reason(verdict) for verdict in verdicts}
                return
            table.take(action)
            if table.graph.state.is_over:
                break
    raise AssertionError("nobody was robbed by draw in twenty games")


@pytest.mark.parametrize("what", ["made up", "of the draw before", "another's", "of another game", "of the next draw"])
def test_only_the_share_that_was_pledged_is_accepted(called: LogTable, what: str) -> None:
    player = next(p for p, due in enumerate(called.graph.state.due, 1) if due)
    another_game = joint_log(nonce="another table")
    share = {
        "made up": "0" * 64,
        "of the draw before": called.chains[player].share(0),
        "another's": called.chains[player % 4 + 1].share(1),
        "of another game": another_game.chains[player].share(1),
        "of the next draw": called.chains[player].share(2),
    }[what]
    step = called.write(Reveal(player), share)
    assert reason(called.check(called.graph, step.commit)) == "chance"


def test_a_caller_who_tells_another_share_or_another_draw_is_refused() -> None:
    table = joint_log()
    call = table.play_to(Call)
    step = table.write(call)
    assert reason(table.forged(step, step.entry._replace(share="0" * 64))) == "chance"
    for number in (0, 2, 3):
        assert reason(table.forged(step, step.entry._replace(draw=number))) == "chance"


def test_who_pledges_reveals_or_calls_twice_is_a_liar(called: LogTable) -> None:
    player = next(p for p, due in enumerate(called.graph.state.due, 1) if due)
    again = called.write(Reveal(player), time_s=99)
    called.take(Reveal(player))
    assert reason(called.check(called.graph, again.commit)) == "fork"
    table = joint_log()
    other = table.write(Pledge(2), "0" * 64)
    table.take(Pledge(2))
    assert reason(table.check(table.graph, other.commit)) == "fork"
    call = table.play_to(Call)
    second = table.write(call, time_s=99)
    table.take(call)
    assert reason(table.check(table.graph, second.commit)) == "fork"


def test_nobody_settles_before_all_have_revealed_or_without_a_call(called: LogTable) -> None:
    player = called.graph.state.caller
    early = called.graph.before(RollDice(player, 6))
    assert any(early.due)
    step = called.write(Reveal(player % 4 + 1))
    roll = step.entry._replace(action=RollDice(player, 6), share=None, shows=(3, 3))
    seat = called.game.seats[player - 1]
    who = Signature(seat.name, seat.email, len(called.graph))
    verdict = called.forged(step, roll, author=who, committer=who)
    assert reason(verdict) == "guard"
    assert "RD4 drawn" in verdict.guards  # type: ignore[union-attr]
    table = joint_log()
    call = table.play_to(Call)
    step = table.write(call)
    assert reason(table.forged(step, roll._replace(action=RollDice(call.player, 6)))) == "guard"


def test_a_settling_that_leaves_a_reveal_out_is_refused(called: LogTable) -> None:
    step = called.write(revealed(called))
    assert reason(called.forged(step, parents=step.parents[:-1])) == "parents"
    assert reason(called.forged(step, parents=(step.parents[0], *reversed(step.parents[1:])))) == "parents"


def test_what_a_player_can_vary_does_not_enter_the_draw() -> None:
    """Dates, the order in which the others reveal, and the decision itself: the draw is the same."""
    made = set()
    for turn in range(6):
        table = joint_log(secret=b"the same")
        table.later_s = 1000 * turn
        table.take(table.play_to(Call, seed=5))
        due = [p for p, owes in enumerate(table.graph.state.due, 1) if owes]
        Random(turn).shuffle(due)
        for player in due:
            table.take(Reveal(player))
        draw = table.take(table.graph.settlement()).draw
        assert draw is not None
        made.add(draw.block(0))
    assert len(made) == 1


def test_whoever_waits_for_the_others_shares_can_only_refuse() -> None:
    """The last one knows what comes of it; sooner, later or never is all that they can choose, and never is not another
    draw: nothing but their one share goes on, for nobody."""
    outcomes = set()
    for waits_s in (0, 1, 3600, 10_000_000):
        table = joint_log(secret=b"the same")
        table.take(table.play_to(Call, seed=3))
        *honest, last = [player for player, due in enumerate(table.graph.state.due, 1) if due]
        for player in honest:
            table.take(Reveal(player))
        shares = {**table.graph.known_shares.revealed, last: table.chains[last].share(1)}
        known = SharedDraw(table.graph.root, 1, tuple(sorted(shares.items())))
        state, caller = table.graph.state, table.graph.state.caller
        assert [action for player in range(1, 5) for action in enabled(state, player)] == [Reveal(last)]
        for dice in range(2, 13):
            assert broken_guards(state, RollDice(caller, dice)) == ("RD4 drawn",)
        for player in range(1, 5):
            assert "CA2 phase" in broken_guards(state, Call(player, "RollDice"))
        for share in (table.chains[last].share(0), table.chains[last].share(2), "0" * 64, shares[caller]):
            other = table.write(Reveal(last), share)
            assert reason(table.check(table.graph, other.commit)) == "chance"
        table.later_s += waits_s
        table.take(Reveal(last))
        settled = table.take(table.graph.settlement())
        assert settled.draw == known
        outcomes.add((settled.action, settled.entry.shows))
    assert len(outcomes) == 1
