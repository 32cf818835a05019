"""The commit that says that a player who was left out plays on."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import ResourceCards, Seat
from catan_p2p.game.actions.parts import Action, sealed_by, unmet, unseen, with_hand, with_seat
from catan_p2p.game.actions.roll_dice import first_cards
from catan_p2p.game.actions.shuffle import shuffled_back
from catan_p2p.game.cards import NO_CARDS, bracketed, covers, selections, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import BUILD_PHASES, NOTHING_HIDDEN, TRADE_PHASES, State, WayBack

BACK_PHASES = TRADE_PHASES | BUILD_PHASES | {"DiceRoll"}
"""The phases in which somebody can come back: nobody owes a reply."""


@dataclass(frozen=True, slots=True)
class ComeBack(Action):
    """Player ``player`` states that ``absent``, who was left out, is there again and plays on.

    Mirrors ``ComeBack(p, x, shown)`` in spec/Catan.tla.
    """

    player: Seat
    absent: Seat
    shown: ResourceCards = NO_CARDS
    """All cards that ``absent`` had sealed."""

    def __repr__(self) -> str:
        return f"ComeBack(player={self.player}, absent={self.absent}, shown={bracketed(self.shown)})"

    phases = BACK_PHASES
    rule = "returns"


def broken(state: State, action: ComeBack) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    absent = action.absent
    return unmet(
        state.tp in BACK_PHASES or "CB1 phase",
        not state.away[action.player - 1] or "CB2 other",
        state.ret[absent - 1].missed or "CB3 missed",
        not (state.tp == "DiceRoll" and state.is_ahead) or "CB4 foreseen",
        state.s.of(absent).bit_count() >= 2 or "CB5 settled",
        (total(action.shown) == sealed_by(state, absent) and covers(unseen(state), action.shown)) or "CB6 shown",
    )


def effect(state: State, action: ComeBack) -> State:
    """The state after the action, whose guards must hold.

    A hand above the limit is halved, as at a seven. Where hands are hidden, all shuffle the rest of the deck next.
    """
    absent, hand = action.absent, state.h[action.absent - 1].rc + action.shown
    after = state._replace(
        away=with_seat(state.away, absent, False),
        ret=with_seat(state.ret, absent, WayBack(state.ret[absent - 1].left - 1, False)),
    )
    if any(state.ahead):
        after = after._replace(ahead=(False,) * len(state.ahead))
    if (cards := total(hand)) > state.constants.rules.hand_limit:
        lost = first_cards(hand, cards // 2)
        after = after._replace(bnk=after.bnk._replace(rc=after.bnk.rc + lost))
        hand -= lost
    if hand != state.h[absent - 1].rc:
        after = after._replace(h=with_hand(after, absent, rc=hand))
    if state.hid is NOTHING_HIDDEN:
        return after
    hidden = after.hid._replace(sealed=with_seat(after.hid.sealed, absent, 0))
    return shuffled_back(after._replace(hid=hidden))


def instances(state: State, player: Player) -> Sequence[ComeBack]:
    """Every enabled instance, by who comes back."""
    if not state.constants.rules.returns:
        return ()
    return [
        one
        for absent in state.constants.players
        if state.ret[absent - 1].missed
        for shown in selections(unseen(state), sealed_by(state, absent))
        if not broken(state, one := ComeBack(player, absent, shown))
    ]
