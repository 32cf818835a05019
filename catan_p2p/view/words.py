"""Events in words, for people, with the same wording everywhere: in the log, in the window, in commits of public views.

There are three styles. ``in_words`` names places by their numbers, as logs do, or by the tiles around them, as people
at a board do; ``shorter`` gives ever shorter wordings, for narrow places. Every wording is made from the event, so no
caller has to parse or change a sentence.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

from catan_p2p.game.board import Board
from catan_p2p.game.cards import RESOURCES, describe, kinds, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.sentences import listed
from catan_p2p.view import events as e
from catan_p2p.view.places import around, tile_at, tile_in_sentence, tile_name

Style: TypeAlias = Literal["numbers", "tiles"]
"""How places are named: ``builds a city on point 20``, or ``builds a city at forest 9, hills 6, sea``."""

CARD_NAMES = {
    "Monopoly": "monopoly",
    "YearOfPlenty": "year of plenty",
    "RoadBuilding": "road building",
    "Knight": "knight",
    "VictoryPoint": "victory point",
}


class EventWording(NamedTuple):
    """How events are worded: the players' names by seat, the board, and the style."""

    names: Sequence[str]
    board: Board
    style: Style = "numbers"

    def name(self, player: Player) -> str:
        """A player's name."""
        return self.names[player - 1]

    def tile(self, tile: int) -> str:
        """A tile, in the style of numbers with its coordinates: ``hills 6 (1,2,3)``."""
        return tile_in_sentence(self.board, tile) if self.style == "tiles" else tile_at(self.board, tile)

    def settlement(self, point: int) -> str:
        """Where a village or city stands."""
        if self.style == "numbers":
            return f"on point {point}"
        return f"at {around(self.board, self.board.settlement_tiles[point])}"

    def road(self, point: int) -> str:
        """Where a road lies."""
        if self.style == "numbers":
            return f"on {point}"
        return f"between {listed([tile_name(self.board, tile) for tile in self.board.road_tiles[point]])}"


def in_words(events: Sequence[e.Event], wording: EventWording) -> str:
    """What a player did and its consequences, without the player's name."""
    first, *_ = events
    told = _clause(first, wording)
    return told + "".join(_addition(before, event, wording) for before, event in pairwise(events))


def _clause(event: e.Event, wording: EventWording) -> str:
    return _CLAUSES[type(event)](event, wording)


def _addition(before: e.Event, event: e.Event, wording: EventWording) -> str:
    """How an event is added to the one before it, with the name of its player where that is another one.

    Nothing if the event before implies it.
    """
    match before, event:
        # The end of a set-up turn, a point unveiled as it is bought, and the win of the last player left are implied.
        case (_, e.TurnEnded() | e.VictoryPointPlayed()) | (e.PlayerExcused(ends="play"), e.GameWon()):
            return ""
        case e.VillageBuilt(), e.RoadBuilt(at=at):
            return f" with a road {wording.road(at)}" if wording.style == "numbers" else ""
        case e.KnightPlayed(), e.BanditMoved():
            return f": {_clause(event, wording)}"
        case e.RoadBuilt() | e.MonopolyPlayed(), e.CardsGained():
            return f" and {_clause(event, wording)}"
        case _, e.CardsUnpaid(is_certain=True):  # the subject of this clause is the bank
            return f"; {_clause(event, wording)}"
        case _, e.Consequence(player=player) | e.GameWon(player=player):
            return f"; {wording.name(player) if player != NO_OWNER else 'nobody'} {_clause(event, wording)}"
    raise AssertionError(f"{event} after {before}")


# One clause for each kind of event, without its player


def _village(event: e.VillageBuilt, wording: EventWording) -> str:
    if not event.is_setup:
        return f"builds a village {wording.settlement(event.at)}"
    return f"settles {wording.settlement(event.at)}"


def _bought(event: e.DevCardBought, wording: EventWording) -> str:
    if event.card is not None:
        return f"buys a {CARD_NAMES[event.card]} card"
    if event.is_sealed:
        return "buys a sealed development card"
    return f"buys a development card{' (open)' if wording.style == 'numbers' else ''}"


