"""The statistics of a game: dice, yields, robberies, trades, builds, points and time."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import fmean, median
from typing import Any, NamedTuple

from catan_p2p.game.actions.roll_dice import production as yields
from catan_p2p.game.cards import RESOURCES, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.randomness import FIRST_DATE_S
from catan_p2p.notation.repair import ViewStep
from catan_p2p.notation.repository.view import left_open, told_open, winner_of
from catan_p2p.notation.tables import ViewFormat
from catan_p2p.view import events as e
from catan_p2p.view.advance.dice import production
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.places import tile_at

DICE = range(2, 13)
WAYS = {dice: 6 - abs(7 - dice) for dice in DICE}
"""The number of ways, of 36, in which two dice have a sum."""

_BUILDS: dict[type[e.PlayerEvent], str] = {
    e.VillageBuilt: "village",
    e.CityBuilt: "city",
    e.RoadBuilt: "road",
    e.DevCardBought: "development card",
}
_PLAYS: dict[type[e.PlayerEvent], str] = {
    e.MonopolyPlayed: "Monopoly",
    e.YearOfPlentyPlayed: "YearOfPlenty",
    e.RoadBuildingPlayed: "RoadBuilding",
    e.KnightPlayed: "Knight",
    e.VictoryPointPlayed: "VictoryPoint",
}


class BuildRecord(NamedTuple):
    """Something built or bought; turn 0 is the set-up."""

    turn: int
    player: Player
    what: str


class PlayerHoldings(NamedTuple):
    """The known facts about a player's hand: bounds on resource cards, and the number of unknown development cards."""

    fewest: int
    most: int
    unknown: int


@dataclass(slots=True)
class TileYield:
    """The yield of one tile: rolls of its number, those at which the bandit stood there, and cards, paid or not."""

    name: str
    rolled: int = 0
    blocked: int = 0
    cards: int = 0


