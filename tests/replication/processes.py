"""A table of processes: a repository and a process of ``catan-p2p peer`` for each seat, and wires that can be cut."""

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from catan_p2p.log.game import GameDefinition
from catan_p2p.simulation.separate import free_ports
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from tests.replication.cut_proxy import CutProxy
from tests.replication.tables import make_seat

STILL_S = 240.0
"""A game in which nobody has acted for so long stands still."""
PROGRAM = ("catan_p2p.cli.main",)


class PeerProcess:
    """The process of one seat, which is started again after every kill."""

    def __init__(
        self,
        path: Path,
        colour: str,
        listen: int | None,
        options: Sequence[str] = (),
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self.path = path
        self.colour = colour
        self.acknowledged: list[str] = []
        self.complaints: list[str] = []
        self.program = program
        self._words = ["peer", str(path), "--tell-actions", "--stay", "20", *options]
        if listen is not None:
            self._words += ["--listen", f"127.0.0.1:{listen}"]
        self.code: int | None = None
        self._process: subprocess.Popen[str] | None = None
        self._readers: list[threading.Thread] = []

    def start(self) -> None:
        command, root = [sys.executable, "-m", *self.program, *self._words], Path(__file__).parents[2]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root)
        for stream, into in ((self._process.stdout, self.acknowledged), (self._process.stderr, self.complaints)):
            reader = threading.Thread(target=self._read, args=(stream, into), daemon=True)
            self._readers.append(reader)
            reader.start()

    def _read(self, stream: Any, into: list[str]) -> None:
        with stream:
            for line in stream:
                into.append(line.strip())

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def has_finished(self) -> bool:
        """Whether it ended by itself, with the end of the game."""
        return self._process is not None and self._process.poll() in (0, 1)

    def signal(self, number: int) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        if self._process is not None:
            self.code = self._process.wait()
            for reader in self._readers:
                reader.join(5.0)
            self._readers = []


class Wires:
    """What leads from one player to another, or to the relay: it can be cut."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self.proxies: dict[tuple[str, str], CutProxy] = {}
        self._links: dict[tuple[str, str], Path] = {}

    def to_port(self, player: str, other: str, port: int) -> str:
        """A URL at which one player reads another's daemon."""
        wire = self._stack.enter_context(CutProxy(port))
        self.proxies[player, other] = wire
        return wire.url

    def to_folder(self, player: str, other: str, path: Path) -> str:
        """A path at which one player finds a folder."""
        link = self._folder / f"{player}-to-{other}"
        link.symlink_to(path)
        self._links[player, other] = link
        return str(link)

    def cut(self, player: str) -> None:
        """Let nothing pass to a player or from them any more."""
        for ends, wire in self.proxies.items():
            if player in ends:
                wire.set("cut")
        for ends, link in self._links.items():
            if player in ends:
                link.unlink()


class ProcessTable:
    """The seats of a game, and the processes that play them.

    Nobody takes turns, as at a ``PeerTable``: each process acts when its own clock says so, and a test sees no more of
    it than its repository, what it prints and how it ends.

    ``disks`` are where the seats of some lie, the rest beside one another. Who meets at a ``relay`` has no other
    remotes; in a ring everybody reads from the two seats beside them.
    """

    def __init__(
        self,
        folder: Path,
        game: GameDefinition,
        seeds: Sequence[int],
        *,
        policies: Sequence[str] = ("builder",),
        disks: Mapping[str, Path] | None = None,
        is_served: bool = False,
        is_ring: bool = False,
        relay: str | None = None,
        options: Sequence[str] = (),
        program: Callable[[str], Sequence[str]] = lambda colour: PROGRAM,
    ) -> None:
        self.game = game
        self.disks = disks or {}
        self.has_damage = False
        """Whether what somebody has stored was changed."""
        self.colours = [seat.colour for seat in game.seats]
        self.stack = ExitStack()
        self.wires = Wires(folder, self.stack)
        paths = {colour: self.disks.get(colour, folder) / colour for colour in self.colours}
        for number, path in enumerate(paths.values()):
            settings = SeatSettings(path.name, seeds[number], "wall", policies[number % len(policies)])
            make_seat(path, game, settings, paths[self.colours[0]])
        ports = dict(zip(self.colours, free_ports(len(paths)), strict=True)) if is_served else {}
        for at, (colour, path) in enumerate(paths.items()):
            settings = read_settings(path)
            settings.remotes.clear()
            for number, other in enumerate(self.colours):
                is_next = (number - at) % len(paths) in (1, len(paths) - 1)
                if other == colour or relay is not None or (is_ring and not is_next):
                    continue
                if ports:
                    settings.remotes[other] = self.wires.to_port(colour, other, ports[other])
                else:
                    settings.remotes[other] = self.wires.to_folder(colour, other, paths[other])
            if relay is not None:
                settings.relay = relay if "://" in relay else self.wires.to_folder(colour, "relay", Path(relay))
            write_settings(path, settings)
        self.ports = ports
        self.peers = {
            colour: PeerProcess(path, colour, ports.get(colour), options, program(colour))
            for colour, path in paths.items()
        }

    @property
    def acknowledged(self) -> int:
        return sum(len(peer.acknowledged) for peer in self.peers.values())

    @contextmanager
    def running(self) -> Iterator[None]:
        """All processes, which are ended in the end."""
        peers = self.peers.values()
        with self.stack:
            try:
                for peer in peers:
                    peer.start()
                yield
            finally:
                for peer in peers:
                    if peer.is_running:
                        peer.signal(signal.SIGCONT)
                        peer.kill()
                    peer.wait()


def wait_until(happens: Callable[[], bool], most_s: float, goes_on: Callable[[], int] = lambda: 0) -> bool:
    """Wait for something, so long at most since ``goes_on`` has told something else; whether it has happened."""
    since, last = time.monotonic(), goes_on()
    while not happens():
        now = goes_on()
        if now != last:
            since, last = time.monotonic(), now
        if time.monotonic() > since + most_s:
            return False
        time.sleep(0.05)
    return True
