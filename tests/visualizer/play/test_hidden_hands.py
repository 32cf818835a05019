"""A person plays hidden hands at the window: they see their own cards, and of others what everybody can tell."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.constants import STANDARD, Player
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.setup import at_one_screen
from tests.hidden.games import GAMES, load_open_history, seated
from tests.hidden.tables import hidden_table
from tests.visualizer.play.person import Hands, Script, Session, new_window, window_at
from visualizer.data.recording import GameRecording
from visualizer.pictures.explain import card_effect
from visualizer.pictures.shapes import Text
from visualizer.play.table import LocalTable

pytestmark = pytest.mark.sampled(5)

RULES = "brief; PointsToWin = 3"


def _seen(recording: GameRecording, from_: int) -> None:
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
    assert not recording.steps[-1].known.is_open
    assert not any(getattr(step.action, "card", "") == "sealed" for step in recording.steps)


CLOSED: dict[str, tuple[Player, str]] = {
    "silent": (1, "Blue must still open the cards: wait before you leave"),
    "two keys": (1, "the cards of Blue do not open with the key that was told"),
    "unsigned": (1, "Blue must still sign the end: wait before you leave"),
    "left": (1, "Blue left and did not open the cards"),
    "left of two": (1, "Blue left and did not open the cards"),
    "left and silent": (3, "Red must still open the cards: wait before you leave"),
    "lied to": (1, "Green has not revealed the card that was chosen in "),
    "robber goes on": (3, "the cards of Blue do not open with the key that was told"),
    "under way": (2, "A card is stolen from Green, unseen by the others"),
}
"""By game: somebody who has nothing to do there, and what their window says of the cards."""


@pytest.mark.long
@pytest.mark.parametrize("name", CLOSED)
def test_the_window_says_whose_cards_stay_closed(tmp_path: Path, name: str) -> None:
    player, told = CLOSED[name]
    path = seated(GAMES[name](), tmp_path / "seat", player)
    seat = LeadPeers(path, alone=True, has_chat=False)
    with Session(window_at(LocalTable(seat, (read_settings(path).colour,)))) as session:

        def is_told(_: object) -> bool:
            session.frame()
            scene = session.window.viewer.canvas.scene
            shapes = [shape for layer in scene.layers for shape in layer.shapes] if scene is not None else []
            return told in " ".join(shape.text for shape in shapes if isinstance(shape, Text))

        session.until(is_told)
        state = session.state
        assert state is not None and session.recording is not None
        is_known = not session.recording.steps[-1].known.is_open
        is_one_players = max(state.hid.sealed) == sum(
            state.hid.sealed
        )  # their cards are all that nobody else accounts for
        assert is_known == (is_one_players and not any((*state.hid.held, *state.hid.bought)))
        assert state.hid.sealed[player - 1] == 0


def test_a_victory_point_is_told_as_it_is_dealt() -> None:
    """With open hands everybody sees it at once."""
    assert "as soon as it is bought" in card_effect("VictoryPoint", STANDARD)
    assert "nobody else sees" in card_effect("VictoryPoint", replace(STANDARD, chance="joint", hands="hidden"))


@pytest.mark.long
def test_people_who_take_turns_at_one_screen_see_their_own_cards(tmp_path: Path) -> None:
    """Whoever sits down sees their hand whole, and of whoever sat there before no more than everybody."""
    people = ("Red", "Green")
    rules = at_one_screen("standard; PointsToWin = 4", 3)
    assert "Hands = hidden" in rules
    seen: set[str] = set()
    with Session(new_window(tmp_path / "table", 3, people, rules, seed=2)) as session:
        script = Script(session, "mouse", seed=5)
        while not session.until(script._can_do_something).is_over:
            script.step(session.screen)
            own, state = session.screen.seat, session.state
            session.window.tick(0.1)
            if session.screen.title == "curtain" or state is None or state.tp == "Pledging":
                continue
            is_there = lambda _: _knows_own(session)  # noqa: E731
            session.until(is_there)
            seen.add(own)
        assert seen == set(people)
        session.until(lambda _: not any(session.state.hid.sealed))  # type: ignore[union-attr]


def _knows_own(session: Session) -> bool:
    """Whether nothing of the own hand is hidden, and all that is hidden of others from everybody."""
    recording, player = session.recording, session.window.session.seat.player
    step = recording.steps[-1] if recording is not None else None
    if step is None or session.screen.title == "curtain" or session.screen.is_over:
        return True
    assert step.public is not None
    hidden, public = step.state.hid, step.public.hid
    others = [seat for seat in range(step.state.constants.player_count) if seat != player - 1]
    mine = (hidden.sealed[player - 1], hidden.bought[player - 1], hidden.held[player - 1])
    return not any(mine) and all(hidden.sealed[seat] == public.sealed[seat] for seat in others)