@dataclass(slots=True)
class GameStatistics:
    """The statistics of one game; "by player" means indexed by seat - 1."""

    names: tuple[str, ...]
    """The colours."""
    called: tuple[str, ...] = ()
    """Names with colours: ``Ada (Red)``, or ``Red`` for a player without a name."""
    dice: Counter[int] = field(default_factory=Counter)
    yields: list[Counter[str]] = field(default_factory=list)
    """By player, the cards that dice and board yielded, by resource, whether or not the bank could pay."""
    paid: list[tuple[Counter[str], Counter[str]]] = field(default_factory=list)
    """By player, the least and the most cards that the bank paid for those, by resource."""
    tiles: dict[int, TileYield] = field(default_factory=dict)
    uncertain_rolls: int = 0
    """The number of rolls for which it is unknown whether the bank could pay."""
    bandit_moves: Counter[str] = field(default_factory=Counter)
    """The bandit's moves by cause: ``seven`` or ``knight``."""
    robberies: Counter[tuple[Player, Player]] = field(default_factory=Counter)
    """The robberies by thief and victim, 0 for nobody."""
    bank_trades: list[Counter[e.Rate]] = field(default_factory=list)
    """By player, the number of trades at each rate; ``?`` if it is unknown."""
    bank_cards: list[tuple[int, int]] = field(default_factory=list)
    """By player, the cards given to the bank and received from it in trades."""
    player_trades: Counter[tuple[Player, Player]] = field(default_factory=Counter)
    """The trades by the player who concluded them and the partner."""
    offers: list[int] = field(default_factory=list)
    """By player, the offers made; only games of this project have them."""
    answers: list[Counter[str]] = field(default_factory=list)
    """By player, the offers ``accepted`` and ``rejected``."""
    builds: list[BuildRecord] = field(default_factory=list)
    plays: list[Counter[str]] = field(default_factory=list)
    points: list[tuple[int, ...]] = field(default_factory=list)
    """The players' visible points after the set-up, after each turn, and at the end."""
    seconds: list[list[int]] = field(default_factory=list)
    """By player, the length of each timed turn after the set-up, in seconds."""
    turns: int = 0
    winner: Player = NO_OWNER
    left: list[tuple[int, Player]] = field(default_factory=list)
    returned: list[tuple[int, Player]] = field(default_factory=list)
    """The players whom the others went on without, each with the turn."""
    is_claimed: bool = False
    """Whether the winner won because nobody else was left."""
    open: Counter[str] = field(default_factory=Counter)
    """How often the file leaves each kind of fact open."""
    held: list[PlayerHoldings] = field(default_factory=list)
    """By player, the hand at the end."""

    def as_json(self) -> dict[str, Any]:
        """The statistics as a JSON object, with players and tiles by name."""
        names = ("nobody", *self.names)
        return {
            "players": list(self.names),
            "turns": self.turns,
            "winner": names[self.winner] if self.winner else None,
            "claimed": self.is_claimed,
            "returned": [{"turn": turn, "player": names[player]} for turn, player in self.returned],
            "left": [{"turn": turn, "player": names[player]} for turn, player in self.left],
            "points": dict(zip(self.names, self.points[-1], strict=True)) if self.points else {},
            "dice": {str(dice): self.dice[dice] for dice in DICE},
            "yields": {
                name: {resource: counts[resource] for resource in RESOURCES}
                for name, counts in zip(self.names, self.yields, strict=True)
            },
            "paid": {
                name: {resource: [low[resource], high[resource]] for resource in RESOURCES}
                for name, (low, high) in zip(self.names, self.paid, strict=True)
            },
            "uncertain_rolls": self.uncertain_rolls,
            "tiles": [
                {"tile": tile.name, "rolled": tile.rolled, "blocked": tile.blocked, "cards": tile.cards}
                for tile in self.tiles.values()
            ],
            "bandit_moves": {what: self.bandit_moves[what] for what in ("seven", "knight")},
            "robberies": [
                {"thief": names[thief], "victim": names[victim], "count": n}
                for (thief, victim), n in sorted(self.robberies.items())
            ],
            "bank_trades": {
                name: {**counts, "given": given, "received": received}
                for name, counts, (given, received) in zip(self.names, self.bank_trades, self.bank_cards, strict=True)
            },
            "player_trades": [
                {"player": names[player], "with": names[other], "count": n}
                for (player, other), n in sorted(self.player_trades.items())
            ],
            "offers": {
                name: {"made": made, "accepted": answers["accepted"], "rejected": answers["rejected"]}
                for name, made, answers in zip(self.names, self.offers, self.answers, strict=True)
            },
            "build_order": [
                {"turn": build.turn, "player": names[build.player], "what": build.what} for build in self.builds
            ],
            "plays": {name: dict(counts) for name, counts in zip(self.names, self.plays, strict=True)},
            "points_over_time": [list(points) for points in self.points],
            "seconds_per_turn": {
                name: {"turns": len(times), "mean": fmean(times), "median": median(times), "longest": max(times)}
                for name, times in zip(self.names, self.seconds, strict=True)
                if times
            },
            "open": told_open(self.open),
            "held": {
                name: {"cards": [held.fewest, held.most], "unknown_development_cards": held.unknown}
                for name, held in zip(self.names, self.held, strict=False)
            },
        }


def gather(start: e.GameStarted, steps: Iterable[ViewStep], format: ViewFormat) -> GameStatistics:
    """The statistics of a game from a file of this format, in one pass over its judged events."""
    gatherer = _StatisticsGatherer(start)
    last: PublicKnowledge | None = None
    for step in steps:
        gatherer.add(step.event, step.before, step.after)
        gatherer.found.open.update(left_open(step, format))
        last = step.after
    return gatherer.finish(last, format)


_SIMULATED = datetime.fromtimestamp(FIRST_DATE_S, UTC).replace(tzinfo=None)
"""The starting time of every simulated game."""


def _called(player: e.Participant) -> str:
    colour = player.colour.capitalize()
    # Default names only repeat the colour, or number the players.
    if re.fullmatch(rf"({re.escape(colour)}|Player)[ _]?\d*", player.name, re.IGNORECASE):
        return colour
    return f"{player.name} ({colour})"


