"""Replays of colonist.io and logs of JSettlers: games of our own, recorded as those record them, come back."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.cards import covers, total, unpack
from catan_p2p.notation import (
    Event,
    Format,
    GameStarted,
    NotationError,
    NotExpressible,
    import_game,
    in_order_of_play,
    load_view,
    read,
    write,
    write_view,
)
from catan_p2p.notation.colonist import reader as colonist_reader
from catan_p2p.view import events as e
from tests.notation import samples
from tests.notation.replays import as_colonist, as_soclog, events_of_, rotated_hands
from tests.notation.test_contradictions import own_game

GAMES = [(2, 1, "builder"), (3, 2, "builder"), (4, 3, "builder"), (3, 5, "random")]
RECORDED = {"colonist": as_colonist, "soclog": as_soclog}


def in_order(count: int, seed: int, policy: str) -> tuple[Any, list[Event]]:
    constants, steps = own_game(count, seed, "brief", policy, 1200)
    return steps[-1].state, list(in_order_of_play(events_of_(constants, steps)))


def facts(events: list[Event]) -> list[object]:
    """What the formats tell: no offers, no lengths, no rates; a victory point when it is bought."""
    kept: list[object] = []
    for event in events[1:]:
        if isinstance(event, e.BanditStands | e.TradeOffered | e.TradeAnswered | e.VictoryPointPlayed):
            continue
        if isinstance(event, e.BanditMoved) and event.card == "none":
            event = e.BanditMoved(event.player, event.to, None, "none")
        if isinstance(event, e.TurnEnded):
            event = e.TurnEnded(event.player, None)
        told = repr(event)
        told = re.sub(r", rate=.*", ")", told)
        kept.append(re.sub(r", pair=\(.*", ")", told).replace(", pair=None", ""))
    return kept


@pytest.mark.parametrize(("count", "seed", "policy"), GAMES)
@pytest.mark.parametrize("format", ["colonist", "soclog"])
def test_an_own_game_comes_back(format: Format, count: int, seed: int, policy: str) -> None:
    last, told = in_order(count, seed, policy)
    text = RECORDED[format](told)
    back = list(in_order_of_play(read(StringIO(text))))
    start = back[0]
    assert isinstance(start, GameStarted)
    assert start.map == DEFAULT_BOARD.map
    assert facts(back) == facts(told)
    imported = import_game(back, format, None)
    assert imported.why_view is None, imported.why_view
    assert [unpack(hand.rc) for hand in imported.played[-1].state.h] == [
        unpack(hand.rc) for hand in rotated_hands(last)
    ]


def test_a_replay_says_by_which_rules_it_was_played() -> None:
    _, told = in_order(2, 1, "builder")
    text = as_colonist(told[:40], 15, friendlyRobber=True, cardDiscardLimit=9)
    start = next(read(StringIO(text)))
    assert isinstance(start, GameStarted)
    assert start.rules == "standard; BanditTargets = friendly; PointsToWin = 15; HandLimit = 9"
    assert start.headers == (("Site", "colonist.io"), ("Game", "1"))
    assert [player.colour for player in start.players] == ["red", "black"]


def test_a_replay_from_one_side_leaves_open_what_that_side_did_not_see() -> None:
    _, told = in_order(3, 2, "builder")
    back = list(in_order_of_play(read(StringIO(as_colonist(told, perspective=1)))))
    imported = import_game(back, "colonist", None)
    assert imported.why_view is not None and imported.why_view.startswith("the file does not say")
    for event in back:
        if isinstance(event, e.DevCardBought):
            assert (event.card is not None) == (event.player == 1)
        if isinstance(event, e.BanditMoved) and event.victim and event.card is None:
            assert 1 not in (event.player, event.victim)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_discarded_cards_that_a_replay_does_not_show_leave_bounds_that_hold(seed: int, tmp_path: Path) -> None:
    """Colonist's card 9 is one that is not seen; such a replay was refused."""
    last, told = in_order(4, seed, "random")
    text = as_colonist(told, perspective=1)
    back = list(in_order_of_play(read(StringIO(text))))
    unseen = [event for event in back if isinstance(event, e.CardsDiscarded) and event.unseen]
    assert unseen and all(event.player != 1 and not event.cards for event in unseen)
    imported = import_game(back, "colonist", None)
    assert not imported.view.findings
    assert "discard" in (imported.why_view or "")
    for bounds, hand in zip(imported.view.last.hands, rotated_hands(last), strict=True):
        assert covers(hand.rc, bounds.low) and covers(bounds.high, hand.rc)
        assert bounds.least <= total(hand.rc) <= bounds.most
    write_view(tmp_path / "view", imported.view, "test")
    again = load_view(tmp_path / "view")
    assert again.events == imported.view.events
    assert again.last == imported.view.last
    for format in ("sgn", "catanatron"):
        with pytest.raises(NotExpressible, match="unknown"):
            write(back, StringIO(), format)  # type: ignore[arg-type]


