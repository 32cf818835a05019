"""The call for a draw: a decision that depends on chance, made before its outcome is known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catan_p2p.game.actions import robbery
from catan_p2p.game.actions.discard import is_discard_due
from catan_p2p.game.actions.drawing import ROBBERIES, outcome_count
from catan_p2p.game.actions.parameters import DrawnAction, Goal, Seat, Victim
from catan_p2p.game.actions.parts import COST_DEV_CARD, Action, unmet
from catan_p2p.game.actions.progress import has_available, is_playing, is_within_limit, may_play
from catan_p2p.game.cards import NO_CARDS, Cards, covers
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import BUILD_PHASES, DRAWS, NO_TILE, PLAY_PHASES, CalledDraw, State, TurnPhase


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Player ``player`` decides on ``what``, whose outcome is chance, and calls on everybody to reveal their share.

    ``to`` and ``victim`` are the rest of the decision where the bandit moves, 0 elsewhere. Mirrors
    ``Call(p, what, to, victim)`` in spec/Catan.tla.
    """

    player: Seat
    what: DrawnAction
    to: Goal = NO_TILE
    victim: Victim = NO_OWNER

    phases = BUILD_PHASES | PLAY_PHASES | {"bot", "DiceRoll", "Discarding", "MovingBandit"}
    rule = "chance"

    def needs(self, state: State) -> Cards:
        """The cost of a development card, if one is called for."""
        return COST_DEV_CARD if self.what == "BuyDevCard" else NO_CARDS


def broken(state: State, action: Call) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player, what, to, victim = action.player, action.what, action.to, action.victim
    robs = what in ROBBERIES
    return unmet(
        state.constants.rules.chance == "joint" or "CA1 rule",
        is_call_phase(state, what, state.tp) or "CA2 phase",
        what != "RollForStart" or state.sup == "Rolling" or "CA3 stage",
        player == state.caller_of(what) or "CA4 turn",
        what != "MoveBandit" or not is_discard_due(state) or "CA5 discards",
        what != "BuyDevCard" or covers(state.h[player - 1].rc, COST_DEV_CARD) or "CA6 cost",
        what != "PlayKnight" or has_available(state, player, "Knight") or "CA7 available",
        what != "PlayKnight" or is_within_limit(state) or "CA8 limit",
        robs or (to, victim) == (NO_TILE, NO_OWNER) or "CA9 plain",
        not robs or robbery.is_elsewhere(state, to) or "CA10 elsewhere",
        not robs or robbery.is_land(state, to) or "CA11 land",
        not robs or robbery.is_target(state, player, to) or "CA12 target",
        not robs or robbery.is_victim(state, player, to, victim) or "CA13 victim",
        outcome_count(state, what, victim) > 1 or "CA14 open",
        what != "RollDice" or not state.is_ahead or "CA15 ahead",
    )


_PHASES: dict[str, frozenset[TurnPhase]] = {
    "RollForStart": frozenset({"bot"}),
    "RollDice": frozenset({"DiceRoll"}),
    "MoveBandit": frozenset({"Discarding", "MovingBandit"}),
    "BuyDevCard": BUILD_PHASES,
}


def is_call_phase(state: State, what: str, phase: TurnPhase) -> bool:
    """Whether something may be called for in this phase: ``CallPhases`` of the specification."""
    return is_playing(state, phase) if what == "PlayKnight" else phase in _PHASES.get(what, ())


def effect(state: State, action: Call) -> State:
    """The state after the action, whose guards must hold."""
    return state.heard._replace(
        tp="Drawing",
        call=CalledDraw(action.what, state.tp, action.to, action.victim),
        due=tuple(_owes_share(state, action, seat) for seat in state.constants.players),
    )


def _owes_share(state: State, action: Call, seat: Player) -> bool:
    """Whether a player has to reveal something; where hands are hidden, a theft concerns robber and victim alone."""
    if state.constants.rules.hands == "hidden" and action.what in ROBBERIES:
        return seat == action.victim
    return seat != action.player and not state.away[seat - 1]


def instances(state: State, player: Player) -> Sequence[Call]:
    """Every enabled instance, by what is called for, tile and victim."""
    if state.constants.rules.chance == "actor" or state.tp == "Drawing":
        return ()
    return [*_called(state, player)]


def _called(state: State, player: Player) -> Iterator[Call]:
    for what in DRAWS:
        if not is_call_phase(state, what, state.tp) or player != state.caller_of(what):
            continue
        if what in ROBBERIES:
            if may_play(state, player, "Knight") if what == "PlayKnight" else not is_discard_due(state):
                for to, victim in robbery.robberies(state, player):
                    if outcome_count(state, what, victim) > 1:
                        yield Call(player, what, to, victim)
        elif outcome_count(state, what) > 1 and (
            covers(state.h[player - 1].rc, COST_DEV_CARD)
            if what == "BuyDevCard"
            else not state.is_ahead
            if what == "RollDice"
            else state.sup == "Rolling"
        ):
            yield Call(player, what)
