"""Measures one game, from its repository and from what the simulation recorded beside it."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from catan_p2p.game.actions import KIND_OF, BuyDevCard, RollDice, SetupPhaseTwo
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.cards import RESOURCES, unpack
from catan_p2p.game.constants import PROFILES, Player, profile
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State
from catan_p2p.log.commit import entry_message, trailers_of
from catan_p2p.log.game import FormatError
from catan_p2p.log.history import GameHistory, LoggedAction, game_refs, load_history
from catan_p2p.log.open_course import CardFacts, known_facts
from catan_p2p.log.opened_hands import openings
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import git
from catan_p2p.log.storage.store import GitStore
from catan_p2p.metrics.deltas import StorageDelta, hand_overs, measure_deltas
from catan_p2p.metrics.network import NetworkGame, recorded_network
from catan_p2p.metrics.recorded import game_folder_of, recorded_result, recorded_settings
from catan_p2p.metrics.rows import COSTS, COUNTS, ActionRow, GameRow
from catan_p2p.metrics.storage import measure_after_gc, measure_storage
from catan_p2p.replication.peer import SyncTiming
from catan_p2p.simulation.game import GameResult, SimulationSettings
from catan_p2p.simulation.timings import GameTimings, read_timings, timings_file


@dataclass(frozen=True, slots=True)
class MeasuredGame:
    """A game's row, the rows of its actions, and the settings of its run (None if they were not recorded).

    ``network`` has the recorded figures of its simulated links, None if it had none.
    """

    game: GameRow
    actions: tuple[ActionRow, ...]
    settings: SimulationSettings | None
    network: NetworkGame | None = None


@dataclass(frozen=True, slots=True)
class _PlacedCommit:
    """A commit with the state before it, its turn, and the cards that the bank gave out, by resource."""

    logged: LoggedAction
    before: State
    turn: int
    gained: tuple[int, ...]


def measure_game(
    path: Path, run: str, *, thorough: bool = True, recorded: tuple[GameResult | None, SimulationSettings] | None = None
) -> MeasuredGame:
    """Measure the game in the repository at ``path``; ``StoreError`` if there is none.

    ``thorough`` also runs ``git gc`` on a copy and makes a pack for every hand-over, each in a process. ``recorded``
    has the simulation's result and settings if they are not in the run's folder yet.
    """
    branches = digest_branches(path)
    history = load_history(path, may_be_hidden=True)
    if not history.actions:
        raise StoreError(f"{path}: a game without an action: there is nothing to measure")
    timings = read_timings(timings_file(game_folder_of(path)))
    told = list(_tell(history))
    is_hidden = history.game.constants.rules.hands == "hidden"
    facts = known_facts(history) if is_hidden else None
    with GitStore.open(path, writer=None) as store:
        deltas = measure_deltas(store.repo, history.root, history.actions)
        sent = hand_overs(store.repo, history.actions) if thorough else None
        nonce = _nonce(store.repo, history)
        storage = _of_the_storage(store, thorough=thorough)
    commits = {logged.commit for logged in history.actions}
    result, settings = recorded or (recorded_result(path, history.game.number, commits), recorded_settings(path))
    seed = result.seed if result else None
    if seed is None and (told_seed := re.fullmatch(r"seed (-?\d+)", nonce)):
        seed = int(told_seed[1])
    game = GameRow(
        **_of_the_game(run, history, told),
        **storage,
        **_of_the_run(result, timings),
        seed=seed,
        branches=branches,
        topology=settings.topology if settings else "",
        diff_bytes=sum(delta.diff_bytes for delta in deltas.values()),
        empty_diffs=sum(delta.diff_bytes == 0 for delta in deltas.values()),
        changed_object_count=sum(delta.changed_object_count for delta in deltas.values()),
        pack_bytes_alone=sum(delta.pack_bytes for delta in deltas.values()),
        hand_overs=None if sent is None else len(sent),
        sent_bytes=None if sent is None else sum(hand_over.sent_bytes for hand_over in sent),
        closed=_closed(history) if is_hidden else "",
        counts=_counts(told, facts),
    )
    shares = share_syncs(history.actions, () if game.resumed else timings.syncs, history.game.constants.players)
    rows = (
        _action_row(run, history, step, at, deltas, timings, shares.get(at.logged.commit))
        for step, at in enumerate(told, 1)
    )
    network = None
    if settings is not None and settings.topology == "network":
        network = recorded_network(path, history.game.number, commits, run, game.players, settings.network)
    return MeasuredGame(game, tuple(rows), settings, network)


def digest_branches(path: Path) -> str:
    """A digest of all branches of the game at ``path``, copies included: names and commits. ``StoreError`` if none."""
    with GitStore.open(path, writer=None) as store:
        refs = game_refs(store)
    return hashlib.sha256("".join(f"{refs[ref]} {ref}\n" for ref in sorted(refs)).encode()).hexdigest()[:16]


def _tell(history: GameHistory) -> Iterator[_PlacedCommit]:
    state = base = history.first
    turn = 0
    for logged in history.actions:
        # Concurrent replies all follow the same commit, so each changes that commit's state.
        before = base if is_reply(logged.action) else state
        if isinstance(logged.action, RollDice):
            turn += 1
        gained: tuple[int, ...] = (0,) * len(RESOURCES)
        if isinstance(logged.action, RollDice | SetupPhaseTwo):  # the bank's loss, since hands can be hidden
            gained = unpack(before.bnk.rc - logged.state.bnk.rc)
        yield _PlacedCommit(logged, before, turn, gained)
        state = logged.state
        if not is_reply(logged.action):
            base = logged.state


def _closed(history: GameHistory) -> str:
    """The players whose hidden cards are not open, and why, in words; empty if all are open."""
    found = openings(history)
    return "" if found.is_whole else str(found)


def _counts(told: Sequence[_PlacedCommit], facts: CardFacts | None) -> dict[str, int]:
    """The counts of a game, by the names of ``COUNTS``; ``facts`` has the hidden cards that are known."""
    counts = Counter(dict.fromkeys(COUNTS, 0))
    for at in told:
        action = at.logged.action
        counts[KIND_OF[type(action)].name] += 1
        if isinstance(action, RollDice):
            counts[f"dice_{action.dice}"] += 1
        elif isinstance(action, BuyDevCard):
            bought = action if facts is None else facts.action(at.logged)
            assert isinstance(bought, BuyDevCard)
            counts[f"bought_{bought.card}"] += 1
        for resource, amount in zip(RESOURCES, at.gained, strict=True):
            counts[f"gained_{resource}"] += amount
    return dict(counts)


def _action_row(
    run: str,
    history: GameHistory,
    step: int,
    at: _PlacedCommit,
    deltas: dict[Any, StorageDelta],
    timings: GameTimings,
    sync_s: float | None,
) -> ActionRow:
    logged, delta = at.logged, deltas[at.logged.commit]
    action = logged.action
    timing = timings.actions.get(logged.commit)
    trailers = list(trailers_of(entry_message(logged.entry)).items())[2:]  # without action and player
    return ActionRow(
        run=run,
        game=history.game.number,
        step=step,
        commit=logged.commit,
        parent_count=len(logged.parents),
        player=action.player,
        colour=history.game.seats[action.player - 1].colour,
        action=KIND_OF[type(action)].name,
        parameters="; ".join(f"{name}={value}" for name, value in trailers),
        turn=at.turn,
        phase=at.before.phase,
        dice=action.dice if isinstance(action, RollDice) else None,
        gained=sum(at.gained) if isinstance(action, RollDice | SetupPhaseTwo) else None,
        points=player_points(logged.state, action.player),
        diff_bytes=delta.diff_bytes,
        changed_object_count=delta.changed_object_count,
        pack_bytes=delta.pack_bytes,
        **{name: getattr(timing, name, None) for name in COSTS},
        sync_s=sync_s,
    )


def _of_the_game(run: str, history: GameHistory, told: Sequence[_PlacedCommit]) -> dict[str, Any]:
    state, game = history.last, history.game
    # Rules keep their name when all draw together or hands are hidden.
    rules = replace(game.constants.rules.drawn_by_actors, hands="open")
    return {
        "run": run,
        "game": game.number,
        "players": game.constants.player_count,
        "rules": next((name for name in PROFILES if profile(name, game.constants.player_count) == rules), "own"),
        "winner": game.seats[state.ap - 1].colour if state.is_over else "",
        "points": " ".join(str(player_points(state, player)) for player in game.constants.players),
        "actions": len(history.actions),
        "commits": len(history.actions) + 1,
        "turns": history.turns,
        "rejected": len(history.rejected),
        "head": history.actions[-1].commit,
    }


def _of_the_storage(store: GitStore, *, thorough: bool) -> dict[str, Any]:
    now = asdict(measure_storage(store.folder))
    after = asdict(measure_after_gc(Path(store.repo.common_dir))) if thorough else {}
    return now | {f"gc_{name}": after.get(name) for name in ("disk_bytes", "file_bytes", "pack_bytes")}


_RECORDED = (
    *("tries", "findings", "resumed", "elapsed_s", "computing_s", "synchronizing_s"),
    *("waiting_s", "fetches", "bytes_received"),
)
_OF_THE_WHOLE = ("policies", "findings", "resumed")
"""The recorded fields that are right even if only the last part of a game was recorded."""


def _of_the_run(recorded: GameResult | None, timings: GameTimings) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(recorded, name, None) for name in _RECORDED}
    found["policies"] = " ".join(recorded.policies) if recorded else ""
    for name in COSTS:
        costs = [getattr(timing, name) for timing in timings.actions.values()]
        found[name] = sum(costs) if costs else None
    news, nothing = timings.with_news, timings.without_news
    found["syncs"] = len(timings.syncs) if timings.syncs else None
    found["syncs_with_news"] = len(news) if timings.syncs else None
    found["sync_with_news_s"] = sum((sync.sync_s for sync in news), 0.0) if timings.syncs else None
    found["sync_without_news_s"] = sum((sync.sync_s for sync in nothing), 0.0) if timings.syncs else None
    if recorded and recorded.resumed:
        return {name: value if name in _OF_THE_WHOLE else None for name, value in found.items()}
    return found


def _nonce(repo: git.Repo, history: GameHistory) -> str:
    try:
        return trailers_of(str(repo.commit(history.root).message)).get("Nonce", "")
    except FormatError:
        return ""


def share_syncs(
    actions: Sequence[LoggedAction], syncs: Iterable[SyncTiming], players: Iterable[Player]
) -> dict[ObjectId, float]:
    """The seconds that all other peers together spent on synchronizations that brought an action, by its commit.

    The time of a synchronization is shared equally among the commits that it brought. Recorded synchronizations do not
    name commits, but a peer accepts them in the order of the log. Replies to the same commit can come in any order;
    they count in the order of ``actions``. Empty unless every peer accepted every action of the others: with only a
    part of a game, commits and synchronizations cannot be matched.
    """
    by_player: dict[Player, list[SyncTiming]] = defaultdict(list)
    for sync in syncs:
        by_player[sync.player].append(sync)
    shares: dict[ObjectId, float] = defaultdict(float)
    for player in players:
        others = [logged.commit for logged in actions if logged.action.player != player]
        if sum(sync.commits for sync in by_player[player]) != len(others):
            return {}
        coming = iter(others)
        for sync in by_player[player]:
            for commit in islice(coming, sync.commits):
                shares[commit] += sync.sync_s / sync.commits
    return dict(shares)
