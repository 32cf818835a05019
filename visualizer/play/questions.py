"""Questions to confirm an action."""

from catan_p2p.game import actions
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.cards import describe
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.state import State


def question(state: State, action: actions.Action, names: tuple[str, ...]) -> str:
    """The action in words, to be confirmed."""
    if isinstance(action, actions.Robbery):
        card = "Play the knight and send" if action.unveils else "Send"
        rob = f", and rob {names[action.victim - 1]}" if action.victim != NO_OWNER else ""
        return f"{card} the bandit there{rob}"
    match action:
        case actions.Excuse(_, absent):
            return f"Vote to go on without {names[absent - 1]}"
        case actions.Claim(_, absent):
            return f"Claim the game that {names[absent - 1]} has left: you win, and it ends"
        case actions.PlayRoadBuilding(_, _, second):
            return "Build these two roads" if second != NO_ROAD else "Build this road"
        case actions.PlayMonopoly(_, resource):
            return f"Play the monopoly on {resource}"
        case actions.AnswerTrade(_, "reject"):
            return "Decline the offer"
        case actions.OfferTrade(give=give, receive=receive) | actions.ProposeTrade(give=give, receive=receive):
            return f"Offer {describe(give)} for {describe(receive)}"
        case actions.OfferTradeTo(partner=partner, give=give, receive=receive):
            return f"Offer {names[partner - 1]} {describe(give)} for {describe(receive)}"
        case actions.BankTradeAction(give=sold, receive=bought):
            return f"Trade {action.rate} {sold} for 1 {bought}"
        case actions.WithdrawTrade():
            return "Take the offer back"
        case actions.Discard(_, cards):
            return f"Discard {describe(cards)}"
        case actions.EmptyTrade():
            return "Go on to building"
        case actions.AnswerTrade():
            return f"Give {describe(state.offer.receive)} for {describe(state.offer.give)}"
        case actions.ConcludeTrade(_, partner):
            give, receive = state.terms(partner)
            return f"Give {names[partner - 1]} {describe(give)} for {describe(receive)}"
    if state.tp == "bot":
        return "Settle here"
    if action.cost:
        return f"Build a {action.piece} here" if action.piece else "Buy a development card"
    if action.is_pass:
        return "End building" if state.tp == "SpecialBuilding" else "End your turn"
    return "Do it"
