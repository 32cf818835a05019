"""Tables of people with hidden hands: opened, joined and played on like any other."""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.constants import Hands
from catan_p2p.log.history import load_history
from catan_p2p.sealing import group
from catan_p2p.tables.seat import read_settings, write_settings
from catan_p2p.tables.setup import HANDS_AT_TABLES, at_table
from tests.replication.tables import make_seats, opened, play_rounds
from tests.typed import Typed


def begun(folder: Path, *options: str) -> int:
    """Begin a signed game of Red and Blue at ``folder/red``."""
    for name in ("key", "other"):
        assert main(["new-key", str(folder / name)]) == 0
    keys = ["--key", str(folder / "key"), "--public-key", f"Blue={folder / 'other.pub'}"]
    return main(["new-game", str(folder / "red"), "--players", "Red,Blue", *keys, *options])


def test_a_table_with_hidden_hands_says_so_and_draws_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    assert begun(tmp_path, "--hands", "hidden") == 0
    rules = load_history(tmp_path / "red", may_be_hidden=True).game.constants.rules
    assert (rules.hands, rules.chance, rules.leaving) == ("hidden", "joint", True)
    joined = ["join", str(tmp_path / "red"), str(tmp_path / "blue"), "--as", "Blue", "--key", str(tmp_path / "other")]
    terms = typed(0, *joined).err
    assert "; all draw together; rolls come at once, and two neighbours who collude could foresee one; " in terms
    assert "; nobody sees another's hand; the others may go on" in terms
    capsys.readouterr()
    assert "nobody sees another's hand" in typed(0, "status", tmp_path / "blue").out


def test_who_says_nothing_has_what_tables_have(tmp_path: Path) -> None:
    assert begun(tmp_path) == 0
    assert load_history(tmp_path / "red", may_be_hidden=True).game.constants.rules.hands == HANDS_AT_TABLES


HIDDEN_RULES = "Profile = thesis\nHands = hidden\nPointsToWin = 3\n"


def test_rules_may_hide_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a file as on the command line; all draw together then."""
    (tmp_path / "rules").write_text(HIDDEN_RULES)
    assert begun(tmp_path, "--rules", str(tmp_path / "rules")) == 0
    rules = load_history(tmp_path / "red", may_be_hidden=True).game.constants.rules
    assert (rules.hands, rules.chance, rules.points_to_win) == ("hidden", "joint", 3)
    played = ["simulate", "--rules", "thesis; Hands = hidden; PointsToWin = 3", "--seed", "1", "--policy", "builder"]
    assert main([*played, "--out", str(tmp_path / "games")]) == 0
    assert load_history(tmp_path / "games/Catan_0", may_be_hidden=True).game.constants.rules.hands == "hidden"


def test_hands_that_cannot_be_hidden_are_open_at_a_table_that_does_not_ask(tmp_path: Path) -> None:
    for number, declined in enumerate(
        (["--chance", "actor"], ["--rules", "thesis; DevCardPool = 0 0 0 0 0"], ["--hands", "open"])
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert begun(folder, *declined) == 0
        assert load_history(folder / "red").game.constants.rules.hands == "open"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("new-game DIR --players Red,Blue --hands hidden", "--hands hidden: expected --key and --public-key"),
        ("new-game DIR --players Red,Blue --rules RULES", "--hands hidden: expected --key and --public-key"),
        ("host DIR --relay DIR.git --rules RULES --hands open", "--hands open: the rules say Hands = hidden"),
        ("host DIR --relay DIR.git --rules RULES --chance actor", "hidden without chance = joint"),
        ("simulate --out DIR --rules RULES --hands open", "--hands open: the rules say Hands = hidden"),
        ("simulate --out DIR --rules RULES --chance actor", "hidden without chance = joint"),
        ("tournament --rules RULES --policies builder,random", "only play, host, new-game with keys and simulate"),
        ("host DIR --relay DIR.git --hands hidden --chance actor", "hidden without chance = joint"),
        ("play --out DIR --rules RULES --hands open", "--hands open: the rules say Hands = hidden"),
        ("play --players 3 --hands hidden --chance actor", "hidden without chance = joint"),
    ],
)
def test_what_hidden_hands_need_is_told(tmp_path: Path, command: str, complaint: str, typed: Typed) -> None:
    folder = tmp_path / "table"
    (tmp_path / "rules").write_text(HIDDEN_RULES)
    words = command.replace("DIR", str(folder)).replace("RULES", str(tmp_path / "rules")).split()
    assert complaint in typed(2, *words).err
    assert not folder.exists()


def test_without_the_library_nobody_sits_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    def missing() -> None:
        raise group.MissingLibrary("hidden hands need rbcl, which is not installed")

    assert begun(tmp_path, "--hands", "hidden") == 0
    monkeypatch.setattr(group, "_library", missing)
    joined = ["join", str(tmp_path / "red"), str(tmp_path / "blue"), "--as", "Blue", "--key", str(tmp_path / "other")]
    for command in (joined, ["turn", str(tmp_path / "red")], ["host", "--relay", "t.git"]):
        capsys.readouterr()
        told = typed(2, *command).err
        assert "need rbcl" in told
        assert ("--hands open does without" in told) == (command[0] == "host")
    assert not (tmp_path / "blue").exists()


@pytest.mark.long
def test_a_turn_does_what_needs_no_decision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pledges, pieces of keys and shuffles of both; then Red is awaited, to throw the dice."""
    assert begun(tmp_path, "--hands", "hidden") == 0
    blue = str(tmp_path / "blue")
    assert main(["join", str(tmp_path / "red"), blue, "--as", "Blue", "--key", str(tmp_path / "other")]) == 0
    seat = read_settings(tmp_path / "red")
    seat.remotes["Blue"] = blue
    write_settings(tmp_path / "red", seat)
    for name in ("red", "blue") * 3 + ("red",):
        capsys.readouterr()
        assert main(["turn", str(tmp_path / name), "--json"]) in (0, 3)
    assert json.loads(capsys.readouterr().out)["awaited"]
    state = load_history(tmp_path / "red", may_be_hidden=True).last
    assert (state.tp, state.hid.shuffles) == ("bot", 2)


@pytest.mark.long
def test_a_turn_says_that_the_game_is_over_once_nothing_is_due(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The end is signed and the cards are opened first: who stopped their scheduler before that would hold up all."""
    rules = "brief; PointsToWin = 3; Leaving = yes; Chance = joint"
    paths = make_seats(tmp_path, 2, 3, rules=rules, signed=True, hands="hidden")
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: replica.graph.state.is_over)
    told = []
    for _ in range(12):
        for path in paths:
            code = main(["turn", str(path)])
            told.append((code, capsys.readouterr().out.strip()))
            main(["status", str(path)])
            assert f"; {told[-1][1]}\n" in capsys.readouterr().out
    codes = [code for code, _ in told]
    assert codes == sorted(codes) and {*codes} == {3, 4}, told
    assert all((" has won; waiting for " in words) == (code == 3) == (" since " in words) for code, words in told)


@pytest.mark.parametrize("rules", ["standard", "standard; Hands = open"])
def test_whoever_has_left_a_table_of_open_hands_can_come_back(rules: str) -> None:
    hands: Hands | None = None if "Hands" in rules else "open"
    assert "; Returns = 3" in at_table(rules, hands=hands, fair=True, player_count=3)
