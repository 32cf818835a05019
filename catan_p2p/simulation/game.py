"""One simulated game of peers that share a repository, from the root commit to a winner."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from catan_p2p.game.chance import seed_secret
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.rules import awaited
from catan_p2p.game.scoring import player_points
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.history import begin
from catan_p2p.log.refs import COLOURS, local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import Durability, GitStore
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.peer import ActionTiming, Peer, SyncTiming
from catan_p2p.simulation.findings import FINDINGS_FILE, FindingLog, FoundLine
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

DEFAULT_MAX_ACTIONS = 20_000
PROGRESS_EVERY = 100
"""Progress is reported after this many actions."""
LAG_S = 0.1
"""How much later other processes may see what the peers of a shared repository see at once.

Peers publish after every action, far more often than another process looks.
"""


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """The settings that determine a simulation: equal settings give the same object ids."""

    players: int = 2
    games: int = 1
    seed: int = 0
    policies: tuple[str, ...] = ("random",)
    """By seat; a single policy plays all seats."""
    rules: str = "thesis"
    schedule: str = "round-robin"
    max_actions: int = DEFAULT_MAX_ACTIONS
    topology: str = "shared"
    """``shared``: one repository for all branches; ``separate``: a process and a repository for each player;
    ``network``: a replica for each player over simulated links, in virtual time."""
    transport: str = "path"
    """How separate peers reach one another: ``path`` or ``git``."""
    signed: bool = False
    map: str = "default"
    """The name of a map, or the whole text of a map file."""
    network: str = "lan"
    """What a simulated network is like, in words; see ``simulation.laboratory.spec``."""
    chance: str = "actor"
    """Who draws: ``actor``, the player who acts, or ``joint``, all players together."""
    hands: str = "open"
    """Who sees a hand: ``open``, everybody, or ``hidden``, only its holder."""
    judging: str = "once"
    """How peers of a shared repository judge a commit: ``once`` for all of them, or ``each`` for itself, as peers in
    processes of their own always do."""

    def policy_of(self, player: Player) -> str:
        """The name of a player's policy."""
        return self.policies[(player - 1) % len(self.policies)]


def game_constants(number: int, settings: SimulationSettings) -> Constants:
    """The constants of a game of a simulation; ``MapError`` if the map is unreadable or unfit for these players."""
    colours = COLOURS[: settings.players]
    drawn = (settings.map, settings.seed, number)
    return new_constants(settings.rules, colours, *drawn, settings.chance, settings.hands)


class RunawayGame(Exception):
    """A game without a winner within the cap on actions; the message names the game and the cap."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended, and what it cost. Times are in seconds, sizes in bytes.

    If the game was ``resumed``, times cover only its last part.
    """

    game: int
    seed: int
    players: int
    policies: tuple[str, ...]
    winner: str
    points: tuple[int, ...]
    actions: int
    rounds: int
    commits: int
    repository_bytes: int
    computing_s: float
    synchronizing_s: float
    elapsed_s: float
    tries: int
    findings: int
    resumed: bool
    head: ObjectId
    waiting_s: float = 0.0
    """For separate peers only; like the two times above, the sum over all peers."""
    fetches: int = 0
    bytes_received: int = 0
    mistakes: int = 0
    """Decisions that policies failed to make."""

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return asdict(self)


Progress = Callable[[int, int, tuple[int, ...]], None]
"""Called now and then with the game's number, its actions so far, and points by seat."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that has ended with a winner, with everything that was measured and found while it was played."""

    result: GameResult
    findings: tuple[FoundLine, ...]
    """Includes those of an earlier run of the game."""
    timings: tuple[ActionTiming, ...]
    syncs: tuple[SyncTiming, ...]


def game_folder(out: Path, number: int) -> Path:
    """``out/Catan_<number>``."""
    return out / f"Catan_{number}"


def create_game(path: Path, game: GameDefinition, nonce: str, durability: Durability = "process") -> None:
    """Make the repository of a new game: its root commit, at which every player's branch starts.

    It appears whole or not at all, by renaming. ``StoreError`` if it exists or cannot be made.
    """
    beside = path.with_name(f".{path.name}.new")
    with disk.explained("make the game", path):
        if beside.exists():  # a killed process has left it
            import shutil

            shutil.rmtree(beside)
        if path.exists():
            raise StoreError(f"{path}: already exists")
        with GitStore.create(beside, branch=f"{game.seats[0].colour}_{game.number}", durability=durability) as store:
            root, _ = root_commit(game, nonce, logical_clock(0), store.add)
            for player in game.constants.players:
                store.record(local_ref(game.branch(player)), root, None)
        # First the contents, then the name: after a power cut the game is there as a whole or not at all.
        if durability == "power":
            disk.sync_tree(beside)
        beside.rename(path)
        if durability == "power":
            disk.sync_folder(path.parent)


