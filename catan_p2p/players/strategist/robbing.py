"""The bandit's moves: those that hurt the leaders most and the player least."""

from collections.abc import Sequence

from catan_p2p.game.actions import Robbery
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.float_sums import added
from catan_p2p.game.scoring import largest_army_holder
from catan_p2p.game.state import State
from catan_p2p.players.strategist.judge import PositionJudge, vector
from catan_p2p.players.strategist.tables import Vector, plus, tile_yields
from catan_p2p.players.strategist.weights import LEADER, OWN_HARM, ROBBERIES_JUDGED, STOLEN_HARM


def best_robbery(judge: PositionJudge, state: State, moves: Sequence[Robbery]) -> tuple[float, Robbery]:
    """The robbery with the best value, and that value; for a knight, after it has been played."""
    likely = sorted(moves, key=lambda move: -_harm(judge, state, move))[:ROBBERIES_JUDGED]
    return max(((value_after(judge, state, move), move) for move in likely), key=lambda pair: pair[0])


def value_after(judge: PositionJudge, state: State, move: Robbery) -> float:
    """The value of the state after a robbery, with each card of the victim equally likely to be stolen."""
    after = state._replace(ba=move.to)
    if move.unveils:
        after = with_knight(after, move.player)
    if move.victim == NO_OWNER or not state.h[move.victim - 1].rc:
        return judge.value(after)
    hand = vector(state.h[move.victim - 1].rc)
    size = added(hand)
    one: Vector = (hand[0] / size, hand[1] / size, hand[2] / size, hand[3] / size, hand[4] / size)
    own = plus(vector(state.h[move.player - 1].rc), one)
    return judge.value(after, {move.player: own, move.victim: plus(hand, one, -1.0)})


def with_knight(state: State, player: int) -> State:
    """The state after playing an available knight, without the bandit's move."""
    hands = list(state.h)
    hand = hands[player - 1]
    hands[player - 1] = hand._replace(ac=hand.ac - ONE["Knight"], uc=hand.uc + ONE["Knight"])
    after = state._replace(h=tuple(hands), pd=state.pd + 1)
    return after._replace(la=largest_army_holder(after))


def _harm(judge: PositionJudge, state: State, move: Robbery) -> float:
    """A quick measure: the cards that the tile costs each player, weighted by points, and one of the victim's cards."""
    board = state.constants.board
    corners, (_, chance) = board.corners[move.to], tile_yields(board)[move.to]
    harm = 0.0
    for seat in state.present:
        lost = chance * (
            (state.s.villages[seat - 1] & corners).bit_count() + 2 * (state.s.cities[seat - 1] & corners).bit_count()
        )
        harm += -OWN_HARM * lost if seat == move.player else lost * (LEADER + state.points(seat) / 10) ** 2
    if move.victim != NO_OWNER and state.h[move.victim - 1].rc:
        points = 0 if state.away[move.victim - 1] else state.points(move.victim)
        harm += STOLEN_HARM * (LEADER + points / 10) ** 2
    return harm
