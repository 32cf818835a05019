"""A state as HTML, for notebooks: the board with its pieces, and what every player holds.

It needs nothing from outside and takes the state as plain attributes, so that the state can draw itself.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

from catan_p2p.game.board.svg import BoardPieces, board_svg
from catan_p2p.game.palette import PLAYER_COLOURS, player_colour

_WIDTH = 480
_CELL = 'style="text-align:left;padding:2px 8px"'


def state_svg(state: Any, colours: Sequence[str] | None = None) -> str:
    """The board of a state with all pieces on it, as SVG."""
    pieces = BoardPieces(state.s.villages, state.s.cities, state.r, state.ba, colours or tuple(PLAYER_COLOURS))
    return board_svg(state.constants.board, pieces, _WIDTH)


def state_markup(state: Any, colours: Sequence[str] | None = None) -> str:
    """The board of a state, what it says of itself, and a table with a row for each player.

    ``colours`` are the names of the players' colours by seat. A state does not have them: without, seats have the usual
    ones.
    """
    colours = colours or tuple(PLAYER_COLOURS)
    header = "".join(
        f"<th {_CELL}>{name}</th>"
        for name in ("player", "points", "resource cards", "development cards", "unveiled", "pieces left", "bonus")
    )
    rows = "".join(f"<tr>{_row(state, player, colours[player - 1])}</tr>" for player in state.constants.players)
    return (
        f"<div>{state_svg(state, colours)}<p>{escape(repr(state).strip('<>'))}</p>"
        f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(state: Any, player: int, colour: str) -> str:
    hand, left = state.h[player - 1], state.b[player - 1]
    cards = [f"{held!r}{note}" for held, note in ((hand.available, ""), (hand.bought, " (new)")) if held.cards]
    bonus = [name for holder, name in ((state.lr, "longest road"), (state.la, "largest army")) if holder == player]
    mark = f'<span style="color:{player_colour(colour)};-webkit-text-stroke:1px #333">■</span> {player}'
    cells = (
        mark,
        str(state.points(player)),
        escape(repr(hand.resources)),
        escape("; ".join(cards) or "nothing"),
        escape(repr(hand.unveiled)),
        f"{left.road} roads, {left.village} villages, {left.city} cities",
        ", ".join(bonus) or "none",
    )
    return "".join(f"<td {_CELL}>{cell}</td>" for cell in cells)
