"""Games by the whole rule book: what the notations keep of them, and that two judges agree about them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from catan_p2p import notation
from catan_p2p.cli.main import main
from catan_p2p.game.actions import (
    AnswerTrade,
    ConcludeTrade,
    EmptyBuild,
    OfferTrade,
    PlayRoadBuilding,
    RollForStart,
    WithdrawTrade,
)
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.board import DEFAULT_BOARD, board_of, draw_map
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import Constants, Player, profile
from catan_p2p.game.state import NO_OFFER, State
from catan_p2p.log.history import load_history
from catan_p2p.notation.repair import begin
from catan_p2p.notation.repository.replay import EventReplayer
from catan_p2p.notation.sources import read_repository
from catan_p2p.notation.writing import numbered_in_order_of_play
from catan_p2p.view.events import (
    CardsDiscarded,
    GameWon,
    PlayerEvent,
    PlayerTrade,
    RoadBuildingPlayed,
    RoadBuilt,
    TradeAnswered,
    TradeOffered,
    TurnEnded,
    VillageBuilt,
)
from catan_p2p.view.knowledge import PublicKnowledge
from tests.notation import samples
from tests.notation.mutants import digest, mutate
from tests.notation.test_agreement import assert_true, followed, judged_twice, random_unit, units_of
from tests.notation.test_round_trips import sayable
from tests.typed import Typed
from visualizer.data.public_view import ViewReplica

pytestmark = [pytest.mark.long, pytest.mark.sampled(2)]


def standard(count: int, *, island: bool = True, opened: bool = False) -> Constants:
    """The constants of a game of so many: on the standard island, or on the large one."""
    board = DEFAULT_BOARD if island else board_of(draw_map("large", Random(count)))
    opening = beginners_opening(("Red", "Blue", "Green", "Orange")[:count]) if opened else ()
    return Constants(profile("brief", count), board, count, opening)


@lru_cache(maxsize=32)
def game(
    count: int, seed: int, most: int, *, island: bool = True, opened: bool = False
) -> tuple[notation.TimedAction, ...]:
    return samples.random_game(count, seed, most, constants=standard(count, island=island, opened=opened))[1]


def events(count: int, seed: int, most: int, *, island: bool = True, opened: bool = False) -> list[notation.Event]:
    constants = standard(count, island=island, opened=opened)
    steps = game(count, seed, most, island=island, opened=opened)
    return list(notation.events_of(constants, samples.participants(count), steps, samples.STARTED_S))


def rotated(state: State) -> State:
    """A state with its players numbered in the order of play."""
    by, n = state.first - 1, state.constants.player_count

    def turned(values: tuple) -> tuple:  # type: ignore[type-arg]
        return values[by:] + values[:by]

    def number(player: Player) -> Player:
        return (player - 1 - by) % n + 1 if player else 0

    return state._replace(
        constants=Constants(replace(state.constants.rules, start_order="seat"), state.constants.board, n),
        **{name: turned(getattr(state, name)) for name in ("rolls", "lim", "ans", "r", "h", "b")},
        **{name: number(getattr(state, name)) for name in ("su_ap", "first", "ap", "sb", "lr", "la")},
        s=state.s._replace(villages=turned(state.s.villages), cities=turned(state.s.cities)),
    )


def told(state: State) -> State:
    """What of a state a notation without turn phases and offers can bring back."""
    held = tuple(hand._replace(bc=0, ac=hand.bc + hand.ac) for hand in state.h)  # the last turn's end may be missing
    return state._replace(tp="DiceRoll", ap=1, su_ap=1, dice=0, pd=0, sb=0, lim=(), ans=(), offer=NO_OFFER, h=held)


WHOLE = [(2, 3), (3, 4), (4, 4), (5, 4), (6, 3)]
"""Games played to the end: players and seed."""


@pytest.mark.parametrize(("count", "seed"), WHOLE)
@pytest.mark.parametrize("format", ["sgn", "catan"])
def test_a_whole_game_comes_back(count: int, seed: int, format: notation.Format) -> None:
    steps, happened = game(count, seed, 20_000), events(count, seed, 20_000)
    if format == "sgn":  # player 1 goes first
        happened = list(numbered_in_order_of_play(happened))
    text = samples.written(happened, format)
    back = samples.read_back(text, format)
    assert back == [event for event in sayable(happened, format) if not isinstance(event, TradeOffered | TradeAnswered)]
    assert samples.written(back, format) == text
    imported = notation.import_game(list(notation.in_order_of_play(back)), format, None)
    assert imported.view.rules == "brief"
    last = rotated(steps[-1].state)
    assert imported.view.winner == last.ap
    if format == "sgn":
        assert imported.why_view is None
        assert told(imported.played[-1].state) == told(last)
        assert imported.played[-1].state.tp == "top"
        made = [step.action for step in imported.played if isinstance(step.action, AnswerTrade | ConcludeTrade)]
        accepted = [action.player for action in made if isinstance(action, AnswerTrade) and action.answer == "accept"]
        assert accepted == [action.partner for action in made if isinstance(action, ConcludeTrade)]
    else:
        assert imported.why_view is not None
        assert imported.why_view.startswith("the file does not say")
        assert_true(imported.view.last, last)
        assert imported.view.last.points(last.ap) == 10


def check_cut(count: int, seed: int, most: int, *, island: bool) -> None:
    steps = game(count, seed, most, island=island)
    happened = events(count, seed, most, island=island)
    formats: tuple[notation.Format, ...] = ("sgn", "catan") if island else ("sgn",)
    for format in formats:
        back = samples.read_back(samples.written(happened, format), format)
        ordered = list(notation.in_order_of_play(back, count))
        imported = notation.import_game(ordered, format, "brief")
        assert imported.view.rules == "brief"
        if imported.why_view is None and steps[-1].state.tp not in ("bot", "Discarding"):
            assert told(imported.played[-1].state) == told(rotated(steps[-1].state)), (count, seed, most, format)
        assert (imported.why_view is None) == (format == "sgn" or not imported.view.open_events())


CUT = [(2 + i % 5, 200 + i, Random(i).randint(20, 320)) for i in range(40)]


def test_40_games_that_stop_somewhere() -> None:
    for i, (count, seed, most) in enumerate(CUT):
        check_cut(count, seed, most, island=i % 3 > 0)


@pytest.mark.soak
def test_300_games_that_stop_somewhere() -> None:
    for i in range(300):
        check_cut(2 + i % 5, 1000 + i, Random(i).randint(20, 2500), island=i % 3 > 0)


@pytest.mark.parametrize("count", [2, 4])
def test_an_opening_is_told_as_a_set_up(count: int) -> None:
    constants = standard(count, opened=True)
    steps, happened = game(count, 5, 120, opened=True), events(count, 5, 120, opened=True)
    setup = [event for event in happened[2:] if isinstance(event, VillageBuilt | RoadBuilt)][: 4 * count]
    first = steps[-1].state.first
    order = [(first + i - 1) % count + 1 for i in range(count)]
    assert [event.player for event in setup if isinstance(event, VillageBuilt)] == [*order, *order[::-1]]
    assert {(at.player, at.village) for at in constants.opening} == {
        (event.player, event.at) for event in setup if isinstance(event, VillageBuilt)
    }
    ordered = list(notation.in_order_of_play(samples.read_back(samples.written(happened, "sgn"), "sgn")))
    imported = notation.import_game(ordered, "sgn", "brief")
    assert imported.why_view is None
    assert told(imported.played[-1].state) == told(rotated(steps[-1].state))


def test_an_opening_in_which_somebody_earns_twice_cannot_be_said() -> None:
    constants = standard(2, opened=True)
    opening = tuple(at._replace(earns=at.player == 1) for at in constants.opening)
    constants = Constants(replace(constants.rules, start_order="seat"), constants.board, 2, opening)
    with pytest.raises(notation.NotExpressible, match="player 1 does not earn from one of two villages"):
        list(notation.events_of(constants, samples.participants(2), ()))


def test_the_large_island_cannot_be_said_in_catan_and_can_in_sgn() -> None:
    happened = events(5, 1, 40, island=False)
    with pytest.raises(notation.NotExpressible, match="only the standard island of 19 land tiles, this map has 30"):
        samples.written(happened, "catan")
    back = samples.read_back(samples.written(happened, "sgn"), "sgn")
    assert isinstance(back[0], notation.GameStarted)
    assert back[0].map == happened[0].map  # type: ignore[attr-defined]


# What single actions are told as


def test_road_building_with_one_road_names_one() -> None:
    steps = game(6, 3, 20_000)
    cards = [step.action for step in steps if isinstance(step.action, PlayRoadBuilding)]
    played = [event for event in events(6, 3, 20_000) if isinstance(event, RoadBuildingPlayed)]
    assert [event.second for event in played] == [
        None if action.second == NO_ROAD else action.second for action in cards
    ]


def test_the_end_of_special_building_is_not_told() -> None:
    steps = game(5, 4, 20_000)
    ends = sum(
        isinstance(step.action, EmptyBuild) and before.state.tp == "TradingBuilding" for before, step in pairwise(steps)
    )
    in_play = [event for event in events(5, 4, 20_000) if isinstance(event, TurnEnded)]
    assert len(in_play) == ends + 10
    assert sum(isinstance(step.action, EmptyBuild) for step in steps) > ends


@pytest.mark.parametrize(("count", "seed"), WHOLE)
def test_the_winner_is_told_as_soon_as_they_have_won(count: int, seed: int) -> None:
    happened = events(count, seed, 20_000)
    assert isinstance(happened[-1], GameWon)
    assert sum(isinstance(event, GameWon) for event in happened) == 1


def test_replaying_what_this_project_tells_gives_the_very_same_actions() -> None:
    """With offers and answers told, too, only the rolls for the start are missing."""
    for count, seed in WHOLE[:3]:
        constants, steps = standard(count), game(count, seed, 20_000)
        ordered = list(notation.in_order_of_play(events(count, seed, 20_000)))
        seated = Constants(replace(constants.rules, start_order="seat"), constants.board, count)
        played = notation.replay(seated, ordered[1:])
        made = [step.action for step in steps if not isinstance(step.action, RollForStart)]
        kinds = [(type(action), getattr(action, "answer", None)) for action in made]
        assert [(type(step.action), getattr(step.action, "answer", None)) for step in played] == kinds
        assert played[-1].state == rotated(steps[-1].state)
        assert any(isinstance(step.action, WithdrawTrade) for step in played)


def test_a_trade_of_more_cards_than_can_be_offered_is_a_view() -> None:
    happened = list(notation.in_order_of_play(events(3, 4, 60)))
    start = happened[0]
    assert isinstance(start, notation.GameStarted)
    replayer = EventReplayer(begin(start, profile("brief", 3)).state.constants)
    for event in happened[1:]:
        list(replayer.play(event))
    state = replayer.state
    if state.tp == "Offering":
        state = state._replace(tp="TradingBuilding", ans=("none",) * 3)
    rich = tuple(hand._replace(rc=5 * sum(ONE[name] for name in ("Lumber", "Ore"))) for hand in state.h)
    replayer.state = state._replace(tp="TradingBuilding", h=rich)
    other = state.next_player(state.ap)
    with pytest.raises(notation.NotReplayable, match="a trade of more than 4 cards"):
        list(replayer.play(PlayerTrade(state.ap, other, 5 * ONE["Lumber"], ONE["Ore"])))
    # the same trade told by the partner
    steps = list(replayer.play(PlayerTrade(other, state.ap, ONE["Ore"], 2 * ONE["Lumber"])))
    assert steps[0].action == OfferTrade(state.ap, 2 * ONE["Lumber"], ONE["Ore"])
    assert steps[-1].action == ConcludeTrade(state.ap, other)


# Two judges


def units(happened: Sequence[notation.Event], count: int) -> list[list[PlayerEvent]]:
    """As for the thesis rules, but victory points are shown: at once they may decide the game."""
    kept = [event for event in happened if not isinstance(event, TradeOffered | TradeAnswered | GameWon)]
    return units_of(kept, with_shown=True)


@pytest.mark.parametrize("count", [2, 4, 5, 6])
def test_the_referee_allows_what_the_engine_allows(count: int) -> None:
    rng, verdicts = Random(count), Counter[bool]()

    def tries(state: State) -> list[list[PlayerEvent]]:
        active = state.su_ap if state.tp == "bot" else rng.choice((state.builder, state.next_player(state.ap)))
        anything = [random_unit(rng, count, active, state.tp == "bot") for _ in range(4)]
        return [*anything, [random_trade(rng, count, active)]]

    for seed in range(2):
        happened = list(notation.in_order_of_play(events(count, seed, 700)))
        position, state, found = judged_twice(happened, profile("brief", count), units(happened, count), tries, rng)
        for known, hand in zip(position.known_state().h, state.h, strict=True):
            assert (known.rc, known.bc + known.ac, known.uc) == (hand.rc, hand.bc + hand.ac, hand.uc)
        verdicts += found
    assert verdicts[True] > 150 and verdicts[False] > 300


def random_trade(rng: Random, count: int, active: Player) -> PlayerTrade:
    give, receive = rng.choice(list(ONE.values())[:5]), rng.choice(list(ONE.values())[:5])
    player = active if rng.random() < 0.8 else rng.randint(1, count)
    other = rng.choice([seat for seat in range(1, count + 1) if seat != player])
    return PlayerTrade(player, other, rng.randint(1, 2) * give, rng.randint(1, 2) * receive)


@pytest.mark.parametrize("count", [3, 6])
def test_what_is_known_of_unseen_hands_is_true_at_every_moment(count: int) -> None:
    happened = list(notation.in_order_of_play(events(count, 9, 900)))
    back = list(notation.in_order_of_play(samples.read_back(samples.written(events(count, 9, 900), "catan"), "catan")))

    def check(known: PublicKnowledge, state: State) -> None:
        if state.tp != "SpecialBuilding":
            assert_true(known, state)

    followed(happened, back, profile("brief", count), check)


# Repositories and verbs


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game of four in which Blue begins, as its peers would write it."""
    happened = events(4, 4, 20_000)
    assert isinstance(happened[0], notation.GameStarted)
    assert game(4, 4, 20_000)[-1].state.first == 2
    path = tmp_path_factory.mktemp("brief") / "Catan_0"
    notation.write_game(path, happened[0], standard(4), game(4, 4, 20_000), "a test")
    return path


