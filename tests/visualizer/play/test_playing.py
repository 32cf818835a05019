"""People at a real window, on SDL's dummy screen: whole games by mouse and by keyboard."""

from pathlib import Path

import pytest

from catan_p2p.log.audit import audit
from tests.visualizer.play.person import COLOURS, Hands, Script, Session, new_window, settings

pytestmark = pytest.mark.sampled(3)

QUICK = "brief; PointsToWin = 4"


def play(path: Path, players: int, hands: Hands, rules: str, **more: object) -> Script:
    """Play a whole game as Red against computer players, and audit everybody's repository."""
    with Session(new_window(path, players, rules=rules, **more)) as session:  # type: ignore[arg-type]
        script = Script(session, hands)
        screen = script.play()
        assert screen.is_over, screen
    for colour in COLOURS[:players]:
        verdict = audit(path / colour)
        assert verdict.is_fine, verdict
        assert verdict.history is not None
        assert verdict.history.last.is_over
    return script


@pytest.mark.parametrize("hands", [pytest.param("mouse", marks=pytest.mark.long), "keys"])
def test_a_short_game_is_played_to_its_end(tmp_path: Path, hands: Hands) -> None:
    script = play(tmp_path / "table", 2, hands, QUICK, options=settings(asks=hands == "mouse"))
    assert script.used["roll"] > 1


@pytest.mark.parametrize(
    ("players", "hands", "rules"),
    [
        pytest.param(2, "keys", "thesis", marks=pytest.mark.long),
        *(
            pytest.param(players, hands, rules, marks=pytest.mark.soak)
            for players in (2, 3, 4)
            for hands in ("mouse", "keys")
            for rules in ("thesis", "brief")
            if (players, hands, rules) != (2, "keys", "thesis")
        ),
    ],
)
def test_whole_games_are_played_to_their_end(tmp_path: Path, players: int, hands: Hands, rules: str) -> None:
    play(tmp_path / "table", players, hands, rules)


@pytest.mark.soak
@pytest.mark.parametrize("hands", ["mouse", "keys"])
@pytest.mark.parametrize("players", [5, 6])
def test_whole_games_on_the_large_island_are_played_to_their_end(tmp_path: Path, players: int, hands: Hands) -> None:
    play(tmp_path / "table", players, hands, "brief")
