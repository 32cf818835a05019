"""Games, observations and rewards of the environments worked out on the mirror, which the core's must equal."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np

from catan_p2p import actions as act
from catan_p2p.env.action_space import BLOCK, BLOCK_OF_KIND, OFFERED, POINTS, ROADS
from catan_p2p.env.observing import PHASES, SHAPES
from catan_p2p.env.table import OFFERS_PER_TURN, Reward
from catan_p2p.game import rules
from catan_p2p.game.actions import Action, OfferTrade, RollDice, play_road_building
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import RESOURCES, Cards, kinds, multiples, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import TRADE_PHASES, State
from catan_p2p.players.random_player import RandomPolicy


class PartialAction(NamedTuple):
    """The decisions so far of an action that takes several: the cards to discard, or the first of two roads."""

    given_up: Cards = 0
    first_road: int = 0


NOTHING_BEGUN = PartialAction()


def parts(state: State, action: Any) -> list[int]:
    """The parts of a decision's number, from 0."""
    board = state.constants.board
    match action:
        case act.SetupPhaseOne() | act.SetupPhaseTwo():
            return [action.at - 1, [*numbers(board.roads_at[action.at])].index(action.road)]
        case act.BuildRoad() | act.BuildVillage() | act.BuildCity():
            return [action.at - 1]
        case act.MoveBandit() | act.PlayKnight():
            return [board.land.index(action.to), action.victim]
        case act.PlayMonopoly():
            return [RESOURCES.index(action.resource)]
        case act.PlayYearOfPlenty():
            return [RESOURCES.index(action.first), RESOURCES.index(action.second)]
        case act.PlayRoadBuilding():
            return [action.first - 1]
        case act.TradeFourToOne() | act.TradeThreeToOne() | act.TradeTwoToOne():
            return [RESOURCES.index(action.give), RESOURCES.index(action.receive)]
        case act.AnswerTrade():
            return [int(action.answer == "reject")]
        case act.ConcludeTrade():
            return [action.partner - 1]
    return []


def decisions(
    state: State, player: Player, begun: PartialAction = NOTHING_BEGUN, offers: bool = True
) -> dict[int, Action | PartialAction]:
    """What each number stands for that is legal for a player; an action that takes several decisions is begun.

    Offers depend on the player's own hand alone, so that their legality reveals no other hand.
    """
    found: dict[int, Action | PartialAction] = {}
    if begun.first_road:
        plays = play_road_building.instances(state, player)
        return {BLOCK["second_road"].number(play.second): play for play in plays if play.first == begun.first_road}
    if state.tp == "Discarding" and owed(state, player) > 0:
        for kind in kinds(state.h[player - 1].rc - begun.given_up):
            given_up = begun.given_up + multiples(RESOURCES[kind], 1)
            is_whole = total(given_up) == owed(state, player)
            found[BLOCK["discard"].number(kind)] = (
                act.Discard(player, given_up) if is_whole else PartialAction(given_up)
            )
        return found
    for action in rules.decisions(state, player):
        if not isinstance(action, act.OfferTrade | act.OfferTradeTo | act.ProposeTrade):
            is_begun = isinstance(action, act.PlayRoadBuilding)
            made = PartialAction(first_road=action.first) if is_begun else action
            found.setdefault(BLOCK_OF_KIND[type(action)].number(*parts(state, action)), made)
    if offers and state.constants.rules.domestic_trade and state.tp in TRADE_PHASES and state.ap == player:
        for give, amount, receive, wanted in product(range(5), OFFERED, range(5), OFFERED):
            if receive != give and unpack(state.h[player - 1].rc)[give] >= amount:
                number = BLOCK["offer"].number(give, amount - 1, receive, wanted - 1)
                sides = multiples(RESOURCES[give], amount), multiples(RESOURCES[receive], wanted)
                found[number] = OfferTrade(player, *sides)
    return found


class MirrorTable:
    """``catan_p2p.env.table.EpisodeTable``, on the mirror: ``player`` is whose decision it is, 0 after the end."""

    def __init__(self, state: State, rng: Random, max_turns: int) -> None:
        self.rng, self.max_turns = rng, max_turns
        self.turns = 0
        self.offers = 0
        self.set_to(state)

    def set_to(self, state: State) -> None:
        """Go on from a state."""
        self.state = state
        self.begun = NOTHING_BEGUN
        self.player: Player = next(iter(rules.awaited(state)), 0)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.state.is_over

    @property
    def is_cut_off(self) -> bool:
        """Whether the game has lasted too long without a winner."""
        return self.turns >= self.max_turns and not self.state.is_over

    @property
    def legal(self) -> list[int]:
        """The numbers of what the player to decide can do; never empty before the end."""
        return [*self._decisions()]

    def _decisions(self) -> dict[int, Action | PartialAction]:
        offers = self.offers < OFFERS_PER_TURN
        return decisions(self.state, self.player, self.begun, offers) if self.player else {}

    def decide(self, number: int) -> bool:
        """Carry out a decision of the player to decide; False, and nothing happens, if it is not legal."""
        made = self._decisions().get(number)
        if made is None:
            return False
        if isinstance(made, PartialAction):
            self.begun = made
            return True
        self.begun = NOTHING_BEGUN
        if isinstance(made, OfferTrade):
            self.offers += 1
            if rules.broken_guards(self.state, made):
                # Nobody can pay, so all decline, which changes nothing.
                return True
        self.carry_out(made)
        return True

    def carry_out(self, choice: Action) -> None:
        """Carry out an action, its outcome of chance drawn anew."""
        action = rules.draw(self.state, choice, self.rng)
        if isinstance(action, RollDice):
            self.turns += 1
            self.offers = 0
        self.set_to(rules.apply(self.state, action))

    def play_others(self, seat: Player, rng: Random) -> None:
        """Decide for others up to a decision of the learner, as the policy ``random``."""
        while self.player not in (0, seat) and not self.is_cut_off:
            options = rules.decisions(self.state, self.player)
            self.carry_out(RandomPolicy().choose(self.state, self.player, options, rng))


