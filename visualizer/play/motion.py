"""Animations: rolling dice, pieces that are placed, cards that change hands; as pictures at given times."""

from collections.abc import Iterator
from functools import lru_cache
from math import pi, sin
from typing import NamedTuple

from catan_p2p.game.cards import RESOURCES, Cards, count
from catan_p2p.game.constants import Player
from catan_p2p.view import events as e

from ..data.recording import GameRecording, PlayedStep
from ..pictures.icons import icon
from ..pictures.island.geometry import geometry
from ..pictures.island.island import bandit, roads, settlements
from ..pictures.layout import PartLayout
from ..pictures.palette import CHOSEN, FAINT, GOLD
from ..pictures.panels.header import two_dice as two_faces
from ..pictures.panels.players import player_areas
from ..pictures.scene import Layer, Panel, Target
from ..pictures.shapes import Box, Point, Rect, Shape, Sprite, moved

ROLL_S, MOVE_S = 0.6, 0.4
"""The seconds that dice roll, and that a piece or a card moves."""
LONGEST_S = ROLL_S + 2 * MOVE_S
_FACES_S = 0.07
_APART_S = 0.06
_MOST = 12
"""How many cards move at a time, at most."""


_MOVING = e.DiceRolled | e.StartRolled | e.PlayerTrade | e.BankTrade | e.DevCardBought


class CardFlight(NamedTuple):
    """A moving card: its icon, start and end, and after how many seconds it starts."""

    name: str
    start: Point
    end: Point
    after_s: float


def moves_pieces(step: PlayedStep) -> bool:
    """Whether a step puts pieces on the island, or moves one there."""
    return any(map(e.put_down, step.events))


def newest_moving(recording: GameRecording, after: int, index: int) -> int | None:
    """The newest animated step after ``after`` and up to ``index``, None if there is none."""
    steps = range(index, max(after, index - _MOST), -1)
    return next((i for i in steps if _moves(recording.steps[i])), None)


def _moves(step: PlayedStep) -> bool:
    return moves_pieces(step) or isinstance(step.event, _MOVING)


def moving(recording: GameRecording, index: int, seconds: float, parts: PartLayout, seat: Player) -> tuple[Shape, ...]:
    """The moving pieces and cards, this many seconds after a step was first shown to the player of this seat."""
    shapes: list[Shape] = []
    if moves_pieces(recording.steps[index]):
        x, y = _home(recording, recording.steps[index].player, parts, seat)
        left = (1 - min(1.0, seconds / MOVE_S)) ** 2
        for sprite in _new_pieces(recording, index, parts):
            start = (x, y)
            if sprite.name[0] == "bandit":
                start = geometry(recording.constants.board, parts.island).tiles[recording.before(index).ba]
            dx, dy = (start[0] - sprite.x) * left, (start[1] - sprite.y) * left
            shapes.append(moved(sprite, round(dx), round(dy)))
    side = 1.5 * parts.em
    for name, start, end, after_s in _flights(recording, index, parts, seat):
        share = (seconds - after_s) / MOVE_S
        if 0 <= share < 1:
            gone = 1 - (1 - share) ** 2
            x, y = (round(a + (z - a) * gone) for a, z in zip(start, end, strict=True))
            shapes.append(Box(x - side / 2, y - side * 0.7, side, side * 1.4, CHOSEN, 0.2 * side, FAINT, 1))
            shapes.append(icon(name, x, y, round(side * 0.8, 1)))
    return tuple(shapes)


@lru_cache(maxsize=4)
def _new_pieces(recording: GameRecording, index: int, parts: PartLayout) -> tuple[Sprite, ...]:
    """The pieces that a step has placed, where they stand at the end."""
    place, step = geometry(recording.constants.board, parts.island), recording.steps[index]
    if any(isinstance(event, e.BanditMoved) for event in step.events):
        return (bandit(place, step.state, step.events),)
    colours = tuple(seat.colour for seat in recording.seats)
    before = recording.before(index)
    there = {
        (sprite.name[0], sprite.x, sprite.y)
        for sprite in (*roads(place, before, colours), *settlements(place, before, colours))
    }
    now = (*roads(place, step.state, colours), *settlements(place, step.state, colours))
    return tuple(sprite for sprite in now if (sprite.name[0], sprite.x, sprite.y) not in there)


def _home(recording: GameRecording, player: Player, parts: PartLayout, seat: Player) -> Point:
    """Where a player's cards are: at the seat, in their panel, or in the header if that is not shown."""
    if player == seat and parts.seat is not None:
        return parts.seat.x + 0.13 * parts.seat.w, parts.seat.center[1]
    if parts.players is None:
        return parts.header.center
    area = player_areas(parts.players, len(recording.seats), parts.em)[player - 1]
    return area.x + 0.2 * area.w, area.center[1]


