"""Playing a file again: what it leaves to its reader, and what stops it."""

from io import StringIO

import pytest

from catan_p2p import notation
from catan_p2p.game import actions as a
from catan_p2p.game.board import DEFAULT_BOARD, THREE_TO_ONE
from catan_p2p.game.cards import ONE, RESOURCES, pack
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import Bank, State, initial_state
from catan_p2p.notation.repository.replay import EventReplayer
from catan_p2p.view import events as e
from catan_p2p.view.advance.trading import SingleTrade, rates_of, take_apart
from tests.for_each import for_each
from tests.notation import samples
from tests.notation.stories import SETUP

TWO = Constants(player_count=2)


def opening() -> list[notation.Event]:
    """The set-up of the stories, as SGN tells it."""
    from catan_p2p.notation import catanlog

    reader = catanlog.CatanlogBodyReader(samples.start(2))
    events: list[notation.Event] = [event for line in SETUP.splitlines() for event in reader.take(line, 1)]
    return [event for event in events if not isinstance(event, e.TurnEnded)]


def after(*events: notation.Event) -> list[object]:
    """The actions that events after the opening stand for."""
    return [step.action for step in notation.replay(TWO, [*opening(), *events])][4:]


def test_village_and_road_of_the_set_up_are_one_action() -> None:
    steps = notation.replay(TWO, opening())
    assert len(steps) == 4
    assert isinstance(steps[-1].action, a.SetupPhaseTwo)
    assert steps[-1].state.tp == "DiceRoll"


def test_a_roll_ends_the_turn_before() -> None:
    assert [type(action).__name__ for action in after(e.DiceRolled(1, 3), e.DiceRolled(2, 3))] == [
        "RollDice",
        "EmptyTrade",
        "EmptyBuild",
        "RollDice",
    ]


def test_an_end_that_is_told_ends_the_turn_once() -> None:
    actions = after(e.DiceRolled(1, 3), e.TurnEnded(1, None), e.DiceRolled(2, 3))
    assert sum(isinstance(action, a.EmptyBuild) for action in actions) == 1


def test_a_knight_and_the_bandit_are_one_action() -> None:
    replayer = EventReplayer(TWO)
    replayer.state = _rich(notation.replay(TWO, [*opening(), e.DiceRolled(1, 3)])[-1].state)
    tile = next(iter(DEFAULT_BOARD.settlement_tiles[_blue(replayer.state)]))
    assert list(replayer.play(e.KnightPlayed(1))) == []
    (step,) = replayer.play(e.BanditMoved(1, tile, 2, "Ore"))
    assert step.action == a.PlayKnight(1, tile, 2, "Ore")


def _blue(state: State) -> int:
    return (state.s.villages[1]).bit_length() - 1


def _rich(state: State) -> State:
    hand = state.h[0]._replace(ac=pack((2, 2, 2, 2, 0)))
    other = state.h[1]._replace(rc=pack((1, 1, 1, 1, 1)))
    return state._replace(h=(hand, other))


def test_a_bandit_that_stole_nothing_meant_whoever_has_nothing() -> None:
    replayer = EventReplayer(TWO)
    state = notation.replay(TWO, [*opening(), e.DiceRolled(1, 7)])[-1].state
    tile = next(iter(DEFAULT_BOARD.settlement_tiles[_blue(state)]))
    poor = state.h[1]._replace(rc=0)
    replayer.state = state._replace(h=(state.h[0], poor), bnk=Bank(state.bnk.rc + state.h[1].rc, state.bnk.dc))
    (step,) = replayer.play(e.BanditMoved(1, tile, None, "none"))
    assert step.action == a.MoveBandit(1, tile, 2, "none")
    replayer.state = state
    with pytest.raises(notation.NotationError, match="MB8 card"):
        list(replayer.play(e.BanditMoved(1, tile, None, "none")))


def test_several_trades_in_one_event() -> None:
    replayer = EventReplayer(TWO)
    state = notation.replay(TWO, [*opening(), e.DiceRolled(1, 3)])[-1].state
    replayer.state = state._replace(h=(state.h[0]._replace(rc=pack((8, 4, 0, 0, 0))), state.h[1]))
    give, receive = pack((8, 4, 0, 0, 0)), pack((0, 0, 1, 0, 2))
    actions = [step.action for step in replayer.play(e.BankTrade(1, give, receive, None))]
    assert actions == [
        a.TradeFourToOne(1, "Lumber", "Wool"),
        a.TradeFourToOne(1, "Lumber", "Ore"),
        a.TradeFourToOne(1, "Brick", "Ore"),
    ]


