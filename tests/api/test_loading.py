"""Games of every source are read as one kind of value, and written again."""

from pathlib import Path

import pytest

import catan_p2p
from catan_p2p.game.actions import Discard
from catan_p2p.notation import Unsayable, in_order_of_play, write_game
from catan_p2p.notation.events import DiceRolled
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


def test_headers_names_and_words(tmp_path: Path) -> None:
    game = catan_p2p.load(written(tmp_path, HEADERS))
    assert game.headers == {
        "Format": ".catan",
        "Date": "2016-02-15 22:45:00",
        "Rules": "thesis",
        "Event": "Friday night",
        "Site": "our kitchen",
    }
    assert game.names == ("player1", "player2") and game.colours == ("Red", "Blue")
    assert (game.winner, game.findings) == (None, ())
    assert game.words(game[-1]) == "rolls 4; Red gains 1 Wool, 1 Grain"


def test_several_games_and_comments_in_a_file(tmp_path: Path) -> None:
    games = list(catan_p2p.load_all(written(tmp_path, HEADERS, "# Event: the second\n", "")))
    assert [game.headers.get("Event") for game in games] == ["Friday night", "the second", None]
    assert len({len(game) for game in games}) == 1
    path = written(tmp_path, "")
    text = path.read_text(encoding="utf-8").replace("red rolls 8\n", "# first\nred rolls 8\n# an eight,\n# again\n")
    path.write_text(text, encoding="utf-8", newline="\n")
    game = catan_p2p.load(path)
    assert sorted(game.comments.values()) == ["an eight,\nagain", "first"]
    after = next(at for at, text in game.comments.items() if "eight" in text)
    assert "rolls 8" in game.words(game[after - 1])
    assert not game.findings and len(game) == len(games[0])


def test_findings_are_collected(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    text = path.read_text(encoding="utf-8").replace("red rolls 8\n", "red rolls 8\nred buys dev card\nred sings\n")
    path.write_text(text, encoding="utf-8", newline="\n")
    found = catan_p2p.load(path).findings
    expected = ("cannot pay", "do not add up", "'sings'")
    assert all(words in told for words, told in zip(expected, found, strict=True)), found


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    constants, steps = own_game(3, 2, "brief", "builder")
    assert any(isinstance(step.action, Discard) for step in steps)
    told = events_of_(constants, steps)
    ordered = list(in_order_of_play(told))
    write_game(folder / "repository", samples.start(3), constants, steps, "a test")
    texts = {
        "game.catan": samples.written(told, "catan"),
        "game.sgn": samples.written(told, "sgn"),
        "catanatron.json": samples.written(told, "catanatron"),
        "colonist.json": as_colonist(ordered),
        "game.soclog": as_soclog(ordered),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder


SOURCES = ["repository", "game.catan", "game.sgn", "catanatron.json", "colonist.json", "game.soclog"]


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_is_one_kind_of_game(sources: Path, name: str) -> None:
    game = catan_p2p.load(sources / name)
    assert not game.findings
    assert game.winner is not None
    assert max(game.points.values()) == game.points[game.winner]
    assert game.is_public == (name == "game.catan") == (game.why_public is not None)
    position = game.position(40)
    moves = position.legal_moves()
    assert moves and all(move.player in position.to_move for move in moves)
    assert str(game[39].action) and game.words(game[39])
    if not game.is_public:
        assert game[39].action in {
            outcome.action
            for choice in game.position(39).legal_moves(game[39].action.player)
            for outcome in catan_p2p.chance_outcomes(game[39].before, choice)
        } or "Trade" in repr(game[39].action)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("ending", [".sgn", ".catan", ".json", ""])
def test_a_game_is_saved_as_what_it_is_called(sources: Path, tmp_path: Path, name: str, ending: str) -> None:
    game = catan_p2p.load(sources / name)
    path = tmp_path / f"saved{ending}"
    if game.is_public and ending in (".sgn", ".json"):
        with pytest.raises(Unsayable):
            game.save(path)
        assert not path.exists()
        return
    game.save(path)
    again = catan_p2p.load(path)
    # Files number players in the order of play, and catanatron has colours of its own.
    assert (sorted(again.points.values()), again.turns) == (sorted(game.points.values()), game.turns)
    assert again.is_public == (game.is_public or ending == ".catan")
    with pytest.raises(FileExistsError, match="there is something already"):
        game.save(path)


@pytest.mark.parametrize("rules", ["thesis", "standard", "standard; Chance = joint"])
def test_a_game_played_without_git_is_saved_as_a_repository(tmp_path: Path, rules: str) -> None:
    game = catan_p2p.play(players=3, rules=rules, seed=4)
    game.save(tmp_path / "game")
    again = catan_p2p.Game.open(tmp_path / "game")
    assert (again.points, again.turns, again.findings) == (game.points, game.turns, ())
    assert again.constants.rules.chance == "actor"


def test_a_saved_view_keeps_what_is_open(sources: Path, tmp_path: Path) -> None:
    game = catan_p2p.load(sources / "game.catan")
    game.save(tmp_path / "view")
    again = catan_p2p.load(tmp_path / "view")
    assert again.is_public and again.path == tmp_path / "view"
    assert again[10].commit and again.position(70).hands == game.position(70).hands
    assert [type(step.action) for step in again] == [type(step.action) for step in game]
    assert sum(isinstance(step.action, DiceRolled) for step in again) == game.turns


def test_tables_of_a_public_game_say_what_is_known(sources: Path) -> None:
    pytest.importorskip("pandas")
    game = catan_p2p.load(sources / "game.catan")
    actions = game.to_dataframe()
    assert len(actions) == len(game) and actions.turn.max() == game.turns
    with pytest.raises(ValueError, match="a public game"):
        game.to_dataframe("hands")


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    for read in (catan_p2p.Game.open, catan_p2p.load):
        with pytest.raises(FileNotFoundError, match="no such"):
            read(tmp_path / "nowhere")
