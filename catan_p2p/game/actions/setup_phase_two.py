"""The second village and road of each player, in reverse order, and the first resource cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import RoadPoint, Seat, SettlementPoint
from catan_p2p.game.actions.parts import Action, is_in, unmet, with_hand, with_seat, with_village
from catan_p2p.game.actions.placement import bandit_allows, bandit_allows_road, has_distance, is_free, is_road_free
from catan_p2p.game.actions.setup_phase_one import placements
from catan_p2p.game.actions.turn import won
from catan_p2p.game.cards import covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class SetupPhaseTwo(Action):
    """Player ``player`` places their second village on ``at`` and a road on ``road``, and gets its first yield.

    Mirrors ``SetupPhaseTwo(p, sp, rp)`` in spec/Catan.tla (thesis, action 2).
    """

    player: Seat
    at: SettlementPoint
    road: RoadPoint

    phases = ("bot",)


def broken(state: State, action: SetupPhaseTwo) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "bot" or "ST1 phase",
        state.sup == "PhaseTwo" or "ST2 stage",
        state.su_ap == action.player or "ST3 turn",
        is_free(state, action.at) or "ST4 free",
        has_distance(state, action.at) or "ST5 distance",
        bandit_allows(state, action.at) or "ST6 bandit",
        is_road_free(state, action.road) or "ST7 road_free",
        is_in(state.constants.board.roads_at[action.at], action.road) or "ST8 touch",
        bandit_allows_road(state, action.road) or "ST9 road_bandit",
        covers(state.bnk.rc, state.constants.board.first_yield[action.at]) or "ST10 stock",
    )


def effect(state: State, action: SetupPhaseTwo) -> State:
    """The state after the action, whose guards must hold."""
    player = action.player
    left = state.b[player - 1]
    gain = state.constants.board.first_yield[action.at]
    last = player == state.first
    after = state._replace(
        su_ap=player if last else state.previous_player(player),
        tp="DiceRoll" if last else "bot",
        s=with_village(state.s, player, action.at),
        r=with_seat(state.r, player, state.r[player - 1] | 1 << action.road),
        bnk=state.bnk._replace(rc=state.bnk.rc - gain) if gain else state.bnk,
        h=with_hand(state, player, rc=state.h[player - 1].rc + gain) if gain else state.h,
        b=with_seat(state.b, player, left._replace(road=left.road - 1, village=left.village - 1)),
    )
    return won(after)


def instances(state: State, player: Player) -> Sequence[SetupPhaseTwo]:
    """Every enabled instance, by settlement point, then road point."""
    if state.tp != "bot" or state.sup != "PhaseTwo" or state.su_ap != player:
        return ()
    first_yield = state.constants.board.first_yield
    return [SetupPhaseTwo(player, at, road) for at, road in placements(state) if covers(state.bnk.rc, first_yield[at])]
