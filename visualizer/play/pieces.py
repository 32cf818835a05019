"""Choices of pieces: the settlements of the set-up, then roads, villages and cities, and their places."""

from catan_p2p.game.actions import BUILDINGS, Building, BuyDevCard, SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.actions.parts import Piece
from catan_p2p.game.cards import DEV_CARDS, covers, kinds
from catan_p2p.game.state import BUILD_PHASES, NOTHING_HIDDEN, State

from .choices import ChoiceMaker
from .draft import ActionDraft, WhyNot
from .reasons import broken_by, missing

_PLACES: dict[Piece, str] = {"road": "road", "village": "point", "city": "point"}
_TITLES: dict[Piece, str] = {
    "road": "Choose a place for the road",
    "village": "Choose a place for the village",
    "city": "Choose the village that grows",
}


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
                    self._place("point", point, ActionDraft("settle", (point,)))
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
        for (piece, kind), left in zip(BUILDINGS.items(), self.state.b[self.player - 1], strict=True):
            refusal = "" if covers(self.hand.rc, kind.cost) else missing(self.hand.rc, kind.cost)
            if not left:
                refusal = f"no {piece} is left"
            elif not refusal and not self._open(piece):
                refusal = WhyNot("no place for one", "no place")
            self._button(piece, piece.capitalize(), piece[0].upper(), ActionDraft(piece), refusal, piece, kind.cost)
        is_hidden = self.state.hid is not NOTHING_HIDDEN
        # Which card it is, the draw decides: any kind that is left stands for all.
        buy = BuyDevCard(self.player, "sealed" if is_hidden else DEV_CARDS[(kinds(self.state.bnk.dc) or (0,))[0]])
        self._button("card", "Development card", "B", self._ask_for(buy), self._why_not(buy), "deck", buy.cost)

    def _shortcuts(self) -> None:
        """Places that can be clicked without choosing first what to build."""
        if self.state.tp not in BUILD_PHASES:
            return
        for piece in BUILDINGS:
            for action in self._open(piece):
                if not broken_by(self.state, action):
                    self._place(_PLACES[piece], action.at, ActionDraft(ask=action))

    def _build(self, piece: Piece) -> None:
        self.found.title = _TITLES[piece]
        self.found.hint = "place"
        for action in self._open(piece):
            self._place(_PLACES[piece], action.at, self._ask_for(action))
        self._cancel()

    def _open(self, piece: Piece) -> list[Building]:
        """Every place where the piece could be built, if the player could pay for it."""
        board = self.state.constants.board
        places = board.road_count if piece == "road" else board.settlement_count
        tried = (BUILDINGS[piece](self.player, place) for place in range(1, places + 1))
        return [one for one in tried if all(tag.endswith(" cost") for tag in broken_by(self.state, one))]


def _roads_at(state: State, point: int) -> list[int]:
    roads = state.constants.board.roads_at[point]
    return [road for road in range(1, state.constants.board.road_count + 1) if roads >> road & 1]
