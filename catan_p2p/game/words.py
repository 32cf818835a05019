"""Actions in words, for people: what ``catan-p2p log`` prints and what the viewer shows."""

from collections.abc import Callable, Sequence
from typing import Any

from catan_p2p.game import actions
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.offering import traded
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.board import Board
from catan_p2p.game.cards import describe
from catan_p2p.game.chance import Draw
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State

CARD_NAMES = {
    "Monopoly": "a monopoly",
    "YearOfPlenty": "a year of plenty",
    "RoadBuilding": "a road building",
    "Knight": "a knight",
    "VictoryPoint": "a victory point",
    "sealed": "a sealed development",
}


def tile_name(board: Board, number: int) -> str:
    """A tile in words: ``hills 6`` or ``the desert``, with its coordinates."""
    tile = board.map.tiles[number - 1]
    kind = f"the {tile.terrain}" if tile.number is None else f"{tile.terrain} {tile.number}"
    return f"{kind} ({tile.at.arr},{tile.at.row},{tile.at.col})"


def describe_action(
    action: actions.Action, before: State, after: State, names: Sequence[str], draw: Draw | None = None
) -> str:
    """What a player did and what came of it, without the player's name; ``names`` are the players' by seat.

    ``draw`` tells both dice of a roll that was drawn together.
    """
    text = _TOLD[type(action)](action, before, after, names)
    if draw is not None and isinstance(action, actions.RollDice | actions.RollForStart):
        shown = "{} and {}".format(*two_dice(before, draw.numbers()))
        text = text.replace(f"rolls {action.dice}", f"rolls {action.dice} ({shown})")
    for field, card in (("lr", "the longest road"), ("la", "the largest army")):
        holder = getattr(after, field)
        if holder != getattr(before, field):
            text += f"; {names[holder - 1] if holder != NO_OWNER else 'nobody'} now has {card}"
    if after.is_over and not before.is_over and not isinstance(action, actions.EmptyBuild | actions.Claim):
        text += f"; {_winner(after, names)}"
    return text


def _wins(after: State) -> str:
    return f"wins with {player_points(after, after.ap)} points"


def _winner(after: State, names: Sequence[str]) -> str:
    return f"{names[after.ap - 1]} {_wins(after)}"


def _roll_for_start(action: actions.RollForStart, before: State, after: State, names: Sequence[str]) -> str:
    told = f"rolls {action.dice} for the start"
    if after.sup != "Rolling":
        return f"{told}; {names[after.first - 1]} begins"
    if before.rolls.count(0) == 1:
        again = [name for name, roll in zip(names, after.rolls, strict=False) if roll == 0]
        return f"{told}; {listed(again)} roll again"
    return told


def _setup(action: Any, before: State, after: State, names: Sequence[str]) -> str:
    gain = after.h[action.player - 1].rc - before.h[action.player - 1].rc
    got = f" and gains {describe(gain)}" if isinstance(action, actions.SetupPhaseTwo) else ""
    return f"settles on point {action.at} with a road on {action.road}{got}"


def _roll(action: actions.RollDice, before: State, after: State, names: Sequence[str]) -> str:
    told = f"rolls {action.dice}"
    if action.dice == 7:
        owing = [f"{name} must keep {limit} cards" for name, limit in zip(names, after.lim, strict=False) if limit]
        return "; ".join([told, *owing])
    gains = [
        f"{name} gains {describe(new.rc - old.rc)}"
        for name, old, new in zip(names, before.h, after.h, strict=False)
        if new.rc != old.rc
    ]
    return "; ".join([told, *gains]) if gains else f"{told}; nobody gains anything"


def _bandit(action: Any, before: State, after: State, names: Sequence[str]) -> str:
    place = tile_name(before.constants.board, action.to)
    moved = f"moves the bandit to {place}"
    if action.victim == NO_OWNER:
        return f"{moved}; there is nobody to rob"
    if action.card == "none":
        return f"{moved}; {names[action.victim - 1]} has nothing to steal"
    stolen = "a sealed card" if action.card == "sealed" else f"1 {action.card}"
    return f"{moved} and steals {stolen} from {names[action.victim - 1]}"


def _trade(rate: int) -> Callable[[Any, State, State, Sequence[str]], str]:
    return lambda action, before, after, names: f"trades {rate} {action.give} for 1 {action.receive}"


def _monopoly(action: actions.PlayMonopoly, before: State, after: State, names: Sequence[str]) -> str:
    gain = after.h[action.player - 1].rc - before.h[action.player - 1].rc
    return f"plays a monopoly on {action.resource} and gains {describe(gain)}"


def _end(action: actions.EmptyBuild, before: State, after: State, names: Sequence[str]) -> str:
    if after.is_over and after.ap == before.ap:
        return _wins(after)
    told = "ends the special building" if before.tp == "SpecialBuilding" else "ends the turn"
    if after.is_over:
        return f"{told}; {_winner(after, names)}"
    return f"{told}; {names[after.sb - 1]} may build" if after.sb != NO_OWNER else told


