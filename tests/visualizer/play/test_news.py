"""What others have done since the person last acted, where all players draw together.

Without the course of draws left out, the person's own share hides what came before it, and shares fill the list.
"""

from pathlib import Path
from random import Random

from catan_p2p.game.actions import Action, Pledge, Reveal, RollForStart
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import settlement
from catan_p2p.game.state import initial_state
from tests.visualizer.play.memory import Memory, memory_session
from tests.visualizer.play.person import COLOURS, Session


def draw(session: Session, memory: Memory, action: Action) -> None:
    """A player acts, and everybody makes the draw."""
    memory.carry_out(action)
    for other in memory.state.constants.players:
        if other != action.player:
            memory.carry_out(Reveal(other))
    memory.carry_out(settlement(memory.state, Random(action.player)))
    session.frame()


def test_others_rolls_are_told_and_nobodys_shares(tmp_path: Path) -> None:
    state = initial_state(new_constants("standard; Chance = joint", COLOURS[:3]))
    session, memory = memory_session(tmp_path, state)
    with session:
        for player in (2, 3, 1):
            memory.carry_out(Pledge(player))
        session.frame()
        assert session.window.table_view._news() == ()
        draw(session, memory, RollForStart(1, 7))
        draw(session, memory, RollForStart(2, 7))
        draw(session, memory, RollForStart(3, 7))
        news = session.window.table_view._news()
        assert [colour for colour, _ in news] == ["Blue", "Green"]
        assert all(words.startswith("rolls ") for _, words in news), news
