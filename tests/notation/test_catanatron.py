"""Games of catanatron's own players, imported: the same hands and points at the end, but for the known differences."""

import json
import os
import random
import re
from collections import Counter
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import catanatron
import pytest
from catanatron.json import GameEncoder, action_from_json
from catanatron.models.enums import ActionType
from catanatron.models.player import Color, RandomPlayer
from catanatron.state_functions import get_actual_victory_points, get_longest_road_color

from catan_p2p import load, notation
from catan_p2p.game.actions.roll_dice import production as yields
from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.cards import count, unpack
from catan_p2p.game.constants import profile
from catan_p2p.notation.catanatron.words import RESOURCE_WORDS, places_of
from catan_p2p.view.advance.dice import production
from catan_p2p.view.events import CardsDiscarded, DiceRolled, GameWon, KnightPlayed, PlayerTrade, TurnEnded
from tests.independent.differences import Known
from tests.independent.island import Island
from tests.notation import samples
from tests.notation.replays import events_of_, rotated_hands
from tests.notation.test_contradictions import own_game
from tests.notation.test_round_trips import sayable

pytestmark = pytest.mark.needs("bench")

CARD_ACTIONS = {
    ActionType.PLAY_KNIGHT_CARD: "KNIGHT",
    ActionType.PLAY_MONOPOLY: "MONOPOLY",
    ActionType.PLAY_YEAR_OF_PLENTY: "YEAR_OF_PLENTY",
    ActionType.PLAY_ROAD_BUILDING: "ROAD_BUILDING",
}


class FairPlayer(RandomPlayer):  # type: ignore[misc]
    """Decides at random, but plays no card that was bought this turn."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        bought: Counter[str] = Counter()
        for action in reversed(game.state.actions):
            if action.action_type == ActionType.END_TURN or action.color != self.color:
                break
            if action.action_type == ActionType.BUY_DEVELOPMENT_CARD:
                bought[action.value] += 1
        held = {
            card: game.state.player_state[f"P{game.state.color_to_index[self.color]}_{card}_IN_HAND"]
            for card in CARD_ACTIONS.values()
        }
        fair = [
            action
            for action in playable_actions
            if (card := CARD_ACTIONS.get(action.action_type)) is None or held[card] > bought[card]
        ]
        return random.choice(fair)


def their_game(seed: int, kind: type[Any]) -> Any:
    random.seed(seed)
    game = catanatron.Game([kind(colour) for colour in list(Color)[: 2 + seed % 3]], seed=seed)
    game.play()
    return game


KNOWN = {
    "bought it this turn": Known.BOUGHT_CARD,
    "has won already": Known.ROAD_TO_ADVERSARY,
    "expected 10": Known.ROAD_TO_ADVERSARY,
    "but it is not their turn": Known.WIN_OFF_TURN,
    "a year of plenty with one card": Known.ONE_CARD_OF_PLENTY,
    "which is on the way": Known.ROAD_CARD_AFTER_CUT,
    "a second is possible": Known.FREE_ROADS_PAID,
}
"""What a finding says, and the difference of docs/research/independent.md that it comes from."""


KNIGHT_THAT_WINS = "the file does not say where the knight that won moves the bandit"
"""Its games are over as soon as a knight brings the points: the bandit's move is another action, and never comes."""


def known(text: str) -> str:
    found = next((difference.name for words, difference in KNOWN.items() if words in text), None)
    assert found is not None, text
    return found


