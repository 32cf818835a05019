"""Games that go on without a player: every notation tells it, and reads as the game that was played."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from random import Random

import pytest

from catan_p2p import notation
from catan_p2p.game.actions import Action, Claim, Excuse
from catan_p2p.game.actions.come_back import instances as returning
from catan_p2p.game.constants import Constants
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.valid_commits import next_seat
from catan_p2p.notation.errors import RulesBroken
from catan_p2p.notation.formats import LINES, WRITABLE
from catan_p2p.notation.repair import begin
from catan_p2p.notation.sources import read_file
from catan_p2p.notation.statistics.gathering import gather
from catan_p2p.view.advance import advance
from catan_p2p.view.events import PlayerEvent, PlayerExcused, PlayerReturned
from tests.for_each import for_each
from tests.notation import samples

THESIS = "thesis; PointsToWin = 4; HandLimit = 4; Leaving = yes"
STANDARD = "brief; PointsToWin = 4; HandLimit = 4; Leaving = yes"
RETURNS = "; Returns = 2"
GAMES = [(STANDARD, 2), (STANDARD, 3), (STANDARD + RETURNS, 4), (STANDARD + RETURNS, 6), (THESIS, 4)]
WRITTEN = [(format, *game) for format in WRITABLE for game in GAMES if format == "sgn" or game[1] <= 4]
"""Only SGN has words for the larger island."""
SEEDS = range(8)
_MOST = 700


@lru_cache
def game(
    rules: str, count: int, seed: int, chance: str = "actor"
) -> tuple[Constants, tuple[notation.TimedAction, ...]]:
    """A game of random decisions in which somebody is excused at any moment that the rules know, and may come back."""
    rng = Random(f"excuses {rules} {count} {seed}")
    constants = new_constants(
        rules.removesuffix(RETURNS), [colour.capitalize() for colour in samples.COLOURS[:count]], chance=chance
    )
    if rules.endswith(RETURNS):
        constants = replace(constants, rules=replace(constants.rules, returns=2))
    state, steps = initial_state(constants), list[notation.TimedAction]()
    excuses_at = {rng.randrange(25) if seed % 2 else rng.randrange(200) for _ in range(count - 1)}
    while state.tp != "top" and len(steps) < _MOST:
        action = None
        if len(steps) in excuses_at:
            action = next(iter(leaving(state, rng)), None)
            excuses_at.add(len(steps) + 1) if action is None else None
        if action is None:
            action = next(iter(returning(state, state.to_act)), None)
        if action is None:
            action = draw(state, rng.choice(decisions(state, rng.choice(awaited(state)))), rng)
        state = apply(state, action)
        steps.append(notation.TimedAction(action, state, samples.STARTED_S + 7 * len(steps)))
    return constants, tuple(steps)


def leaving(state: State, rng: Random) -> Iterator[Action]:
    for absent in rng.sample(awaited(state), len(awaited(state))):
        others = [player for player in state.present if player != absent]
        excuse = Claim(others[0], absent) if len(others) == 1 else Excuse(next_seat(state, others), absent)
        if not broken_guards(state, excuse):
            yield excuse


def told(rules: str, count: int, seed: int) -> tuple[list[notation.Event], State]:
    constants, steps = game(rules, count, seed)
    players = [notation.Participant(seat, f"player{seat}", samples.COLOURS[seat - 1]) for seat in range(1, count + 1)]
    return list(notation.events_of(constants, players, steps, samples.STARTED_S)), steps[-1].state


def seats_of(start: notation.GameStarted) -> list[int]:
    """The seats of the players of a game that was read, who are known by their colours."""
    return [samples.COLOURS.index(player.colour) + 1 for player in start.players]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("format", "rules", "count"), WRITTEN)
def test_what_is_written_reads_as_the_same_game(format: notation.Format, rules: str, count: int, seed: int) -> None:
    events, last = told(rules, count, seed)
    handle = StringIO()
    notation.write(events, handle, format)
    source = read_file(StringIO(handle.getvalue(), newline="\n"), format, count)
    back = list(source.events)
    left = [event for event in back if isinstance(event, PlayerExcused)]
    assert len(left) == sum(last.away) + sum(isinstance(event, PlayerReturned) for event in back)
    if last.phase == "bot":
        return  # a set-up that is not over does not say who plays
    steps = list(notation.judged(source.start, back, source.table, rules_named(rules, count)))
    position = steps[-1].after
    seats = seats_of(source.start)
    assert {seats[i] for i, away in enumerate(position.state.away) if away} == {
        i for i, away in enumerate(last.away, 1) if away
    }
    hidden = format == "catanatron"  # it does not say when a victory point is shown
    assert {
        seats[player - 1]: position.points(player) + hidden * position.hidden_points(player)[0]
        for player in position.players
    } == {player: player_points(last, player) for player in last.constants.players}
    winner = position.winner()
    assert (seats[winner - 1] if winner else None) == last.winner


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", [2, 4])
def test_a_file_has_no_signatures_so_it_makes_a_view(count: int, seed: int) -> None:
    events, _ = told(STANDARD, count, seed)
    source = read_file(StringIO(samples.written(events, "sgn"), newline="\n"), "sgn", count)
    imported = notation.import_game([source.start, *source.events], "sgn", STANDARD)
    assert imported.constants is None and imported.played == ()
    assert "signatures" in (imported.why_view or "")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("rules", "count"), GAMES)
def test_statistics_say_who_left_and_who_has_claimed(rules: str, count: int, seed: int) -> None:
    events, last = told(rules, count, seed)
    ordered = notation.in_order_of_play(iter(events))
    start = next(ordered)
    assert isinstance(start, notation.GameStarted)
    table = notation.table_for(start, "sgn")._replace(says_turn_ends=True)
    found = gather(start, notation.judged(start, ordered, table, rules_named(rules, count)), "sgn")
    seats = [player.seat for player in start.players]
    left, returned = (Counter(seats[player - 1] for _, player in of) for of in (found.left, found.returned))
    assert left - returned == Counter(i for i, away in enumerate(last.away, 1) if away)
    assert found.is_claimed == isinstance(game(rules, count, seed)[1][-1].action, Claim)
    assert (seats[found.winner - 1] if found.winner else None) == last.winner


def test_without_rules_a_game_in_which_somebody_is_excused_is_read_by_those_that_allow_it() -> None:
    events, last = told("thesis; Leaving = yes", 4, 1)
    assert any(last.away)
    imported = notation.import_game(list(notation.in_order_of_play(iter(events))), "catan", None)
    assert imported.view.rules == "thesis; Leaving = yes"
    with pytest.raises(RulesBroken, match="goes on without"):
        notation.import_game(list(notation.in_order_of_play(iter(events))), "catan", "thesis")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (PlayerExcused(1, 1), "both have to be there"),
        (PlayerExcused(1, 2), "both have to be there"),
        (PlayerExcused(2, 3), "both have to be there"),
        (PlayerReturned(1, 3), "only one of them is away"),
        (PlayerReturned(2, 1), "only one of them is away"),
        (PlayerReturned(1, 2), "which the rules do not allow"),
    ],
)
def test_who_is_not_there_is_not_excused_and_excuses_nobody(event: PlayerEvent, why: str) -> None:
    first = begin(samples.start(4), rules_named(THESIS, 4))
    table = notation.table_for(samples.start(4), "catan")
    after, problems, _ = advance(table, first, PlayerExcused(1, 2))
    assert not problems
    assert why in "; ".join(breach.text for breach in advance(table, after, event).breaches)


@for_each(
    ("format", "line", "why"),
    [
        ("catan", "red goes on without red", "expected another player"),
        ("catan", "red goes on without nobody", "expected a player"),
        ("catan", "red goes on with red", "expected another player"),
        ("sgn", '["1","GO",{"without":"1"}]', "expected another player"),
        ("sgn", '["1","CB",{"with":"1"}]', "expected another player"),
        ("sgn", '["1","GO",{"without":["2"]}]', "expected another player"),
        ("sgn", '["1","GO",{}]', "without"),
    ],
)
def test_an_excuse_names_another_player(format: notation.Format, line: str, why: str) -> None:
    body = LINES[format].body_reader(samples.start(4))
    with pytest.raises(notation.NotationError, match=why):
        list(body.take(line, 1))
