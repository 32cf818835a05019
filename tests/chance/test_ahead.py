"""Shares of rolls that are told ahead: who tells them, for which roll, and what is refused."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from catan_p2p.game.actions import Action, Call, EmptyBuild, Excuse, Pledge, Reveal, RollDice
from catan_p2p.game.chance import ROLLS_OF_AN_EXCUSE, ShareChain, SharedDraw, share_before
from catan_p2p.game.constants import BRIEF, THESIS, Rules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import decisions, settlement
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.game import format_rules, parse_rules
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.tables.terms import rules_in_words
from tests.log.table import LogTable, joint_log

AHEAD = replace(THESIS, chance="joint", chance_ahead=True)
BRIEF_AHEAD = replace(BRIEF, chance="joint", chance_ahead=True, points_to_win=4)


def steps(table: LogTable, seed: int, most: int) -> Iterator[LoggedStep]:
    """What is done at the table, at random."""
    rng = Random(seed)
    for _ in range(most):
        if table.graph.state.is_over:
            return
        yield table.take(table.next_action(rng=rng))


def before_a_roll_ahead(seed: int = 0, players: int = 4, rules: Rules = AHEAD, turns: int = 0) -> LogTable:
    """A table whose next roll needs no call, after so many others that needed none."""
    table, rng = joint_log(players, rules=rules), Random(seed)
    while True:
        action = table.next_action(rng=rng)
        if isinstance(action, RollDice) and table.graph.state.is_ahead:
            if not turns:
                return table
            turns -= 1
        table.take(action)


def own_share(table: LogTable) -> str:
    """The share that the player who rolls next would tell."""
    return table.rolls[table.graph.state.ap].share(table.graph.known_shares.roll)


def refused(table: LogTable, step: LoggedStep, entry: LogEntry | None = None) -> tuple[str, str]:
    """Why the others refuse a commit, or one with another message in its place."""
    verdict = table.forged(step, entry)
    assert isinstance(verdict, CommitRejected)
    return verdict.reason, verdict.detail


@pytest.mark.parametrize(("players", "rules"), [(2, AHEAD), (3, BRIEF_AHEAD), (4, AHEAD)])
def test_a_roll_is_made_of_what_all_others_told_with_their_last_turns(players: int, rules: Rules) -> None:
    """Each player's share of it leads back from what they told last, and is told by nobody before."""
    table = joint_log(players, rules=rules)
    told: dict[int, tuple[int, str]] = {}
    rolls = turn = 0
    for step in steps(table, 4, 700):
        action, entry = step.action, step.entry
        if isinstance(action, EmptyBuild):
            turn += 1
            if entry.ahead is not None:
                assert table.rolls[action.player].share(turn + players - 1) == entry.ahead
                told[action.player] = turn + players - 1, entry.ahead
        if not isinstance(action, RollDice) or entry.ahead is None:
            continue
        rolls += 1
        shares = []
        for player in range(1, players + 1):
            number, share = told[player] if player != action.player else (turn + 1, entry.ahead)
            for _ in range(number - turn - 1):
                share = share_before(table.graph.root, player, share, of_rolls=True)
            assert share == table.rolls[player].share(turn + 1)
            shares.append((player, share))
        assert step.draw == SharedDraw(table.graph.root, turn + 1, tuple(shares), is_ahead=True)
        assert sum(entry.shows or ()) == action.dice
    assert rolls > 15


def test_the_first_turns_are_called_for_and_all_others_are_not() -> None:
    kinds = [
        isinstance(step.action, Call)
        for step in steps(joint_log(rules=AHEAD), 1, 250)
        if is_roll_or_its_call(step.action)
    ]
    assert kinds[:8] == [True, False] * 4
    assert not any(kinds[8:])
    assert len(kinds) > 12


def is_roll_or_its_call(action: Action) -> bool:
    return isinstance(action, RollDice) or (isinstance(action, Call) and action.what == "RollDice")


