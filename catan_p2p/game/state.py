"""The state of a game: one immutable value with the components of the specification's ``SU`` and ``G``.

docs/reference/model.md is the dictionary: field, specification, file. Components that an action does not touch are
shared between the state before and the state after, so ``before.h is after.h`` says that no hand changed.
"""

from __future__ import annotations

from functools import lru_cache
from operator import or_
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from catan_p2p.game.board import Points
from catan_p2p.game.cards import DEV_CARDS, NO_CARDS, CardCounts, Cards, Resource, count, total
from catan_p2p.game.constants import NO_OWNER, Constants, Player

SetupPhase: TypeAlias = Literal["Rolling", "PhaseOne", "PhaseTwo"]
TurnPhase: TypeAlias = Literal[
    "Pledging",
    "Shuffling",
    "bot",
    "DiceRoll",
    "Discarding",
    "MovingBandit",
    "Trading",
    "Building",
    "TradingBuilding",
    "Offering",
    "SpecialBuilding",
    "Drawing",
    "Surrendering",
    "Signing",
    "top",
]
Drawn: TypeAlias = Literal["RollForStart", "RollDice", "MoveBandit", "BuyDevCard", "PlayKnight"]
"""The actions with an outcome of chance: ``Draws`` of the specification."""
Answer: TypeAlias = Literal["none", "asked", "accept", "reject"]
SETUP_PHASES: tuple[SetupPhase, ...] = get_args(SetupPhase)
TURN_PHASES: tuple[TurnPhase, ...] = get_args(TurnPhase)
ANSWERS: tuple[Answer, ...] = get_args(Answer)
DRAWS: tuple[Drawn, ...] = get_args(Drawn)

DeckStage: TypeAlias = Literal["keys", "first", "rest", "back", "lost"]
"""What is shuffled, or was last: ``keys``, nothing before all have told their keys for the deck; ``first``, the whole
deck; ``rest``, what is left of it after a player has left; ``back``, the same with the keys of who is back; ``lost``,
nothing, as nobody can open it any more."""
DECK_STAGES: tuple[DeckStage, ...] = get_args(DeckStage)

HIDDEN_PHASES: frozenset[TurnPhase] = frozenset({"Shuffling", "Surrendering", "Signing"})
"""Phases that only games with hidden hands have."""

RUNNING_PHASES: frozenset[TurnPhase] = frozenset(TURN_PHASES) - {"top"}
"""All phases except the end."""

WITHIN_PHASES: frozenset[TurnPhase] = frozenset({"Drawing", "Surrendering"})
"""Phases that interrupt another phase, and lead back to it."""

OVER: frozenset[TurnPhase] = frozenset({"Signing", "top"})
"""Phases after somebody has won; in the first, players who are present still sign that they have seen the end."""

TRADE_PHASES: frozenset[TurnPhase] = frozenset({"Trading", "TradingBuilding"})
"""Phases in which the active player may trade: ``TradePhases`` of the specification."""

BUILD_PHASES: frozenset[TurnPhase] = frozenset({"Building", "TradingBuilding", "SpecialBuilding"})
"""Phases in which the builder may build: ``BuildPhases`` of the specification."""

TALK_PHASES: frozenset[TurnPhase] = TRADE_PHASES | {"Offering"}
"""Phases in which the others may make proposals, if the rules have table talk: ``TalkPhases``."""

PLAY_PHASES: frozenset[TurnPhase] = frozenset({"Trading", "Building", "TradingBuilding"})
"""Phases in which the active player may play a development card, besides ``DiceRoll`` where allowed: ``PlayPhases``."""


