"""What is asked once more before it is done."""

from catan_p2p.game import actions
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.cards import describe
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.state import State


def question(state: State, action: actions.Action, names: tuple[str, ...]) -> str:
    """What is about to be done, to be confirmed."""
    match action:
        case actions.SetupPhaseOne() | actions.SetupPhaseTwo():
            return "Settle here"
        case actions.BuildRoad():
            return "Build a road here"
        case actions.BuildVillage():
            return "Build a village here"
        case actions.BuildCity():
            return "Build a city here"
        case actions.BuyDevCard():
            return "Buy a development card"
        case actions.PlayRoadBuilding(_, _, second):
            return "Build these two roads" if second != NO_ROAD else "Build this road"
        case actions.PlayMonopoly(_, resource):
            return f"Play the monopoly on {resource}"
        case actions.PlayKnight(_, _, victim) | actions.MoveBandit(_, _, victim):
            card = "Play the knight and send" if isinstance(action, actions.PlayKnight) else "Send"
            rob = f", and rob {names[victim - 1]}" if victim != NO_OWNER else ""
            return f"{card} the bandit there{rob}"
        case actions.Vote(_, absent):
            return f"Accept nothing more that {names[absent - 1]} plays from here, and vote to go on"
        case actions.EmptyBuild():
            return "End the building" if state.tp == "SpecialBuilding" else "End your turn"
        case actions.AnswerTrade():
            return f"Give {describe(state.offer.receive)} for {describe(state.offer.give)}"
        case actions.ConcludeTrade(_, partner):
            give, receive = state.terms(partner)
            return f"Give {names[partner - 1]} {describe(give)} for {describe(receive)}"
        case _:
            return "Do it"