def test_who_could_play_a_card_before_the_dice_calls() -> None:
    table = joint_log(2, rules=BRIEF_AHEAD)
    called = ahead = 0
    for step in steps(table, 1, 2000):
        state = step.state
        if isinstance(step.action, EmptyBuild) and state.tp == "DiceRoll" and state.ahead[step.action.player % 2]:
            assert not state.h[state.ap - 1].ac
        if isinstance(step.action, EmptyBuild) and state.tp == "DiceRoll":
            called += bool(state.h[state.ap - 1].ac)
            ahead += state.is_ahead
            assert not (state.h[state.ap - 1].ac and state.is_ahead)
    assert called
    assert ahead


def test_the_number_of_calls_does_not_enter_a_roll() -> None:
    """Whoever could know the roll beforehand would choose, by calling for something more or not."""
    table = before_a_roll_ahead()
    known_shares, state = table.graph.known_shares, table.graph.state
    later = known_shares._replace(draws=known_shares.draws + 5, number=dict.fromkeys(known_shares.number, 9))
    share = own_share(table)
    assert later.draw(state, None, share) == known_shares.draw(state, None, share) is not None


def test_a_roll_ahead_is_not_called_for() -> None:
    table = before_a_roll_ahead()
    player = table.graph.state.ap
    assert not [one for one in decisions(table.graph.state, player) if isinstance(one, Call)]
    roll = table.write(table.graph.settlement(own_share(table)))
    call = LogEntry(Call(player, "RollDice"), table.chains[player].share(table.graph.known_shares.next_number(player)))
    call = call._replace(draw=table.graph.known_shares.draws + 1)
    assert refused(table, roll, call) == ("guard", f"{call.action} is not enabled: CA15 ahead")


def test_another_outcome_of_a_roll_ahead_is_refused() -> None:
    table = before_a_roll_ahead()
    roll = table.write(table.graph.settlement(own_share(table)))
    number, shows = table.graph.known_shares.roll, roll.entry.shows
    assert isinstance(roll.action, RollDice)
    assert shows is not None
    other = RollDice(roll.action.player, 5 if roll.action.dice != 5 else 6)
    reason, detail = refused(table, roll, roll.entry._replace(action=other, shows=(2, other.dice - 2)))
    assert (reason, detail.partition(",")[0]) == (
        "chance",
        f"roll {number} makes {roll.action.dice} ({shows[0]} and {shows[1]})",
    )


def test_a_roll_ahead_without_the_share_or_with_another_is_refused() -> None:
    table = before_a_roll_ahead()
    player, number = table.graph.state.ap, table.graph.known_shares.roll
    roll = table.write(table.graph.settlement(own_share(table)))
    assert refused(table, roll, roll.entry._replace(ahead=None)) == (
        "chance",
        f"it does not tell the player's share of roll {number}",
    )
    for share in ("0" * 64, table.rolls[player].share(number + 1), table.rolls[player].share(number - 1)):
        action = table.graph.settlement(share)
        other = table.write(action, ahead=share)
        reason, detail = refused(table, other)
        assert reason == "chance"
        assert "does not lead back" in detail


def test_the_end_of_a_turn_tells_just_the_shares_that_are_asked_for() -> None:
    table = before_a_roll_ahead(turns=1)
    end = table.play_to(EmptyBuild, seed=2)
    last = table.graph.ahead_number(end)
    assert last == table.graph.known_shares.roll + 3
    step = table.write(end)
    chain = table.rolls[end.player]
    for share in (chain.share(last + 1), chain.share(last - 1), table.rolls[end.player % 4 + 1].share(last)):
        assert refused(table, step, step.entry._replace(ahead=share))[0] == "chance"
    assert refused(table, step, step.entry._replace(ahead=None))[0] == "chance"
    assert isinstance(table.forged(step), LoggedStep)


