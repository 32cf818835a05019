"""A game that is looked at, wherever it is: a folder, a relay, a player who serves, a server of LMU clients."""

import importlib
import importlib.util
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from catan_p2p.cli.output import say
from catan_p2p.log.transport.quarantine import Quarantine, sweep
from catan_p2p.log.transport.remote import checked_url, local_path
from catan_p2p.tables.invitation import is_mangled, parse_invitation

WATCHED = "a game repository, or a folder with one in it; or the URL of a relay or of a player, or an invitation"
"""What can be looked at, in words."""


class CannotWatch(Exception):
    """A place at which no game can be looked at; the message is one line."""


def viewer(module: str) -> Any:
    """A module of the viewer: part of this package where that is installed, beside it in a checkout."""
    package = "catan_p2p.visualizer" if importlib.util.find_spec("catan_p2p.visualizer") else "visualizer"
    return importlib.import_module(f"{package}.{module}")


def checked(place: str) -> str:
    """Where the game of a place is, an invitation's at its relay; ``CannotWatch`` if there can be none."""
    repository = viewer("data.repository")
    if (invitation := parse_invitation(place)) is not None:
        place = invitation.url
    elif is_mangled(place):
        raise CannotWatch(f"{place}: an invitation that was cut or changed; expected 43 characters at its end")
    if (path := local_path(place)) is not None:
        try:
            repository.find_replicas(path)
        except repository.NoGame as error:
            raise CannotWatch(str(error)) from None
    return place


def need_websockets() -> None:
    """``CannotWatch`` if the library for connections is missing."""
    if importlib.util.find_spec("websockets") is None:
        raise CannotWatch("needs websockets: pip install 'catan-p2p[play]'")


def is_server(place: str) -> bool:
    """Whether a place is a server of the LMU protocol: its games are heard, not fetched."""
    return place.startswith(("ws://", "wss://", "tcp://"))


@contextmanager
def opened(place: str, follow: bool) -> Iterator[Path]:
    """The folder of the game at a checked place: its own, or that of a copy, which can follow it; a server's always
    does. ``CannotWatch`` if there is none, ``StoreError`` if it cannot be fetched."""
    if (path := local_path(place)) is not None:
        yield path
        return
    with _heard(place) if is_server(place) else _fetched(place, follow) as there:
        yield there


@contextmanager
def _fetched(place: str, follow: bool) -> Iterator[Path]:
    # Most games that are watched are here, and need neither.
    from catan_p2p.log.transport.mirror import BranchMirror
    from catan_p2p.sessions.saved_games import data_folder

    url, watched = checked_url(place), data_folder() / "watched"
    sweep(watched)
    quarantine = Quarantine(watched / Quarantine.new_name())
    try:
        quarantine.begin()
        with closing(BranchMirror(url, quarantine.folder / "game.git")) as mirror:
            mirror.fetch()
            if follow:
                mirror.follow()
            yield mirror.folder
    finally:
        quarantine.clear()


@contextmanager
def _heard(url: str) -> Iterator[Path]:
    """A game at a server of the LMU protocol, as late as its spectators hear of it."""
    from catan_p2p.lmu.client import CannotConnect
    from catan_p2p.lmu.spectator import LmuSpectator

    need_websockets()
    with tempfile.TemporaryDirectory(prefix="catan-p2p-watched-") as folder:
        path = Path(folder) / "Catan"
        say(f"{url}: waiting for what spectators are told")
        with closing(LmuSpectator(url, path)) as spectator:
            try:
                spectator.wait()
            except CannotConnect as error:
                raise CannotWatch(str(error)) from None
            yield path
