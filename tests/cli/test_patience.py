"""What a table agrees on when it begins, a patience and bounds of offers and proposals a turn, and who keeps to it."""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rule_names import rules_named
from catan_p2p.replication.kept_wait import keep_wait, read_wait
from catan_p2p.tables.seat import private_folder
from catan_p2p.tables.setup import at_table
from tests.replication.tables import make_seats
from tests.typed import Typed

AGREED = "thesis; Leaving = yes; Patience = 600"


def rules_of(game: Path) -> list[str]:
    """The file of rules at the root of a new game."""
    return (game / "rules").read_text(encoding="utf-8").splitlines()


def begun(folder: Path, *options: str) -> Path:
    """The repository of a new game of two; who chooses ``--leaving`` has keys."""
    keys = keys_in(folder.parent) if "--leaving" in options else []
    assert main(["new-game", str(folder), "--players", "Red,Blue", *keys, *options]) == 0
    return folder


def keys_in(folder: Path) -> list[str]:
    """The options of a game with keys, which are in a folder."""
    for name in ("key", "other"):
        if not (folder / name).exists():
            assert main(["new-key", str(folder / name)]) == 0
    return ["--key", str(folder / "key"), "--public-key", f"Blue={folder / 'other.pub'}"]


def test_a_table_that_says_nothing_of_leaving_has_no_patience(tmp_path: Path) -> None:
    assert not [
        line for line in rules_of(begun(tmp_path / "red")) if line.startswith(("Leaving", "Patience", "Offers"))
    ]


@pytest.mark.parametrize(
    ("options", "patience"),
    [(["--leaving"], 600), (["--leaving", "--patience", "90s"], 90), (["--leaving", "--patience", "2m"], 120)],
)
def test_the_patience_is_in_the_root(tmp_path: Path, options: list[str], patience: int) -> None:
    assert {"Leaving = yes", f"Patience = {patience}"} <= {*rules_of(begun(tmp_path / "red", *options))}


@pytest.mark.parametrize(
    ("spelled", "bounds"),
    [
        ("thesis", (0, 0)),
        ("brief", (10, 0)),
        ("standard", (10, 10)),
        ("standard; OffersPerTurn = 5", (5, 10)),
        ("standard; OffersPerTurn = 0; ProposalsPerTurn = 3", (0, 3)),
    ],
)
def test_a_table_of_people_bounds_offers_and_proposals(spelled: str, bounds: tuple[int, int]) -> None:
    rules = rules_named(at_table(spelled), 3)
    assert (rules.offers_per_turn, rules.proposals_per_turn) == bounds
    assert rules_named(spelled, 3) == new_constants(spelled, ("Red", "Blue", "Green")).rules


def test_a_patience_that_the_rules_name_stays() -> None:
    assert rules_named(at_table("standard; Leaving = yes; Patience = 60"), 3).patience == 60
    assert rules_named(at_table("standard; Leaving = yes; Patience = 0"), 3).patience == 0
    assert rules_named(at_table("standard; Patience = 0", leaving=True), 3).patience == 0
    with pytest.raises(UnsupportedRules):
        at_table("standard", patience_s=60)


def test_a_game_with_bounds_is_joined_by_the_name_of_its_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    red = begun(tmp_path / "red", "--rules", "standard", "--hands", "open", "--leaving")
    key = ["--key", str(tmp_path / "other")]
    joined = ["join", str(red), str(tmp_path / "blue"), "--as", "Blue", *key]
    assert main(joined) == 0
    said = capsys.readouterr().err
    assert "the others may go on without a player who is silent for 10 min" in said
    assert "at most 10 offers and 10 proposals a turn" in said
    hasty = begun(tmp_path / "hasty", "--rules", "standard", "--hands", "open", "--leaving", "--patience", "90s")
    joined = ["join", str(hasty), str(tmp_path / "guest"), "--as", "Blue", *key]
    assert "Patience = 90" in typed(2, *joined, "--rules", "standard").err
    assert "without a player who is silent for 90 s" in typed(0, *joined).err