def check_import(game: Any) -> Counter[str]:
    """Import one game leniently and compare its end; returns the known differences met."""
    text = json.dumps(game, cls=GameEncoder)
    errors: list[notation.NotationError] = []
    events: list[notation.Event] = list(notation.in_order_of_play(notation.read(StringIO(text), None, errors.append)))
    start = events[0]
    assert isinstance(start, notation.GameStarted)
    findings: list[notation.NotationFinding] = []
    rules = profile("brief", len(start.players))
    steps = list(notation.judged(start, events[1:], notation.table_for(start, "catanatron"), rules, findings.append))
    if any(isinstance(step.event, DiceRolled) and lacks_for_one(step) for step in steps):
        return Counter([Known.SHORTAGE_OF_ONE.name])  # from then on the hands are different ones
    met = Counter(known(str(found)) for found in [*errors, *findings])
    state, last = game.state, steps[-1].after
    if Known.ONE_CARD_OF_PLENTY.name in met:
        return met
    for seat, player in enumerate(start.players, 1):
        colour = Color[player.colour.upper()]
        key = f"P{state.color_to_index[colour]}"
        held = tuple(state.player_state[f"{key}_{word}_IN_HAND"] for word in RESOURCE_WORDS.values())
        hand = last.hand(seat)
        assert hand.is_exact and unpack(hand.low) == held, f"{player.colour}: {unpack(hand.low)}, theirs {held}"
        points = last.points(seat) + last.hidden_points(seat)[0]
        theirs = state.player_state[f"{key}_ACTUAL_VICTORY_POINTS"]
        if points != theirs:
            assert abs(points - theirs) == 2, f"{player.colour}: {points} points, theirs {theirs}"
            met[Known.ROAD_TO_ADVERSARY.name] += 1
    imported = notation.import_game(events, "catanatron", None) if not errors and not findings else None
    if imported is not None and imported.why_view is not None:
        if imported.why_view.endswith(KNIGHT_THAT_WINS):
            assert isinstance(events[-2], KnightPlayed)
            met["KNIGHT_THAT_WINS"] += 1
        else:
            assert imported.why_view.endswith("the game is not over by its points"), imported.why_view
            assert met[Known.ROAD_TO_ADVERSARY.name], "a winner by nothing but the longest road"
    elif imported is not None:
        met["a game repository"] += 1
        colour = start.players[imported.view.winner - 1].colour.upper() if imported.view.winner else None
        assert colour == (game.winning_color().value if game.winning_color() else None)
    return met


def lacks_for_one(step: notation.ViewStep) -> bool:
    """Whether one player alone is due more of a resource than the bank has, and gets what is left."""
    assert isinstance(step.event, DiceRolled)
    if step.event.dice == 7:
        return False
    state = step.before.state
    gross = yields(state.constants.board, state.s, state.ba, step.event.dice)
    return any(
        0 < got < due
        for cards, (share, _) in zip(gross, production(step.before, step.event.dice), strict=True)
        for due, got in zip(unpack(cards), unpack(share), strict=True)
    )


def check_games(count: int, first: int = 0) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in range(first, first + count):
        kind = RandomPlayer if seed % 3 == 0 else FairPlayer
        try:
            met += check_import(their_game(seed, kind))
        except AssertionError as error:
            hashes = os.environ.get("PYTHONHASHSEED", "random")  # its players choose out of sets
            raise AssertionError(f"seed {seed}, PYTHONHASHSEED {hashes}: {error}") from error
    return met


@pytest.mark.long
def test_12_of_its_games_come_to_the_same_end() -> None:
    met = check_games(12)
    assert met["a game repository"] >= 4, met
    assert met[Known.BOUGHT_CARD.name] > 0


@pytest.mark.soak
def test_1000_of_its_games_come_to_the_same_end() -> None:
    print(check_games(1000))


def test_its_places_are_ours() -> None:
    island, places = Island(DEFAULT_BOARD), places_of()
    assert island.node == places.node_of
    assert island.edge == places.edge_of
    assert island.tile == places.tiles


