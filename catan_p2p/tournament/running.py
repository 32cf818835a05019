"""Plays a tournament on several processes, or on a Dask cluster."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from catan_p2p.simulation.processes import each_on_processes
from catan_p2p.tournament.games import TournamentGame, TournamentSetup, play_deal

if TYPE_CHECKING:
    from catan_p2p.simulation.cluster import Tell

T = TypeVar("T")

Played = Callable[[int], None]
"""Called after each game with how many have been played."""


def play_all(
    entry: TournamentSetup, numbers: Sequence[int], jobs: int = 1, played: Played | None = None
) -> list[TournamentGame]:
    """Play these games on ``jobs`` processes; returns the outcomes in the order of the numbers."""
    if jobs == 1:
        return _told(map(partial(play_deal, entry), numbers), played)

    # In order of ending: behind one long game, the other processes would have nothing to do.
    work = ((place, entry, number) for place, number in enumerate(numbers))
    return [game for _, game in sorted(_told(each_on_processes(_play_placed, work, jobs), played), key=itemgetter(0))]


def _play_placed(place: int, entry: TournamentSetup, number: int) -> tuple[int, TournamentGame]:
    """Play a game; its place among the others, and the outcome."""
    return place, play_deal(entry, number)


def play_on_cluster(
    entry: TournamentSetup, numbers: Sequence[int], url: str, played: Played | None = None, tell: "Tell | None" = None
) -> list[TournamentGame]:
    """Play these games on the Dask cluster at ``url``; returns the outcomes in the order of the numbers.

    ``ClusterError`` if the cluster cannot be used or goes away. ``tell`` is called with a line when it has no worker.
    """
    from catan_p2p.simulation.cluster import as_they_end, connect
    from catan_p2p.simulation.run import ClusterError

    client: Any = connect(url)
    try:
        futures: list[Any] = []  # in the order of the numbers; the cluster ends them in another one

        def submitted(number: int) -> Any:
            futures.append(client.submit(play_deal, entry, number, pure=False))
            return futures[-1]

        _told(as_they_end(client, url, map(submitted, numbers), tell), played)
        return [future.result() for future in futures]
    except Exception as error:
        if isinstance(error, ClusterError):
            raise
        raise ClusterError(f"{url}: a worker failed: {type(error).__name__}: {error}") from error
    finally:
        client.close()


def _told(outcomes: Iterator[T], played: Played | None) -> list[T]:
    found = []
    for outcome in outcomes:
        found.append(outcome)
        if played is not None:
            played(len(found))
    return found