@lru_cache(maxsize=4)
def _flights(recording: GameRecording, index: int, parts: PartLayout, seat: Player) -> tuple[CardFlight, ...]:
    bank = parts.bank.center if parts.bank is not None else parts.header.center
    home = {player: _home(recording, player, parts, seat) for player in recording.constants.players}
    begin = 0.0
    way: list[tuple[str, Point, Point]] = []
    for event in recording.told(recording.steps[index]):
        match event:
            case e.DiceRolled():
                begin = ROLL_S
                way += [(name, tile, home[player]) for player, name, tile in _harvest(recording, index, parts)]
            case e.PlayerTrade(player=player, other=other, give=give, receive=receive):
                way += [(name, home[player], home[other]) for name in _spread(give)]
                way += [(name, home[other], home[player]) for name in _spread(receive)]
            case e.BankTrade(player=player, give=give, receive=receive):
                way += [(name, home[player], bank) for name in _spread(give)]
                way += [(name, bank, home[player]) for name in _spread(receive)]
            case e.BanditMoved(player=player, victim=victim, card=card) if victim and card != "none":
                way.append((card or "hand", home[victim], home[player]))
            case e.DevCardBought(player=player):
                way.append(("deck", bank, home[player]))
    return tuple(CardFlight(*each, begin + i * _APART_S) for i, each in enumerate(way[:_MOST]))


def _harvest(recording: GameRecording, index: int, parts: PartLayout) -> Iterator[tuple[Player, str, Point]]:
    """Each card gained by a roll: player, resource, and the middle of its tile."""
    board, state = recording.constants.board, recording.steps[index].state
    place = geometry(board, parts.island)
    for player, gained in gains(recording, index).items():
        for tile in board.land:
            found = board.map.tiles[tile - 1]
            if found.number == state.dice and found.resource and tile != state.ba:
                corners = board.corners[tile]
                cities = (state.s.cities[player - 1] & corners).bit_count()
                due = (state.s.villages[player - 1] & corners).bit_count() + 2 * cities
                for _ in range(min(due, count(gained, found.resource))):
                    yield player, found.resource, place.tiles[tile]


def gains(recording: GameRecording, index: int) -> dict[Player, Cards]:
    """The cards that each player gained by a roll, or by settling; everybody can see these."""
    step = recording.steps[index]
    if not isinstance(step.event, e.DiceRolled | e.VillageBuilt):
        return {}
    return {event.player: event.cards for event in step.events if isinstance(event, e.CardsGained)}


@lru_cache(maxsize=4)
def last_gains(recording: GameRecording, index: int) -> dict[Player, Cards]:
    """The cards that each player gained by the last roll."""
    rolls = (i for i in range(index, -1, -1) if isinstance(recording.steps[i].event, e.DiceRolled))
    roll = next(rolls, None)
    return {} if roll is None else gains(recording, roll)


def _spread(cards: Cards) -> list[str]:
    return [name for name in RESOURCES for _ in range(count(cards, name))]


# Dice


@lru_cache(maxsize=4)
def dice_shown(recording: GameRecording, index: int) -> tuple[int, int] | None:
    """The faces of the dice after a step, None before the first roll.

    If a game records only the sum, the faces are derived from the commit's id, so that they stay the same.
    """
    for i in range(index, -1, -1):
        step = recording.steps[i]
        match step.event:
            case e.DiceRolled(dice=number, pair=pair) | e.StartRolled(dice=number, pair=pair) if 2 <= number <= 12:
                if pair is not None:
                    return pair
                low, high = max(1, number - 6), min(6, number - 1)
                one = low + int(step.commit[:8], 16) % (high - low + 1)
                return one, number - one
    return None


def dice_panel(faces: tuple[int, int], seconds: float | None, parts: PartLayout, *, may_roll: bool) -> Panel:
    """The dice on the sea, at rest or ``seconds`` after the roll; a click rolls them if the player may."""
    size = round(4.4 * parts.em, 1)
    area = Rect(parts.island.x + 0.5 * parts.em, parts.island.bottom - size - 0.5 * parts.em, size, size)
    x, y = area.center
    if seconds is not None and seconds < ROLL_S:
        beat = int(seconds / _FACES_S)
        # Steps that share no factor with six run through all faces.
        faces = 1 + (beat * 5 + faces[0]) % 6, 1 + (beat * 11 + faces[1] + 2) % 6
        left = 1 - seconds / ROLL_S
        y -= round(abs(sin(seconds / ROLL_S * 3 * pi)) * left * size * 0.6)
    shapes: list[Shape] = [two_faces(x, y, size, faces)]
    if may_roll:
        shapes.append(Box(*area, None, 0.6 * parts.em, GOLD, 2))
    reach = Rect(area.x - 2, area.y - size, area.w + 4, 2 * area.h + 2)
    targets = (Target(("do", "roll"), area, may_roll),) if may_roll else ()
    return Panel(Layer("dice", reach, None, tuple(shapes)), targets)
