"""Games as values: headers, players, result, the line of play forwards and back, comments, several in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from catan_p2p.game.actions import Discard
from catan_p2p.game.board import DEFAULT_BOARD, MAPS, board_of
from catan_p2p.notation import RulesBroken, Unsayable, load, load_all, place_names, write_game
from catan_p2p.notation.events import DiceRolled, TurnEnded, VillageBuilt
from tests.notation import samples
from tests.notation.replays import as_colonist, as_soclog
from tests.notation.stories import SETUP
from tests.notation.test_catanatron import events_of_
from tests.notation.test_contradictions import own_game

BODY = "red rolls 8\nred ends turn after 9s\nblue rolls 4\n"
HEADERS = "# Event: Friday night\n# Site: our kitchen\n"


def written(tmp_path: Path, *games: str) -> Path:
    path = tmp_path / "games.catan"
    head = samples.written([samples.start(2)], "catan")
    path.write_text("".join(f"{headers}{head}{SETUP}{BODY}" for headers in games), encoding="utf-8", newline="\n")
    return path


def test_headers_players_and_result(tmp_path: Path) -> None:
    game = load(written(tmp_path, HEADERS))
    assert game.headers["Event"] == "Friday night" and game.headers["Site"] == "our kitchen"
    assert game.headers["Date"] == "2016-02-15 22:45:00" and game.headers["Rules"] == "thesis"
    assert [player.name for player in game.players] == ["player1", "player2"]
    assert (game.result, game.findings) == ("*", ())
    assert str(game).splitlines()[-1] == "Blue rolls 4; Red gains 1 Wool, 1 Grain"
    assert "# Event: Friday night" in str(game)


def test_the_mainline_forwards_and_back(tmp_path: Path) -> None:
    game = load(written(tmp_path, ""))
    follower = game.follower()
    positions = [follower.position]
    for event in game.mainline():
        follower.push(event)
        positions.append(follower.position)
    assert follower.events == game.events
    assert [str(event) for event in game.events[-3:]] == [
        "player 1: DiceRolled, dice 8",
        "player 1: TurnEnded, seconds 9",
        "player 2: DiceRolled, dice 4",
    ]
    for event in reversed(game.events):
        assert follower.position == positions.pop()
        assert follower.pop() == event
    assert follower.position == positions[0]
    with pytest.raises(IndexError):
        follower.pop()


def test_what_the_rules_do_not_allow_is_not_pushed(tmp_path: Path) -> None:
    game = load(written(tmp_path, ""))
    follower = game.follower()
    wrong = DiceRolled(2, 8)
    assert "the set-up is not over" in follower.problems(wrong)[0]
    with pytest.raises(RulesBroken):
        follower.push(wrong)
    assert follower.events == ()
    follower.push(wrong, is_strict=False)
    assert follower.words().startswith("Blue rolls 8")
    assert not follower.problems(TurnEnded(2, None))


def test_several_games_and_comments_in_a_file(tmp_path: Path) -> None:
    games = list(load_all(written(tmp_path, HEADERS, "# Event: the second\n", "")))
    assert [game.headers.get("Event") for game in games] == ["Friday night", "the second", None]
    assert all(len(game.events) == 15 for game in games)
    path = written(tmp_path, "")
    text = path.read_text(encoding="utf-8").replace("red rolls 8\n", "red rolls 8\n# an eight, again\n")
    path.write_text(text, encoding="utf-8", newline="\n")
    game = load(path)
    assert list(game.comments.values()) == ["an eight, again"]
    assert not game.findings and len(game.events) == 15


def test_findings_are_collected(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    text = path.read_text(encoding="utf-8").replace("red rolls 8\n", "red rolls 8\nred buys dev card\nred sings\n")
    path.write_text(text, encoding="utf-8", newline="\n")
    assert [finding.kind for finding in load(path).findings] == ["rules", "cards", "format"]


def test_every_source_is_loaded(tmp_path: Path) -> None:
    constants, steps = own_game(3, 2, "brief", "builder")
    assert any(isinstance(step.action, Discard) for step in steps)
    told = events_of_(constants, steps)
    write_game(tmp_path / "game", samples.start(3), constants, steps, "a test")
    texts = {
        "a.catan": samples.written(told, "catan"),
        "a.sgn": samples.written(told, "sgn"),
        "catanatron.json": samples.written(told, "catanatron"),
        "replay.json": as_colonist(told_in_order(told)),
        "a.soclog": as_soclog(told_in_order(told)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
    for name in ("game", *texts):
        game = load(tmp_path / name)
        assert not game.findings, name
        assert game.result != "*", name
        follower = game.follower()
        for event in game.mainline():
            follower.push(event)
        assert follower.position.is_open == (name == "a.catan")


def told_in_order(told: list) -> list:  # type: ignore[type-arg]
    from catan_p2p.notation import in_order_of_play

    return list(in_order_of_play(told))


@pytest.mark.parametrize("system", ["catan", "sgn", "hexgrid", "catanatron"])
def test_names_of_places_both_ways(system: str) -> None:
    names = place_names(system)  # type: ignore[arg-type]
    assert len(names.settlements) == 54 and len(names.roads) == 72
    assert {names.settlement(name) for name in names.settlements.values()} == set(range(1, 55))
    assert {names.road(name) for name in names.roads.values()} == set(range(1, 73))
    assert {names.tile(name) for name in names.tiles.values()} >= set(DEFAULT_BOARD.land)


def test_names_that_are_known() -> None:
    assert place_names("catan").settlement("(1 S)") == place_names("sgn").settlement("[[0,-2],[0,-1],[-1,-1]]")
    assert place_names("hexgrid").tile("0x37") == place_names("catan").tile("1")
    assert place_names("catanatron").tile("0,0,0") == place_names("catan").tile("19")
    with pytest.raises(KeyError):
        place_names("catan").road("(20 W)")
    large = board_of(MAPS["large"](__import__("random").Random(1)))
    assert len(place_names("sgn", large).settlements) > 54
    with pytest.raises(Unsayable, match="for the standard island only"):
        place_names("hexgrid", large)


def test_an_event_is_a_few_words() -> None:
    assert str(VillageBuilt(2, 17)) == "player 2: VillageBuilt, at 17"
