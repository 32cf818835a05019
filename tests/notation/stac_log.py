"""Games as logs of StacSettlers, with the requests of players and the messages to single ones between the server's.

The lines are modelled on the two logs of the STAC corpus in the repository of its parser (irit-melodi/irit-stac), and
on what src/soc/server/SOCServer.java of sorinMD/StacSettlers sends.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from catan_p2p.game.cards import RESOURCES, Cards, total, unpack
from catan_p2p.notation import Event, GameStarted
from catan_p2p.view import events as e
from tests.notation.replays import SoclogWriter, _set

_WORDS = dict(zip(RESOURCES, ("wood", "clay", "sheep", "wheat", "ore"), strict=True))
_CARDS = {"Knight": 0, "RoadBuilding": 1, "YearOfPlenty": 2, "Monopoly": 3, "VictoryPoint": 7}
_BEGAN = datetime(2012, 11, 11, 19, 26, 36, 440_000, UTC)


def listed(cards: Cards) -> str:
    """Cards as the server's texts tell them."""
    return ", ".join(f"{n} {_WORDS[kind]}" for kind, n in zip(RESOURCES, unpack(cards), strict=True) if n)


class StacWriter(SoclogWriter):
    """Writes all messages of a game (``combined``), or those of the server with their recipients."""

    def __init__(self, events: Sequence[Event], is_combined: bool, has_discards: bool) -> None:
        start = events[0]
        assert isinstance(start, GameStarted)
        self.names = [player.name for player in start.players]
        self.is_combined, self.has_discards = is_combined, has_discards
        super().__init__(events)
        del self.lines[0]

    def put(self, message: str) -> None:
        """A message of the server to all; those of the other dialect are none."""
        audience, _, rest = message.partition(":")
        if audience == "all" and rest.startswith(("SOCSitDown", "SOCBoardLayout", "SOCStartGame")):
            if rest.startswith("SOCSitDown"):
                self.server(f"{rest.partition('|nickname')[0]}|nickname=dummy|playerNumber={rest.split('=')[3][0]}")
            self.server(rest.replace("|gameState=5", ""))
        elif rest.startswith("SOCTurn"):
            self.turn(int(rest.split("playerNumber=")[1][0]))

    def line(self, text: str) -> None:
        at = _BEGAN + timedelta(seconds=self.time_s)
        zoned = at.astimezone(datetime.strptime("+0100", "%z").tzinfo)
        self.lines.append(text.replace("@", f"{zoned:%Y:%m:%d:%H:%M:%S}:{zoned.microsecond // 1000:03}:+0100:"))

    def server(self, message: str, to: str = "ALL") -> None:
        """A message of the server."""
        self.line(f"@{message}" if self.is_combined else f"{to}:@{message}")

    def client(self, message: str) -> None:
        """A request of a player."""
        if self.is_combined:
            self.line(f"@{message}")

    def say(self, text: str, to: str = "ALL") -> None:
        """A text of the server."""
        self.server(f"SOCGameTextMsg:game=g|nickname=Server|text={text}", to)

    def turn(self, pn: int) -> None:
        self.client("SOCEndTurn:game=g")
        self.server(f"SOCGameState:game=g|state={5 if self.is_setup else 15}")
        self.say(f"It's {self.names[pn]}'s turn to {'build a settlement' if self.is_setup else 'roll the dice'}.")
        self.server(f"SOCTurn:game=g|playerNumber={pn}")
        self.client(f"GAME-TEXT-MESSAGE:[game=g|player={self.names[pn]}|speaking-queue=[]|clay=0|text=now: me|all]")
        self.server(f"SOCGameTextMsg:game=g|nickname={self.names[pn]}|text={self.names[0]} rolled a 6 and a 6.")
        self.lines.append("")

    def tell(self, event: Event) -> None:
        """The messages of an event."""
        pn = event.player - 1 if hasattr(event, "player") else 0
        name = self.names[pn]
        if isinstance(event, e.VillageBuilt | e.CityBuilt | e.RoadBuilt):
            piece, word = {e.RoadBuilt: (0, "road"), e.VillageBuilt: (1, "settlement"), e.CityBuilt: (2, "city")}[
                type(event)
            ]
            at = (self.edges if piece == 0 else self.nodes)[event.at]
            built = f"SOCPutPiece:game=g|playerNumber={pn}|pieceType={piece}|coord={at:x}"
            self.client(built)
            self.say(f"{name} built a {word}.")
            self.server(built)
        elif isinstance(event, e.DiceRolled):
            one, other = event.pair or (max(1, event.dice - 6), min(6, event.dice - 1))
            self.client("SOCRollDice:game=g")
            self.server(f"SOCDiceResult:game=g|param={event.dice}")
            self.say(f"{name} rolled a {one} and a {other}.")
        elif isinstance(event, e.BanditMoved):
            for tell in (self.client, self.server):
                tell(f"SOCMoveRobber:game=g|playerNumber={pn}|coord={self.tiles[event.to]:x}")
            self.say(f"{name} moved the robber{', must choose a victim' if event.victim else ''}.")
            if event.victim and event.card != "none":
                victim = self.names[event.victim - 1]
                if event.card:
                    self.say(f"You stole a {_WORDS[event.card]} resource from {victim}.", name)
                    self.say(f"{name} stole a {_WORDS[event.card]} resource from you.", victim)
                self.say(f"{name} stole a resource from {victim}", "[others]")
        elif isinstance(event, e.DevCardBought):
            if event.card:
                self.server(f"SOCDevCard:game=g|playerNum={pn}|actionType=0|cardType={_CARDS[event.card]}", name)
            self.server(f"SOCDevCard:game=g|playerNum={pn}|actionType=0|cardType=9")
            self.say(f"{name} bought a development card.")
        elif isinstance(event, e.KnightPlayed):
            self.say(f"{name} played a Soldier card.")
        elif isinstance(event, e.RoadBuildingPlayed):
            self.say(f"{name} played a Road Building card.")
            for road in (event.first, event.second):
                if road is not None:
                    self.tell(e.RoadBuilt(event.player, road))
        elif isinstance(event, e.YearOfPlentyPlayed):
            self.say(f"{name} played a Year of Plenty card.")
            picked = sum(1 << 8 * RESOURCES.index(resource) for resource in (event.first, event.second))
            self.say(f"{name} received {listed(picked)} from the bank.")
        elif isinstance(event, e.MonopolyPlayed):
            self.say(f"{name} played a Monopoly card.")
            self.say(f"{name} monopolized {_WORDS[event.resource]}.")
            self.say(f"You monopolized 3 {_WORDS[event.resource]}.", name)
        elif isinstance(event, e.CardsDiscarded):
            if self.has_discards:
                self.client(f"SOCDiscard:game=g|resources={_set(event.cards)}")
            self.say(f"{name} discarded {total(event.cards)} resources.")
        elif isinstance(event, e.BankTrade):
            self.client(f"SOCBankTrade:game=g|give={_set(event.give)}|get={_set(event.receive)}")
            self.say(f"{name} traded {listed(event.give)} for {listed(event.receive)} from a port.")
        elif isinstance(event, e.PlayerTrade):
            self.client(f"SOCAcceptOffer:game=g|accepting={event.other - 1}|offering={pn}")
            other = self.names[event.other - 1]
            self.say(f"{name} traded {listed(event.give)} for {listed(event.receive)} from {other}.")
        elif isinstance(event, e.GameWon):
            self.server("SOCGameState:game=g|state=1000")
            self.say(f">>> {name} has won the game with 10 points.")
            self.server("SOCTurn:game=g|playerNumber=0")
        else:
            super().tell(event)


def as_stac(events: Sequence[Event], *, is_combined: bool = True, has_discards: bool = True) -> str:
    """A game as a log of StacSettlers, its players in the order of play."""
    return "".join(f"{line}\n" for line in StacWriter(events, is_combined, has_discards).lines)