def _rolled(event: e.DiceRolled | e.StartRolled, wording: EventWording) -> str:
    told = f"rolls {event.dice}"
    return f"{told} ({event.pair[0]} and {event.pair[1]})" if event.pair is not None else told


def _start_rolled(event: e.StartRolled, wording: EventWording) -> str:
    return f"{_rolled(event, wording)} for the start"


def _gained(event: e.CardsGained, wording: EventWording) -> str:
    gained = [
        f"{most} {resource}" if fewest == most else f"{fewest} to {most} {resource} (open)"
        for resource, fewest, most in zip(RESOURCES, unpack(event.cards), unpack(event.at_most), strict=True)
        if most > 0
    ]
    return f"gains {', '.join(gained) or 'nothing'}"


def _unpaid(event: e.CardsUnpaid, wording: EventWording) -> str:
    if event.is_certain:
        return f"the bank cannot pay {wording.name(event.player)} {describe(event.cards)}"
    return f"gains {describe(event.cards)} (open: nobody knows whether the bank had them)"


def _owed(event: e.DiscardOwed, wording: EventWording) -> str:
    number = f"{event.most}" if event.least == event.most else f"{event.least} to {event.most}"
    return f"discards {number} card{'' if number == '1' else 's'}{'' if event.is_told else ' (open)'}"


def _discarded(event: e.CardsDiscarded, wording: EventWording) -> str:
    hidden = [f"{event.unseen} cards (open)"] if event.unseen else []
    return f"discards {' and '.join([describe(event.cards), *hidden] if event.cards else hidden) or describe(0)}"


def _bandit(event: e.BanditMoved, wording: EventWording) -> str:
    moved = f"moves the bandit to {wording.tile(event.to)}"
    if not event.victim:
        return f"{moved}; nothing is stolen"
    if event.card == "none":
        return f"{moved}; {wording.name(event.victim)} has nothing to steal"
    return f"{moved} and steals {_stolen(event, wording)} from {wording.name(event.victim)}"


def _stolen(event: e.BanditMoved, wording: EventWording) -> str:
    if event.card is not None:
        return f"1 {event.card}"
    if event.is_sealed:
        return "a sealed card"
    return "a card (open)" if wording.style == "numbers" else "a card"


def _offered(event: e.TradeOffered, wording: EventWording) -> str:
    asked = f" to {listed([wording.name(player) for player in event.asked])}" if event.asked else ""
    return f"offers {describe(event.give)} for {describe(event.receive)}{asked}"


def _proposed(event: e.TradeProposed, wording: EventWording) -> str:
    to = f" to {wording.name(event.to)}" if event.to is not None and not event.is_instead else ""
    return f"proposes {describe(event.give)} for {describe(event.receive)}{' instead' if event.is_instead else to}"


def _traded(event: e.PlayerTrade, wording: EventWording) -> str:
    return f"trades {describe(event.give)} with {wording.name(event.other)} for {describe(event.receive)}"


def _road_building(event: e.RoadBuildingPlayed, wording: EventWording) -> str:
    roads = [str(at) for at in (event.first, event.second) if at is not None]
    if wording.style == "tiles":
        return f"plays road building and builds {('nothing', 'a road', 'two roads')[len(roads)]}"
    return f"plays road building and builds on {' and '.join(roads) or 'nothing'}"


def _theft_called(event: e.TheftCalled, wording: EventWording) -> str:
    knight = "plays a knight and " if event.is_knight else ""
    return f"{knight}sends the bandit to {wording.tile(event.to)}, to steal from {wording.name(event.victim)}"


_DECLARED: dict[e.Declaration, tuple[str, ...]] = {
    "secrets pledged": ("pledges the secrets that the draws will come from", "pledges secrets", "pledges"),
    "deck shuffled": ("shuffles the deck",),
    "trading ended": ("stops trading",),
    "offer withdrawn": ("withdraws the offer",),
    "special building ended": ("ends the special building", "ends special building"),
    "end signed": ("signs the end",),
    "game closed": ("closes the game, whose end all have signed", "closes the game"),
    "cards opened": ("opens all cards",),
}
"""The words for each declaration, the longest first."""