def test_the_points_at_the_end_are_its_also_if_a_knight_won_before_the_robber_moved(tmp_path: Path) -> None:
    """Its record names every card, and ends where nothing says which way the robber goes: a public game."""
    ends: Counter[bool] = Counter()
    for seed in range(100):
        game = their_game(seed, FairPlayer)
        by_knight = game.state.actions[-1].action_type == ActionType.PLAY_KNIGHT_CARD
        if game.winning_color() is None or ends[by_knight] == 3:
            continue
        file = tmp_path / f"{seed}.json"
        file.write_text(json.dumps(game, cls=GameEncoder), encoding="utf-8")
        loaded = load(file)
        if loaded.findings:  # one of the known differences
            continue
        colours = {colour.value.capitalize(): colour for colour in game.state.colors}
        end, road = loaded.position(), get_longest_road_color(game.state)
        if (colours[end.colours[end.state.lr - 1]] if end.state.lr else None) is not road:
            continue  # Known.ROAD_TO_ADVERSARY, which need not be a finding
        ends[by_knight] += 1
        assert loaded.is_public >= by_knight
        theirs = {name: get_actual_victory_points(game.state, colour) for name, colour in colours.items()}
        assert loaded.points == theirs == end.points
        if ends == {True: 3, False: 3}:
            return
    raise AssertionError(f"too few games of each kind: {ends}")


@pytest.mark.parametrize("seed", range(4))
def test_our_games_as_its(seed: int) -> None:
    """What it can say comes back; it can decode every action; both dice, once they are told, stay."""
    constants, steps = own_game(2 + seed % 3, seed, "brief", "builder" if seed % 2 else "random", 900)
    told = list(notation.in_order_of_play(events_of_(constants, steps)))
    text = samples.written(told, "catanatron")
    for action in json.loads(text)["actions"]:
        if action[1] != "CONFIRM_TRADE":
            assert action_from_json(action).action_type.value == action[1]
    back = list(notation.in_order_of_play(notation.read(StringIO(text))))
    assert samples.written(back, "catanatron") == text
    assert [type(event) for event in back if isinstance(event, PlayerTrade)] == [
        type(event) for event in told if isinstance(event, PlayerTrade)
    ]
    pairs = [event.pair for event in back if isinstance(event, DiceRolled)]
    assert all(pair is not None and 1 <= min(pair) <= max(pair) <= 6 for pair in pairs)
    imported = notation.import_game(back, "catanatron", None)
    assert imported.why_view is None
    assert [hand.rc for hand in imported.played[-1].state.h] == [hand.rc for hand in rotated_hands(steps[-1].state)]


def test_sea_that_a_file_leaves_out_is_there_all_the_same() -> None:
    """Found by mutants: the places of the island were numbered without it."""
    document = json.loads(json.dumps(their_game(1, FairPlayer), cls=GameEncoder))
    whole = list(notation.read(StringIO(json.dumps(document))))
    document["tiles"] = [entry for entry in document["tiles"] if entry["tile"]["type"] != "WATER"]
    assert list(notation.read(StringIO(json.dumps(document)))) == whole
    imported = notation.import_game(list(notation.in_order_of_play(iter(whole))), "catanatron", None, [])
    assert imported.view.start.map == whole[0].map  # type: ignore[attr-defined]


def test_later_versions_tell_results_beside_the_actions() -> None:
    game = their_game(1, FairPlayer)
    document = json.loads(json.dumps(game, cls=GameEncoder))
    records = []
    for colour, name, value in document.pop("actions"):
        if name in ("ROLL", "DISCARD", "BUY_DEVELOPMENT_CARD"):
            records.append([[colour, name, None], value])
        elif name == "MOVE_ROBBER":
            records.append([[colour, name, value[:2]], value[2]])
        else:
            records.append([[colour, name, value], None])
    old = list(notation.read(StringIO(json.dumps(game, cls=GameEncoder))))
    assert list(notation.read(StringIO(json.dumps({**document, "action_records": records})))) == old


def one_card_at_a_time(document: dict[str, Any]) -> dict[str, Any]:
    """A game as catanatron writes it since March 2026: every card of a discard is an action of its own."""
    records: list[Any] = []
    for colour, name, value in document["actions"]:
        if name == "DISCARD":
            records += [[[colour, "DISCARD_RESOURCE", card], card] for card in value]
        elif name == "MOVE_ROBBER":
            records.append([[colour, name, value[:2]], value[2]])
        else:
            records.append([[colour, name, value], None])
    return {**{key: document[key] for key in document if key != "actions"}, "action_records": records}