def test_a_share_ahead_that_nobody_asks_for_is_refused() -> None:
    table = joint_log(rules=AHEAD)
    table.take(table.play_to(Call))
    while any(table.graph.state.due):
        table.take(table.next_action(rng=Random(1)))
    roll = table.write(table.graph.settlement())
    assert roll.entry.ahead is None
    wanted = table.rolls[roll.action.player].share(1)
    assert refused(table, roll, roll.entry._replace(ahead=wanted)) == (
        "chance",
        "it tells a share ahead where none is due",
    )
    other = joint_log(rules=replace(THESIS, chance="joint"))
    end = other.write(other.play_to(EmptyBuild))
    assert refused(other, end, end.entry._replace(ahead="0" * 64))[0] == "format"


def test_a_pledge_without_a_chain_of_rolls_is_refused() -> None:
    table = joint_log(rules=AHEAD)
    pledge = table.write(Pledge(2))
    assert pledge.entry.ahead == table.rolls[2].share(0)
    assert refused(table, pledge, pledge.entry._replace(ahead=None))[0] == "chance"


def test_a_spelling_of_a_share_ahead_that_is_none_is_refused() -> None:
    table = joint_log(rules=AHEAD)
    pledge = table.write(Pledge(2))
    assert refused(table, pledge, pledge.entry._replace(ahead="0" * 63)) == (
        "format",
        f"the message of pledge: Ahead is {'0' * 63!r}, expected 64 hexadecimal digits",
    )


def test_shares_that_were_told_are_for_no_roll_after_an_excuse() -> None:
    """Everybody's next share is one that nobody told, however often somebody is excused."""
    table = before_a_roll_ahead()
    known_shares, state = table.graph.known_shares, table.graph.state
    after = known_shares.after_turn(LogEntry(Excuse(2, 1)), state)
    assert after.roll == known_shares.roll + ROLLS_OF_AN_EXCUSE
    assert after.roll > max(known_shares.number_ahead.values())
    assert max(known_shares.number_ahead.values()) - known_shares.roll < ROLLS_OF_AN_EXCUSE


def test_the_winner_by_the_end_of_a_turn_tells_nothing() -> None:
    table = joint_log(2, rules=replace(AHEAD, points_to_win=3))
    *_, last = steps(table, 3, 5000)
    assert table.graph.state.is_over
    assert isinstance(last.action, EmptyBuild)
    assert last.entry.ahead is None


def test_the_chains_of_a_player_have_nothing_in_common() -> None:
    plain, rolls = (ShareChain("0" * 40, 1, b"secret", of_rolls=of_rolls) for of_rolls in (False, True))
    assert {plain.share(n) for n in range(300)}.isdisjoint(rolls.share(n) for n in range(300))


def test_a_draw_of_the_same_shares_is_another_one() -> None:
    shares = ((1, "a" * 64), (2, "b" * 64))
    assert SharedDraw("0" * 40, 1, shares).block(0) != SharedDraw("0" * 40, 1, shares, is_ahead=True).block(0)


def test_the_roll_of_a_state_is_that_of_its_numbers() -> None:
    table = before_a_roll_ahead()
    draw = table.graph.known_shares.draw(table.graph.state, None, own_share(table))
    assert draw is not None
    assert settlement(table.graph.state, draw.numbers()) == table.graph.settlement(own_share(table))
    assert table.graph.known_shares.draw(table.graph.state, Reveal(1), own_share(table)) is None


def test_the_rule_is_for_games_that_all_draw_together_without_special_building() -> None:
    assert AHEAD.drawn_by_actors == THESIS
    game = joint_log(2, rules=AHEAD).game
    assert rules_in_words(game).startswith("thesis rules; all draw together; rolls come at once")
    again = parse_rules(format_rules(AHEAD))
    assert again == AHEAD
    assert rules_named("thesis; ChanceAhead = yes; Chance = joint", 2) == AHEAD
