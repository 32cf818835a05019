"""Imported games and public views as Git repositories: what Git, ``verify`` and ``log`` make of them."""

import re
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from catan_p2p import notation
from catan_p2p.game.constants import BRIEF, PROFILES, Constants
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import entry_message, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.history import BadRoot, load_history
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation.sources import read_repository
from catan_p2p.view.events import DiceRolled
from tests.for_each import for_each
from tests.notation import samples
from tests.notation.stories import SETUP
from tests.notation.test_contradictions import own_game

STANDARD = (
    "red rolls 8\nred trades [1 wheat] to player blue for [1 ore]\nred buys dev card\nred ends turn after 9s\n"
    "blue rolls 7\nblue moves robber to 10, steals from red\nblue ends turn after 12s\n"
    "red plays knight\nred moves robber to 1, steals from blue\nred rolls 9\n"
)


def imported(
    text: str, format: notation.Format, rules: str | None = None, *, lenient: bool = False
) -> notation.ImportedGame:
    findings: list[notation.NotationFinding] | None = [] if lenient else None
    return notation.import_game(
        list(notation.in_order_of_play(samples.read_back(text, format))), format, rules, findings
    )


def view_of(body: str) -> notation.FileView:
    return imported(samples.written([samples.start(2)], "catan") + SETUP + body, "catan", "brief").view


def git(path: Path, *args: str) -> str:
    done = subprocess.run(["git", "-C", str(path), *args], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(("count", "seed", "most"), [(2, 11, 20_000), (3, 12, 400), (4, 13, 300), (4, 14, 5)])
def test_an_imported_game_is_in_order(tmp_path: Path, count: int, seed: int, most: int) -> None:
    events = samples.random_events(count, seed, most, in_order=True)
    text = samples.written(events, "sgn")
    ordered = list(notation.in_order_of_play(samples.read_back(text, "sgn"), count))
    found = notation.import_game(ordered, "sgn", None)
    assert found.constants is not None
    notation.write_game(tmp_path / "game", found.view.start, found.constants, found.played, "test")
    verdict = audit(tmp_path / "game")
    assert verdict.is_fine
    assert verdict.history is not None
    assert len(verdict.history.actions) == len(found.played)
    source = read_repository(tmp_path / "game")
    assert samples.written([source.start, *source.events], "sgn") == text


def test_a_game_cut_off_amid_discards_keeps_their_branches(tmp_path: Path) -> None:
    for seed in range(60):
        constants, steps = samples.random_game(4, seed, 500)
        at = next((i for i, step in enumerate(steps) if type(step.action).__name__ == "Discard"), None)
        if at is not None:
            break
    assert at is not None
    start = samples.start(4)
    notation.write_game(tmp_path / "game", start, constants, steps[: at + 1], "test")
    history = load_history(tmp_path / "game")
    assert not history.rejected
    assert history.last == steps[at].state or history.last.h == steps[at].state.h
    assert "_loss_" in git(tmp_path / "game", "branch", "--list")


def test_the_same_file_gives_the_same_ids(tmp_path: Path) -> None:
    text = samples.written(samples.random_events(2, 3, 200), "sgn")
    for name in ("one", "other"):
        found = imported(text, "sgn")
        assert found.constants is not None
        notation.write_game(tmp_path / name, found.view.start, found.constants, found.played, "test")
    assert git(tmp_path / "one", "rev-parse", "HEAD") == git(tmp_path / "other", "rev-parse", "HEAD")


def test_both_dice_stay_where_the_file_tells_them(tmp_path: Path) -> None:
    """catanatron's games tell both; the trailer ``Shows`` keeps them, and ``verify`` holds them to it."""
    constants, steps = own_game(2, 7, "brief", "builder", 300)
    told = list(notation.events_of(constants, samples.participants(2), steps, samples.STARTED_S))
    events = list(notation.in_order_of_play(samples.read_back(samples.written(told, "catanatron"), "catanatron")))
    found = notation.import_game(events, "catanatron", "brief")
    assert found.constants is not None
    notation.write_game(tmp_path / "game", found.view.start, found.constants, found.played, "test")
    assert audit(tmp_path / "game").is_fine
    pairs = [event.pair for event in events if isinstance(event, DiceRolled)]
    assert len(pairs) > 10 and None not in pairs
    back = list(read_repository(tmp_path / "game").events)
    assert [event.pair for event in back if isinstance(event, DiceRolled)] == pairs
    shows = git(tmp_path / "game", "log", "--reverse", "--format=%(trailers:key=Shows,valueonly,separator=)")
    assert [line for line in shows.splitlines() if line] == ["{} {}".format(*pair) for pair in pairs if pair]


@for_each(("shows", "is_fine"), [("Shows: 2 6\n", True), ("", True), ("Shows: 2 5\n", False), ("Shows: 8\n", False)])
def test_dice_that_are_told_must_come_to_the_roll(shows: str, is_fine: bool) -> None:
    message = f"roll_dice player_1 8\n\nAction: roll_dice\nPlayer: 1\nDice: 8\n{shows}"
    if is_fine:
        entry = parse_entry(message, Constants(player_count=2))
        assert entry_message(entry) == message
    else:
        with pytest.raises(FormatError, match="Shows"):
            parse_entry(message, Constants(player_count=2))


def test_version_and_fraction_of_a_second_stay_in_a_repository(tmp_path: Path) -> None:
    """A game in which nothing stays open: two turns, then the file ends."""
    header = samples.written([samples.start(2)], "catan")
    header = re.sub(r"catanlog v[0-9.]+", "catanlog v0.9.3", header)
    header = re.sub(r"timestamp: .*", "timestamp: 2024-05-06 07:08:09.123456", header)
    text = header + SETUP.replace("after 1s", "after 12s") + "red rolls 8\nred ends turn after 30s\n"
    found = imported(text, "catan", "brief")
    assert found.constants is not None, found.why_view
    notation.write_game(tmp_path / "game", found.view.start, found.constants, found.played, "import 1234")
    source = read_repository(tmp_path / "game")
    assert source.start.version == "0.9.3"
    assert source.start.started == datetime(2024, 5, 6, 7, 8, 9, 123456)
    assert samples.written([source.start, *source.events], "catan") == text
    assert audit(tmp_path / "game").is_fine


def test_seats_take_colours_and_names_that_a_log_can_have(tmp_path: Path) -> None:
    players = (notation.Participant(1, "josh", "purple"), notation.Participant(2, "x <y>, z", "white"))
    start = notation.GameStarted(players, samples.start().map, samples.start().started)
    notation.write_game(tmp_path / "game", start, Constants(player_count=2), (), "test")
    game = load_history(tmp_path / "game").game
    assert [(seat.colour, seat.name) for seat in game.seats] == [("Red", "josh"), ("White", "White_0")]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="already exists"):
        notation.write_view(tmp_path, view_of(STANDARD), "test")
    assert list(tmp_path.iterdir()) == []