def test_both_dice_and_the_length_of_turns() -> None:
    _, told = in_order(2, 1, "builder")
    for text in (as_colonist(told), as_soclog(told)):
        back = list(read(StringIO(text)))
        assert any(isinstance(event, e.TurnEnded) and event.seconds for event in back)
    assert all(event.pair for event in read(StringIO(as_colonist(told))) if isinstance(event, e.DiceRolled))


def test_a_turn_in_which_the_clock_was_set_back_has_no_length() -> None:
    """Found by mutants: a view with such a turn was written, and could not be read."""
    _, told = in_order(2, 1, "builder")
    lines = as_soclog(told).splitlines()
    turns = [i for i, line in enumerate(lines) if ":SOCTurn:" in line]
    lines[turns[9]] = "99:00.000:" + lines[turns[9]].split(":", 2)[2]
    back = list(read(StringIO("\n".join(lines) + "\n")))
    seconds = [event.seconds for event in back if isinstance(event, e.TurnEnded)]
    assert None in seconds and all(length is None or length >= 0 for length in seconds)


def test_colours_that_a_log_cannot_have_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = in_order(2, 1, "builder")
    path = tmp_path / "replay.json"
    path.write_text(as_colonist(told[:40]), encoding="utf-8")
    assert main(["import", str(path), "-o", str(tmp_path / "game")]) == 0
    assert "colours that no log has are replaced: Black is Blue\n" in capsys.readouterr().err


def test_expansions_are_refused() -> None:
    _, told = in_order(2, 1, "builder")
    with pytest.raises(NotationError, match="extensionSetting: 3, expected 0: the base game"):
        list(read(StringIO(as_colonist(told, extensionSetting=3))))
    text = as_soclog(told)
    with pytest.raises(NotationError, match="SBL=t, the sea board"):
        list(read(StringIO(text.replace("PL=4", "PL=4,SBL=t"))))
    with pytest.raises(NotationError, match="bef=3, expected 1, the classic board"):
        list(read(StringIO(re.sub("SOCBoardLayout:game=g", "SOCBoardLayout2:game=g|bef=3", text))))


WRONG: list[tuple[Format, str, str, str]] = [
    ("soclog", "coord=", "coord=zz", "expected 0 to 4095"),
    ("soclog", "param=", "param=1", "expected 2 to 12"),
    ("soclog", "SOCStartGame", "SOCStarted", "playerNumber=0, where nobody sits"),
    ("colonist", '"playOrder"', '"order"', "no 'playOrder' in it"),
    ("colonist", '"firstDice": ', '"firstDice": 9', "expected 1 to 6"),
]


@pytest.mark.parametrize(("format", "old", "new", "message"), WRONG)
def test_what_is_wrong_is_said(format: Format, old: str, new: str, message: str) -> None:
    _, told = in_order(2, 1, "builder")
    text = RECORDED[format](told)
    assert old in text
    with pytest.raises(NotationError, match=re.escape(message)):
        list(read(StringIO(text.replace(old, new)), format))