def run(*args: object) -> int:
    return main([str(arg) for arg in args])


def test_a_repository_is_told_as_its_game(repository: Path) -> None:
    source = read_repository(repository)
    assert source.rules == "brief"
    kept = [event for event in source.events if not isinstance(event, TradeAnswered | CardsDiscarded)]
    expected = [event for event in events(4, 4, 20_000) if not isinstance(event, TradeAnswered | CardsDiscarded)]
    assert kept == expected[1:]


def test_export_and_import_make_the_same_game_again(repository: Path, tmp_path: Path, typed: Typed) -> None:
    assert run("export", repository, "-o", tmp_path / "game.sgn") == 0
    assert "by the brief rules: in order" in typed(0, "import", tmp_path / "game.sgn", "-o", tmp_path / "again").out
    typed(0, "verify", tmp_path / "again")
    again = load_history(tmp_path / "again")
    assert told(again.actions[-1].state) == told(rotated(game(4, 4, 20_000)[-1].state))
    assert run("export", tmp_path / "again", "-o", tmp_path / "again.sgn") == 0
    one, other = (
        list(notation.in_order_of_play(samples.read_back((tmp_path / name).read_text(), "sgn")))
        for name in ("game.sgn", "again.sgn")
    )
    # names are not said, seat 1 tells where the bandit stands, and discards of one seven are listed by seat
    kept = [[e for e in events[2:] if not isinstance(e, CardsDiscarded)] for events in (one, other)]
    assert kept[0] == kept[1]