@for_each(
    ("event", "why"),
    [
        (e.DevCardBought(1, None), "which development card"),
        (e.PlayerTrade(1, 2, ONE["Ore"], ONE["Wool"]), "players trade with each other"),
        (e.RoadBuildingPlayed(1, 3, None), "fewer than two roads"),
        (e.BanditMoved(1, 9, 2, None), "which card was stolen"),
    ],
    ids=repr,
)
def test_an_event_that_does_not_say_enough(event: notation.Event, why: str) -> None:
    with pytest.raises(notation.NotReplayable, match=why):
        after(e.DiceRolled(1, 3), event)


def test_a_bandit_that_starts_elsewhere() -> None:
    assert notation.replay(TWO, [e.BanditStands(1, DEFAULT_BOARD.bandit_start), *opening()])
    with pytest.raises(notation.NotReplayable, match="where the map puts it"):
        notation.replay(TWO, [e.BanditStands(1, DEFAULT_BOARD.land[0]), *opening()])


def test_an_event_against_the_rules() -> None:
    with pytest.raises(notation.NotationError, match="RollDice breaks RD2 turn"):
        after(e.DiceRolled(2, 3))
    with pytest.raises(notation.NotationError, match="not over by its points"):
        after(e.DiceRolled(1, 3), e.GameWon(1))
    with pytest.raises(notation.NotationError, match="no trades at the player's rates"):
        after(e.DiceRolled(1, 3), e.BankTrade(1, 3 * ONE["Ore"], ONE["Wool"], None))
    with pytest.raises(notation.NotationError, match="a second game begins"):
        after(samples.start(2))


def test_actions_are_dated_by_a_clock() -> None:
    steps = notation.replay(TWO, opening(), lambda number: 100 + number)
    assert [step.time_s for step in steps] == [101, 102, 103, 104]
    assert isinstance(notation.replay(TWO, [*opening(), e.DiceRolled(1, 3)])[-1].action, a.RollDice)


# Trades taken apart


def test_rates_follow_the_wharfs() -> None:
    state = initial_state(TWO)
    point = DEFAULT_BOARD.wharf_points
    on_ore = (point["Ore"] & -point["Ore"]) | (point[THREE_TO_ONE] & -point[THREE_TO_ONE])
    state = state._replace(s=state.s._replace(villages=(on_ore, 0)))
    assert rates_of(state.constants.board, state.s.of(1), None)["Ore"] == (2, 3, 4)
    assert rates_of(state.constants.board, state.s.of(1), None)["Wool"] == (3, 4)
    assert rates_of(state.constants.board, state.s.of(1), "Ore")["Ore"] == (2,)
    assert rates_of(state.constants.board, state.s.of(1), "3:1")["Ore"] == (3,)
    assert rates_of(state.constants.board, state.s.of(2), None)["Ore"] == (4,)


@for_each(
    ("give", "receive", "numbers", "sizes"),
    [
        ((4, 0, 0, 0, 0), (0, 1, 0, 0, 0), (4,), [4]),
        ((7, 0, 0, 0, 0), (0, 2, 0, 0, 0), (3, 4), [3, 4]),
        ((12, 0, 0, 0, 0), (0, 4, 0, 0, 0), (3, 4), [3, 3, 3, 3]),
        ((12, 0, 0, 0, 0), (0, 3, 0, 0, 0), (3, 4), [4, 4, 4]),
        ((12, 0, 0, 0, 0), (0, 5, 0, 0, 0), (2, 3, 4), [2, 2, 2, 2, 4]),
        ((5, 0, 0, 0, 0), (0, 1, 0, 0, 0), (3, 4), None),
        ((4, 0, 0, 0, 0), (1, 0, 0, 0, 0), (4,), None),
        ((4, 0, 0, 0, 0), (0, 0, 0, 0, 0), (4,), None),
        ((0, 0, 0, 0, 0), (0, 1, 0, 0, 0), (4,), None),
        ((96, 0, 0, 0, 0), (0, 24, 0, 0, 0), (4,), None),
    ],
)
def test_trades_are_taken_apart(
    give: tuple[int, ...], receive: tuple[int, ...], numbers: tuple[int, ...], sizes: list[int] | None
) -> None:
    singles = take_apart(pack(give), pack(receive), dict.fromkeys(RESOURCES, numbers))
    if sizes is None:
        assert singles is None
        return
    assert singles is not None
    assert sorted(single.cards for single in singles) == sizes
    assert all(isinstance(single, SingleTrade) and single.give == "Lumber" for single in singles)


# Who plays


def test_who_plays_is_who_settles() -> None:
    events = [e.VillageBuilt(1, 3), e.RoadBuilt(1, 3), e.VillageBuilt(2, 9), e.RoadBuilt(2, 9), e.VillageBuilt(2, 20)]
    told = list(notation.in_order_of_play([notation.GameStarted((), samples.start().map), *events]))
    assert isinstance(told[0], notation.GameStarted)
    assert [player.name for player in told[0].players] == ["Player 1", "Player 2"]
    assert [player.colour for player in told[0].players] == ["red", "blue"]


