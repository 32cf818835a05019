"""Events in words, for people, like ``catan_p2p.game.words`` for actions; what is not known is said to be open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from catan_p2p.game.cards import RESOURCES, describe, unpack
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.words import CARD_NAMES, tile_name
from catan_p2p.notation import events as e
from catan_p2p.notation.referee.dice import gross_yields, production
from catan_p2p.notation.referee.position import Position

Names = Sequence[str]


def describe_event(event: e.PlayerEvent, before: Position, after: Position, names: Names) -> str:
    """What a player did and what came of it, without the player's name; ``names`` are the players' by seat."""
    text = _TOLD[type(event)](event, before, after, names)
    for field, card in (("lr", "the longest road"), ("la", "the largest army")):
        holder = getattr(after.state, field)
        if holder != getattr(before.state, field):
            text += f"; {names[holder - 1] if holder != NO_OWNER else 'nobody'} now has {card}"
    return text


def tell_open(counts: Mapping[str, int]) -> str:
    """How often something is left open, such as ``1 stolen card, 3 discards``."""
    return ", ".join(f"{n} {what.removesuffix('s') if n == 1 else what}" for what, n in counts.items())


def _gains(before: Position, after: Position, names: Names) -> Iterator[str]:
    for name, old, new in zip(names, before.hands, after.hands, strict=True):
        low = [b - a for a, b in zip(unpack(old.low), unpack(new.low), strict=True)]
        high = [b - a for a, b in zip(unpack(old.high), unpack(new.high), strict=True)]
        gained = [
            f"{most} {resource}" if fewest == most else f"{fewest} to {most} {resource} (open)"
            for resource, fewest, most in zip(RESOURCES, low, high, strict=True)
            if most > 0
        ]
        if gained:
            yield f"{name} gains {', '.join(gained)}"


def _yields(dice: int, before: Position, names: Names) -> Iterator[str]:
    """What the roll yields everybody; open is what the bank may not have had."""
    for name, gross, (low, high) in zip(names, gross_yields(before.state, dice), production(before, dice), strict=True):
        if gross and low == high:
            yield f"{name} gains {describe(low)}" if low else f"the bank cannot pay {name} {describe(gross)}"
        elif gross:
            yield f"{name} gains {describe(gross)} (open: nobody knows whether the bank had them)"


def _village(event: e.VillageBuilt, before: Position, after: Position, names: Names) -> str:
    verb = "settles on" if before.state.tp == "bot" else "builds a village on"
    return f"{verb} point {event.at}"


def _road(event: e.RoadBuilt, before: Position, after: Position, names: Names) -> str:
    told = [f"builds a road on {event.at}"]
    if before.state.tp == "bot":
        told += [gain.replace(f"{names[event.player - 1]} gains", "gains") for gain in _gains(before, after, names)]
    return " and ".join(told)


def _bought(event: e.DevCardBought, *_: Any) -> str:
    return "buys a development card (open)" if event.card is None else f"buys {CARD_NAMES[event.card]} card"


def _rolled(event: e.DiceRolled, before: Position, after: Position, names: Names) -> str:
    told = f"rolls {event.dice}"
    if event.dice != 7:
        return "; ".join([told, *_yields(event.dice, before, names)])
    lost = []
    for name, old, new, due in zip(names, before.hands, after.hands, after.due, strict=True):
        fewest, most = (due, due) if due > 0 else (old.least - new.least, old.most - new.most)
        if most > 0:
            number = f"{most}" if fewest == most else f"{max(0, min(fewest, most))} to {most}"
            lost.append(f"{name} discards {number} cards{'' if due > 0 else ' (open)'}")
    return "; ".join([told, *lost])


def _discarded(event: e.CardsDiscarded, *_: Any) -> str:
    hidden = [f"{event.unseen} cards (open)"] if event.unseen else []
    return f"discards {' and '.join([describe(event.cards), *hidden] if event.cards else hidden) or describe(0)}"


def _bandit(event: e.BanditMoved, before: Position, after: Position, names: Names) -> str:
    moved = f"moves the bandit to {tile_name(before.state.constants.board, event.to)}"
    if not event.victim:
        return f"{moved}; nothing is stolen"
    victim = names[event.victim - 1]
    if event.card == "none" or not before.hand(event.victim).most:
        return f"{moved}; {victim} has nothing to steal"
    stolen = "a card (open)" if event.card is None else f"1 {event.card}"
    return f"{moved} and steals {stolen} from {victim}"


def _bank_trade(event: e.BankTrade, *_: Any) -> str:
    return f"trades {describe(event.give)} for {describe(event.receive)}"


def _player_trade(event: e.PlayerTrade, before: Position, after: Position, names: Names) -> str:
    return f"trades {describe(event.give)} with {names[event.other - 1]} for {describe(event.receive)}"


def _road_building(event: e.RoadBuildingPlayed, *_: Any) -> str:
    roads = [str(at) for at in (event.first, event.second) if at is not None]
    return f"plays road building and builds on {' and '.join(roads) or 'nothing'}"


def _monopoly(event: e.MonopolyPlayed, before: Position, after: Position, names: Names) -> str:
    name = names[event.player - 1]
    gains = [gain.removeprefix(f"{name} ") for gain in _gains(before, after, names) if gain.startswith(f"{name} ")]
    return f"plays a monopoly on {event.resource} and {gains[0] if gains else 'gains nothing'}"


def _excused(event: e.PlayerExcused, before: Position, after: Position, names: Names) -> str:
    other = names[event.other - 1]
    return f"claims the game, for only {other} is left" if after.state.is_over else f"goes on without {other}"


def _won(event: e.GameWon, before: Position, after: Position, names: Names) -> str:
    if len(after.state.present) == 1:
        return "wins, for nobody else is left"
    points = after.points(event.player)
    fewest, most = after.hidden_points(event.player)
    needed = max(0, after.rules.points_to_win - points)
    if after.unveils_victory_points or not most or fewest >= needed == 0:
        return f"wins with {points + fewest} points"
    return f"wins with {points + max(fewest, needed)} or more points, {needed} of them hidden"


_TOLD: dict[type[e.Event], Callable[[Any, Position, Position, Names], str]] = {
    e.BanditStands: lambda event, before, *_: f"puts the bandit on {tile_name(before.state.constants.board, event.at)}",
    e.VillageBuilt: _village,
    e.RoadBuilt: _road,
    e.CityBuilt: lambda event, *_: f"builds a city on point {event.at}",
    e.DevCardBought: _bought,
    e.DiceRolled: _rolled,
    e.BanditMoved: _bandit,
    e.CardsDiscarded: _discarded,
    e.BankTrade: _bank_trade,
    e.PlayerTrade: _player_trade,
    e.TradeOffered: lambda event, *_: f"offers {describe(event.give)} for {describe(event.receive)}",
    e.TradeProposed: lambda event, *_: f"proposes {describe(event.give)} for {describe(event.receive)}",
    e.TradeAnswered: lambda event, *_: f"{'accepts' if event.accepts else 'rejects'} the offer",
    e.KnightPlayed: lambda event, *_: "plays a knight",
    e.RoadBuildingPlayed: _road_building,
    e.YearOfPlentyPlayed: lambda event, *_: (
        f"plays a year of plenty and takes {event.first or 'some card'} and {event.second or 'another'}"
    ),
    e.MonopolyPlayed: _monopoly,
    e.VictoryPointPlayed: lambda event, *_: "shows a victory point",
    e.TurnEnded: lambda event, *_: "ends the turn",
    e.PlayerExcused: _excused,
    e.GameWon: _won,
}
