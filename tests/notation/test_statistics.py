"""Figures of a game that is short enough to count by hand, and sums that hold for every game."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from catan_p2p.game.actions import RollDice
from catan_p2p.game.cards import RESOURCES, total
from catan_p2p.game.constants import PROFILES
from catan_p2p.game.randomness import FIRST_DATE_S
from catan_p2p.notation import GameStarted, catanlog, in_order_of_play, judged, table_for, write_game
from catan_p2p.notation.sources import read_repository
from catan_p2p.notation.statistics.gathering import DICE, WAYS, BuildRecord, GameStatistics, gather, total_dice
from catan_p2p.view.events import TurnEnded
from tests.metrics.legible import check_drawn, check_legible
from tests.notation import samples
from tests.notation.stories import SETUP

pytestmark = pytest.mark.sampled(2)

BODY = """\
red rolls 4
red ends turn after 10s
blue rolls 7
blue moves robber to 16, steals from red
blue ends turn after 30s
red rolls 4
red ends turn after 20s
blue rolls 5
blue ends turn after 50s
red rolls 9
red ends turn after 5s
blue rolls 10
blue ends turn after 7s
red rolls 9
red trades [4 wood] to port 4:1 for [1 ore]
red ends turn after 8s
"""


def figures(body: str = BODY, rules: str = "thesis", start: GameStarted | None = None) -> GameStatistics:
    start = start or samples.start(2)
    reader = catanlog.CatanlogBodyReader(start)
    events = [
        event for number, line in enumerate((SETUP + body).splitlines(), 1) for event in reader.take(line, number)
    ]
    return gather(
        start, judged(start, events, table_for(start, "catan"), PROFILES[rules], lambda finding: None), "catan"
    )


def test_dice_are_counted() -> None:
    found = figures()
    assert {dice: n for dice, n in found.dice.items() if n} == {4: 2, 5: 1, 7: 1, 9: 2, 10: 1}
    assert found.turns == 7


def test_yields_are_counted_by_player_and_by_tile() -> None:
    found = figures()
    red, blue = found.yields
    # the first 4 yields wool and grain; the second only wool, for the bandit stands on the fields
    assert {resource: red[resource] for resource in RESOURCES} == {
        "Lumber": 2,
        "Brick": 1,
        "Wool": 2,
        "Grain": 1,
        "Ore": 0,
    }
    assert {resource: blue[resource] for resource in RESOURCES if blue[resource]} == {"Brick": 1, "Ore": 1}
    tiles = {tile.name: (tile.rolled, tile.blocked, tile.cards) for tile in found.tiles.values()}
    assert tiles["fields 4 (0,2,3)"] == (2, 1, 1)
    assert tiles["pasture 4 (0,1,3)"] == (2, 0, 2)
    assert tiles["forest 9 (1,0,4)"] == (2, 0, 2)
    assert tiles["fields 9 (1,1,1)"] == (2, 0, 0)
    assert tiles["mountains 10 (1,0,2)"] == (1, 0, 1)


def test_robberies_are_counted() -> None:
    found = figures()
    assert dict(found.robberies) == {(2, 1): 1}
    assert dict(found.bandit_moves) == {"seven": 1}


def test_turns_of_a_simulation_have_no_length_in_seconds() -> None:
    """Its clock counts commits."""
    start = samples.start(2)
    simulated = replace(start, started=datetime.fromtimestamp(FIRST_DATE_S, UTC).replace(tzinfo=None))
    assert figures(start=simulated).seconds == [[], []]
    assert figures().seconds != [[], []]


def test_trades_are_counted() -> None:
    found = figures()
    assert [dict(counts) for counts in found.bank_trades] == [{"4:1": 1}, {}]
    assert found.bank_cards == [(4, 1), (0, 0)]
    body = "red rolls 8\nred trades [1 wheat] to player blue for [1 ore]\n"
    assert dict(figures(body, "brief").player_trades) == {(1, 2): 1}


def test_the_build_order_and_the_cards() -> None:
    body = (
        "red rolls 8\nred buys road, builds at (10 NE)\nred buys dev card\nred ends turn after 1s\n"
        "blue rolls 3\nblue ends turn after 1s\nred rolls 3\nred plays knight\n"
        "red moves robber to 1, steals from blue\n"
    )
    found = figures(body)
    setup = [BuildRecord(0, player, what) for player in (1, 2, 2, 1) for what in ("village", "road")]
    assert found.builds == [*setup, BuildRecord(1, 1, "road"), BuildRecord(1, 1, "development card")]
    assert [dict(counts) for counts in found.plays] == [{"Knight": 1}, {}]
    assert dict(found.bandit_moves) == {"knight": 1}


def test_points_over_time_and_time_per_turn() -> None:
    found = figures()
    assert found.points == [(2, 2)] * 8  # after the set-up, then after each of seven turns
    assert found.seconds == [[10, 20, 5, 8], [30, 50, 7]]


def test_what_the_board_yields_is_counted_even_if_nobody_knows_whether_it_was_paid() -> None:
    """After discards that nobody names, the bank may or may not have what a roll asks for."""
    events = samples.random_events(4, 21)
    found, known = gathered(samples.written(events, "catan")), gathered(samples.written(events, "sgn"), "sgn")
    assert 0 < found.uncertain_rolls < found.turns
    assert sum(found.dice.values()) == found.turns
    assert found.yields == known.yields
    assert {name: tile.cards for name, tile in found.tiles.items()} == {
        name: tile.cards for name, tile in known.tiles.items()
    }
    for (low, high), (paid, same) in zip(found.paid, known.paid, strict=True):
        assert paid == same
        assert all(low[resource] <= paid[resource] <= high[resource] for resource in RESOURCES)
    assert sum(low.total() for low, _ in found.paid) < sum(high.total() for _, high in found.paid)


def test_after_a_breach_nobody_trusts_the_bank() -> None:
    """Red buys a card that cannot have been paid: the yields are still those of board and dice."""
    body = "red rolls 8\nred buys dev card\nred ends turn after 5s\nblue rolls 9\n"
    before, after = figures("red rolls 8\nred ends turn after 5s\nblue rolls 9\n"), figures(body)
    assert (before.uncertain_rolls, after.uncertain_rolls) == (0, 1)
    assert after.yields[0] == before.yields[0]
    assert (after.paid[0][0].total(), after.paid[0][1].total()) == (0, before.paid[0][1].total())


def test_simulated_dates_are_no_clock(tmp_path: Path) -> None:
    constants, steps = samples.random_game(2, 1, 200)
    ticking = [step._replace(time_s=samples.STARTED_S + i) for i, step in enumerate(steps, 1)]
    for name, played, has_clock in (("real", steps, True), ("simulated", ticking, False)):
        write_game(tmp_path / name, samples.start(2), constants, played, "a test")
        source = read_repository(tmp_path / name)
        told = [event.seconds for event in source.events if isinstance(event, TurnEnded)]
        assert told and all((seconds is not None) == has_clock for seconds in told)


def test_turns_of_no_length_were_not_measured() -> None:
    assert figures("red rolls 8\nred ends turn after 0s\nblue rolls 4\nblue ends turn after 0s\n").seconds == [[], []]


def gathered(text: str, format: str = "catan") -> GameStatistics:
    events = list(in_order_of_play(samples.read_back(text, format)))  # type: ignore[arg-type]
    start = events[0]
    assert isinstance(start, GameStarted)
    table = table_for(start, format)  # type: ignore[arg-type]
    return gather(start, judged(start, events[1:], table, PROFILES["thesis"]), format)  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_sums_of_a_whole_game(count: int, seed: int) -> None:
    _, steps = samples.random_game(count, seed)
    found = gathered(samples.written(samples.random_events(count, seed), "sgn"), "sgn")
    rolls = [step.action.dice for step in steps if isinstance(step.action, RollDice)]
    assert [found.dice[dice] for dice in DICE] == [rolls.count(dice) for dice in DICE]
    assert found.uncertain_rolls == 0
    paid = 0
    before = steps[0].state
    for step in steps:
        if isinstance(step.action, RollDice):
            paid += total(before.bnk.rc) - total(step.state.bnk.rc)
        before = step.state
    assert all(low == high for low, high in found.paid)
    assert sum(low.total() for low, _ in found.paid) == paid
    gross = sum(counts.total() for counts in found.yields)
    assert gross == sum(tile.cards for tile in found.tiles.values()) >= paid
    assert found.winner == steps[-1].state.ap
    assert len(found.points) == found.turns + 1


def test_the_ways_of_two_dice() -> None:
    assert sum(WAYS.values()) == 36
    assert (WAYS[2], WAYS[7], WAYS[12]) == (1, 6, 1)


def test_several_games_together() -> None:
    assert total_dice([figures(), figures()])[9] == 4


def test_as_json() -> None:
    found = json.loads(json.dumps(figures().as_json()))
    assert found["players"] == ["Red", "Blue"]
    assert found["dice"]["9"] == 2
    assert found["robberies"] == [{"thief": "Blue", "victim": "Red", "count": 1}]
    assert found["seconds_per_turn"]["Blue"] == {"turns": 3, "mean": 29.0, "median": 30, "longest": 50}
    assert found["winner"] is None


@pytest.mark.long
def test_pictures(tmp_path: Path) -> None:
    from catan_p2p.notation.statistics import plots

    for name, games in (("one", 1), ("two", 2), ("many", plots.MOST_GAMES + 1)):
        plots.draw([(f"game {i}", figures()) for i in range(games)], tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    plots.draw([("empty", figures("", "thesis"))], tmp_path / "empty.png")


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 6])
def test_no_text_of_a_picture_covers_another_and_every_axis_has_words(players: int) -> None:
    """Names of files, too, that are longer than the picture is wide."""
    from catan_p2p.notation.statistics import plots

    names = ("Red", "Blue", "Green", "Orange", "White", "Brown")[:players]
    many = figures()
    many = replace(
        many,
        names=names,
        dice=Counter({dice: 3000 // abs(2 * dice - 15) for dice in range(2, 13)}),
        yields=[Counter(dict.fromkeys(RESOURCES, 1234)) for _ in names],
        points=[tuple(turn // 4 + seat for seat in range(players)) for turn in range(120)],
        seconds=[[30 * (i + 1) for i in range(200)] for _ in names],
    )
    name = "a-tournament-of-many-people-in-a-town-far-away-round-17-table-23.catan"
    no_clock = replace(many, seconds=[[] for _ in names])
    for what, games in {
        "one": [("short", many)],
        "three": [("short", many), (name, many), ("no clock", no_clock)],
        "no clock": [("no clock", no_clock)] * 3,
        "very many": [(name, many)] * (plots.MOST_GAMES + 1),
    }.items():
        figure = plots.drawing(games)
        check_legible(figure, f"{players} players, {what}")
        check_drawn(figure, f"{players} players, {what}")


@pytest.mark.needs("report")
@pytest.mark.parametrize("games", [2, 3, 7])
def test_a_picture_of_several_games_is_no_narrow_strip(games: int) -> None:
    from catan_p2p.notation.statistics import plots

    width, height = plots.drawing([("game", figures())] * games).get_size_inches()
    assert height < 2 * width