def test_a_first_village_that_was_moved_is_no_second_one() -> None:
    start = notation.GameStarted((), samples.start().map)
    moved = [e.VillageBuilt(1, 3), e.VillageBuilt(1, 5), e.RoadBuilt(1, 8), e.VillageBuilt(2, 9), e.RoadBuilt(2, 9)]
    told = list(notation.in_order_of_play([start, *moved, e.VillageBuilt(2, 20), e.VillageBuilt(1, 30)]))
    assert isinstance(told[0], notation.GameStarted)
    assert len(told[0].players) == 2
    known = list(notation.in_order_of_play([samples.start(3), *moved, e.VillageBuilt(3, 20), e.VillageBuilt(3, 30)]))
    assert isinstance(known[0], notation.GameStarted)
    assert [player.colour for player in known[0].players] == ["red", "blue", "green"]


def test_a_file_that_ends_before_it_is_clear_who_plays() -> None:
    start = notation.GameStarted((), samples.start().map)
    with pytest.raises(notation.NotationError, match="before it is clear how many play, at least 2"):
        list(notation.in_order_of_play([start, e.VillageBuilt(1, 3)]))
    (told, _) = notation.in_order_of_play([start, e.VillageBuilt(1, 3)], player_count=4)
    assert isinstance(told, notation.GameStarted)
    assert len(told.players) == 4


def test_somebody_who_does_not_play() -> None:
    start = notation.GameStarted((), samples.start().map)
    settled = [e.VillageBuilt(1, 3), e.RoadBuilt(1, 3), e.VillageBuilt(2, 9), e.RoadBuilt(2, 9), e.VillageBuilt(2, 20)]
    events = [start, *settled, e.DiceRolled(5, 3, line=9, column=1)]
    with pytest.raises(notation.NotationError, match="line 9, column 1: player 5 has not settled and does not play"):
        list(notation.in_order_of_play(events))
    errors: list[notation.NotationError] = []
    assert len(list(notation.in_order_of_play(events, on_error=errors.append))) == 6
    assert len(errors) == 1


def test_nobody_settles_for_a_thousand_events() -> None:
    events = [samples.start(2), *[e.DiceRolled(1, 3)] * 3000]
    stream = iter(events)
    told = notation.in_order_of_play(stream)
    next(told)
    assert len(list(stream)) == 2000  # the rest was not read ahead


def test_an_import_names_the_rules_it_was_judged_by() -> None:
    lines = samples.written([samples.start(2)], "catan") + SETUP + "red rolls 8\nred rolls 8\n"
    events = list(notation.in_order_of_play(notation.read(StringIO(lines))))
    with pytest.raises(notation.RulesBroken) as raised:
        notation.import_game(events, "catan", None)
    assert str(raised.value) == "line 23, column 1: Red rolls the dice a second time (by the thesis rules)"
    with pytest.raises(notation.RulesBroken, match="by the brief rules"):
        notation.import_game(events, "catan", "brief")


def test_who_trades_is_playing_by_the_standard_rules() -> None:
    trade = "red trades [1 wheat] to player blue for [1 ore]\n"
    lines = samples.written([samples.start(2)], "catan") + SETUP + "red rolls 8\n" + trade
    imported = notation.import_game(list(notation.in_order_of_play(notation.read(StringIO(lines)))), "catan", None)
    assert imported.view.rules == "brief"
    assert imported.why_view is None
    assert [step.action for step in imported.played[-3:]] == [
        a.OfferTrade(1, ONE["Grain"], ONE["Ore"]),
        a.AnswerTrade(2, "accept"),
        a.ConcludeTrade(1, 2),
    ]


def test_a_file_of_the_thesis_rules_without_open_facts_is_a_game() -> None:
    lines = samples.written([samples.start(2)], "catan") + SETUP + "red rolls 8\nred ends turn after 3s\n"
    imported = notation.import_game(list(notation.in_order_of_play(notation.read(StringIO(lines)))), "catan", None)
    assert imported.why_view is None
    assert len(imported.played) == 7
    lines += "blue rolls 7\nblue moves robber to 10, steals from red\n"
    imported = notation.import_game(list(notation.in_order_of_play(notation.read(StringIO(lines)))), "catan", None)
    assert imported.why_view == "the file does not say 1 stolen card"


def test_roads_of_the_set_up_come_after_their_villages() -> None:
    with pytest.raises(notation.NotationError):
        notation.replay(TWO, [e.RoadBuilt(1, 3)])
