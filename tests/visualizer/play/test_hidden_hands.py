"""A person plays hidden hands at the window: they see their own cards, and of others what everybody can tell."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.constants import STANDARD
from catan_p2p.log.opened import load_open_history
from tests.hidden.tables import hidden_table
from tests.visualizer.play.person import Hands, Script, Session, window_at
from visualizer.data.recording import Recording
from visualizer.pictures.explain import card_effect

pytestmark = pytest.mark.sampled(3)

RULES = "brief; PointsToWin = 3"


def _seen(recording: Recording, from_: int) -> None:
    """Nothing of others is shown but what everybody sees; the own hand is whole."""
    for step in recording.steps[from_:]:
        public = step.public
        assert public is not None
        if step.state.is_over:
            continue
        assert step.state.h[1:] == public.h[1:]
        assert step.state.hid.sealed[0] == step.state.hid.bought[0] == step.state.hid.held[0] == 0
        assert [step.state.hand_size(player) for player in public.constants.players] == [
            public.hand_size(player) for player in public.constants.players
        ]


@pytest.mark.parametrize(
    ("players", "rules", "hands"),
    [
        pytest.param(3, RULES, "mouse", marks=pytest.mark.long),
        pytest.param(2, "thesis; PointsToWin = 4", "keys", marks=pytest.mark.long),
        pytest.param(4, "standard; PointsToWin = 5", "keys", marks=pytest.mark.long),
        pytest.param(6, "brief; PointsToWin = 4", "mouse", marks=pytest.mark.long),
    ],
)
def test_a_person_plays_to_the_end_and_sees_what_they_may(
    tmp_path: Path, players: int, rules: str, hands: Hands
) -> None:
    path, map = tmp_path / "table", "large" if players > 4 else "default"
    with Session(window_at(hidden_table(path, players, rules, map))) as session:
        script, checked = Script(session, hands, seed=players), 0
        while not session.until(script._can_do_something).is_over:
            recording = session.recording
            assert recording is not None
            assert recording.veiled == frozenset(range(2, players + 1))
            _seen(recording, checked)
            checked = len(recording)
            script.step(session.screen)
        session.until(lambda _: not any(session.state.due))  # type: ignore[union-attr]
        session.until(lambda _: not any(session.state.hid.sealed))  # type: ignore[union-attr]
        recording = session.recording
        assert recording is not None and recording.veiled == frozenset()
    opened = load_open_history(path / "Red")
    assert [hand.rc for hand in recording.steps[-1].state.h] == [hand.rc for hand in opened.last.h]
    assert recording.steps[-1].unsure is None
    assert not any(getattr(step.action, "card", "") == "sealed" for step in recording.steps)


def test_a_victory_point_is_told_as_it_is_dealt() -> None:
    """With open hands everybody sees it at once."""
    assert "as soon as it is bought" in card_effect("VictoryPoint", STANDARD)
    assert "nobody else sees" in card_effect("VictoryPoint", replace(STANDARD, chance="joint", hands="hidden"))
