"""Why nothing can be done at a place on the island."""

from catan_p2p.game import actions
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.parts import Piece
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.board import numbers
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import BUILD_PHASES, State

from .draft import ActionDraft
from .reasons import reasons


def refusal_at(state: State, player: Player, draft: ActionDraft, kind: str, number: int) -> str:
    """Why the rules forbid this place, in words; empty if no such place is being chosen."""
    action = _meant(state, player, draft, kind, number)
    if action is None:
        return ""
    return reasons(state, action, most=2)


def _meant(state: State, player: Player, draft: ActionDraft, kind: str, number: int) -> actions.Action | None:
    """The action that a click on the place would attempt."""
    if state.tp == "bot" and state.sup != "Rolling":
        setup = actions.SetupPhaseOne if state.sup == "PhaseOne" else actions.SetupPhaseTwo
        if kind == "point" and not draft.picks:
            return setup(player, number, next(iter(numbers(state.constants.board.roads_at[number]))))
        if kind == "road" and draft.picks:
            return setup(player, draft.picks[0], number)
        return None
    if kind == "tile":
        if draft.mode not in ("knight", "bandit") and state.tp not in ("MovingBandit", "Discarding"):
            return None
        make = actions.PlayKnight if draft.mode == "knight" else actions.MoveBandit
        return make(player, number, _victim(state, player, number), stealable(state, _victim(state, player, number))[0])
    if draft.mode == "roads" and kind == "road":
        first = draft.picks[0] if draft.picks else number
        return actions.PlayRoadBuilding(player, first, number if draft.picks else NO_ROAD)
    if state.tp not in BUILD_PHASES:
        return None
    is_city = draft.mode == "city" or (draft.mode != "village" and state.s.of(player) >> number & 1)
    piece: Piece = "road" if kind == "road" else "city" if is_city else "village"
    return actions.BUILDINGS[piece](player, number)


def _victim(state: State, player: Player, tile: int) -> Player:
    corners = state.constants.board.corners[tile]
    others = (seat for seat in state.constants.players if seat != player and state.s.of(seat) & corners)
    return next(others, NO_OWNER)
