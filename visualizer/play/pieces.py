"""Choices of pieces: the first settlements, then roads, villages and cities, and where each can stand."""

from collections.abc import Callable, Iterable

from catan_p2p.game.actions import Action, BuildCity, BuildRoad, BuildVillage, BuyDevCard, SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.cards import DEV_CARDS, covers, kinds
from catan_p2p.game.constants import Player
from catan_p2p.game.state import BUILD_PHASES, NOTHING_HIDDEN, State

from .choices import ChoiceMaker
from .draft import Draft
from .reasons import broken_by, missing


class PieceChoices(ChoiceMaker):
    """What can be built, and where."""

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
        is_hidden = self.state.hid is not NOTHING_HIDDEN
        buy = BuyDevCard(self.player, "sealed" if is_hidden else DEV_CARDS[(kinds(self.state.bnk.dc) or (0,))[0]])
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


def _roads_at(state: State, point: int) -> list[int]:
    roads = state.constants.board.roads_at[point]
    return [road for road in range(1, state.constants.board.road_count + 1) if roads >> road & 1]