class Hand(NamedTuple):
    """What one player holds: ``PH`` of the specification."""

    rc: Cards
    """resource cards"""
    bc: Cards
    """development cards bought this turn, not yet playable"""
    ac: Cards
    """development cards available to play"""
    uc: Cards
    """unveiled development cards: played knights and victory points"""

    @property
    def resources(self) -> CardCounts:
        """The resource cards by name."""
        return CardCounts(self.rc)

    @property
    def bought(self) -> CardCounts:
        """The development cards bought this turn, by name."""
        return CardCounts(self.bc, DEV_CARDS)

    @property
    def available(self) -> CardCounts:
        """The development cards that can be played, by name."""
        return CardCounts(self.ac, DEV_CARDS)

    @property
    def unveiled(self) -> CardCounts:
        """The knights played and the victory points, by name."""
        return CardCounts(self.uc, DEV_CARDS)

    def __repr__(self) -> str:
        parts = (("bought", self.bought), ("available", self.available), ("unveiled", self.unveiled))
        told = [repr(self.resources), *(f"{name} {held!r}" for name, held in parts if held.cards)]
        return f"<Hand {'; '.join(told)}>"


class Bank(NamedTuple):
    """What the bank holds: ``BNK`` of the specification."""

    rc: Cards
    """resource cards"""
    dc: Cards
    """development cards"""

    @property
    def resources(self) -> CardCounts:
        """The resource cards by name."""
        return CardCounts(self.rc)

    @property
    def development_cards(self) -> CardCounts:
        """The development cards that nobody has bought, by name."""
        return CardCounts(self.dc, DEV_CARDS)

    def __repr__(self) -> str:
        return f"<Bank {self.resources!r}; {self.development_cards!r}>"


class Buildings(NamedTuple):
    """The pieces that one player has not placed: ``PB`` of the specification."""

    road: int
    village: int
    city: int


class Offer(NamedTuple):
    """What a player would give and wants for it; without cards on either side if there is no offer."""

    give: Cards
    receive: Cards

    def __repr__(self) -> str:
        return f"<Offer {CardCounts(self.give)!r} for {CardCounts(self.receive)!r}>"


NO_OFFER = Offer(NO_CARDS, NO_CARDS)
"""No offer stands."""


def no_answers(player_count: int) -> tuple[Answer, ...]:
    """Nobody is asked."""
    none: tuple[Answer] = ("none",)
    return none * player_count


def no_proposals(player_count: int) -> tuple[Offer, ...]:
    """Nobody proposes anything."""
    return _NO_PROPOSALS[player_count]


_NO_PROPOSALS = tuple((NO_OFFER,) * count for count in range(7))


def none_made(player_count: int) -> tuple[int, ...]:
    """Nobody has made an offer or a proposal this turn."""
    return _NONE_MADE[player_count]


_NONE_MADE = tuple((0,) * count for count in range(7))


NO_TILE = 0
"""No tile, where a call could name one."""


class CalledDraw(NamedTuple):
    """A decision with an outcome that all players draw together: the action, and its place in the turn."""

    what: Drawn | Literal["none"]
    tp: TurnPhase
    """The phase in which it was called."""
    to: int
    """The tile where the bandit goes, ``NO_TILE`` if it goes nowhere."""
    victim: Player


NO_CALL = CalledDraw("none", "bot", NO_TILE, NO_OWNER)
"""Nothing is being drawn."""


class HiddenCounts(NamedTuple):
    """The public part of cards that only their holders see: how many there are, by seat."""

    sealed: tuple[int, ...]
    """resource cards, besides the known ones in ``Hand.rc``"""
    bought: tuple[int, ...]
    """development cards bought this turn"""
    held: tuple[int, ...]
    """development cards that can be played"""
    shuffles: int
    """How many players have shuffled the deck, or told their keys for it, in this round."""
    wanted: Resource | Literal["none"]
    """What a monopoly asks of sealed cards."""
    back: TurnPhase
    """The phase in which that monopoly was played; where players may leave, also the one that the shuffles precede."""
    deck: DeckStage = "first"
    keyless: tuple[bool, ...] = ()
    """Whose keys do not seal what is left of the deck: they have left, and have not shuffled it since."""


NOTHING_HIDDEN = HiddenCounts((), (), (), 0, "none", "bot")
"""All hands are open."""


