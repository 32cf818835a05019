"""A game in progress that the flat core plays: the same games, numbers and chance as ``Table``, sooner.

The mirror's state is worked out only where somebody looks at it.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from catan_p2p.env.action_space import BLOCK, NOTHING_BEGUN, block_of, number_of, offer_numbers, tell
from catan_p2p.env.table import OFFERS_PER_TURN, Table
from catan_p2p.game import flat, rules
from catan_p2p.game.actions import Action
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.cards import kinds
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import places
from catan_p2p.game.state import State, initial_state

_WITHOUT_CARD = (1 << places.C_AT) - 1
_OFFERS = (places.OFFER_TRADE, places.PROPOSE_TRADE)


class FlatTable(Table):
    """A ``Table`` whose moves the flat core makes, if it plays these rules and nobody watches each move."""

    _flat: flat.Flat | None = None
    _state: State | None = None

    def begin(self) -> None:
        """Begin the next game, with a map of its own if the map is drawn."""
        self._flat = None
        super().begin()
        self._constants = self.state.constants
        if not self.watching and flat.why_not_covered(self._constants) is None:
            self._numbers = _Numbers.of(self._constants)
            self._flat = flat.fastest().flat_of(self.state)
            self._moves: dict[int, int] = {}

    @property
    def state(self) -> State:
        """The mirror's state."""
        if self._state is None:
            assert self._flat is not None
            self._state = flat.state_of(self._flat, self._constants)
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state = state

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.player == 0 if self._flat is not None else self.state.is_over

    @property
    def is_cut_off(self) -> bool:
        """Whether the game has lasted too long without a winner."""
        return self.turns >= self.max_turns and not self.is_over

    @property
    def legal(self) -> list[int]:
        """The numbers of what the player to decide can do; never empty before the end."""
        if self._flat is None:
            return super().legal
        if self._legal is None:
            self._moves = {}
            self._legal = self._listed(self._flat) if self.player else []
        return self._legal

    def _listed(self, game: flat.Flat) -> list[int]:
        """What ``legal_numbers`` lists; what a number does is in ``_moves``, but for offers and what is only begun."""
        found = self._moves
        listed = game.list_moves(self.player)
        if self.begun.first_road != NO_ROAD:
            for move in map(game.move, range(listed)):
                if move & 31 == places.PLAY_ROADS and move >> places.A_AT & places.PART == self.begun.first_road:
                    found[BLOCK["second_road"].number(move >> places.B_AT & places.PART)] = move
            return list(found)
        if game.owed_by(self.player):
            left = game.hand(self.player) - self.begun.given_up
            return [BLOCK["discard"].number(kind) for kind in kinds(left)]
        for move in map(game.move, range(listed)):
            if move & 31 not in _OFFERS:
                found.setdefault(self._numbers.number(move), move)
        numbers = list(found)
        if self.offers < OFFERS_PER_TURN and game.may_offer(self.player):
            numbers += offer_numbers(game.hand(self.player))
        return numbers

    def step(self, number: int) -> None:
        """Carry out a decision of the player to decide; ``ValueError`` if it is not legal."""
        block = block_of(int(number)).name
        if self._flat is None or block in ("discard", "road_building", "offer"):
            super().step(number)
            return
        if number not in self.legal:
            raise ValueError(f"action {number} ({tell(self.state, int(number))}) is not legal for player {self.player}")
        move = self._moves[int(number)]
        self.begun = NOTHING_BEGUN
        self._carry_out(self._flat, move)

    def carry_out(self, choice: Action) -> None:
        """Carry out an action of the engine, its outcome of chance drawn anew; ``NotEnabled`` if it is not legal."""
        if self._flat is None:
            super().carry_out(choice)
            return
        broken = rules.broken_guards(self.state, choice)
        if broken:
            raise rules.NotEnabled(choice, broken)
        self._carry_out(self._flat, flat.move_of(choice))

    def play_at_random(self, rng: Random) -> bool:
        """Decide as the policy ``random`` does with the same generator; False, and nothing, if the mirror plays."""
        game = self._flat
        if game is None:
            return False
        move = game.move(int(rng.random() * game.list_moves(self.player)))
        if move & 31 in _OFFERS:
            self._carry_out(game, flat.move_of(rules.any_offer(self.state, flat.action_of(move), rng)))
        else:
            self._carry_out(game, move)
        return True

    def _carry_out(self, game: flat.Flat, move: int) -> None:
        self._legal = None
        self._state = None
        if move & 31 == places.ROLL_DICE:
            self.turns += 1
            self.offers = 0
        game.do(game.draw(move, self._rng.getrandbits))
        self.player = game.awaited()


class _Numbers:
    """The number of each move of games with the same constants, remembered."""

    def __init__(self, constants: Constants) -> None:
        self._state = initial_state(constants)
        self._known: dict[int, int] = {}

    @staticmethod
    @lru_cache(maxsize=16)
    def of(constants: Constants) -> _Numbers:
        """The numbers of these games."""
        return _Numbers(constants)

    def number(self, move: int) -> int:
        """The number of a move that is no discard and no offer."""
        key = move & _WITHOUT_CARD
        if key not in self._known:
            self._known[key] = number_of(self._state, flat.action_of(move))
        return self._known[key]
