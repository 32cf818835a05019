"""Games of computer players, and people at one screen: by default nobody sees another's cards."""

from io import BytesIO
from pathlib import Path
from threading import Condition

import pytest

from catan_p2p.cli import play
from catan_p2p.cli.main import make_parser
from catan_p2p.game.actions import OpenAll, ShowPoint
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.history import load_history
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.worker import lead
from catan_p2p.tables import setup
from catan_p2p.tables.setup import at_one_screen
from tests.hidden.games import load_open_history
from tests.sessions.test_worker import COLOURS, LeavesAtTheEnd

HIDDEN, OPEN, JOINT = ("joint", "hidden"), ("actor", "open"), ("joint", "open")


@pytest.mark.parametrize(
    ("rules", "given", "expected"),
    [
        ("standard", {}, HIDDEN),
        ("thesis", {}, HIDDEN),
        ("standard", {"chance": "joint"}, HIDDEN),
        ("standard; Hands = hidden; Chance = joint", {}, HIDDEN),
        ("standard; Leaving = yes", {}, HIDDEN),
        ("standard", {"hands": "open"}, OPEN),
        ("standard; Hands = open", {}, OPEN),
        ("standard", {"chance": "actor"}, OPEN),
        ("standard; Chance = actor", {}, OPEN),
        ("standard", {"chance": "joint", "hands": "open"}, JOINT),
        ("thesis; DevCardPool = 0 0 0 0 0", {}, JOINT),
    ],
)
@pytest.mark.parametrize("players", [2, 6])
def test_hands_are_hidden_unless_somebody_says_otherwise(
    rules: str, given: dict[str, str], expected: tuple[str, str], players: int
) -> None:
    agreed = rules_named(at_one_screen(rules, players, **given), players, may_be_hidden=True)  # type: ignore[arg-type]
    assert (agreed.chance, agreed.hands) == expected
    assert agreed.leaving == ("Leaving = yes" in rules)
    assert agreed.offers_per_turn == (0 if rules.startswith("thesis") else 10)


def test_without_the_library_hands_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "find_spec", lambda name: None)
    assert "Hands" not in at_one_screen("standard", 4)
    assert "Hands = hidden" in at_one_screen("standard", 4, hands="hidden")


def test_what_contradicts_the_rules_is_refused() -> None:
    with pytest.raises(UnsupportedRules, match="--hands open: the rules say Hands = hidden"):
        at_one_screen("standard; Hands = hidden; Chance = joint", 4, hands="open")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--players", "3"], HIDDEN),
        (["--players", "3", "--hands", "hidden"], HIDDEN),
        (["--players", "3", "--open"], OPEN),
        (["--seed", "1"], OPEN),
        (["--seed", "1", "--hands", "hidden"], HIDDEN),
        (["--seed", "1", "--chance", "joint"], HIDDEN),
        (["--seed", "1", "--rules", "brief; Hands = hidden; Chance = joint"], HIDDEN),
        (["--players", "3", "--hands", "open"], OPEN),
    ],
)
def test_a_game_that_play_begins_is_hidden_unless_it_is_to_be_shown_or_repeated(
    options: list[str], expected: tuple[str, str]
) -> None:
    args = make_parser().parse_args(["play", *options])
    assert play._prepare(args) is None
    rules = rules_named(args.rules, args.players, may_be_hidden=True)
    assert (rules.chance, rules.hands) == expected


ONLY_POINTS = "standard; PointsToWin = 5; DevCardPool = 0 0 0 1 19; Roads = 2; Villages = 2; Cities = 0"
"""All but one development card are points, and nothing else brings any after the set-up."""


@pytest.mark.long
def test_victory_points_count_when_they_are_shown(tmp_path: Path) -> None:
    """Who has two points to be seen and three in the hand wins by showing them, on their own turn, and not before."""
    path, rules = tmp_path / "table", at_one_screen(ONLY_POINTS, len(COLOURS))
    new = NewTable(COLOURS, frozenset(), rules, policy="builder")
    lead(LeadPeers(path, new), LeavesAtTheEnd(path), BytesIO(), Condition())
    seen = load_history(path / "Red", may_be_hidden=True)
    played = [step for step in seen.actions if not isinstance(step.action, OpenAll)]
    shown = [step.action for step in played if isinstance(step.action, ShowPoint)]
    assert len(shown) == 3 and [step.action for step in played[-3:]] == shown
    assert {action.player for action in shown} == {seen.last.ap}
    most = [max(map(step.state.points, step.state.constants.players)) for step in played]
    assert most[-4:] == [2, 3, 4, 5] and max(most[:-3]) == 2
    before = played[-4].state.hid
    assert before.held[seen.last.ap - 1] + before.bought[seen.last.ap - 1] >= 3
    opened = load_open_history(path / "Red").last
    assert opened.is_over and opened.ap == seen.last.ap
