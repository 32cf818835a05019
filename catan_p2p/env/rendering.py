"""A state as text, and as an array of pixels."""

from typing import Any

from catan_p2p import settings
from catan_p2p.extras import needed
from catan_p2p.game.board.drawing import draw
from catan_p2p.game.cards import total
from catan_p2p.game.state import State

RENDER_MODES = ("ansi", "rgb_array")


def check_render_mode(mode: str | None) -> str | None:
    """The mode itself; ``ValueError`` or ``TypeError`` if there is no such mode."""
    return None if mode is None else settings.word("render_mode", mode, RENDER_MODES)


def as_text(state: State) -> str:
    """The island, and a line for each player with points, numbers of cards, and pieces left."""
    lines = [draw(state.constants.board.map), repr(state).strip("<>")]
    for player in state.constants.players:
        hand, left = state.h[player - 1], state.b[player - 1]
        lines.append(
            f"player {player}: {state.points(player)} points, {total(hand.rc)} resource cards, "
            f"{total(hand.bc) + total(hand.ac)} development cards, "
            f"{left.road} roads, {left.village} villages, {left.city} cities left"
        )
    return "\n".join(lines)


_WIDTH = 480


def as_pixels(state: State) -> Any:
    """The board with its pieces as an array of (height, width, 3) bytes; ``MissingExtra`` without Pillow."""
    numpy = needed("numpy", "env", "an array of pixels")
    needed("PIL", "env", "an array of pixels")
    from catan_p2p.env.pixels import board_picture

    return numpy.asarray(board_picture(state, _WIDTH))


def rendered(state: State, mode: str | None) -> Any:
    """The board as text or pixels, by the render mode; None without one."""
    if mode is None:
        return None
    return as_text(state) if mode == "ansi" else as_pixels(state)
