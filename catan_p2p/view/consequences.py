"""The consequences of an event, as far as everybody at the table can see them."""

from collections.abc import Iterator
from dataclasses import replace

from catan_p2p.game.actions.roll_dice import production as yields
from catan_p2p.game.cards import Cards, pack, unpack
from catan_p2p.game.constants import Player
from catan_p2p.view import events as e
from catan_p2p.view.advance.dice import production
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.observe import bonuses_moved


def told(event: e.PlayerEvent, before: PublicKnowledge, after: PublicKnowledge) -> tuple[e.Event, ...]:
    """The event, completed by what it means in this game, and its consequences."""
    moved = bonuses_moved(before.state, after.state)
    return (_in_game(event, before, after), *_consequences(event, before, after), *moved)


def _in_game(event: e.PlayerEvent, before: PublicKnowledge, after: PublicKnowledge) -> e.PlayerEvent:
    is_setup = before.state.tp == "bot"
    match event:
        case e.VillageBuilt() | e.RoadBuilt():
            return replace(event, is_setup=is_setup)
        case e.DiceRolled():
            return replace(event, pair=None)
        case e.BanditMoved(victim=victim) if victim and not before.hand(victim).most:
            return replace(event, card="none")
        case e.PlayerExcused():
            return replace(event, ends="play" if after.state.is_over else "")
        case e.GameWon():
            return _won(event, after)
    return event


def _won(event: e.GameWon, after: PublicKnowledge) -> e.GameWon:
    if len(after.state.present) == 1:
        return event
    points = after.points(event.player)
    fewest, most = after.hidden_points(event.player)
    # Nobody has seen the hidden points. At least as many as the win needs must be there.
    needed = max(0, after.rules.points_to_win - points)
    if after.unveils_victory_points or not most or fewest >= needed == 0:
        return replace(event, points=points + fewest)
    return replace(event, points=points + max(fewest, needed), hidden=needed)


def _consequences(event: e.PlayerEvent, before: PublicKnowledge, after: PublicKnowledge) -> Iterator[e.Event]:
    if isinstance(event, e.DiceRolled):
        yield from _lost(before, after) if event.dice == 7 else _yields(event.dice, before)
    elif isinstance(event, e.MonopolyPlayed):
        yield e.CardsGained(event.player, *_gain(event.player, before, after))
    elif isinstance(event, e.RoadBuilt) and before.state.tp == "bot":
        least, most = _gain(event.player, before, after)
        if most:
            yield e.CardsGained(event.player, least, most)


def _gain(player: Player, before: PublicKnowledge, after: PublicKnowledge) -> tuple[Cards, Cards]:
    """The gain of a hand, at least and at most; nothing of a resource that it cannot have gained."""
    old, new = before.hand(player), after.hand(player)
    low = [b - a for a, b in zip(unpack(old.low), unpack(new.low), strict=True)]
    high = [b - a for a, b in zip(unpack(old.high), unpack(new.high), strict=True)]
    least = (max(0, fewest) if most > 0 else 0 for fewest, most in zip(low, high, strict=True))
    return pack(least), pack(max(0, most) for most in high)


def _yields(dice: int, before: PublicKnowledge) -> Iterator[e.Event]:
    """The yield of the roll for each player; uncertain if the bank may not have had the cards."""
    state = before.state
    due = yields(state.constants.board, state.s, state.ba, dice)
    for player, (gross, (low, high)) in enumerate(zip(due, production(before, dice), strict=True), 1):
        if gross and low and low == high:
            yield e.CardsGained(player, low, low)
        elif gross:
            yield e.CardsUnpaid(player, gross, is_certain=low == high)


def _lost(before: PublicKnowledge, after: PublicKnowledge) -> Iterator[e.Event]:
    for player, (old, new, due) in enumerate(zip(before.hands, after.hands, after.due, strict=True), 1):
        fewest, most = (due, due) if due > 0 else (old.least - new.least, old.most - new.most)
        if most > 0:
            yield e.DiscardOwed(player, fewest if fewest == most else max(0, min(fewest, most)), most, is_told=due > 0)