def rewards(reward: Reward, before: Sequence[int], state: State) -> list[float]:
    """The rewards by seat of a step.

    ``win``: 1 for who wins and -1 for all others at the end, else 0. ``points``: the same, and a tenth of the points
    that the step brought or took, of which ``before`` is what the players had before it.
    """
    found = [0.0] * len(before)
    if state.is_over:
        found = [1.0 if player == state.ap else -1.0 for player in state.constants.players]
    if reward == "points":
        found = [own + (now - had) / 10 for own, now, had in zip(found, points_of(state), before, strict=True)]
    return found


def observed(state: State, player: Player, given_up: Cards = 0) -> Any:
    """The arrays of ``arrays`` in a row."""
    return np.concatenate([array.ravel() for array in arrays(state, player, given_up).values()])


def arrays(state: State, player: Player, given_up: Cards = 0) -> dict[str, Any]:
    """The arrays of ``SHAPES`` for a viewer; ``given_up`` is what the viewer has named of the cards to discard."""
    order = [*range(player, state.constants.player_count + 1), *range(1, player)]
    seats = len(order)
    players: Any = np.zeros(SHAPES["players"], np.float32)
    points: Any = np.zeros(SHAPES["points"], np.float32)
    roads: Any = np.zeros(SHAPES["roads"], np.float32)
    for row, seat in enumerate(order):
        players[row] = _seat_row(state, seat, row)
    points[:seats, 0] = [_bits(state.s.villages[seat - 1], POINTS) for seat in order]
    points[:seats, 1] = [_bits(state.s.cities[seat - 1], POINTS) for seat in order]
    roads[:seats] = [_bits(state.r[seat - 1], ROADS) for seat in order]
    return {
        "players": players,
        "table": np.array(_table(state, player, order), np.float32),
        "hand": np.array(_own(state, player, given_up), np.float32),
        "points": points,
        "roads": roads,
        "tiles": _tiles(state.constants.board, state.ba),
        "wharfs": _wharfs(state.constants.board),
    }


def _bits(points: int, count: int) -> list[int]:
    """A set of numbers from 1 as zeros and ones."""
    return [points >> number & 1 for number in range(1, count + 1)]


def _seat_row(state: State, seat: Player, row: int) -> list[float]:
    """What everybody sees of a seat, in 26 numbers.

    plays, resource cards, cards bought, cards available; unveiled by type (5); points, longest road, largest army;
    roads, villages, cities left; its turn, awaited to build, set-up turn; must keep so many cards; start roll; answer
    (none, asked, accept, reject); distance in turn, whether it began.
    """
    hand, left = state.h[seat - 1], state.b[seat - 1]
    answer = state.ans[seat - 1]
    return [
        1,
        total(hand.rc),
        total(hand.bc),
        total(hand.ac),
        *unpack(hand.uc),
        state.points(seat),
        state.lr == seat,
        state.la == seat,
        left.road,
        left.village,
        left.city,
        state.ap == seat,
        state.sb == seat,
        state.tp == "bot" and state.su_ap == seat,
        state.lim[seat - 1],
        state.rolls[seat - 1],
        answer == "none",
        answer == "asked",
        answer == "accept",
        answer == "reject",
        row,
        state.first == seat,
    ]


def _table(state: State, player: Player, order: list[Player]) -> list[float]:
    """The bank (5 resources, cards left), the discard pile's size, the phase, the dice, the offer, the rules."""
    rules = state.constants.rules
    dice = [0.0] * 13
    dice[state.dice] = 1.0
    return [
        *unpack(state.bnk.rc),
        total(state.bnk.dc),
        total(state.dp),
        state.pd,
        len(order),
        rules.points_to_win,
        *(state.tp == phase for phase in PHASES),
        *(state.sup == phase for phase in ("Rolling", "PhaseOne", "PhaseTwo")),
        state.is_over,
        *dice,
        *unpack(state.offer.give),
        *unpack(state.offer.receive),
        *unpack(state.dp),
        rules.combined_trade_build,
        rules.domestic_trade,
        rules.special_building,
    ]


def _own(state: State, player: Player, given_up: Cards) -> list[int]:
    """The viewer's own cards: resources less those named for a discard, bought, available development cards."""
    hand = state.h[player - 1]
    return [*unpack(hand.rc - given_up), *unpack(hand.bc), *unpack(hand.ac)]


def _tiles(board: Board, bandit: int) -> Any:
    rows: Any = np.zeros(SHAPES["tiles"], np.float32)
    for row, number in enumerate(board.land):
        tile = board.map.tiles[number - 1]
        if tile.resource is not None and tile.number is not None:
            rows[row, RESOURCES.index(tile.resource)] = 1
            rows[row, 5] = 6 - abs(7 - tile.number)
        rows[row, 6] = tile.terrain == "desert"
        rows[row, 7] = number == bandit
    return rows


def _wharfs(board: Board) -> Any:
    return np.array([_bits(points, POINTS) for points in board.wharf_points.values()], np.float32)
