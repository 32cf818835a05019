"""What ``catan-p2p vote`` says, and what ``status`` tells of a vote, in a signed game of three."""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.replication.tables import make_seats, opened, play_rounds
from tests.replication.test_settling import forked, until_awaited
from tests.typed import Typed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The seats of a game that waits for Red's roll."""
    with opened(make_seats(tmp_path, 3, 7, signed=True, rules="thesis; Leaving = yes")) as replicas:
        play_rounds(replicas, lambda one: one.graph.state.tp == "DiceRoll" and one.graph.state.ap == 1)
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
    return tmp_path


@pytest.mark.long
def test_votes_one_after_the_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def typed(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        out, err = capsys.readouterr()
        return code, out.strip(), err.strip()

    red, blue, green = (str(folder / colour) for colour in ("Red", "Blue", "Green"))
    assert typed("vote", red, "yes") == (2, "", "catan-p2p vote: nobody else is awaited")
    assert typed("vote", blue, "yes", "--on", "Green") == (2, "", "catan-p2p vote: Green is not awaited")
    code, _, said = typed("vote", blue, "no")
    assert (code, said) == (2, "catan-p2p vote: a no must name an action of Red, and none is known here")
    assert typed("vote", blue, "yes") == (0, "yes to going on without Red; not voted yet: Green", "")
    assert typed("vote", blue, "yes") == (2, "", "catan-p2p vote: Blue has said yes already")
    assert typed("vote", blue, "no")[2].endswith("Blue has said yes already, and nobody can say both")
    assert "going on without Red: yes: Blue; not voted yet: Green" in typed("status", blue)[1].splitlines()
    assert typed("vote", green, "yes", "--on", "Red")[1] == "yes to going on without Red; Blue excuses Red next"
    assert "going on without Red: yes: Blue and Green; Blue excuses Red next" in typed("status", green)[1]
    assert json.loads(typed("status", green, "--json")[1])["votes"][0]["excuser"] == "Blue"
    code, said, _ = typed("vote", blue, "yes")
    assert (code, said.startswith("everybody has said yes: Red is excused by ")) == (0, True)
    code, said, _ = typed("status", blue)
    assert (code, "waiting for Blue" in said, "going on without" in said) == (0, True, False)
    assert any(line.startswith("Red") and " excused " in line for line in said.splitlines())


@pytest.mark.long
def test_a_visit_excuses_whom_all_have_voted_on(folder: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    """Who looks after a seat by ``turn`` alone would hold up everybody: an excuse needs no decision."""
    blue, green = (str(folder / colour) for colour in ("Blue", "Green"))
    assert main(["vote", blue, "yes"]) == main(["vote", green, "yes"]) == 0
    assert "Blue excuses Red next" in capsys.readouterr().out
    assert typed(3, "turn", green).out == "waiting for Red\n"
    assert typed(0, "turn", blue).out == "Blue is awaited\n"
    assert typed(3, "turn", green).out == "waiting for Blue\n"


def test_a_game_that_nobody_may_leave(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_seats(tmp_path, 2)
    assert main(["vote", str(tmp_path / "Blue"), "yes"]) == 2
    assert "nobody may leave this game: it was not begun with new-game --leaving" in capsys.readouterr().err


def test_the_game_of_two_is_claimed(tmp_path: Path, typed: Typed) -> None:
    red, blue = make_seats(tmp_path, 2, 7, rules="thesis; Leaving = yes")
    assert "only two are left: yes claims the game" in typed(2, "vote", blue, "no").err
    assert "the game is not waiting for the other player" in typed(2, "vote", red, "yes").err
    assert typed(0, "vote", blue, "yes").out.startswith("Blue claims the game: ")
    assert "Blue has won" in typed(0, "status", blue).out


@pytest.mark.long
def test_votes_on_a_proven_liar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(make_seats(tmp_path, 3, 7, signed=True, rules="thesis; Leaving = yes")) as replicas:
        until_awaited(replicas, 1, 1, lambda one: True)
        both = sorted(forked(replicas, ((2,), (3,))))
        held = next(commit for commit in both if commit in replicas[2].graph)
    blue, green = str(tmp_path / "Blue"), str(tmp_path / "Green")
    proven = f"yes to going on without Red, who has signed both {both[0]} and {both[1]}"

    def typed(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        out, err = capsys.readouterr()
        return code, out.strip(), err.strip()

    assert typed("vote", green, "yes") == (0, f"{proven}; {held} is held here; not voted yet: Blue", "")
    short = " and ".join(commit[:10] for commit in both)
    assert f"Red has lied, with {short}: yes: Green; not voted yet: Blue" in typed("status", green)[1].splitlines()
    code, _, said = typed("vote", green, "yes")
    already = "Green has said yes already to going on without Red, whose lie is proven; not voted yet: Blue"
    assert (code, said) == (2, f"catan-p2p vote: {already}; vote on somebody else with --on COLOUR")
    code, said, _ = typed("vote", blue, "yes")
    assert (code, said.startswith(proven), said.endswith("; Green excuses Red next")) == (0, True, True), said
    assert "yes: Blue and Green; " in typed("status", blue)[1]
    code, said, _ = typed("vote", green, "yes")
    assert (code, said.startswith("everybody has said yes: Red is excused by ")) == (0, True), said
    assert "has lied" not in typed("status", green)[1]