def test_a_table_of_people_is_fair_unless_they_decline(tmp_path: Path) -> None:
    fair = rules_named(at_table("standard", fair=True), 3, may_be_hidden=True)
    assert (fair.chance, fair.hands, fair.leaving, fair.patience) == ("joint", "hidden", True, 600)
    assert fair.chance_ahead
    six = rules_named(at_table("standard", fair=True, player_count=6), 6, may_be_hidden=True)
    assert six.special_building, "in which players build who would know the next roll"
    assert not six.chance_ahead
    declined = rules_named(at_table("standard", chance="actor", leaving=False, fair=True), 3)
    assert (declined.chance, declined.hands, declined.leaving, declined.patience) == ("actor", "open", False, 0)
    named = rules_named(at_table("standard; Chance = actor; Leaving = no", fair=True), 3)
    assert (named.chance, named.leaving, named.patience) == ("actor", False, 0)


def test_a_game_with_keys_is_fair(tmp_path: Path) -> None:
    keys = keys_in(tmp_path)
    fair = rules_of(begun(tmp_path / "red", *keys))
    assert {"Chance = joint", "Leaving = yes", "Patience = 600", "Hands = hidden"} <= {*fair}
    declined = rules_of(begun(tmp_path / "blue", *keys, "--chance", "actor", "--no-leaving"))
    assert not [line for line in declined if line.startswith(("Chance", "Leaving", "Patience", "Hands"))]


def test_a_peer_is_as_patient_as_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, blue = make_seats(tmp_path, 2, 7, rules=AGREED)
    assert main(["peer", str(blue), "--patience", "1s", "--stop-after", "0"]) == 2
    assert "--patience 1 s: this table waits 10 min for a silent player" in capsys.readouterr().err
    assert main(["peer", str(blue), "--patience", "20m", "--stop-after", "0"]) in (0, 1)
    assert "this table waits" not in capsys.readouterr().err


def age(repository: Path, seconds: float) -> None:
    """Let what a program has kept of its wait be so much older."""
    folder = private_folder(repository)
    waited = read_wait(folder)
    assert waited is not None
    earlier = waited.monotonic_s - seconds, waited.date_s - seconds
    keep_wait(waited._replace(monotonic_s=earlier[0], date_s=earlier[1]), folder)


@pytest.mark.parametrize("players", [2, 3])
def test_nobody_votes_by_hand_before_the_patience_is_over(tmp_path: Path, players: int, typed: Typed) -> None:
    blue = make_seats(tmp_path, players, 7, rules=AGREED)[1]
    assert "this table waits 10 min for a silent player" in typed(2, "vote", blue).err
    age(blue, 500)
    assert "without Red in 2 min, if nothing comes from Red" in typed(2, "vote", blue).err
    age(blue, 101)
    if players > 2:
        assert "more than two players are left: vote without --claim" in typed(2, "vote", blue, "--claim").err
    assert main(["vote", str(blue), *["--claim"] * (players == 2)]) == 0


@pytest.mark.parametrize(("aged_s", "is_possible"), [(500, False), (601, True)])
def test_status_turn_vote_and_peer_agree_on_whether_a_vote_is_possible(
    tmp_path: Path, aged_s: float, is_possible: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    blue = make_seats(tmp_path, 3, 7, rules=AGREED)[1]

    def typed(*words: str) -> tuple[int, str]:
        code = main([words[0], str(blue), *words[1:]])
        said = capsys.readouterr()
        return code, said.out if "--json" in words else said.out + said.err

    typed("turn")
    age(blue, aged_s)
    told = "you can vote to go on without Red " + ("now" if is_possible else "in 2 min, if nothing comes from Red")
    assert any(line.startswith(told) for line in typed("status")[1].splitlines())
    for verb in ("status", "turn"):
        assert "; this table waits 10 min for a silent player" in typed(verb)[1]
        (prospect,) = (known := json.loads(typed(verb, "--json")[1]))["may_vote_on"]
        assert (known["patience_s"], prospect["absent"], prospect["possible"]) == (600, "Red", is_possible)
    assert (f"{told} (2 of 3 must vote): catan-p2p vote {blue}" in typed("turn")[1].splitlines()) == is_possible
    assert ("votes to go on without Red" in typed("peer", "--stop-after", "1")[1]) == is_possible
    code, said = typed("vote")
    voted = "you have voted to go on without Red"
    assert (code, (voted if is_possible else told) in said) == (0 if is_possible else 2, True)