class _StatisticsGatherer:
    def __init__(self, start: e.GameStarted) -> None:
        n = len(start.players)
        self.found = GameStatistics(
            tuple(player.colour.capitalize() for player in start.players),
            tuple(_called(player) for player in start.players),
            yields=[Counter() for _ in range(n)],
            paid=[(Counter(), Counter()) for _ in range(n)],
            bank_trades=[Counter() for _ in range(n)],
            bank_cards=[(0, 0)] * n,
            offers=[0] * n,
            answers=[Counter() for _ in range(n)],
            plays=[Counter() for _ in range(n)],
            seconds=[[] for _ in range(n)],
        )
        self._turn_of: Player = NO_OWNER
        # A simulation's clock counts commits: its turns have no length in seconds.
        self._has_clock = start.started != _SIMULATED

    def add(self, event: e.PlayerEvent, before: PublicKnowledge, after: PublicKnowledge) -> None:
        """Count one event."""
        found, player = self.found, event.player
        in_setup = before.state.tp == "bot"
        # The first entry is the position after the set-up, before any turn.
        if not found.points and after.state.tp != "bot":
            self._note_points(after)
        if isinstance(event, e.DiceRolled):
            self._begin_turn(before)
            found.dice[event.dice] += 1
            self._count_yield(event, before)
        elif isinstance(event, e.BanditMoved):
            found.bandit_moves["knight" if before.is_knight else "seven"] += 1
            found.robberies[player, event.victim or NO_OWNER] += 1
        elif isinstance(event, e.BankTrade):
            given, received = found.bank_cards[player - 1]
            found.bank_trades[player - 1][event.rate or _rate(event)] += 1
            found.bank_cards[player - 1] = given + total(event.give), received + total(event.receive)
        elif isinstance(event, e.PlayerTrade):
            found.player_trades[player, event.other] += 1
        elif isinstance(event, e.TradeOffered | e.TradeProposed):
            found.offers[player - 1] += 1
        elif isinstance(event, e.TradeAnswered):
            found.answers[player - 1]["accepted" if event.accepts else "rejected"] += 1
        elif isinstance(event, e.PlayerExcused):
            found.left.append((found.turns, event.other))
            found.is_claimed = after.state.is_over
        elif isinstance(event, e.PlayerReturned):
            found.returned.append((found.turns, event.other))
        elif isinstance(event, e.TurnEnded):
            if not in_setup and event.seconds is not None and self._has_clock:
                found.seconds[player - 1].append(event.seconds)
        if what := _BUILDS.get(type(event)):
            found.builds.append(BuildRecord(found.turns, player, what))
        if card := _PLAYS.get(type(event)):
            found.plays[player - 1][card] += 1

    def finish(self, last: PublicKnowledge | None, format: ViewFormat) -> GameStatistics:
        """The statistics after the last event."""
        if last is not None:
            self._note_points(last)
            if not any(any(times) for times in self.found.seconds):  # all zero: the turns were not timed
                self.found.seconds = [[] for _ in self.found.names]
            self.found.winner = winner_of(last, format) or NO_OWNER
            self.found.held = [
                PlayerHoldings(hand.least, hand.most, last.unknown(player))
                for player, hand in zip(last.players, last.hands, strict=True)
            ]
        return self.found

    def _begin_turn(self, before: PublicKnowledge) -> None:
        if self.found.turns:
            self._note_points(before)
        self.found.turns += 1

    def _note_points(self, position: PublicKnowledge) -> None:
        self.found.points.append(tuple(position.points(player) for player in position.players))

    def _count_yield(self, event: e.DiceRolled, before: PublicKnowledge) -> None:
        state = before.state
        gross = yields(state.constants.board, state.s, state.ba, event.dice)
        shares = production(before, event.dice)
        self.found.uncertain_rolls += any(least != most for least, most in shares)
        for counts, (low, high), cards, share in zip(self.found.yields, self.found.paid, gross, shares, strict=True):
            for resource, n, least, most in zip(RESOURCES, *map(unpack, (cards, *share)), strict=True):
                counts[resource] += n
                low[resource] += least
                high[resource] += most
        for producer in state.constants.board.producers.get(event.dice, ()):
            name = tile_at(state.constants.board, producer.tile)
            figures = self.found.tiles.setdefault(producer.tile, TileYield(name))
            figures.rolled += 1
            figures.blocked += producer.tile == state.ba
            if producer.tile != state.ba:
                figures.cards += sum((points & producer.corners).bit_count() for points in state.s.villages)
                figures.cards += 2 * sum((points & producer.corners).bit_count() for points in state.s.cities)


def _rate(event: e.BankTrade) -> e.Rate:
    """The rate of a trade that does not name one, by its numbers of cards; ``?`` if they fit no rate."""
    given, received = total(event.give), total(event.receive)
    rates = {4 * received: e.FOUR_TO_ONE, 3 * received: e.THREE_TO_ONE, 2 * received: "2:1"}
    return rates.get(given, "?") if received else "?"


def total_dice(games: Iterable[GameStatistics]) -> Counter[int]:
    """The counts of the dice of several games together."""
    dice: Counter[int] = Counter()
    for game in games:
        dice.update(game.dice)
    return dice