class WayBack(NamedTuple):
    """How one player can come back who is left out: a value of ``G.ret`` of the specification."""

    left: int
    """how often they still may"""
    missed: bool
    """whether they have missed a turn since they were left out"""


class PlacedSettlements(NamedTuple):
    """The settlements on the board: each player's villages and cities as sets, in seat order."""

    villages: tuple[Points, ...]
    cities: tuple[Points, ...]

    def of(self, player: Player) -> Points:
        """The player's settlements, villages and cities alike."""
        return self.villages[player - 1] | self.cities[player - 1]

    def owner(self, point: int) -> Player:
        """Whose settlement stands on a point, ``NO_OWNER`` if none does."""
        bit = 1 << point
        for seat, (villages, cities) in enumerate(zip(self.villages, self.cities, strict=True), 1):
            if (villages | cities) & bit:
                return seat
        return NO_OWNER


class _StateComponents(NamedTuple):
    constants: Constants
    sup: SetupPhase
    su_ap: Player
    first: Player
    rolls: tuple[int, ...]
    ap: Player
    tp: TurnPhase
    dice: int
    pd: int
    sb: Player
    ba: int
    dp: Cards
    lr: Player
    la: Player
    lim: tuple[int, ...]
    offer: Offer
    ans: tuple[Answer, ...]
    prop: tuple[Offer, ...]
    made: tuple[int, ...]
    due: tuple[bool, ...]
    call: CalledDraw
    away: tuple[bool, ...]
    ret: tuple[WayBack, ...]
    ahead: tuple[bool, ...]
    s: PlacedSettlements
    r: tuple[Points, ...]
    bnk: Bank
    h: tuple[Hand, ...]
    b: tuple[Buildings, ...]
    hid: HiddenCounts


_INDEX = {name: i for i, name in enumerate(_StateComponents._fields)}