def _road_building(action: actions.PlayRoadBuilding, before: State, after: State, names: Sequence[str]) -> str:
    second = f" and {action.second}" if action.second != NO_ROAD else ""
    return f"plays road building and builds on {action.first}{second}"


def _offer(action: actions.OfferTrade, before: State, after: State, names: Sequence[str]) -> str:
    asked = [name for name, answer in zip(names, after.ans, strict=False) if answer == "asked"]
    return f"offers {describe(action.give)} for {describe(action.receive)} to {listed(asked)}"


def _answer(action: actions.AnswerTrade, before: State, after: State, names: Sequence[str]) -> str:
    return "accepts the offer" if action.answer == "accept" else "rejects the offer"


def _conclude(action: actions.ConcludeTrade, before: State, after: State, names: Sequence[str]) -> str:
    give, receive = traded(before, after, action.player)
    return f"trades {describe(give)} for {describe(receive)} with {names[action.partner - 1]}"


def _propose(action: actions.ProposeTrade, before: State, after: State, names: Sequence[str]) -> str:
    what = f"{describe(action.give)} for {describe(action.receive)}"
    return f"proposes {what} instead" if before.tp == "Offering" else f"proposes {what} to {names[before.ap - 1]}"


def listed(words: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _call(action: actions.Call, before: State, after: State, names: Sequence[str]) -> str:
    if action.what in ("RollDice", "RollForStart"):
        return "throws the dice" if action.what == "RollDice" else "throws the dice for the start"
    if action.what == "BuyDevCard":
        return "buys a development card"
    knight = "plays a knight and " if action.what == "PlayKnight" else ""
    place = tile_name(before.constants.board, action.to)
    return f"{knight}sends the bandit to {place}, to steal from {names[action.victim - 1]}"


def _reveal(action: actions.Reveal, before: State, after: State, names: Sequence[str]) -> str:
    if is_shared(before):
        return "reveals a share of the draw"
    return "seals the hand" if action.player == before.call.victim else "helps to open the card for its buyer"


_TOLD: dict[type, Callable[[Any, State, State, Sequence[str]], str]] = {
    actions.Pledge: lambda action, before, after, names: "pledges the secrets that the draws will come from",
    actions.Call: _call,
    actions.Vote: lambda action, before, after, names: (
        f"says {action.says} to going on without {names[action.absent - 1]}"
    ),
    actions.Excuse: lambda action, before, after, names: f"excuses {names[action.absent - 1]} from the game",
    actions.Claim: lambda action, before, after, names: (
        f"closes the game, {names[action.absent - 1]} being silent"
        if before.is_over
        else f"claims the game, {names[action.absent - 1]} being silent, and {_wins(after)}"
    ),
    actions.Reveal: _reveal,
    actions.Shuffle: lambda action, before, after, names: "shuffles the deck",
    actions.Surrender: lambda action, before, after, names: f"gives up {describe(action.cards)} of the sealed cards",
    actions.SignEnd: lambda action, before, after, names: "signs the end",
    actions.CloseGame: lambda action, before, after, names: "closes the game, whose end all have signed",
    actions.OpenAll: lambda action, before, after, names: "opens all cards",
    actions.ShowPoint: lambda action, before, after, names: "shows a victory point",
    actions.RollForStart: _roll_for_start,
    actions.SetupPhaseOne: _setup,
    actions.SetupPhaseTwo: _setup,
    actions.RollDice: _roll,
    actions.Discard: lambda action, before, after, names: f"discards {describe(action.cards)}",
    actions.MoveBandit: _bandit,
    actions.EmptyTrade: lambda action, before, after, names: "stops trading",
    actions.TradeFourToOne: _trade(4),
    actions.TradeThreeToOne: _trade(3),
    actions.TradeTwoToOne: _trade(2),
    actions.OfferTrade: _offer,
    actions.AnswerTrade: _answer,
    actions.ProposeTrade: _propose,
    actions.ConcludeTrade: _conclude,
    actions.WithdrawTrade: lambda action, before, after, names: "withdraws the offer",
    actions.EmptyBuild: _end,
    actions.BuildRoad: lambda action, before, after, names: f"builds a road on {action.at}",
    actions.BuildVillage: lambda action, before, after, names: f"builds a village on point {action.at}",
    actions.BuildCity: lambda action, before, after, names: f"builds a city on point {action.at}",
    actions.BuyDevCard: lambda action, before, after, names: f"buys {CARD_NAMES[action.card]} card",
    actions.PlayMonopoly: _monopoly,
    actions.PlayYearOfPlenty: lambda action, before, after, names: (
        f"plays a year of plenty and takes {action.first} and {action.second}"
    ),
    actions.PlayRoadBuilding: _road_building,
    actions.PlayKnight: lambda action, before, after, names: f"plays a knight: {_bandit(action, before, after, names)}",
}