def test_a_public_view_of_the_standard_rules_is_read_as_it_was_written(repository: Path, tmp_path: Path) -> None:
    assert run("export", repository, "-o", tmp_path / "game.catan") == 0
    assert run("import", tmp_path / "game.catan", "-o", tmp_path / "view") == 0
    view = notation.load_view(tmp_path / "view")
    assert view.rules == "brief"
    assert_true(view.last, rotated(game(4, 4, 20_000)[-1].state))
    replica = ViewReplica(tmp_path / "view")
    assert replica.refresh()
    assert {commit.state.tp for commit in replica.commits} >= {"bot", "DiceRoll", "TradingBuilding", "top"}
    assert {commit.state.pd for commit in replica.commits} == {0, 1}
    assert any(isinstance(commit.action, PlayerTrade) for commit in replica.commits)


def test_stats_count_offers_answers_and_trades(repository: Path, typed: Typed) -> None:
    steps = game(4, 4, 20_000)
    captured = typed(0, "stats", repository, "--json")
    assert captured.err == ""
    (found,) = json.loads(captured.out)["games"]

    def count(kind: type, player: Player, **fields: object) -> int:
        actions = [step.action for step in steps if isinstance(step.action, kind) and step.action.player == player]
        return sum(all(getattr(action, name) == value for name, value in fields.items()) for action in actions)

    colours = ("Red", "Blue", "Green", "Orange")
    assert found["offers"] == {
        colour: {
            "made": count(OfferTrade, player),
            "accepted": count(AnswerTrade, player, answer="accept"),
            "rejected": count(AnswerTrade, player, answer="reject"),
        }
        for player, colour in enumerate(colours, 1)
    }
    for player, colour in enumerate(colours, 1):
        made = sum(trade["count"] for trade in found["player_trades"] if trade["player"] == colour)
        assert made == count(ConcludeTrade, player)
    assert "withdrawn" in typed(0, "stats", repository).out


