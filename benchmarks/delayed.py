"""Real peers over delayed links: a proxy in front of each ``--listen``, which holds every piece of data back."""

import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from catan_p2p.log.refs import COLOURS
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.separate import create_seats, free_ports

_START_S = 5.0
"""How long a peer may take to start: all start at once in virtual time, so one that is not there yet is waited for."""


def play_delayed(folder: Path, settings: Settings, one_way_s: float) -> tuple[float, int]:
    """Play a game of real peers: seconds from the first acknowledged action to the last, and how many there were."""
    create_seats(folder, 0, settings)
    colours = COLOURS[: settings.players]
    ports = dict(zip(colours, free_ports(len(colours)), strict=True))
    told: list[float] = []
    with ExitStack() as opened:
        proxies = {
            colour: opened.enter_context(DelayingProxy(port, one_way_s, patience_s=_START_S))
            for colour, port in ports.items()
        }
        peers = []
        for colour in colours:
            command = [sys.executable, "-m", "catan_p2p", "peer", str(folder / colour), "--tell-actions"]
            command += ["--listen", f"127.0.0.1:{ports[colour]}", "--stay", "10"]
            for other in colours:
                command += ["--remote", f"{other}=git://127.0.0.1:{proxies[other].port}/"] if other != colour else []
            peers.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        readers = [threading.Thread(target=_note, args=(peer, told)) for peer in peers]
        for reader in readers:
            reader.start()
        for peer, reader in zip(peers, readers, strict=True):
            peer.wait()
            reader.join()
    return max(told) - min(told), len(told)


def _note(peer: subprocess.Popen[str], told: list[float]) -> None:
    assert peer.stdout is not None
    for line in peer.stdout:
        if len(line.strip()) == 40:
            told.append(time.monotonic())