class State(_StateComponents):
    """One state of the game. ``h`` and ``b`` are indexed by seat - 1; points, tiles and players count from 1."""

    __slots__ = ()

    # Type checkers take the named tuple's own method, which knows the fields.
    if not TYPE_CHECKING:

        def _replace(self, **changes):
            """The state with other values of some components, in half the time that named tuples take."""
            values = list(self)
            for name, value in changes.items():
                values[_INDEX[name]] = value
            return tuple.__new__(State, values)

    def __copy__(self) -> State:
        """The same state: it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> State:
        """The same state: it never changes."""
        return self

    def others(self, player: Player) -> Points:
        """The settlements of all adversaries of a player."""
        return taken(self.s) & ~self.s.of(player)

    def points(self, player: Player) -> int:
        """Victory points: village 1, city 2, unveiled victory point 1, longest road 2, largest army 2.

        ``PlayerPoints`` of the specification.
        """
        return (
            self.s.villages[player - 1].bit_count()
            + 2 * self.s.cities[player - 1].bit_count()
            + count(self.h[player - 1].uc, "VictoryPoint")
            + (2 if self.lr == player else 0)
            + (2 if self.la == player else 0)
        )

    @property
    def heard(self) -> State:
        """The state once the active player goes on, without proposals, which last for one moment: ``Heard``."""
        none = _NO_PROPOSALS[self.constants.player_count]
        return self if self.prop == none else self._replace(prop=none)

    def terms(self, partner: Player) -> Offer:
        """What the active player can trade with a partner: the accepted offer, or else what the partner proposes.

        The cards are as the active player gives and receives them; ``TableTerms`` of the specification.
        """
        if self.ans[partner - 1] == "accept":
            return self.offer
        give, receive = self.prop[partner - 1]
        return Offer(receive, give)

    @property
    def phase(self) -> TurnPhase:
        """The phase of the turn; while something is drawn, the one it was called in: ``Phase`` of the specification."""
        if self.tp == "Surrendering":
            return self.hid.back
        return self.call.tp if self.tp == "Drawing" else self.tp

    @property
    def resumed(self) -> State:
        """The state without the shuffles under way, or what a monopoly asks for, as if that were over."""
        if self.tp not in ("Shuffling", "Surrendering"):
            return self
        return self._replace(tp=self.hid.back, hid=self.hid._replace(wanted="none", back="bot"))

    def hand_size(self, player: Player) -> int:
        """How many resource cards a player holds, known and sealed ones; those sealed by who has left do not count."""
        sealed = self.hid.sealed
        is_there = sealed and not self.away[player - 1]
        return total(self.h[player - 1].rc) + (sealed[player - 1] if is_there else 0)

    @property
    def deck_size(self) -> int:
        """How many development cards can still be bought."""
        if self.hid.deck == "lost":
            return 0
        return total(self.bnk.dc) - sum(self.hid.bought) - sum(self.hid.held)

    @property
    def caller(self) -> Player:
        """The player who called for the current draw: ``Caller`` of the specification."""
        return self.caller_of(self.call.what)

    def caller_of(self, what: str) -> Player:
        """The player who may call for an action with an outcome of chance, if anybody may."""
        if what == "RollForStart":
            return self.su_ap
        return self.builder if what == "BuyDevCard" else self.ap

    @property
    def builder(self) -> Player:
        """The player whose turn to build it is: ``Builder`` of the specification."""
        phase = self.phase if self.tp in WITHIN_PHASES else self.tp
        return self.sb if phase == "SpecialBuilding" else self.ap

    @property
    def after_dice(self) -> TurnPhase:
        """The phase after the dice, the bandit's move and an offer: ``AfterDice`` of the specification."""
        return "TradingBuilding" if self.constants.rules.combined_trade_build else "Trading"

    def next_player(self, player: Player) -> Player:
        """The player clockwise after another, of those present: ``NextPlayer`` of the specification."""
        n = self.constants.player_count
        player = player % n + 1
        # With nobody present the loop below would never end.
        if all(self.away):
            return player
        while self.away[player - 1]:
            player = player % n + 1
        return player

    @property
    def turn_passed(self) -> State:
        """The state as the turn passes on; who is away and would have come next misses one: ``TurnPassed``."""
        following, n = self.next_player(self.ap), self.constants.player_count
        if not self.constants.rules.returns or following == self.ap % n + 1:
            return self._replace(ap=following)
        between = {(self.ap + place - 1) % n + 1 for place in range(1, (following - self.ap - 1) % n + 1)}
        ret = tuple(missed(way) if player in between else way for player, way in enumerate(self.ret, 1))
        return self._replace(ap=following, ret=ret)

    def previous_player(self, player: Player) -> Player:
        """The player clockwise before another, of those present."""
        n = self.constants.player_count
        player = (player - 2) % n + 1
        if all(self.away):
            return player
        while self.away[player - 1]:
            player = (player - 2) % n + 1
        return player

    @property
    def present(self) -> tuple[Player, ...]:
        """The players who have not been left out: ``Present`` of the specification."""
        return tuple(player for player, away in enumerate(self.away, 1) if not away)

    @property
    def is_ahead(self) -> bool:
        """Whether all shares of the next roll but the active player's were told ahead, so that they only have to roll.

        ``IsAhead`` of the specification.
        """
        return all(map(or_, self.ahead, self.away))

    @property
    def to_act(self) -> Player:
        """The player who acts once all replies are there: ``ToAct`` of the specification."""
        if self.tp in ("bot", "Pledging"):
            return self.su_ap
        if self.tp == "Shuffling":
            return self.present[self.hid.shuffles]
        if self.tp == "Signing" and self.away[self.ap - 1]:
            return self.next_player(self.ap)
        return self.caller if self.tp == "Drawing" else self.builder

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.tp in OVER

    @property
    def winner(self) -> Player | None:
        """The player who has won; None while the game goes on."""
        return self.ap if self.is_over else None

    def __repr__(self) -> str:
        points = " ".join(str(self.points(player)) for player in self.constants.players)
        if self.is_over:
            return f"<State: player {self.ap} has won; points {points}>"
        who = self.su_ap if self.tp == "bot" else self.builder
        return f"<State: {self.sup if self.tp == 'bot' else self.tp}, player {who}'s turn; points {points}>"

    def _repr_html_(self) -> str:
        from catan_p2p.game.markup import state_markup

        return state_markup(self)


