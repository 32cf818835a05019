"""Which core plays: the compiled one if it was built from this very source, else the same source in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from catan_p2p.compiled import compiled, why_not_compiled
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import episodes, game, observing, searching, tables, valuing
from catan_p2p.game.flat.episodes import FlatEpisode
from catan_p2p.game.flat.game import FlatGame
from catan_p2p.game.flat.mirror import check_shape, check_state, numbers_of, sets_of
from catan_p2p.game.flat.observing import ObservationBuffer
from catan_p2p.game.flat.searching import MoveSearch
from catan_p2p.game.state import State, initial_state


@dataclass(frozen=True)
class CoreBuild:
    """One shape of the source: its name, ``compiled`` or ``python``, and its modules."""

    name: str
    game: Any
    tables: Any
    valuing: Any
    searching: Any
    observing: Any
    episodes: Any

    def begin(self, constants: Constants) -> FlatGame:
        """The beginning of a game; ``NotCovered`` if the core does not play it."""
        return self.flat_of(initial_state(constants))

    def flat_of(self, state: State) -> FlatGame:
        """A flat state equal to the mirror's; ``NotCovered`` if the core cannot play on from it."""
        check_state(state)
        return self._loaded(state)

    def shown(self, state: State) -> FlatGame:
        """A flat state to look at, whatever the rules say of what comes next; ``NotCovered`` if it does not fit."""
        check_shape(state)
        return self._loaded(state)

    def _loaded(self, state: State) -> FlatGame:
        flat: FlatGame = self.game.FlatGame(_tables(self, state.constants), self.tables.MoveScratch())
        flat.load(numbers_of(state), sets_of(state))
        return flat

    def episode(self, constants: Constants, firsts: Sequence[int], offers_most: int) -> FlatEpisode:
        """A game for learners, not begun yet; ``NotCovered`` if the core does not play it."""
        check_state(initial_state(constants))
        made: FlatEpisode = self.episodes.FlatEpisode(
            _tables(self, constants), self.tables.MoveScratch(), firsts, offers_most
        )
        return made

    def observation(
        self, constants: Constants, into: Any, starts: Sequence[int], columns: Sequence[int]
    ) -> ObservationBuffer:
        """An object that keeps a buffer of floats up to date; ``ValueError`` if the island does not fit."""
        made: ObservationBuffer = self.observing.ObservationBuffer(_tables(self, constants), into, starts, columns)
        return made

    def searcher(self, flat: FlatGame, constants: Constants, weights: Sequence[float]) -> MoveSearch:
        """A search that decides by a network's weights in games with these constants; ``flat`` is one of them."""
        found: MoveSearch = self.searching.MoveSearch(self.valuing.SeatScorer(_tables(self, constants), weights), flat)
        return found


@lru_cache(maxsize=64)
def _tables(core: CoreBuild, constants: Constants) -> Any:
    return core.tables.FlatTables(constants)


@lru_cache(maxsize=64)
def beginning(constants: Constants) -> tuple[list[int], list[int]]:
    """The numbers and the sets of the state in which games with these constants begin."""
    state = initial_state(constants)
    return numbers_of(state), sets_of(state)


_USED = ("game", "tables", "valuing", "searching", "observing", "episodes")
PYTHON = CoreBuild("python", game, tables, valuing, searching, observing, episodes)


@cache
def fastest() -> CoreBuild:
    """The compiled core, or Python's where that is not there."""
    if why_not_compiled() is not None:
        return PYTHON
    return CoreBuild("compiled", *map(compiled, _USED))
