"""Mistakes in the mirror that change nothing in any state of a game, and why."""

_ANY = "whoever it is asked of first, it is asked of all"

SEAT_IMPLIED: dict[str, str] = {
    "absence.is_awaited: return state.to_act == player "
    "and not any(is_owing(state, «other») for other in state.constants.players)": _ANY,
    "absence.hidden_dropped: if any(asked_for_cards_by(state, «other») == absent "
    "for other in state.constants.players):": _ANY,
    "excuse.broken: not any(is_needed(state, «other», absent) "
    'for other in state.constants.players) or "EX5 replies",': _ANY,
}
"""Wrong seats; by the line, with the seat marked."""

_TURN_ANEW = "after a claim nothing is left of the turn"
_OVER = "all proposals are over anyway"
_IN_TURN = "only who is at turn may"

_WHY: dict[str, tuple[str, str]] = {
    "ap is who acts": (
        "RollDice MoveBandit EmptyTrade TradeFourToOne TradeThreeToOne TradeTwoToOne OfferTrade ConcludeTrade "
        "WithdrawTrade BuildVillage BuildCity PlayMonopoly PlayYearOfPlenty PlayRoadBuilding PlayKnight ShowPoint "
        "CloseGame",
        _IN_TURN,
    ),
}

EXTRA_IMPLIED: dict[str, str] = {
    f"{action}: {part}": why for part, (actions, why) in _WHY.items() for action in actions.split()
}
"""Extra updates."""
