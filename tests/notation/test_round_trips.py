"""Game to notation to game to notation is the identity for what the notation can say."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from catan_p2p import notation
from catan_p2p.game.actions import EmptyBuild, EmptyTrade, MoveBandit, PlayKnight
from catan_p2p.game.scoring import player_points
from catan_p2p.view import events as e
from tests.notation import samples

WHOLE = [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
"""Games played to the end: players and seed."""
CUT = [(2 + i % 5, 100 + i, Random(i).randint(1, 400)) for i in range(195)]
"""Games that stop somewhere: players, seed and actions; a fifth of them in a row has every number of players."""


def sayable(events: list[notation.Event], format: notation.Format) -> list[notation.Event]:
    """What of a game's events each notation can say."""
    return [told for event in events if (told := _sayable(event, format)) is not None]


def _sayable(event: notation.Event, format: notation.Format) -> notation.Event | None:
    if format == "catan":
        if isinstance(event, e.BanditStands | e.CardsDiscarded):
            return None
        if isinstance(event, notation.GameStarted):
            return replace(event, version="0.10.0")
        if isinstance(event, e.DevCardBought):
            return replace(event, card=None)
        if isinstance(event, e.BanditMoved):
            return replace(event, card=None if event.victim else "none")
        return event
    if isinstance(event, e.TurnEnded | e.GameWon):
        return None
    if isinstance(event, notation.GameStarted):
        return notation.GameStarted(event.players, event.map)
    if isinstance(event, e.BankTrade):
        return replace(event, rate=None)
    if isinstance(event, e.BanditMoved) and event.card == "none":
        return replace(event, victim=None)
    return event


@pytest.mark.parametrize("format", notation.WRITABLE)
def test_what_a_notation_has_no_words_for_is_unsayable(format: notation.Format) -> None:
    with pytest.raises(notation.NotExpressible, match="StartRolled, dice 8 within a game"):
        samples.written([samples.start(4), e.StartRolled(1, 8)], format)


def check(count: int, seed: int, most_actions: int = 20_000) -> None:
    constants, steps = samples.random_game(count, seed, most_actions)
    events = list(notation.events_of(constants, samples.participants(count), steps, samples.STARTED_S))
    for format in ("catan", "sgn"):
        text = samples.written(events, format)
        back = samples.read_back(text, format)
        assert back == sayable(events, format)
        assert samples.written(back, format) == text
        ordered = list(notation.in_order_of_play(back, count))
        imported = notation.import_game(ordered, format, "thesis")
        assert not imported.view.findings
        assert imported.view.last.points(1) == player_points(steps[-1].state, 1)
        if format == "sgn":
            assert (imported.why_view is None) == (count <= 4), imported.why_view
            played = notation.replay(constants, ordered[1:])
            check_replayed(played, steps)
            again = list(notation.events_of(constants, samples.participants(count), played, samples.STARTED_S))
            assert samples.written(again, "sgn") == text
        else:
            assert samples.written(imported.view.events, "catan") == text


def check_replayed(played: Sequence[notation.TimedAction], steps: Sequence[notation.TimedAction]) -> None:
    """The same actions, but for phases that end without a word and for victims of whom nothing was stolen."""

    def told(step: notation.TimedAction) -> object:
        action = step.action
        if isinstance(action, MoveBandit | PlayKnight) and action.card == "none":
            return replace(action, victim=0)
        return action

    one, other = (
        [told(step) for step in steps if not isinstance(step.action, EmptyTrade | EmptyBuild)]
        for steps in (played, steps)
    )
    assert one == other


@pytest.mark.long
@pytest.mark.parametrize(("count", "seed"), WHOLE)
def test_a_whole_game(count: int, seed: int) -> None:
    check(count, seed)


@pytest.mark.long
@pytest.mark.sampled(5)
@pytest.mark.parametrize("part", range(5))
def test_39_games_that_stop_somewhere(part: int) -> None:
    for count, seed, most_actions in CUT[39 * part : 39 * (part + 1)]:
        check(count, seed, most_actions)


@pytest.mark.soak
def test_200_whole_games() -> None:
    for seed in range(40):
        for count in range(2, 7):
            check(count, 1000 + seed)


def test_a_finished_game_ends_with_its_winner_whether_or_not_the_notation_says_so() -> None:
    constants, steps = samples.random_game(2, 1)
    events = samples.random_events(2, 1)
    assert isinstance(events[-1], e.GameWon)
    ordered = list(notation.in_order_of_play(samples.read_back(samples.written(events, "sgn"), "sgn")))
    assert notation.replay(constants, ordered[1:])[-1].state == steps[-1].state
    for format in ("catan", "sgn"):
        back = list(notation.in_order_of_play(samples.read_back(samples.written(events, format), format)))
        assert notation.import_game(back, format, None).view.winner == steps[-1].state.ap


def test_the_rules_that_a_game_was_played_by_are_found() -> None:
    for count, seed in WHOLE:
        events = list(notation.in_order_of_play(samples.read_back(_catan(count, seed), "catan")))
        assert notation.import_game(events, "catan", None).view.rules == "thesis"


def _catan(count: int, seed: int) -> str:
    return samples.written(samples.random_events(count, seed), "catan")


def test_seats_in_another_order_than_play() -> None:
    """A file whose seats are not the order of play: the game is the same, and its seats stay."""
    events = samples.random_events(3, 2, 200)
    start = events[0]
    assert isinstance(start, notation.GameStarted)
    text = samples.written(events, "catan")
    for old, new in (("red, seat: 1", "red, seat: 3"), ("green, seat: 3", "green, seat: 1")):
        text = text.replace(f"color: {old}", f"color: {new}")
    back = samples.read_back(text, "catan")
    assert isinstance(back[0], notation.GameStarted)
    assert back[0].players[0] == notation.Participant(1, "player3", "green")
    ordered = list(notation.in_order_of_play(back))
    assert ordered[1:] == sayable(events, "catan")[1:]
    assert isinstance(ordered[0], notation.GameStarted)
    assert [(one.name, one.colour) for one in ordered[0].players] == [(one.name, one.colour) for one in start.players]
    assert [one.seat for one in ordered[0].players] == [3, 2, 1]
    notation.import_game(ordered, "catan", "thesis")
