"""Options of the verbs that play many games: where they are played."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from catan_p2p.cli import output, values
from catan_p2p.simulation.run import SettingsError

if TYPE_CHECKING:
    from catan_p2p.simulation.cluster import DaskExecutor


def add_executor_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``, ``--executor`` and ``--scheduler``."""
    parser.add_argument("--jobs", type=values.count, metavar="J", help="processes to play on (default: 1)")
    parser.add_argument(
        "--executor", choices=("processes", "dask"), default="processes", help="where to play (default: processes)"
    )
    parser.add_argument(
        "--scheduler",
        type=values.scheduler,
        metavar="URL",
        help="the Dask cluster's scheduler, such as tcp://host:8786",
    )


@contextlib.contextmanager
def chosen_executor(args: argparse.Namespace) -> Iterator[DaskExecutor | None]:
    """The cluster to play on, None for processes of this machine.

    ``SettingsError`` if the options do not go together, ``ClusterError`` if the cluster cannot be used.
    """
    if args.executor != "dask":
        if args.scheduler is not None:
            raise SettingsError("--scheduler: only --executor dask has one")
        yield None
        return
    if args.scheduler is None:
        raise SettingsError(
            "--executor dask: --scheduler URL is missing; to start a cluster here, run: dask scheduler, and, once or "
            "several times: dask worker tcp://127.0.0.1:8786"
        )
    if args.jobs is not None:
        raise SettingsError("--jobs: with --executor dask the cluster decides how many games it plays at once")
    from catan_p2p.simulation.cluster import DaskExecutor

    with contextlib.closing(DaskExecutor(args.scheduler, output.say)) as executor:
        yield executor