def game_with_a_shared_seven(seed: int) -> tuple[Any, list[notation.Event]]:
    """A game of theirs in which several players discard after one roll, and its events.

    Their players go through sets, so what a seed plays differs from process to process.
    """
    for tried in range(seed, seed + 90, 3):
        document = json.loads(json.dumps(their_game(tried, FairPlayer), cls=GameEncoder))
        events = [replace(event, line=1) for event in notation.read(StringIO(json.dumps(document)))]
        discards = [event for event in events if isinstance(event, CardsDiscarded)]
        if any(one.player != other.player for one, other in pairwise(discards)):
            return document, events
    raise AssertionError("no seven for two players in thirty games")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cards_that_are_discarded_one_by_one_are_one_discard(seed: int) -> None:
    document, old = game_with_a_shared_seven(seed)
    discards = [event for event in old if isinstance(event, CardsDiscarded)]
    later = one_card_at_a_time(document)
    assert [replace(event, line=1) for event in notation.read(StringIO(json.dumps(later)))] == old
    last = max(n for n, record in enumerate(later["action_records"]) if record[0][1] == "DISCARD_RESOURCE")
    del later["action_records"][last + 1 :], later["winning_color"]
    cut_off = list(notation.read(StringIO(json.dumps(later))))
    assert [event for event in cut_off if isinstance(event, CardsDiscarded)][-1].cards == discards[-1].cards


WRONG = [
    ('{"colors":["RED","BLUE"]}', "no 'tiles' in it"),
    ('{"colors":["RED"],"tiles":[]}', "colors: 1, expected 2 to 6 different ones"),
    ('{"colors":["RED","BLUE"],"tiles":[]}', "tiles: expected the standard island"),
    ('{"colors":7}', "colors: 7, expected an array"),
    ("{", "not JSON"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(notation.NotationError, match=re.escape(message)):
        list(notation.read(StringIO(text), "catanatron"))


def test_a_wrong_action_is_named_by_its_number() -> None:
    document = json.loads(json.dumps(their_game(1, FairPlayer), cls=GameEncoder))
    document["actions"][5] = ["RED", "SING", None]
    with pytest.raises(notation.NotationError, match=r"line 6: action 6: 'SING', expected one of ROLL"):
        list(notation.read(StringIO(json.dumps(document))))


def test_what_nobody_names_cannot_be_written() -> None:
    constants, steps = own_game(2, 1, "brief", "builder", 400)
    back = samples.read_back(samples.written(events_of_(constants, steps), "catan"), "catan")
    with pytest.raises(notation.NotExpressible, match="but this one is unknown"):
        samples.written(back, "catanatron")
    assert sayable(back, "catan")


def test_who_has_the_points_in_cards_that_are_named_has_won_already() -> None:
    """Its files name every card, so hidden victory points count: whoever goes on with ten breaks the rules."""
    constants, steps = next(
        (constants, steps)
        for seed in range(20)
        for constants, steps in [own_game(3, seed, "brief", "builder")]
        if steps[-1].state.is_over and count(steps[-1].state.h[steps[-1].state.ap - 1].uc, "VictoryPoint")
    )
    text = samples.written(list(notation.in_order_of_play(events_of_(constants, steps))), "catanatron")
    back = list(notation.in_order_of_play(notation.read(StringIO(text))))
    assert isinstance(back[-1], GameWon)
    start = back[0]
    assert isinstance(start, notation.GameStarted)
    rules, table = profile("brief", 3), notation.table_for(start, "catanatron")
    assert list(notation.judged(start, back[1:], table, rules))
    gone_on = [*back[1:-1], TurnEnded(back[-1].player, None)]
    with pytest.raises(notation.RulesBroken, match=r"has 1[0-9] points and has won already"):
        list(notation.judged(start, gone_on, table, rules))