def play_game(
    out: Path,
    number: int,
    settings: SimulationSettings,
    progress: Progress | None = None,
    time: TimeSource = SYSTEM_TIME,
) -> PlayedGame:
    """Play a game to its end, or go on with one that was interrupted; findings are written to ``out`` at once.

    ``time`` decides when the game is published to other processes. Each publication is a pack of its own, so the size
    of the repository depends on it a little. Raises ``StoreError`` if the repository cannot be written, ``RunawayGame``
    beyond the cap on actions, ``GaveUp`` if a peer finds no action that keeps the invariants.
    """
    begin = perf_counter()
    path = game_folder(out, number)
    resumed = path.exists()
    if not resumed:
        constants = game_constants(number, settings)
        create_game(path, new_game(number, constants), nonce=f"seed {settings.seed}")
    found = FindingLog(out / FINDINGS_FILE, number, settings.seed)
    with GitStore.open(path, lag_s=LAG_S, time=time) as store:
        # A check-out that was killed has left its locks. They are nobody's: only the holder of the store checks out.
        if resumed:
            with disk.explained("go on", store.folder):
                for name in ("index.lock", "HEAD.lock"):
                    disk.remove(store.folder / name)
        randomness = SeededRandomness(settings.seed, number)
        peers = _open_peers(store, settings, randomness, found)
        _run(peers, number, settings, randomness, progress)
        for peer in peers:
            peer.fast_forward()
        store.fold()
        winner = peers[0].graph.state.ap
        store.check_out(local_ref(peers[0].game.branch(winner)))
    return _sum_up(path, peers, found, number, settings, resumed, perf_counter() - begin)


def _open_peers(
    store: GitStore, settings: SimulationSettings, randomness: SeededRandomness, found: FindingLog
) -> list[Peer]:
    refs = store.list_refs("refs/heads/")
    if not refs:
        raise StoreError(f"{store.folder}: not a game: it has no branch such as Red_0")
    shared = SharedWork() if settings.judging == "once" else None
    first = begin(str(store.folder), next(iter(refs.values())), store.read, shared)  # all branches have the same root
    peers = [
        Peer(
            store,
            first.at_root(),
            player,
            make_policy(settings.policy_of(player)),
            randomness,
            logical_clock,
            secret=seed_secret(settings.seed),
        )
        for player in range(1, settings.players + 1)
    ]
    for peer in peers:
        peer.tell_finding = found.record
        peer.resume()
    return peers


def _run(
    peers: list[Peer],
    number: int,
    settings: SimulationSettings,
    randomness: SeededRandomness,
    progress: Progress | None,
) -> None:
    tries = [randomness.stream(f"tries/{peer.player}") for peer in peers]
    schedule = SCHEDULES[settings.schedule](peers[0].game.constants.players, randomness.stream("schedule"))
    told = 0
    for player in schedule:
        peer = peers[player - 1]
        peer.synchronize()
        acted = peer.act(settings.max_actions)
        graph = peer.graph
        actions = graph.action_count
        if graph.state.is_over:
            # Until all have seen the end, and have opened their hidden cards.
            if all(other.graph.state.is_over and not awaited(other.graph.state) for other in peers):
                return
        elif peer.is_capped(settings.max_actions):
            peer.store.publish()
            raise RunawayGame(
                f"game {number}, seed {settings.seed}: no winner after {actions} actions, the cap is "
                f"{settings.max_actions}"
            )
        elif not acted:
            # Not the player's turn: every action that the player could try must be refused.
            peer.try_every_action(tries[player - 1])
        if progress is not None and actions - told >= PROGRESS_EVERY:
            told = actions
            state = graph.state
            progress(number, actions, tuple(player_points(state, seat) for seat in state.constants.players))


def _sum_up(
    path: Path,
    peers: list[Peer],
    found: FindingLog,
    number: int,
    settings: SimulationSettings,
    resumed: bool,
    elapsed_s: float,
) -> PlayedGame:
    graph = peers[0].graph
    state, game = graph.state, graph.game
    timings = tuple(timing for peer in peers for timing in peer.timings)
    syncs = tuple(sync for peer in peers for sync in peer.syncs)
    synchronizing_s = sum(sync.sync_s for sync in syncs)
    result = GameResult(
        game=number,
        seed=settings.seed,
        players=settings.players,
        policies=tuple(settings.policy_of(player) for player in game.constants.players),
        winner=game.seats[state.ap - 1].colour,
        points=tuple(player_points(state, player) for player in game.constants.players),
        actions=graph.action_count,
        rounds=-(-graph.turns // settings.players),  # rounded up, since the last one is rarely complete
        commits=len(graph),
        repository_bytes=folder_bytes(path / ".git"),
        computing_s=elapsed_s - synchronizing_s,
        synchronizing_s=synchronizing_s,
        elapsed_s=elapsed_s,
        tries=sum(peer.tries for peer in peers),
        findings=len(found.lines),
        resumed=resumed,
        head=graph.head,
        mistakes=sum(peer.mistakes for peer in peers),
    )
    return PlayedGame(result, tuple(found.lines), timings, syncs)


def folder_bytes(path: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def round_robin(players: range, rng: Random) -> Iterator[Player]:
    """Each player's peer in turn, as in the thesis (section 5.1.2)."""
    while True:
        yield from players


def at_random(players: range, rng: Random) -> Iterator[Player]:
    """A random player's peer each time, all equally likely."""
    while True:
        yield players[int(rng.random() * len(players))]  # Python keeps only random() the same in all versions


SCHEDULES: dict[str, Callable[[range, Random], Iterator[Player]]] = {"round-robin": round_robin, "random": at_random}
"""The schedules by their names on the command line."""
TRANSPORTS = ("path", "git")
"""How separate peers can fetch."""