# Public views


def test_a_view_is_read_as_it_was_written(tmp_path: Path) -> None:
    view = view_of(STANDARD)
    notation.write_view(tmp_path / "view", view, "test")
    assert notation.is_view(tmp_path / "view")
    back = notation.load_view(tmp_path / "view")
    assert back.start == view.start
    assert back.events == view.events
    assert [step.after for step in back.steps] == [step.after for step in view.steps]
    assert (back.format, back.rules, back.findings) == (view.format, view.rules, view.findings)
    assert [step.time_s for step in back.steps] == [step.time_s for step in view.steps]


def test_a_view_of_what_was_called_standard_is_of_the_brief_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = view_of(STANDARD)
    with monkeypatch.context() as before:
        before.setitem(PROFILES, "standard", BRIEF)
        notation.write_view(tmp_path / "view", replace(view, rules="standard"), "test")
    back = notation.load_view(tmp_path / "view")
    assert back.rules == "brief"
    assert [step.after for step in back.steps] == [step.after for step in view.steps]


def test_a_view_with_findings_is_read_as_it_was_written(tmp_path: Path) -> None:
    broken = SETUP + "red rolls 8\nred rolls 9\nred buys city, builds at (10 NW)\nblue rolls 3\nred wins\n"
    text = samples.written([samples.start(2)], "catan") + broken
    view = imported(text, "catan", lenient=True).view
    assert {finding.kind for finding in view.findings} == {"repair", "rules", "cards"}
    notation.write_view(tmp_path / "view", view, "test")
    back = notation.load_view(tmp_path / "view")
    assert back.findings == view.findings
    assert [step.after for step in back.steps] == [step.after for step in view.steps]
    assert [back.words(step) for step in back.steps] == [view.words(step) for step in view.steps]


