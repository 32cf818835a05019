"""Rules of one game over a profile: files of them, and what a repository, a view and an import make of them."""

import json
import re
from argparse import ArgumentTypeError
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import main
from catan_p2p.cli.table_options import read_rules
from catan_p2p.game.constants import PROFILES, Constants, UnsupportedRules, profile
from catan_p2p.game.rule_names import parse_rules_file, rules_named, spell_rules
from catan_p2p.game.rules import NotEnabled, apply, awaited, broken_guards, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.notation import load_view
from tests.for_each import for_each
from tests.notation import samples
from tests.notation.stories import SETUP
from tests.typed import Typed

PUBLISHED = Path(__file__).parent / "data" / "published.sgn"
OWN = """
# what we play at home
Profile = standard

HandLimit = 9     # as on colonist.io
PointsToWin = 12
BanditTargets = friendly
"""


def run(*args: object) -> int:
    return main([str(arg) for arg in args])


def test_a_file_names_a_profile_and_what_differs() -> None:
    spelled = parse_rules_file(OWN, "own.rules")
    assert spelled == "standard; HandLimit = 9; PointsToWin = 12; BanditTargets = friendly"
    rules = rules_named(spelled, 3)
    assert (rules.hand_limit, rules.points_to_win, rules.bandit_targets) == (9, 12, "friendly")
    assert rules.domestic_trade
    assert rules_named(spelled, 6).special_building


@pytest.mark.parametrize("name", PROFILES)
def test_spelling_and_reading_agree(name: str) -> None:
    for players in (2, 6):
        assert spell_rules(profile(name, players), players) == name
        assert rules_named(name, players) == profile(name, players)
    spelled = f"{name}; PointsToWin = 13; Dice = 2 3 4"
    assert rules_named(spell_rules(rules_named(spelled, 4), 4), 4) == rules_named(spelled, 4)


WRONG = [
    ("", "own.rules: the file has no rules"),
    (
        "HandLimit = 9",
        "own.rules, line 1: 'HandLimit = 9', expected Profile = thesis or Profile = brief",
    ),
    ("Profile = mine", "own.rules, line 1: 'Profile = mine', expected Profile = thesis"),
    ("Profile = thesis\nHandLimit", "own.rules, line 2: 'HandLimit', expected a name, '=' and a value"),
    ("Profile = thesis\nFists = 3", "own.rules, line 2: Fists: no such rule"),
    ("Profile = thesis\nHandLimit = many", "own.rules, line 2: HandLimit: 'many' is not a value of this rule"),
    ("Profile = thesis\nHandLimit = 3\nHandLimit = 4", "own.rules, line 3: HandLimit: given twice"),
]


def refused(argument: str) -> str:
    with pytest.raises(ArgumentTypeError) as error:
        read_rules(argument)
    return str(error.value)


def test_each_of_the_two_ways_to_spell_rules_names_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    line, file = "standard; HandLimit = 9", "Profile = standard"
    for argument in ("mars", "thesis, HandLimit = 9", ""):
        assert line in refused(argument) and file in refused(argument)
    monkeypatch.chdir(tmp_path)
    for text in ("thesis; HandLimit = 9", "thesis"):
        Path("own.rules").write_text(text)
        assert line in refused("own.rules") and file in refused("own.rules")
    for verb in ("simulate", "host", "new-game", "tournament", "stats", "import"):
        told = " ".join(typed(0, verb, "--help").out.split())
        assert line in told and file in told, verb


@pytest.mark.parametrize("spelled", ["thesis; HandLimit = 9", "thesis;HandLimit=9", " thesis ;  HandLimit  =  9 "])
def test_spaces_in_a_line_of_rules_do_not_matter(spelled: str) -> None:
    assert read_rules(spelled) == "thesis; HandLimit = 9"


@for_each(("text", "message"), WRONG)
def test_what_is_wrong_in_a_file_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(UnsupportedRules, match=re.escape(message)):
        parse_rules_file(text, "own.rules")


def test_a_game_is_simulated_by_the_rules_of_a_file(tmp_path: Path, typed: Typed) -> None:
    file = tmp_path / "own.rules"
    file.write_text(OWN.replace("12", "4"), encoding="utf-8")
    out = tmp_path / "run"
    assert run("simulate", "--rules", file, "--policy", "builder", "--seed", 1, "--out", out) == 0
    typed(0, "verify", out / "Catan_0")
    assert json.loads(typed(0, "stats", out / "Catan_0", "--json").out)["games"][0]["winner"] is not None


def test_sgns_published_game_becomes_a_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    """Its players discard with seven cards: by the rule book's rules nobody owes any then."""
    assert run("import", PUBLISHED, "--rules", "standard") == 1
    assert "line 73, column 1: Red discards 3 cards, but owes none" in capsys.readouterr().out
    file = tmp_path / "six.rules"
    file.write_text("Profile = standard\nHandLimit = 6\n", encoding="utf-8")
    assert "Red has won" in typed(0, "import", PUBLISHED, "--rules", file, "-o", tmp_path / "game").out
    assert run("verify", tmp_path / "game") == 0
    assert run("export", tmp_path / "game", "-o", tmp_path / "again.sgn") == 0
    assert run("import", tmp_path / "again.sgn", "--rules", file) == 0


def test_a_view_remembers_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "game.catan"
    body = "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 5s\n"
    path.write_text(samples.written([samples.start(2)], "catan") + SETUP + body, encoding="utf-8", newline="\n")
    assert run("import", path, "--rules", "standard; PointsToWin = 13", "-o", tmp_path / "view") == 0
    view = load_view(tmp_path / "view")
    assert view.rules == "standard; PointsToWin = 13"
    assert view.first.rules.points_to_win == 13


# The friendly bandit


def friendly_states(count: int) -> list[State]:
    """States in which a bandit has to move, of games with a friendly one."""
    found: list[State] = []
    for seed in range(100):
        rng = Random(seed)
        constants = Constants(rules_named("standard; BanditTargets = friendly", 3), player_count=3)
        state = initial_state(constants)
        for _ in range(400):
            if state.tp == "top" or len(found) >= count:
                break
            player = rng.choice(awaited(state))
            if state.tp == "MovingBandit":
                found.append(state)
            state = apply(state, draw(state, rng.choice(decisions(state, player)), rng))
    return found


def test_a_friendly_bandit_spares_who_has_fewer_than_three_points() -> None:
    """By brute force: no tile with a poor adversary, if any other land tile is without one."""
    spared = moved = 0
    for state in friendly_states(60):
        board, player = state.constants.board, state.ap
        poor = [seat for seat in state.constants.players if seat != player and state.points(seat) < 3]

        def has_poor(tile: int, state: State = state, poor: list[int] = poor) -> bool:
            corners = state.constants.board.corners[tile]
            return any(state.s.of(seat) & corners for seat in poor)

        allowed = {action.to for action in decisions(state, player)}  # type: ignore[union-attr]
        others = [tile for tile in board.land if tile != state.ba]
        assert allowed == {tile for tile in others if not has_poor(tile)}
        moved += len(allowed)
        spared += len(others) - len(allowed)
        for tile in others:
            action = next(a for a in decisions(state, player))
            forced = type(action)(player, tile, 0, "none")
            assert ("MB6 target" in broken_guards(state, forced)) == (tile not in allowed)
            if tile not in allowed:
                with pytest.raises(NotEnabled):
                    apply(state, forced)
    assert moved > 100 and spared > 100