def test_what_a_notation_cannot_say_is_one_clear_line(tmp_path: Path, typed: Typed) -> None:
    happened = events(5, 1, 60, island=False)
    assert isinstance(happened[0], notation.GameStarted)
    notation.write_game(
        tmp_path / "large", happened[0], standard(5, island=False), game(5, 1, 60, island=False), "a test"
    )
    err = typed(2, "export", tmp_path / "large", "-o", tmp_path / "large.catan").err
    assert err.count("\n") == 1
    assert "only the standard island of 19 land tiles, this map has 30" in err
    assert not (tmp_path / "large.catan").exists()
    assert run("export", tmp_path / "large", "-o", tmp_path / "large.sgn") == 0


# Damage


@pytest.mark.parametrize("format", ["sgn", "catan"])
def test_damaged_files_give_a_game_a_view_or_an_error(format: notation.Format) -> None:
    rng = Random(7)
    outcomes = {digest(mutate(text, format, rng)) for text in _texts(format) for _ in range(25)}
    assert len(outcomes) > 2


def _texts(format: notation.Format) -> list[str]:
    return [samples.written(events(count, seed, 120), format) for count, seed in ((3, 4), (6, 3))]


def test_who_plays_follows_clockwise_where_not_all_have_settled() -> None:
    start = samples.start(4)
    ordered = list(notation.in_order_of_play([start, VillageBuilt(3, 3)]))
    assert isinstance(ordered[0], notation.GameStarted)
    assert [player.colour for player in ordered[0].players] == ["green", "orange", "red", "blue"]