def test_a_view_that_grows_keeps_its_commits_though_more_is_found(tmp_path: Path) -> None:
    """So that a window that follows it reads on: only the newest commit, which holds the findings, is another one."""
    heads = []
    for number, more in enumerate(("red rolls 8\nred rolls 9\n", "blue rolls 3\nblue rolls 4\n")):
        broken = SETUP + "red rolls 8\nred rolls 9\n" + more * number
        view = imported(samples.written([samples.start(2)], "catan") + broken, "catan", "brief", lenient=True).view
        notation.write_view(tmp_path / str(number), view, "test")
        back = notation.load_view(tmp_path / str(number))
        assert back.findings == view.findings
        heads.append([back.root, *(step.commit for step in back.steps)])
    first, second = heads
    assert second[: len(first) - 1] == first[:-1]


def test_a_view_in_which_seat_1_does_not_begin(tmp_path: Path) -> None:
    """The players are in the order of play, as in the file's first turns; the header lists them by seat."""
    text = samples.written(samples.random_events(3, 4, 200), "catan")
    for one, other in (("red", "white"), ("green", "red"), ("white", "green")):
        text = re.sub(rf"(?m)^{one} |\b{one}$", lambda found, to=other: found[0].replace(found[0].strip(), to), text)
    view = imported(text, "catan").view
    assert [player.seat for player in view.start.players] == [3, 2, 1]
    notation.write_view(tmp_path / "view", view, "test")
    back = notation.load_view(tmp_path / "view")
    assert back.events == view.events
    assert [step.after for step in back.steps] == [step.after for step in view.steps]
    assert samples.written(back.events, "catan") == text


@pytest.mark.parametrize("numbers", ["123", "213", "321", "642"])
def test_a_view_of_sgn(tmp_path: Path, numbers: str) -> None:
    """A game that breaks the rules, because who trades has no cards for it; the first player has any number."""
    start, *events = samples.random_events(3, 4, 60)
    assert isinstance(start, notation.GameStarted)
    players = tuple(player._replace(name="") for player in start.players)
    text = samples.written([replace(start, players=players), *events], "sgn")
    text += '["1","TR",[{"player":"1","resources":{"B":1,"G":-1}},{"player":"2","resources":{"B":-1,"G":1}}]]\n'
    map, rest = text.split("\n", 1)
    text = f"{map}\n" + re.sub('"([123])"', lambda found: f'"{numbers[int(found[1]) - 1]}"', rest)
    view = imported(text, "sgn", "brief", lenient=True).view
    notation.write_view(tmp_path / "view", view, "test")
    back = notation.load_view(tmp_path / "view")
    assert back.events == view.events
    written = samples.written(back.events, "sgn")
    assert (written == text) == (numbers == "123"), "player 1 goes first"
    again = list(notation.in_order_of_play(samples.read_back(written, "sgn")))
    assert isinstance(again[0], notation.GameStarted)
    assert again[1:] == view.events[1:]
    colours = [samples.COLOURS[int(number) - 1] for number in numbers]
    assert [(player.seat, player.colour) for player in again[0].players] == [*enumerate(colours, 1)]


def test_the_history_of_a_view_reads_like_its_file(tmp_path: Path) -> None:
    view = view_of(STANDARD)
    notation.write_view(tmp_path / "view", view, "test")
    lines = git(tmp_path / "view", "log", "--reverse", "--format=%(trailers:key=Line,valueonly,separator=%x0A)")
    assert [line for line in lines.splitlines() if line] == (SETUP + STANDARD).splitlines()
    subjects = git(tmp_path / "view", "log", "--reverse", "--format=%s").splitlines()
    assert subjects[0] == "new_game Catan_0"
    assert subjects[-1] == "Red rolls 9; Red gains 1 Lumber"
    assert "Blue moves the bandit to hills 10 (0,1,4); Red has nothing to steal" in subjects
    assert "Red moves the bandit to mountains 10 (1,0,2) and steals a card (open) from Blue" in subjects


