"""Choices of development cards, and of the bandit's tile and victim."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from catan_p2p.game import actions
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.placement import open_roads
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.cards import RESOURCES, count, describe
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.view.words import CARD_NAMES

from .choices import GIVE_KEYS, ChoiceMaker
from .draft import ActionDraft
from .reasons import broken_by, reasons

_CARD_KEYS = {"Knight": "K", "Monopoly": "M", "YearOfPlenty": "Y", "RoadBuilding": "W"}


class CardChoices(ChoiceMaker):
    """Which development card can be played, and the choices that it needs."""

    def _cards(self) -> None:
        makers: dict[str, Callable[[], ActionDraft]] = {
            "Knight": lambda: ActionDraft("knight"),
            "Monopoly": lambda: ActionDraft("monopoly"),
            "YearOfPlenty": lambda: ActionDraft("plenty"),
            "RoadBuilding": lambda: ActionDraft("roads"),
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
            return self._why_not(actions.PlayMonopoly(self.player, "Ore"))
        if card == "YearOfPlenty":
            offers = [actions.PlayYearOfPlenty(self.player, one, other) for one in RESOURCES for other in RESOURCES]
            if any(not broken_by(self.state, offer) for offer in offers):
                return ""
            return self._why_not(offers[0])
        roads = list(self._free_roads(()))
        if roads:
            return ""
        guards = broken_by(self.state, actions.PlayRoadBuilding(self.player, 1, NO_ROAD))
        card_guards = [
            tag for tag in guards if tag.partition(" ")[2] in ("phase", "turn", "available", "supply", "limit")
        ]
        action = actions.PlayRoadBuilding(self.player, 1, NO_ROAD)
        return reasons(self.state, action, card_guards) or "no place for a road"

    def _monopoly(self) -> None:
        self.found.title = "All cards of which resource?"
        self.found.hint = "pick"
        for key, resource in zip(GIVE_KEYS, RESOURCES, strict=True):
            action = actions.PlayMonopoly(self.player, resource)
            self._button(f"all {resource}", resource, key, self._ask_for(action), self._why_not(action), resource)
        self._cancel()

    def _plenty(self) -> None:
        chosen = [name for name in RESOURCES for _ in range(count(self.draft.take, name))]
        bank = self.state.bnk.rc
        self.found.title = "Take two cards from the bank"
        self.found.hint = "pick"
        held = tuple(count(bank, name) for name in RESOURCES)
        self._row("take", "Take", self.draft.take, held, GIVE_KEYS, most=2)
        action = actions.PlayYearOfPlenty(self.player, chosen[0], chosen[1]) if len(chosen) == 2 else None
        words = f"Take {describe(self.draft.take)}" if chosen else "Take two cards"
        refusal = f"{2 - len(chosen)} more" if action is None else self._why_not(action)
        self._button("take them", words, "Enter", action, refusal, "accept", main=True)
        self._cancel()

    # Road building

    def _free_road(self) -> None:
        self.found.title = "Choose a place for the second road" if self.draft.picks else "Choose a place for a road"
        self.found.hint = "place"
        for road, then in self._free_roads(self.draft.picks):
            self._place("road", road, then)
        self._cancel()

    def _free_roads(self, picked: tuple[int, ...]) -> Iterable[tuple[int, ActionDraft]]:
        """Where the next road of the card can lie, and the draft after it."""
        state, player = self.state, self.player
        if not picked:
            for first in range(1, state.constants.board.road_count + 1):
                alone = actions.PlayRoadBuilding(player, first, NO_ROAD)
                if not broken_by(state, alone):
                    yield first, replace(self.draft, picks=(first,), ask=alone)
                elif any(True for _ in self._second_roads(first)):
                    yield first, replace(self.draft, picks=(first,))
            return
        for action in self._second_roads(picked[0]):
            yield action.second, replace(self.draft, ask=action)

    def _second_roads(self, first: int) -> Iterable[actions.PlayRoadBuilding]:
        # PR13 only says that a second road is possible, which is what is searched for here.
        if broken_by(self.state, actions.PlayRoadBuilding(self.player, first, NO_ROAD)) not in ((), ("PR13 single",)):
            return
        points = open_roads(self.state, self.player, built=1 << first)
        for second in range(1, self.state.constants.board.road_count + 1):
            if points >> second & 1:
                action = actions.PlayRoadBuilding(self.player, first, second)
                if not broken_by(self.state, action):
                    yield action

    # The bandit

    def _robberies(self, mode: str) -> Iterable[actions.Robbery]:
        make = actions.PlayKnight if mode == "knight" else actions.MoveBandit
        for tile in self.state.constants.board.land:
            for victim in (NO_OWNER, *self.state.constants.players):
                # Which card is stolen, the draw decides: any that can be stolen stands for all.
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
                then = ActionDraft(ask=on_tile[0], mode=self.draft.mode) if len(on_tile) == 1 else None
                self._place("tile", tile, then or ActionDraft("knight" if mode == "knight" else "bandit", (tile,)))
            if mode == "knight":
                self._cancel()
            return
        self.found.title = "Whom to rob?"
        there = [move for move in moves if move.to == self.draft.picks[0]]
        held = {move: self.state.hand_size(move.victim) if move.victim else 0 for move in there}
        for move, cards in sorted(held.items(), key=lambda each: not each[1]):
            name = self.names[move.victim - 1]
            words = f"{name} ({cards} card{'' if cards == 1 else 's'})"
            colour = self.colours[move.victim - 1]
            self._button(f"rob {colour}", words, str(move.victim), self._ask_for(move), icon=f"badge {colour}")
        self._cancel()