def test_a_place_whose_number_is_too_long_is_an_error_of_its_event() -> None:
    _, told = in_order(2, 1, "builder")
    document = json.loads(as_colonist(told))
    corners = next(
        corners
        for event in document["data"]["eventHistory"]["events"]
        if (corners := event["stateChange"].get("mapState", {}).get("tileCornerStates"))
    )
    (number,) = corners
    corners[number.zfill(6) + "99"] = corners.pop(number)
    with pytest.raises(NotationError, match="tileCornerStates: 0 places, expected one"):
        list(read(StringIO(json.dumps(document))))


def test_a_log_without_a_game() -> None:
    with pytest.raises(NotationError, match="the file ends before the game starts"):
        list(read(StringIO("SOC game event log: type=F, version=2500, created_at=1, now=2\n")))


def test_a_lenient_reader_leaves_a_wrong_event_out() -> None:
    _, told = in_order(2, 1, "builder")
    document = json.loads(as_colonist(told))
    document["data"]["eventHistory"]["events"][30] = 7
    errors: list[NotationError] = []
    events = list(read(StringIO(json.dumps(document)), None, errors.append))
    assert [str(error) for error in errors] == ["line 31: event 31: the event: 7, expected an object"]
    assert len(events) > 40
    lines = as_soclog(told).splitlines(keepends=True)
    lines[30] = "nonsense\n"
    errors.clear()
    assert len(list(read(StringIO("".join(lines)), None, errors.append))) > 40
    assert [error.line for error in errors] == [31]


def test_a_log_of_jsettlers_is_read_with_its_names() -> None:
    _, told = in_order(3, 2, "builder")
    start = next(read(StringIO(as_soclog(told))))
    assert isinstance(start, GameStarted)
    assert sorted(player.name for player in start.players) == [player.name for player in samples.start(3).players]


CLIENT = {
    "BoughtDevelopmentCard": (1, "_bought"),
    "PlayerPlacedPiece": (4, "_built"),
    "BuiltPiece": (5, "_built"),
    "RolledDice": (10, "_rolled"),
    "MovedRobber": (11, "_moved"),
    "StolenResourceCardThief": (14, "_stolen"),
    "StolenResourceCardVictim": (15, "_stolen"),
    "StolenResourceCardClosed": (16, "_stolen"),
    "PlayerPlayedDevelopmentCard": (20, "_played"),
    "YearOfPlentyTookFromBank": (21, "_plenty"),
    "PlayerDiscarded": (55, "_discarded"),
    "PlayerStoleUsingMonopoly": (86, "_monopoly"),
    "PlayerTradedWithPlayer": (115, "_traded"),
    "PlayerTradedWithBank": (116, "_traded"),
    "DiceRolledAutomatically": (141, "_rolled"),
}
"""Entries of the log by the names that colonist.io's client has for them (Rastipunk/colonist-card-tracker): the
number, and how it is read."""


def test_entries_of_the_log_are_read_as_what_the_client_calls_them() -> None:
    found = {number: read_entry.__name__ for number, read_entry in colonist_reader._ENTRIES.items()}
    assert found == dict(CLIENT.values())
    assert [colonist_reader._CARDS[n] for n in range(11, 16)] == [
        "Knight",
        "VictoryPoint",
        "Monopoly",
        "RoadBuilding",
        "YearOfPlenty",
    ]


def test_dice_rolled_because_time_was_up_are_the_active_player_s() -> None:
    _, told = in_order(2, 1, "builder")
    document = json.loads(as_colonist(told))
    entries = [
        entry
        for event in document["data"]["eventHistory"]["events"]
        for entry in event["stateChange"].get("gameLogState", {}).values()
        if entry["text"].get("type") == 10
    ]
    for entry in entries:
        entry["text"]["type"] = 141
        del entry["text"]["playerColor"]
    back = list(in_order_of_play(read(StringIO(json.dumps(document)))))
    assert len(entries) > 10
    assert facts(back) == facts(told)