_REVEALED = {
    "share": ("reveals a share of the draw", "reveals a share", "reveals"),
    "hand": ("seals the hand",),
    "key": ("helps to open the card for its buyer", "helps"),
}


_CHANGE = {
    "vote": ("votes on how to go on", "votes"),
    "propose": ("proposes how to go on", "proposes"),
    "accept": ("agrees on how to go on", "agrees"),
    "request": ("asks to come back", "asks"),
}


def _change_signed(event: e.ChangeSigned, wording: EventWording) -> str:
    others = listed([wording.name(other) for other in event.others])
    return f"votes to go on without {others}" if others else _CHANGE[event.kind][0]


def _excused(event: e.PlayerExcused, wording: EventWording) -> str:
    other = wording.name(event.other)
    if event.ends == "signing":
        return f"closes the game, {other} being silent"
    return f"claims the game, for only {other} is left" if event.ends == "play" else f"goes on without {other}"


def _won(event: e.GameWon, wording: EventWording) -> str:
    if event.points is None:
        return "wins, for nobody else is left"
    return f"wins with {event.points}{f' or more points, {event.hidden} of them hidden' if event.hidden else ' points'}"


_CLAUSES: dict[type, Callable[[Any, EventWording], str]] = {
    e.BanditStands: lambda event, wording: f"puts the bandit on {wording.tile(event.at)}",
    e.VillageBuilt: _village,
    e.RoadBuilt: lambda event, wording: f"builds a road {wording.road(event.at)}",
    e.CityBuilt: lambda event, wording: f"builds a city {wording.settlement(event.at)}",
    e.DevCardBought: _bought,
    e.DiceRolled: _rolled,
    e.BanditMoved: _bandit,
    e.CardsDiscarded: _discarded,
    e.BankTrade: lambda event, wording: f"trades {describe(event.give)} for {describe(event.receive)}",
    e.PlayerTrade: _traded,
    e.TradeOffered: _offered,
    e.TradeAnswered: lambda event, wording: f"{'accepts' if event.accepts else 'rejects'} the offer",
    e.TradeProposed: _proposed,
    e.KnightPlayed: lambda event, wording: "plays a knight",
    e.RoadBuildingPlayed: _road_building,
    e.YearOfPlentyPlayed: lambda event, wording: (
        f"plays a year of plenty and takes {event.first or 'some card'} and {event.second or 'another'}"
    ),
    e.MonopolyPlayed: lambda event, wording: f"plays a monopoly on {event.resource}",
    e.VictoryPointPlayed: lambda event, wording: "shows a victory point",
    e.TurnEnded: lambda event, wording: "ends the turn",
    e.PlayerExcused: _excused,
    e.PlayerReturned: lambda event, wording: f"goes on with {wording.name(event.other)} again",
    e.GameWon: _won,
    e.Declared: lambda event, wording: _DECLARED[event.what][0],
    e.StartRolled: _start_rolled,
    e.DiceCalled: lambda event, wording: f"throws the dice{' for the start' if event.is_start else ''}",
    e.CardCalled: lambda event, wording: "buys a development card",
    e.TheftCalled: _theft_called,
    e.Revealed: lambda event, wording: _REVEALED[event.part][0],
    e.CardsSurrendered: lambda event, wording: f"gives up {describe(event.cards)} of the sealed cards",
    e.ChangeSigned: _change_signed,
    e.CardsGained: _gained,
    e.CardsUnpaid: _unpaid,
    e.DiscardOwed: _owed,
    e.Next: lambda event, wording: event.what,
    e.BonusMoved: lambda event, wording: f"now has the {event.bonus}",
}


# Shorter wordings


def shorter(events: Sequence[e.Event], wording: EventWording) -> Iterator[str]:
    """What a player did, each wording shorter than the one before; the last is always short."""
    first, *more = events
    yield in_words([first, *(event for event in more if not isinstance(event, e.Consequence | e.GameWon))], wording)
    if (forms := _SHORT.get(type(first))) is not None:
        yield from forms(first, wording)
    if isinstance(first, e.KnightPlayed):
        yield from (
            f"knight: {words}" for event in more if isinstance(event, e.BanditMoved) for words in _theft(event, wording)
        )
        yield "plays a knight"


