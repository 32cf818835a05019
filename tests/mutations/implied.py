"""Mistakes in the mirror that change nothing in any state of a game, and why."""

from catan_p2p.game.actions import KIND_OF
from tests.game.actions.asymmetric import HEARD, naming

_ALL = "all are asked, whoever is asked first"
_ONE = "of all who could be absent one is, whoever is looked at first"
_AWAY = "who is away is skipped, so that before the next seat comes the same"
_ENDS = "roads end where they do, whoever has settled there"

SEAT_IMPLIED: dict[str, str] = {
    "absence.is_awaited: return state.to_act == player "
    "and not any(is_owing(state, «other») for other in state.constants.players)": _ALL,
    "absence.asked_for_cards_by: if state.hid is NOTHING_HIDDEN or not state.due[«player» - 1]:": _ALL,
    "claim.instances: return [one for absent in state.constants.players "
    "if not broken(state, one := Claim(player, «absent»))]": _ONE,
    'absence.without_in_setup: return after._replace(sup="PhaseTwo", su_ap=after.previous_player(«absent»))': _AWAY,
    "absence.without_in_setup: return after._replace(su_ap=after.previous_player(«absent»))": _AWAY,
    "drawing.outcome_count: if state.hid is not NOTHING_HIDDEN "
    "and «victim» != NO_OWNER and state.away[victim - 1]:": "without a victim there is one outcome in any case",
    "placement.touched_settlement_points: points, _ = "
    "reach(state.constants.board, state.r[player - 1], state.s.of(«player»), state.others(player))": _ENDS,
    "placement.touched_settlement_points: points, _ = "
    "reach(state.constants.board, state.r[player - 1], state.s.of(player), state.others(«player»))": _ENDS,
}
"""Wrong seats: by the line, with the seat marked."""

_TRADES = "EmptyTrade TradeFourToOne TradeThreeToOne TradeTwoToOne OfferTrade OfferTradeTo ConcludeTrade WithdrawTrade"
_PLAYS = "PlayMonopoly PlayYearOfPlenty PlayRoadBuilding PlayKnight"
_NAMING = " ".join(kind.name for kind in KIND_OF.values() if kind.name in HEARD.split() and naming(kind))

_WHY: tuple[tuple[str, str, str], ...] = (
    ("ap is who acts", f"RollDice MoveBandit {_TRADES} {_PLAYS} ShowPoint", "only who is at turn may"),
    ("ap", "Pledge", "player 1 is at turn before the first turn"),
    ("r:own r:other", "Pledge RollForStart", "no road is built before the set-up but those of an opening"),
    ("hid.shuffles", "Pledge", "nobody has shuffled before the last pledge"),
    ("prop:own prop:other", HEARD, "all proposals are over"),
    ("prop:named", _NAMING, "all proposals are over"),
    ("prop:own prop:named", "Excuse", "who excuses goes on, and who is excused proposes nothing any more"),
    ("call", "RollForStart RollDice MoveBandit BuyDevCard PlayKnight", "what was called for is drawn"),
    ("ba", "SetupPhaseTwo", "the bandit has not moved yet"),
    ("lim:own lim:named lim:other", "MoveBandit", "all have discarded"),
    ("ans:own", "OfferTrade OfferTradeTo", "who offers is not asked"),
    ("ans:other", "OfferTradeTo", "no other is asked"),
    ("away:named", "OfferTradeTo", "who is asked is there"),
    ("ans:own", "Excuse", "who excuses has offered, or nobody has"),
    ("ans:own ans:other offer", "ConcludeTrade WithdrawTrade", "the offer is over"),
    ("ans:named", "ConcludeTrade", "the offer is over"),
    ("bought:own", "EmptyBuild", "what was bought can be played now"),
    ("ahead:own", "RollDice", "who has rolled has told no shares ahead"),
    ("away:named", "ComeBack", "who comes back is there again"),
    ("sealed:named", "ComeBack", "who comes back has opened all that they had sealed"),
    (
        "ahead:own ahead:named ahead:other",
        "Excuse Claim ComeBack",
        "shares that were told ahead are for no roll any more",
    ),
    ("rolls:own", "Excuse", "who excuses has not rolled yet, or all begin anew"),
    ("bc:named bought:named", "Excuse", "only who builds has bought something, and that can be played now"),
    ("hid.wanted", "Excuse Shuffle", "a monopoly asks for no more then"),
    ("due:own", "CloseGame", "the winner owes the openings of their cards"),
    (
        "prop:own prop:named prop:other call lim:own lim:named lim:other ans:own ans:named ans:other offer bc:named "
        "bought:named pd sb made:own made:named made:other",
        "Claim",
        "the turn is over for who is silent",
    ),
)


def _split(parts: str) -> list[str]:
    return [parts] if parts.endswith(" is who acts") else parts.split()


EXTRA_IMPLIED: dict[str, str] = {
    f"{action}: {part}": why for parts, actions, why in _WHY for part in _split(parts) for action in actions.split()
}
"""Extra updates: by the action and the part."""
