"""Games of every source are read as one kind of value, and written again."""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import catan_p2p
from catan_p2p.game.actions import Discard
from catan_p2p.log.folders import find_games
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation import NotExpressible, in_order_of_play, write_game
from catan_p2p.notation.errors import NotationError
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run
from catan_p2p.view.events import DiceRolled
from tests.notation import samples
from tests.notation.replays import as_colonist, as_soclog, events_of_
from tests.notation.stories import SETUP
from tests.notation.test_contradictions import own_game
from tests.shared import ROOT, made_once

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


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("ending", [".sgn", ".catan", ".json", ""])
def test_a_game_is_saved_as_what_it_is_called(sources: Path, tmp_path: Path, name: str, ending: str) -> None:
    game = catan_p2p.load(sources / name)
    path = tmp_path / f"saved{ending}"
    if game.is_public and ending in (".sgn", ".json"):
        with pytest.raises(NotExpressible):
            game.save(path)
        assert not path.exists()
        return
    game.save(path)
    again = catan_p2p.load(path)
    # Files number players in the order of play, and catanatron has colours of its own.
    assert (sorted(again.points.values()), again.turns) == (sorted(game.points.values()), game.turns)
    assert again.is_public == (game.is_public or ending == ".catan")
    with pytest.raises(FileExistsError, match="exists already; choose another path"):
        game.save(path)


def test_a_game_that_players_may_leave_is_saved_as_a_file_only(tmp_path: Path) -> None:
    rules = "thesis; Leaving = yes; PointsToWin = 3"
    game = catan_p2p.play(players=3, rules=rules, seed=4)
    with pytest.raises(NotExpressible, match=r"all logs are signed .* save this game as a file"):
        game.save(tmp_path / "game")
    assert not [*tmp_path.iterdir()]
    game.save(tmp_path / "game.sgn")
    assert catan_p2p.load(tmp_path / "game.sgn", rules=rules).winner == game.winner


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


@pytest.mark.needs("frames")
def test_tables_of_a_public_game_say_what_is_known(sources: Path) -> None:
    game = catan_p2p.load(sources / "game.catan")
    actions = game.to_dataframe()
    assert len(actions) == len(game) and actions.turn.max() == game.turns
    hands = game.to_dataframe("hands")
    assert len(hands) == len(game) * len(game.colours)
    assert (hands.Ore <= hands.Ore_most).all() and (hands.Ore < hands.Ore_most).any()
    assert (hands.cards <= hands.cards_most).all() and (hands.development_unknown >= 0).all()
    with pytest.raises(ValueError, match="no deltas"):
        game.to_dataframe("deltas")


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    for read in (catan_p2p.Game.open, catan_p2p.load):
        with pytest.raises(FileNotFoundError, match="no such"):
            read(tmp_path / "nowhere")


HIDDEN = SimulationSettings(2, 1, 5, ("builder",), "thesis; PointsToWin = 3", chance="joint", hands="hidden")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of three open games, one of separate repositories, and one of hidden hands."""

    def play(folder: Path) -> None:
        open_game = SimulationSettings(2, 3, 5, ("builder",), "thesis; PointsToWin = 3")
        play_run(begin_run(folder / "a", open_game))
        play_run(begin_run(folder / "b", replace(open_game, games=1, topology="separate")))
        play_run(begin_run(folder / "c", HIDDEN))

    return made_once(tmp_path_factory, "runs-to-load", play)


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize(("where", "names"), [("a", "012"), ("b", "0"), ("c", "0"), ("", "01200"), ("a/Catan_1", "1")])
def test_a_folder_of_simulate_is_all_its_games(runs: Path, where: str, names: str) -> None:
    games = list(catan_p2p.load_all(runs / where))
    expected = sorted(game.path for game in find_games(runs / where).games)
    assert len(games) == len(names) and [game.path for game in games] == expected
    assert all(game.winner and not game.findings for game in games)
    assert catan_p2p.load(runs / where).path == games[0].path


def test_a_game_that_cannot_be_read_keeps_none_of_the_others_back(runs: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(runs, tmp_path / "runs"))
    shutil.rmtree(run / "a" / "Catan_0")
    (run / "c" / "Catan_0" / ".git" / "refs" / "heads" / "Red_0").write_text("nonsense\n")
    found = []
    with pytest.raises(StoreError) as raised:
        for game in catan_p2p.load_all(run):
            found.append(game.path)
    assert found == [run / "a" / "Catan_1", run / "a" / "Catan_2", run / "b" / "Catan_0" / "Red"]
    assert all(str(run / name / "Catan_0") in str(raised.value) for name in "ac")
    with pytest.raises(StoreError, match="Catan_0"):
        catan_p2p.load(run)


def test_a_hidden_game_that_is_not_over_is_public(tmp_path: Path) -> None:
    play_run(begin_run(tmp_path / "run", replace(HIDDEN, max_actions=40)))
    [game] = catan_p2p.load_all(tmp_path / "run")
    assert game.is_public and game.why_public == "nobody sees all cards before the end"
    assert game.path == tmp_path / "run" / "Catan_0" and not game.winner


UNREADABLE = {
    "nothing.catan": b"hello\n",
    "half.catan": b"catanlog v0.3\n",
    "other.json": b'{"a": 1}',
    "deep.json": b'{"a":' * 9999,
    "number.json": b'{"a":' + b"9" * 9999 + b"}",
    "wide.catan": b"\xff\xfeh\0i\0",
    "bytes.sgn": b'["1", "DM", "\xff"]\n',
    "empty": b"",
    "log.soclog": b"SOC game event log, nothing else\n",
}


@pytest.mark.parametrize("name", [*UNREADABLE, "folder", "pipe", "nowhere"])
def test_every_error_of_a_reader_names_its_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name == "pipe":
        os.mkfifo(path)
    elif name in UNREADABLE:
        path.write_bytes(UNREADABLE[name])
    for read in (catan_p2p.load, catan_p2p.Game.open, lambda path: list(catan_p2p.load_all(path))):
        with pytest.raises((StoreError, NotationError)) as raised:
            read(path)
        assert str(raised.value).startswith(f"{path}: ") and str(raised.value).count("\n") == 0


def test_a_line_of_a_later_game_is_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "", "# a comment\n")
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "red sings\n", encoding="utf-8", newline="\n")
    assert list(catan_p2p.load_all(path))[1].findings[0].startswith(f"line {text.count(chr(10)) + 1}, ")
    lines = text.splitlines(keepends=True)
    second = len(lines) // 2 + 1
    assert lines[second].startswith("catanlog")
    lines[second + 1] = "nonsense\n"
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    with pytest.raises(NotationError, match=rf"^{re.escape(str(path))}: line {second + 2}, ") as raised:
        list(catan_p2p.load_all(path))
    assert raised.value.line == second + 2


def test_a_format_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'pgn': expected one of catan, sgn"):
        catan_p2p.load(written(tmp_path, ""), format="pgn")  # type: ignore[arg-type]


@pytest.mark.needs("frames")
def test_points_count_cards_that_the_file_names_though_nobody_has_shown_them() -> None:
    game = catan_p2p.load(ROOT / "tests" / "notation" / "data" / "published.sgn")
    assert (game.is_public, game.winner, game.points["Red"]) == (True, "Red", 10)
    rows = game.to_dataframe()
    assert (game.steps[-1].after.points(1), rows.points[rows.player == 1].iloc[-1]) == (9, 10)
