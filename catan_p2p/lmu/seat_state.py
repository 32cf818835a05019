"""One seat's knowledge of a game, for a window: whose move it is, the current offer, and bounds on hands and bank.

In the state itself, hands of other players have the right number of cards but arbitrary kinds, so a window must hide
them. Players keep the seats in which they were first shown.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, count, covers, pack, total, unpack
from catan_p2p.game.constants import Constants, Player, profile
from catan_p2p.game.state import Answer, Bank, Offer, State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client_player import MISLED, without_village
from catan_p2p.lmu.model import MAX_PLAYERS, ClientModel, moved, seat_in
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.lmu.words import Status
from catan_p2p.view.bounds import EMPTY, exactly, holding, lose_any, pay, within
from catan_p2p.view.knowledge import PublicKnowledge, known_of

_SETTLING: tuple[Status, ...] = ("Dorf bauen", "Straße bauen")


class SeatState:
    """Derives the state of a game from its ``model``."""

    def __init__(self, model: ClientModel) -> None:
        self._model = model
        self._ids: tuple[int, ...] = ()
        self.participants: tuple[tuple[str, str], ...] = ()
        """Colour and name by seat; empty until the seats are assigned."""
        self._rolled: list[int] = []
        self._expected: set[int] = set()
        """The players' numbers, if an earlier run of the program kept them."""
        self._constants: Constants | None = None
        self._bank = EMPTY
        self._pool = NO_CARDS
        self._limits: dict[int, int] = {}
        """How many cards each player may keep who must discard, by number."""

    # Seats

    def note_roll(self, id: int) -> None:
        """Note a roll for the start: servers that roll do so in the order of play."""
        if id not in self._rolled and len(self._rolled) < MAX_PLAYERS:
            self._rolled.append(id)

    def expect_seats(self, order: Iterable[int]) -> None:
        """Wait for these players, in this order of play; if empty, find the order out."""
        self._rolled = [*order]
        self._expected = {*self._rolled}

    @property
    def order(self) -> tuple[int, ...]:
        """The players' numbers by seat; empty until the seats are assigned."""
        return self._ids

    def awaits_last(self, id: int) -> bool:
        """Whether a player was expected, so that any status of theirs, even "Warten", may complete the players."""
        return id in self._expected

    def take_seats(self) -> bool:
        """Assign the seats for good; False while the players or the board are incomplete."""
        model = self._model
        there = set(model.players)
        if model.me not in there or not 2 <= len(there) <= MAX_PLAYERS or model.board is None:
            return False
        if self._expected and (there != self._expected or any(not one.colour for one in model.players.values())):
            return False
        self._ids = tuple(self._rolled) if set(self._rolled) == there else tuple(sorted(there))
        model.order, model.is_closed = [*self._ids], True
        self.participants = model.participants()
        rules = replace(profile("brief", len(there)), offer_max=0, table_talk=True)
        self._constants = Constants(rules, model.board, len(there))
        self._pool = rules.resource_pool
        self._bank = exactly(self._pool)
        for known in model.players.values():  # empty hands, unless the client has come back to a game under way
            held, certain = known.resources, total(known.resources.low)
            self._bank = lose_any(pay(self._bank, held.low), held.least - certain, held.most - certain)
        return True

    def seat(self, id: int | None) -> Player:
        """The seat of a player's number; ``NO_OWNER`` if it has none."""
        return seat_in(self._ids, id)

    def move_bank(self, message: m.CardsReceived | m.CardsPaid) -> None:
        """Move cards from or to the bank, within what the pool of the game allows."""
        bank = moved(self._bank, message.cards, is_gain=isinstance(message, m.CardsPaid))
        self._bank = within(bank, (0,) * len(RESOURCES), unpack(self._pool))

    # The state

    def now(self) -> PublicKnowledge | None:
        """What is known after the messages so far; None if they contradict each other."""
        if self._constants is None:
            return None
        try:
            state = self._model.state()
            if state is None:
                return None
            hands = tuple(self._model.known(id).resources for id in self._ids)
            bank = holding(self._bank, total(self._pool) - sum(total(hand.rc) for hand in state.h))
            state = state._replace(constants=self._constants, dice=self._model.dice)
            state = state._replace(bnk=Bank(bank.high, self._dev_cards_left(state)))
            state = self._shown_points(state._replace(**self._phase(state)))
            known = known_of(state)._replace(hands=hands, bank=bank)
            return known.tightened(known.players) or known
        except MISLED:
            return None

    def _dev_cards_left(self, state: State) -> Cards:
        """The number of cards still to buy; their kinds are arbitrary."""
        gone = sum(total(hand.bc + hand.ac + hand.uc) for hand in state.h) + total(state.dp)
        left = []
        for n in unpack(state.constants.rules.dev_card_pool):
            taken = min(n, gone)
            left.append(n - taken)
            gone -= taken
        return pack(left)

    def _shown_points(self, state: State) -> State:
        """At the end, give the winner the victory point cards that explain the reported points."""
        if state.tp != "top":
            return state
        hands, hand = [*state.h], state.h[state.ap - 1]
        points = max(count(hand.uc, "VictoryPoint"), self._model.victory_points(self._ids[state.ap - 1]))
        uc = ONE["Knight"] * count(hand.uc, "Knight") + ONE["VictoryPoint"] * points
        hands[state.ap - 1] = hand._replace(uc=uc)
        return state._replace(h=tuple(hands))

    def _with(self, *statuses: Status) -> list[int]:
        """The players with one of these statuses, the own player first."""
        model = self._model
        found = [id for id in self._ids if model.players[id].status in statuses]
        return sorted(found, key=lambda id: id != model.me)

    def _phase(self, state: State) -> dict[str, Any]:
        model = self._model
        if self.seat(model.winner):
            return {"tp": "top", "ap": self.seat(model.winner)}
        active = self.seat(model.turn_of) or 1
        late = self._late(self._with("Karten wegen Räuber abgeben"), state)
        if settling := self._with(*_SETTLING):
            return self._settling(settling[0], state)
        if any(late):
            return {"tp": "Discarding", "ap": active, "lim": late}
        if moving := self._with("Räuber versetzen"):
            return {"tp": "MovingBandit", "ap": self.seat(moving[0])}
        if rolling := self._with("Würfeln"):
            return {"tp": "DiceRoll", "ap": self.seat(rolling[0])}
        if building := self._with("Bauen"):
            return {"tp": "SpecialBuilding", "ap": active, "sb": self.seat(building[0])}
        acting = self._with("Handeln oder Bauen")
        active = self.seat(acting[0]) if acting else active
        return {"tp": "TradingBuilding", "ap": active, **self._offering(active)}

    def _late(self, late: Iterable[int], state: State) -> tuple[int, ...]:
        """By seat, how many cards a player may keep who must discard; 0 for all others."""
        held = {id: total(state.h[self.seat(id) - 1].rc) for id in late}
        self._limits = {id: self._limits.get(id, n - n // 2) for id, n in held.items()}
        return tuple(self._limits.get(id, 0) for id in self._ids)

    def _settling(self, id: int, state: State) -> dict[str, Any]:
        model, seat = self._model, self.seat(id)
        known = model.players[id]
        placed = known.villages.bit_count() - (known.status == "Straße bauen")
        phase: dict[str, Any] = {"tp": "bot", "sup": "PhaseTwo" if placed > 0 else "PhaseOne", "su_ap": seat}
        if id == model.me and known.status == "Straße bauen" and (village := model.loose_village()):
            state = without_village(state, seat, village)  # a set-up action is both, village and road
        return {**phase, "first": 1, "s": state.s, "b": state.b}

    # Offers

    def current_offer(self) -> OpenOffer | None:
        """The offer that the person sees, with player numbers.

        That is their own, or the active player's first one without their answer, or else the active player's last one.
        """
        model = self._model
        active = {model.turn_of, *self._with("Handeln oder Bauen")}
        own = [offer for offer in model.offers.values() if offer.player == model.me]
        others = [offer for offer in model.offers.values() if offer.player in active]
        open_ones = [offer for offer in others if model.me not in offer.answers]
        return next(iter((*own, *open_ones, *reversed(others))), None)

    def _offering(self, active: Player) -> dict[str, Any]:
        offer = self.current_offer()
        if offer is None or self.seat(offer.player) != active or not offer.give or not offer.receive:
            return {}
        pool = self._constants.rules.resource_pool if self._constants is not None else 0
        if not covers(pool, offer.give) or not covers(pool, offer.receive):
            return {}

        def answer(id: int) -> Answer:
            if id == offer.player:
                return "none"
            return "asked" if id not in offer.answers else "accept" if offer.answers[id] else "reject"

        return {
            "tp": "Offering",
            "offer": Offer(offer.give, offer.receive),
            "ans": tuple(answer(id) for id in self._ids),
        }
