"""The timings that a simulation records while it plays: of every action and every synchronization of every peer."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.replication.peer import ActionTiming, SyncTiming

_COLUMNS = ("kind", "player", "commit", "commits", "choose_s", "apply_s", "check_s", "write_s", "sync_s")


@dataclass(frozen=True, slots=True)
class GameTimings:
    """All recorded timings of one game, in seconds; empty if none were recorded."""

    actions: dict[ObjectId, ActionTiming] = field(default_factory=dict)
    """By commit."""
    syncs: tuple[SyncTiming, ...] = ()

    @property
    def with_news(self) -> tuple[SyncTiming, ...]:
        """The synchronizations that brought commits."""
        return tuple(sync for sync in self.syncs if sync.commits)

    @property
    def without_news(self) -> tuple[SyncTiming, ...]:
        """The synchronizations that found nothing new."""
        return tuple(sync for sync in self.syncs if not sync.commits)


def timings_file(game: Path) -> Path:
    """The file with the timings of the game, or of the one peer, at ``game``: ``game.timings.csv`` beside it."""
    return game.with_name(f"{game.name}.timings.csv")


def read_timings(path: Path) -> GameTimings:
    """The timings in a file, none if there is no such file; ``StoreError`` if it holds something else."""
    actions, syncs = {}, []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["kind"] == "action":
                    costs = (float(row[name]) for name in ("choose_s", "apply_s", "check_s", "write_s"))
                    commit = ObjectId(row["commit"])
                    actions[commit] = ActionTiming(commit, int(row["player"]), *costs)
                elif row["kind"] == "sync":
                    syncs.append(SyncTiming(int(row["player"]), int(row["commits"]), float(row["sync_s"])))
    except FileNotFoundError:
        return GameTimings()
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{path}: not the timings of a game: {error}") from None
    return GameTimings(actions, tuple(syncs))


def write_timings(path: Path, actions: Iterable[ActionTiming], syncs: Iterable[SyncTiming]) -> None:
    """Write every action and every synchronization, in seconds, first samples included; ``StoreError`` if it cannot."""
    with disk.explained("write", path), path.open("w", encoding="utf-8", newline="") as file:
        # Written without csv: no value needs quotes, and a game has many lines.
        file.write(",".join(_COLUMNS) + "\n")
        for timing in actions:
            costs = ",".join(f"{cost:.7f}" for cost in timing[2:])
            file.write(f"action,{timing.player},{timing.commit},1,{costs},\n")
        for sync in syncs:
            file.write(f"sync,{sync.player},,{sync.commits},,,,,{sync.sync_s:.7f}\n")