def missed(way: WayBack) -> WayBack:
    """The way back of a player who misses a turn, if they may come back: ``Missed`` of the specification."""
    return WayBack(way.left, way.left > 0)


def taken(s: PlacedSettlements) -> Points:
    """All settlement points with a settlement."""
    points = 0
    for villages in s.villages:
        points |= villages
    for cities in s.cities:
        points |= cities
    return points


def roads_taken(r: tuple[Points, ...]) -> Points:
    """All road points with a road."""
    points = 0
    for roads in r:
        points |= roads
    return points


@lru_cache(maxsize=1 << 4)
def initial_state(constants: Constants) -> State:
    """The state before the first action: ``Init`` of the specification (thesis, definition 20)."""
    n = constants.player_count
    rules = constants.rules
    rolling = rules.start_order != "seat"
    joint = rules.chance == "joint"
    empty = State(
        constants=constants,
        sup="Rolling" if rolling else "PhaseOne",
        su_ap=1,
        first=1,
        rolls=(0,) * n,
        ap=1,
        tp="Pledging" if joint else "bot",
        dice=0,
        pd=0,
        sb=NO_OWNER,
        ba=constants.board.bandit_start,
        dp=NO_CARDS,
        lr=NO_OWNER,
        la=NO_OWNER,
        lim=(0,) * n,
        offer=NO_OFFER,
        ans=no_answers(n),
        prop=no_proposals(n),
        made=none_made(n),
        due=(joint,) * n,
        call=NO_CALL,
        away=(False,) * n,
        ret=(WayBack(rules.returns, False),) * n,
        ahead=(False,) * n,
        s=PlacedSettlements((0,) * n, (0,) * n),
        r=(0,) * n,
        bnk=Bank(rules.resource_pool, rules.dev_card_pool),
        h=(Hand(NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS),) * n,
        b=(Buildings(rules.roads, rules.villages, rules.cities),) * n,
        hid=NOTHING_HIDDEN
        # The object itself, since guards compare hid by identity.
        if rules.hands == "open"
        else NOTHING_HIDDEN._replace(sealed=(0,) * n, bought=(0,) * n, held=(0,) * n)._replace(
            deck="keys" if rules.leaving else "first", keyless=(False,) * n
        ),
    )
    if not constants.opening:
        return empty
    opened = _opened(empty)
    return opened if rolling else opened._replace(sup="PhaseTwo", tp="Pledging" if joint else "DiceRoll")


def first_phase(constants: Constants) -> TurnPhase:
    """The phase that a game begins with, after the pledges if there are any: ``FirstPhase`` of the specification."""
    return "DiceRoll" if constants.opening and constants.rules.start_order == "seat" else "bot"


def _opened(empty: State) -> State:
    """The state with the opening on the board, paid by supplies and bank."""
    constants = empty.constants
    villages, roads, hands = list(empty.s.villages), list(empty.r), list(empty.h)
    left, bank = list(empty.b), empty.bnk
    for player, village, road, earns in constants.opening:
        seat = player - 1
        villages[seat] |= 1 << village
        roads[seat] |= 1 << road
        left[seat] = left[seat]._replace(road=left[seat].road - 1, village=left[seat].village - 1)
        if earns:
            gain = constants.board.first_yield[village]
            hands[seat] = hands[seat]._replace(rc=hands[seat].rc + gain)
            bank = bank._replace(rc=bank.rc - gain)
    return empty._replace(
        s=PlacedSettlements(tuple(villages), empty.s.cities), r=tuple(roads), h=tuple(hands), b=tuple(left), bnk=bank
    )