def _settled(event: e.VillageBuilt, wording: EventWording) -> tuple[str, ...]:
    return (_village(event, wording), "settles") if event.is_setup else ("builds a village",)


def _given_up(verb: str, event: e.CardsDiscarded | e.CardsSurrendered) -> str:
    number = total(event.cards) + (event.unseen if isinstance(event, e.CardsDiscarded) else 0)
    return f"{verb} {number} card{'' if number == 1 else 's'}"


def _theft(event: e.BanditMoved, wording: EventWording) -> tuple[str, ...]:
    if not event.victim or event.card == "none":
        return ()
    name = wording.name(event.victim)
    if event.card is None:
        return (f"steals from {name}",)
    return f"steals 1 {event.card} from {name}", f"steals {event.card} from {name}", f"steals from {name}"


def _bank_trade(event: e.BankTrade, wording: EventWording) -> tuple[str, ...]:
    give, receive = ([RESOURCES[kind] for kind in kinds(cards)] for cards in (event.give, event.receive))
    return f"trades {listed(give)} for {listed(receive)}", "trades with the bank"


def _barter(verb: str, event: e.TradeOffered | e.TradeProposed) -> tuple[str, ...]:
    give, receive = event.give, event.receive
    return (
        f"{verb} {describe(give)} for {describe(receive)}",
        f"{verb} {total(give)} for {total(receive)} cards",
        f"{verb} {total(give)} for {total(receive)}",
    )


def _excused_in_short(event: e.PlayerExcused, wording: EventWording) -> tuple[str, ...]:
    if event.ends:
        return ("claims the game", "claims") if event.ends == "play" else ("closes the game",)
    return f"goes on without {wording.name(event.other)}", "goes on"


_SHORT: dict[type, Callable[[Any, EventWording], tuple[str, ...]]] = {
    e.StartRolled: lambda event, wording: (f"rolls {event.dice}",),
    e.DiceRolled: lambda event, wording: (f"rolls {event.dice}",),
    e.VillageBuilt: _settled,
    e.RoadBuilt: lambda event, wording: ("builds a road",),
    e.CityBuilt: lambda event, wording: ("builds a city",),
    e.DevCardBought: lambda event, wording: ("buys a card",),
    e.CardsDiscarded: lambda event, wording: (_given_up("discards", event),),
    e.CardsSurrendered: lambda event, wording: (_given_up("gives up", event),),
    e.BanditMoved: lambda event, wording: (*_theft(event, wording), "moves the bandit"),
    e.BanditStands: lambda event, wording: ("puts the bandit down",),
    e.BankTrade: _bank_trade,
    e.PlayerTrade: lambda event, wording: (
        f"trades {describe(event.give)} for {describe(event.receive)}",
        f"trades with {wording.name(event.other)}",
    ),
    e.TradeOffered: lambda event, wording: _barter("offers", event),
    e.TradeProposed: lambda event, wording: _barter("proposes", event),
    e.RoadBuildingPlayed: lambda event, wording: ("plays road building",),
    e.YearOfPlentyPlayed: lambda event, wording: (
        f"takes {event.first or 'some card'} and {event.second or 'another'}",
        "plays a year of plenty",
    ),
    e.MonopolyPlayed: lambda event, wording: (f"monopoly on {event.resource}",),
    e.PlayerExcused: _excused_in_short,
    e.PlayerReturned: lambda event, wording: (f"goes on with {wording.name(event.other)} again", "goes on"),
    e.GameWon: lambda event, wording: ("wins",),
    e.Declared: lambda event, wording: _DECLARED[event.what][1:],
    e.DiceCalled: lambda event, wording: ("throws the dice",),
    e.CardCalled: lambda event, wording: ("buys a card",),
    e.TheftCalled: lambda event, wording: ("sends the bandit",),
    e.Revealed: lambda event, wording: _REVEALED[event.part][1:],
    e.ChangeSigned: lambda event, wording: (_CHANGE[event.kind][1],),
}
