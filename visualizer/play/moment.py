"""What a person can do at a moment of the game, and what each choice leads to: state and draft in, choices out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from catan_p2p.actions import (
    Action,
    AnswerTrade,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    ConcludeTrade,
    Discard,
    EmptyBuild,
    EmptyTrade,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    ProposeTrade,
    RollDice,
    RollForStart,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
    WithdrawTrade,
)
from catan_p2p.actions.discard import owed
from catan_p2p.actions.parameters import NO_ROAD
from catan_p2p.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.actions.placement import open_roads
from catan_p2p.actions.propose_trade import may_propose
from catan_p2p.actions.robbery import stealable
from catan_p2p.cards import DEV_CARDS, NO_CARDS, ONE, RESOURCES, Cards, Resource, count, covers, describe, kinds, total
from catan_p2p.constants import NO_OWNER, Player
from catan_p2p.rules import awaited
from catan_p2p.state import BUILD_PHASES, NO_OFFER, TRADE_PHASES, State

from ..pictures.words import CARD_NAMES
from .draft import NOTHING, Choice, Draft, Row, Wish
from .reasons import broken_by, missing, reasons

COURSE = ("Pledging", "Drawing")
"""Phases in which nobody decides."""
_CARD_KEYS = {"Knight": "K", "Monopoly": "M", "YearOfPlenty": "Y", "RoadBuilding": "W"}
_GIVE_KEYS, _TAKE_KEYS = "12345", "67890"


@dataclass(slots=True)
class Moment:
    """What stands at the seat now."""

    title: str = ""
    hint: str = ""
    """Which first-time hint fits."""
    choices: list[Choice] = field(default_factory=list)
    places: list[Choice] = field(default_factory=list)
    """Choices on the island."""
    rows: list[Row] = field(default_factory=list)
    is_mine: bool = False
    """Whether the game waits for this person."""

    def all(self) -> Iterable[Choice]:
        """Every choice there is, rows included."""
        yield from self.places
        for row in self.rows:
            yield from row.more
            yield from row.less
        yield from self.choices


def moment(state: State, player: Player, names: tuple[str, ...], draft: Draft = NOTHING) -> Moment:
    """What the player can do, who has prepared ``draft``."""
    return _Teller(state, player, names, draft).moment()


def keeps(state: State, player: Player, draft: Draft) -> bool:
    """Whether what was prepared still fits the state."""
    if draft == NOTHING:
        return True
    if not may_decide(state, player) and (draft.mode != "propose" or state.tp in COURSE):
        return False
    if draft.ask is not None and broken_by(state, draft.ask):
        return False
    match draft.mode:
        case "" if draft.ask is not None:
            return True
        case "":
            return state.tp == "Discarding" and covers(state.h[player - 1].rc, draft.give)
        case "settle":
            return state.tp == "bot"
        case "bandit":
            return state.tp in ("Discarding", "MovingBandit")
        case "knight" | "monopoly" | "plenty" | "roads":
            return state.tp in (*TRADE_PHASES, *BUILD_PHASES, "DiceRoll")
        case "propose":
            return may_propose(state, player) and covers(state.h[player - 1].rc, draft.give)
        case "bank" | "offer":
            return state.tp in TRADE_PHASES and covers(state.h[player - 1].rc, draft.give)
        case _:
            return state.tp in BUILD_PHASES


def may_decide(state: State, player: Player) -> bool:
    """Whether the player can decide on something: the game waits for them, or need not wait for answers."""
    if state.tp in COURSE or state.is_over:
        return False
    settles = state.tp == "Offering" and state.ap == player and state.constants.rules.table_talk
    return player in awaited(state) or settles


class _Teller:
    def __init__(self, state: State, player: Player, names: tuple[str, ...], draft: Draft) -> None:
        self.state, self.player, self.names, self.draft = state, player, names, draft
        self.hand = state.h[player - 1]
        self.found = Moment()

    def moment(self) -> Moment:
        state, found = self.state, self.found
        found.is_mine = may_decide(state, self.player)
        if self.draft.mode == "propose" and may_propose(state, self.player):
            found.is_mine = True
        if state.is_over:
            found.title = "You have won!" if state.ap == self.player else f"{self.names[state.ap - 1]} has won"
            found.hint = "over"
            self._button("new game", "Play again", "N", Wish("new_game"), main=True)
            return found
        if not found.is_mine:
            self._wait()
            return found
        if self.draft.ask is not None:
            self._ask(self.draft.ask)
            return found
        if self.draft.mode:
            self._prepare()
            return found
        match state.tp:
            case "bot":
                self._begin()
            case "DiceRoll":
                self._before_dice()
            case "Discarding" if owed(state, self.player):
                self._discard()
            case "Discarding" | "MovingBandit":
                self._bandit("bandit")
            case "Offering":
                self._offered()
            case _:
                self._turn()
        return found

    # Making choices

    def _button(
        self,
        name: str,
        words: str,
        key: str,
        then: Draft | Action | Wish | None,
        refusal: str = "",
        icon: str = "",
        cost: Cards = NO_CARDS,
        *,
        main: bool = False,
    ) -> None:
        then = None if refusal else then
        self.found.choices.append(Choice(("do", name), name, words, key, then, refusal, icon, cost, main))

    def _place(self, kind: str, number: int, then: Draft | Action) -> None:
        self.found.places.append(Choice((kind, number), f"{kind} {number}", f"{kind} {number}", "", then))

    def _cancel(self) -> None:
        self._button("cancel", "Back", "Escape", NOTHING, icon="previous_action")

    def _ask_for(self, action: Action) -> Draft:
        return replace(self.draft, ask=action)

    def _why_not(self, action: Action) -> str:
        return "; ".join(reasons(self.state, action)[:2])

    # Waiting

    def _wait(self) -> None:
        state = self.state
        waiting = [self.names[player - 1] for player in awaited(state)]
        who = " and ".join(waiting) or "nobody"
        if state.tp in COURSE:
            self.found.title = "All players draw together"
        elif state.tp == "Offering" and state.ap == self.player:
            self.found.title = f"Your offer stands; {who} {'thinks' if len(waiting) == 1 else 'think'} about it"
        elif state.tp == "Discarding":
            self.found.title = f"{who} must discard"
        else:
            self.found.title = f"{who} is on turn" if len(waiting) == 1 else f"{who} are to decide"
        self.found.hint = "wait"
        if may_propose(state, self.player) and total(self.hand.rc):
            words = f"Propose a trade to {self.names[state.ap - 1]}"
            self._button("propose", words, "O", Draft("propose"), icon="hand")
        if state.prop[self.player - 1] != NO_OFFER:
            give, receive = state.prop[self.player - 1]
            self.found.title += f"; you propose {describe(give)} for {describe(receive)}"

    # Confirming

    def _ask(self, action: Action) -> None:
        self.found.title = f"{_question(self.state, action, self.names)}?"
        self.found.hint = "ask"
        self._button("yes", "Yes", "Enter", action, icon="accept", main=True)
        self._button("no", "No", "Escape", replace(self.draft, ask=None), icon="reject")

    # The beginning

    def _begin(self) -> None:
        if self.state.sup == "Rolling":
            self.found.title = "Roll the dice: the highest begins"
            self.found.hint = "start"
            self._button("roll", "Roll for the start", "D", RollForStart(self.player, 0), icon="dice", main=True)
            return
        self._settle()

    def _settle(self) -> None:
        kind = SetupPhaseOne if self.state.sup == "PhaseOne" else SetupPhaseTwo
        number = "first" if kind is SetupPhaseOne else "second"
        board = self.state.constants.board
        if not self.draft.picks:
            self.found.title = f"Choose a place for your {number} village"
            self.found.hint = "settle"
            for point in range(1, board.settlement_count + 1):
                if any(
                    not broken_by(self.state, kind(self.player, point, road)) for road in _roads_at(self.state, point)
                ):
                    self._place("point", point, Draft("settle", (point,)))
            return
        point = self.draft.picks[0]
        self.found.title = "And a road beside it"
        self.found.hint = "settle road"
        for road in _roads_at(self.state, point):
            action = kind(self.player, point, road)
            if not broken_by(self.state, action):
                self._place("road", road, self._ask_for(action))
        self._cancel()

    # A turn

    def _before_dice(self) -> None:
        self.found.title = "Your turn: roll the dice"
        self.found.hint = "dice"
        self._button("roll", "Roll the dice", "D", RollDice(self.player, self._some_dice()), icon="dice", main=True)
        if self.state.constants.rules.dev_card_before_dice:
            self._cards()

    def _some_dice(self) -> int:
        return self.state.constants.rules.dice[0]

    def _turn(self) -> None:
        state, rules = self.state, self.state.constants.rules
        if state.tp == "SpecialBuilding":
            self.found.title = "You may build between the turns"
        elif state.tp == "Trading":
            self.found.title = "Your turn: trade, then build"
        else:
            self.found.title = "Your turn: build" if state.tp == "Building" else "Your turn: trade and build"
        self.found.hint = "turn"
        if state.tp == "Trading":
            self._button("stop trading", "To the building", "E", EmptyTrade(self.player), icon="next_action", main=True)
        else:
            words = "End the building" if state.tp == "SpecialBuilding" else "End the turn"
            end = EmptyBuild(self.player)
            self._button("end turn", words, "E", self._ask_for(end), self._why_not(end), "next_turn", main=True)
        if state.tp != "Trading":
            self._building()
        if state.tp in TRADE_PHASES:
            refusal = "" if any(self._bank_pairs()) else self._why_no_bank()
            self._button("bank", "Trade with the bank", "T", Draft("bank"), refusal, "deck")
            if rules.table_talk:
                self._conclusions(self._partners())
            if rules.domestic_trade:
                refusal = "" if total(self.hand.rc) else "you have nothing to offer"
                if not refusal and not any(h.rc for i, h in enumerate(state.h, 1) if i != self.player):
                    refusal = "nobody has anything"
                self._button("offer", "Offer a trade", "O", Draft("offer"), refusal, "hand")
        if state.tp != "SpecialBuilding":
            self._cards()
        self._shortcuts()

    def _building(self) -> None:
        left = self.state.b[self.player - 1]
        rows = (
            ("road", "Road", "R", COST_ROAD, left.road, self._open_roads),
            ("village", "Village", "V", COST_VILLAGE, left.village, self._open_villages),
            ("city", "City", "C", COST_CITY, left.city, self._open_cities),
        )
        for name, words, key, cost, pieces, places in rows:
            refusal = "" if covers(self.hand.rc, cost) else missing(self.hand.rc, cost)
            if not pieces:
                refusal = f"no {name} is left"
            elif not refusal and not places():
                refusal = "no place for one"
            self._button(name, words, key, Draft(name), refusal, name, cost)  # type: ignore[arg-type]
        buy = BuyDevCard(self.player, DEV_CARDS[(kinds(self.state.bnk.dc) or (0,))[0]])
        self._button("card", "Development card", "B", self._ask_for(buy), self._why_not(buy), "deck", COST_DEV_CARD)

    def _shortcuts(self) -> None:
        """Places that can be clicked without saying first what is to be built there."""
        if self.state.tp not in BUILD_PHASES:
            return
        for kind, places, make in (
            ("road", self._open_roads, BuildRoad),
            ("point", self._open_villages, BuildVillage),
            ("point", self._open_cities, BuildCity),
        ):
            for number in places():
                action = make(self.player, number)
                if not broken_by(self.state, action):
                    self._place(kind, number, Draft(ask=action))

    def _cards(self) -> None:
        makers: dict[str, Callable[[], Draft]] = {
            "Knight": lambda: Draft("knight"),
            "Monopoly": lambda: Draft("monopoly"),
            "YearOfPlenty": lambda: Draft("plenty"),
            "RoadBuilding": lambda: Draft("roads"),
        }
        for card, make in makers.items():
            number = count(self.hand.ac, card) + count(self.hand.bc, card)
            if not number:
                continue
            words = CARD_NAMES[card].capitalize() + (f" ({number})" if number > 1 else "")
            refusal = self._why_no_card(card)
            self._button(CARD_NAMES[card], words, _CARD_KEYS[card], make(), refusal, card)

    def _why_no_card(self, card: str) -> str:
        if card == "Knight":
            moves = list(self._robberies("knight"))
            return self._why_not(moves[0]) if moves else "the bandit cannot move"
        if card == "Monopoly":
            return self._why_not(PlayMonopoly(self.player, "Ore"))
        if card == "YearOfPlenty":
            offers = [PlayYearOfPlenty(self.player, one, other) for one in RESOURCES for other in RESOURCES]
            if any(not broken_by(self.state, offer) for offer in offers):
                return ""
            return self._why_not(offers[0])
        roads = list(self._free_roads(()))
        if roads:
            return ""
        guards = broken_by(self.state, PlayRoadBuilding(self.player, 1, NO_ROAD))
        card_guards = [
            tag for tag in guards if tag.partition(" ")[2] in ("phase", "turn", "available", "supply", "limit")
        ]
        action = PlayRoadBuilding(self.player, 1, NO_ROAD)
        return "; ".join(reasons(self.state, action, card_guards)) or "no place for a road"

    # What is prepared

    def _prepare(self) -> None:
        match self.draft.mode:
            case "road":
                self._build("Choose a place for the road", "road", self._open_roads(), BuildRoad)
            case "village":
                self._build("Choose a place for the village", "point", self._open_villages(), BuildVillage)
            case "city":
                self._build("Choose the village that grows", "point", self._open_cities(), BuildCity)
            case "settle":
                self._settle()
            case "knight" | "bandit":
                self._bandit(self.draft.mode)
            case "roads":
                self._free_road()
            case "monopoly":
                self._monopoly()
            case "plenty":
                self._plenty()
            case "bank":
                self._bank()
            case "offer" | "propose":
                self._offer()

    def _build(self, title: str, kind: str, places: Iterable[int], make: Callable[[Player, int], Action]) -> None:
        self.found.title = title
        self.found.hint = "place"
        for number in places:
            self._place(kind, number, self._ask_for(make(self.player, number)))
        self._cancel()

    def _open_roads(self) -> list[int]:
        return [n for n in range(1, self.state.constants.board.road_count + 1) if self._fits(BuildRoad(self.player, n))]

    def _open_villages(self) -> list[int]:
        points = range(1, self.state.constants.board.settlement_count + 1)
        return [n for n in points if self._fits(BuildVillage(self.player, n))]

    def _open_cities(self) -> list[int]:
        points = range(1, self.state.constants.board.settlement_count + 1)
        return [n for n in points if self._fits(BuildCity(self.player, n))]

    def _fits(self, action: Action) -> bool:
        """Whether the place is right, whatever it costs."""
        return all(tag.partition(" ")[2] == "cost" for tag in broken_by(self.state, action))

    # The bandit

    def _robberies(self, mode: str) -> Iterable[MoveBandit | PlayKnight]:
        make = PlayKnight if mode == "knight" else MoveBandit
        for tile in self.state.constants.board.land:
            for victim in (NO_OWNER, *self.state.constants.players):
                action = make(self.player, tile, victim, stealable(self.state, victim)[0])
                broken = broken_by(self.state, action)
                if not any(tag.partition(" ")[2] in ("elsewhere", "land", "target", "victim") for tag in broken):
                    yield action

    def _bandit(self, mode: str) -> None:
        moves = [move for move in self._robberies(mode) if not broken_by(self.state, move)]
        self.found.hint = "bandit"
        if not self.draft.picks:
            self.found.title = "Choose where the bandit goes"
            for tile in dict.fromkeys(move.to for move in moves):
                on_tile = [move for move in moves if move.to == tile]
                then = Draft(ask=on_tile[0], mode=self.draft.mode) if len(on_tile) == 1 else None
                self._place("tile", tile, then or Draft("knight" if mode == "knight" else "bandit", (tile,)))
            if mode == "knight":
                self._cancel()
            return
        self.found.title = "Whom to rob?"
        for move in moves:
            if move.to == self.draft.picks[0]:
                name = self.names[move.victim - 1]
                cards = total(self.state.h[move.victim - 1].rc)
                words = f"{name} ({cards} card{'' if cards == 1 else 's'})"
                self._button(f"rob {name}", words, str(move.victim), self._ask_for(move), icon=f"badge {name}")
        self._cancel()

    # Cards

    def _free_roads(self, picked: tuple[int, ...]) -> Iterable[tuple[int, Draft]]:
        """Where the next road of the card can lie, and what follows."""
        state, player = self.state, self.player
        if not picked:
            for first in range(1, state.constants.board.road_count + 1):
                alone = PlayRoadBuilding(player, first, NO_ROAD)
                if not broken_by(state, alone):
                    yield first, replace(self.draft, picks=(first,), ask=alone)
                elif any(True for _ in self._second_roads(first)):
                    yield first, replace(self.draft, picks=(first,))
            return
        for action in self._second_roads(picked[0]):
            yield action.second, replace(self.draft, ask=action)

    def _second_roads(self, first: int) -> Iterable[PlayRoadBuilding]:
        if broken_by(self.state, PlayRoadBuilding(self.player, first, NO_ROAD)) not in ((), ("PR13 single",)):
            return
        points = open_roads(self.state, self.player, built=1 << first)
        for second in range(1, self.state.constants.board.road_count + 1):
            if points >> second & 1:
                action = PlayRoadBuilding(self.player, first, second)
                if not broken_by(self.state, action):
                    yield action

    def _free_road(self) -> None:
        self.found.title = "Choose a place for the second road" if self.draft.picks else "Choose a place for a road"
        self.found.hint = "place"
        for road, then in self._free_roads(self.draft.picks):
            self._place("road", road, then)
        self._cancel()

    def _monopoly(self) -> None:
        self.found.title = "All cards of which resource?"
        self.found.hint = "pick"
        for key, resource in zip(_GIVE_KEYS, RESOURCES, strict=True):
            action = PlayMonopoly(self.player, resource)
            self._button(f"all {resource}", resource, key, self._ask_for(action), self._why_not(action), resource)
        self._cancel()

    def _plenty(self) -> None:
        chosen = [name for name in RESOURCES for _ in range(count(self.draft.take, name))]
        bank = self.state.bnk.rc
        self.found.title = "Take two cards from the bank"
        self.found.hint = "pick"
        held = tuple(count(bank, name) for name in RESOURCES)
        self._row("take", "Take", self.draft.take, held, _GIVE_KEYS, most=2)
        action = PlayYearOfPlenty(self.player, chosen[0], chosen[1]) if len(chosen) == 2 else None
        words = f"Take {describe(self.draft.take)}" if chosen else "Take two cards"
        refusal = f"{2 - len(chosen)} more" if action is None else self._why_not(action)
        self._button("take them", words, "Enter", action, refusal, "accept", main=True)
        self._cancel()

    # Discarding

    def _discard(self) -> None:
        due = owed(self.state, self.player)
        chosen = total(self.draft.give)
        self.found.title = f"A seven: discard {due} of your {total(self.hand.rc)} cards; {chosen} chosen"
        self.found.hint = "discard"
        held = tuple(count(self.hand.rc, name) for name in RESOURCES)
        self._row("give", "Discard", self.draft.give, held, _GIVE_KEYS, most=due)
        action = Discard(self.player, self.draft.give)
        refusal = f"{due - chosen} more to choose" if chosen < due else self._why_not(action)
        self._button("discard", f"Discard {describe(self.draft.give)}", "Enter", action, refusal, "accept", main=True)
        if chosen:
            self._button("cancel", "Choose anew", "Escape", NOTHING, icon="previous_action")

    # Trades

    def _bank_pairs(self) -> Iterable[tuple[Resource, Resource]]:
        for give in RESOURCES:
            for take in RESOURCES:
                if self._bank_trade(give, take) is not None:
                    yield give, take

    def _bank_trade(self, give: Resource, take: Resource) -> Action | None:
        """The cheapest trade of one resource for another, None if there is none."""
        for kind in (TradeTwoToOne, TradeThreeToOne, TradeFourToOne):
            action = kind(self.player, give, take)
            if not broken_by(self.state, action):
                return action
        return None

    def _rate(self, give: Resource) -> int:
        """How many cards of a resource the bank wants for one."""
        other: Resource = "Ore" if give != "Ore" else "Wool"
        rates: tuple[tuple[int, Callable[[Player, Resource, Resource], Action]], ...] = (
            (2, TradeTwoToOne),
            (3, TradeThreeToOne),
        )
        for rate, kind in rates:
            tags = broken_by(self.state, kind(self.player, give, other))
            if not any(tag.endswith("wharf") for tag in tags):
                return rate
        return 4

    def _why_no_bank(self) -> str:
        rates = [(self._rate(name), name) for name in RESOURCES]
        best = min(rates, key=lambda pair: pair[0] - count(self.hand.rc, pair[1]))
        if not self.state.bnk.rc:
            return "the bank has none left"
        return missing(self.hand.rc, ONE[best[1]] * best[0]) + f" for {best[0]} to 1"

    def _bank(self) -> None:
        give = next((name for name in RESOURCES if count(self.draft.give, name)), None)
        take = next((name for name in RESOURCES if count(self.draft.take, name)), None)
        self.found.title = "What do you give, and what do you want?"
        self.found.hint = "bank"
        mores = []
        for key, name in zip(_GIVE_KEYS, RESOURCES, strict=True):
            rate = self._rate(name)
            then = replace(self.draft, give=ONE[name] * rate, take=NO_CARDS if name == take else self.draft.take)
            refusal = "" if count(self.hand.rc, name) >= rate else f"{rate} {name} are needed"
            mores.append(self._pick("give", name, f"{rate} {name}", key, then, refusal))
        rates = tuple(self._rate(name) for name in RESOURCES)
        self.found.rows.append(Row("Give", self.draft.give, rates, tuple(mores), ()))
        mores = []
        for key, name in zip(_TAKE_KEYS, RESOURCES, strict=True):
            refusal = "" if count(self.state.bnk.rc, name) else "the bank has none left"
            refusal = "the same thing twice" if name == give else refusal
            mores.append(self._pick("take", name, name, key, replace(self.draft, take=ONE[name]), refusal))
        held = tuple(count(self.state.bnk.rc, name) for name in RESOURCES)
        self.found.rows.append(Row("Take", self.draft.take, held, tuple(mores), ()))
        action = self._bank_trade(give, take) if give and take else None
        words = f"Give {describe(self.draft.give)} for {describe(self.draft.take)}" if action else "Trade"
        self._button("trade", words, "Enter", action, "" if action else "choose both", "accept", main=True)
        self._cancel()

    def _offer(self) -> None:
        most = self.state.constants.rules.side_max
        proposes = self.draft.mode == "propose"
        who = self.names[self.state.ap - 1]
        self.found.title = f"Your proposal to {who}" if proposes else "Your offer to all others"
        self.found.hint = "offer"
        held = tuple(count(self.hand.rc, name) for name in RESOURCES)
        self._row("give", "You give", self.draft.give, held, _GIVE_KEYS, most, other=self.draft.take)
        self._row("take", "You want", self.draft.take, (None,) * 5, _TAKE_KEYS, most, other=self.draft.give)
        make = ProposeTrade if proposes else OfferTrade
        action = make(self.player, self.draft.give, self.draft.take)
        refusal = "; ".join(reasons(self.state, action)[:1])
        verb = "Propose" if proposes else "Offer"
        words = f"{verb} {describe(self.draft.give)} for {describe(self.draft.take)}" if not refusal else verb
        self._button(
            "make proposal" if proposes else "make offer", words, "Enter", action, refusal, "accept", main=True
        )
        self._cancel()

    def _offered(self) -> None:
        state = self.state
        give, receive = state.offer
        if state.ans[self.player - 1] == "asked":
            who = self.names[state.ap - 1]
            self.found.title = f"{who} offers {describe(give)} for your {describe(receive)}"
            self.found.hint = "asked"
            accept, reject = AnswerTrade(self.player, "accept"), AnswerTrade(self.player, "reject")
            words = f"Give {describe(receive)}, get {describe(give)}"
            self._button("accept", words, "A", self._ask_for(accept), self._why_not(accept), "accept")
            self._button("reject", "No, thanks", "X", reject, icon="reject")
            if may_propose(state, self.player) and total(self.hand.rc):
                self._button("propose", "Make a counter-offer", "O", Draft("propose"), icon="hand")
            return
        partners = self._partners()
        self.found.hint = "answers"
        if partners:
            self.found.title = "With whom do you trade?"
        else:
            waits = "asked" in state.ans
            self.found.title = "Your offer stands: wait, or take it back" if waits else "Nobody accepts your offer"
        self._conclusions(partners)
        self._button("withdraw", "Take the offer back", "X", WithdrawTrade(self.player), icon="reject",
                     main=not partners)  # fmt: skip

    def _partners(self) -> list[Player]:
        """Those who have accepted the offer, or proposed something themselves."""
        return [seat for seat in self.state.constants.players if self.state.terms(seat) != NO_OFFER]

    def _conclusions(self, partners: Iterable[Player]) -> None:
        """A button for each trade that can be made."""
        for seat in partners:
            name = self.names[seat - 1]
            action = ConcludeTrade(self.player, seat)
            words = f"Trade with {name}"
            if self.state.ans[seat - 1] != "accept":
                give, receive = self.state.terms(seat)
                words = f"{name}: {describe(receive)} for your {describe(give)}"
            refusal = self._why_not(action)
            self._button(f"with {name}", words, str(seat), self._ask_for(action), refusal, f"badge {name}")

    # Rows of resources

    def _row(
        self,
        side: str,
        words: str,
        chosen: Cards,
        held: tuple[int | None, ...],
        keys: str,
        most: int,
        other: Cards = NO_CARDS,
    ) -> None:
        more, less = [], []
        for i, name in enumerate(RESOURCES):
            number, there = count(chosen, name), held[i]
            refusal = ""
            if there is not None and number >= there:
                refusal = f"there is no more {name}" if there else f"there is no {name}"
            elif total(chosen) >= most:
                refusal = f"no more than {most}"
            elif count(other, name):
                refusal = "the same thing twice"
            then = replace(self.draft, **{side: chosen + ONE[name]})  # type: ignore[arg-type]
            more.append(self._pick(side, name, f"one more {name}", keys[i], then, refusal))
            then = replace(self.draft, **{side: chosen - ONE[name]})  # type: ignore[arg-type]
            less.append(self._pick(f"{side} less", name, f"one {name} less", f"Shift+{keys[i]}", then,
                                   "" if number else "none is chosen"))  # fmt: skip
        self.found.rows.append(Row(words, chosen, held, tuple(more), tuple(less)))

    def _pick(self, side: str, name: Resource, words: str, key: str, then: Draft, refusal: str) -> Choice:
        return Choice(("do", side, name), f"{side} {name}", words, key, None if refusal else then, refusal, name)


def _roads_at(state: State, point: int) -> list[int]:
    roads = state.constants.board.roads_at[point]
    return [road for road in range(1, state.constants.board.road_count + 1) if roads >> road & 1]


def _question(state: State, action: Action, names: tuple[str, ...]) -> str:
    """What is about to be done, to be confirmed."""
    match action:
        case SetupPhaseOne() | SetupPhaseTwo():
            return "Settle here"
        case BuildRoad():
            return "Build a road here"
        case BuildVillage():
            return "Build a village here"
        case BuildCity():
            return "Build a city here"
        case BuyDevCard():
            return "Buy a development card"
        case PlayRoadBuilding(_, _, second):
            return "Build these two roads" if second != NO_ROAD else "Build this road"
        case PlayMonopoly(_, resource):
            return f"Play the monopoly on {resource}"
        case PlayKnight(_, _, victim) | MoveBandit(_, _, victim):
            card = "Play the knight and send" if isinstance(action, PlayKnight) else "Send"
            rob = f", and rob {names[victim - 1]}" if victim != NO_OWNER else ""
            return f"{card} the bandit there{rob}"
        case EmptyBuild():
            return "End the building" if state.tp == "SpecialBuilding" else "End your turn"
        case AnswerTrade():
            return f"Give {describe(state.offer.receive)} for {describe(state.offer.give)}"
        case ConcludeTrade(_, partner):
            give, receive = state.terms(partner)
            return f"Give {names[partner - 1]} {describe(give)} for {describe(receive)}"
        case _:
            return "Do it"