def test_git_finds_nothing_wrong_with_a_view(tmp_path: Path) -> None:
    notation.write_view(tmp_path / "view", view_of(STANDARD), "test")
    git(tmp_path / "view", "fsck", "--strict")
    assert git(tmp_path / "view", "status", "--short") == ""
    assert sorted(git(tmp_path / "view", "branch", "--format=%(refname:short)").split()) == ["Blue_0", "Red_0"]


def test_what_is_certain_and_what_is_open_are_files(tmp_path: Path) -> None:
    view = view_of(STANDARD)
    notation.write_view(tmp_path / "view", view, "test")
    told = git(tmp_path / "view", "show", "Red_0:open").splitlines()
    assert told == [f"player_{fact.player} {fact}" for fact in view.last.open_facts()]
    assert any(line.startswith("player_2 ") for line in told)
    known = git(tmp_path / "view", "show", "Red_0:state/game/player_hands/player_1/unveiled_cards")
    assert known == "Knight 1\nVictoryPoint 0\n"
    assert git(tmp_path / "view", "show", "Red_0:format") == "public view 1\n"


def test_a_view_is_no_game(tmp_path: Path) -> None:
    notation.write_view(tmp_path / "view", view_of(STANDARD), "test")
    with pytest.raises(BadRoot, match="version 'public view 1' of the log format"):
        load_history(tmp_path / "view")


def test_a_game_is_no_view(tmp_path: Path) -> None:
    notation.write_game(tmp_path / "game", samples.start(2), Constants(player_count=2), (), "test")
    assert not notation.is_view(tmp_path / "game")
    with pytest.raises(StoreError, match="not a public view"):
        notation.load_view(tmp_path / "game")


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("Red sings\n\nLine: red sings\n", "expected what the player does"),
        ("Red does nothing\n", "a commit tells 0 events, expected one"),
        ("Two\n\nLine: red rolls 8\nLine: red rolls 8\n", "a commit tells 2 events, expected one"),
    ],
)
def test_a_view_that_was_tampered_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, what: str
) -> None:
    notation.write_view(tmp_path / "view", view_of(STANDARD), "test")
    identity = ["-c", "user.name=Red_0", "-c", "user.email=Red_0@catan-p2p.invalid"]
    git(tmp_path / "view", "checkout", "-q", "Blue_0")
    git(tmp_path / "view", "branch", "-q", "-D", "Red_0")
    commit = ["commit", "-q", "--allow-empty", "--no-verify", "--cleanup=verbatim", "-m", message]
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@1 +0000")
    git(tmp_path / "view", *identity, "-c", "commit.gpgsign=false", *commit, "--date=@1 +0000")
    with pytest.raises(StoreError, match=f"the public view cannot be read: .*{what}"):
        notation.load_view(tmp_path / "view")


def test_dates_follow_the_lengths_of_turns() -> None:
    view = view_of(STANDARD)
    ends = [step.time_s - view.started_s for step in view.steps if type(step.event).__name__ == "TurnEnded"]
    assert ends == [1, 2, 3, 4, 13, 25]
    assert view.started_s == samples.STARTED_S


def test_a_game_that_nobody_could_play_becomes_a_view() -> None:
    """Six players need the rule book's extension; by the thesis's rules no peer would accept their repository."""
    text = samples.written(samples.random_events(6, 13, 300), "sgn")
    found = notation.import_game(list(notation.in_order_of_play(samples.read_back(text, "sgn"))), "sgn", "thesis")
    assert found.constants is None
    assert found.why_view is not None and found.why_view.startswith("6 players: expected at most 4")


@pytest.mark.parametrize(
    "name", ["Ann\nBob", "Ann\n3 Green - Cid", "\x1b[2J", "../../Ann", "N" * 70_000, "", "Ann Lee"]
)
def test_a_view_is_read_whole_again_whatever_its_players_are_called(name: str, tmp_path: Path) -> None:
    view = view_of(STANDARD)
    players = (view.start.players[0]._replace(name=name), *view.start.players[1:])
    named = replace(view, start=replace(view.start, players=players), format="lmu", steps=())
    notation.write_view(tmp_path / "view", named, "test")
    read = notation.load_view(tmp_path / "view")
    assert read.start.players == players
    told = git(tmp_path / "view", "show", "HEAD:players").splitlines()
    assert len(told) == 2 and told[0].isprintable() and len(told[0]) < 100
    assert told[0].endswith(name if name in ("../../Ann", "Ann Lee") else "Red_0")
