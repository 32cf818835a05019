"""The game that ``watch`` and ``page`` show: in a folder, at a relay, at a player who serves, or at an LMU server."""

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

WATCHED = (
    "a game repository, or a folder with one in it; or the URL of a relay, of a player or of an LMU server, or an "
    "invitation"
)
"""The places of games that can be shown, in words."""


class CannotWatch(Exception):
    """A place without a game that can be shown; the message is one line."""


def viewer(module: str) -> Any:
    """A module of the viewer, which is part of this package when installed, and beside it in a checkout."""
    package = "catan_p2p.visualizer" if importlib.util.find_spec("catan_p2p.visualizer") else "visualizer"
    return importlib.import_module(f"{package}.{module}")


def checked(place: str) -> str:
    """The path or URL of the game at a place; for an invitation, its relay. ``CannotWatch`` if there can be no game."""
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
    """Raise ``CannotWatch`` if the package websockets is missing."""
    if importlib.util.find_spec("websockets") is None:
        raise CannotWatch("needs websockets: pip install 'catan-p2p[play]'")


def is_server(place: str) -> bool:
    """Whether a place is a server of the LMU protocol, which sends messages and cannot be fetched from."""
    return place.startswith(("ws://", "wss://", "tcp://"))


@contextmanager
def opened(place: str, follow: bool) -> Iterator[Path]:
    """The folder of the game at a checked place, or of a temporary copy of it.

    The copy of a remote game follows it if ``follow`` is true; that of a game at an LMU server always does.
    ``CannotWatch`` if there is no game, ``StoreError`` if it cannot be fetched.
    """
    if (path := local_path(place)) is not None:
        yield path
        return
    with _heard(place) if is_server(place) else _fetched(place, follow) as there:
        yield there


@contextmanager
def _fetched(place: str, follow: bool) -> Iterator[Path]:
    # Imported here: most games that are watched are folders of this machine, and need neither.
    from catan_p2p.log.transport.mirror import BranchMirror
    from catan_p2p.sessions.saved_games import data_folder

    url, watched = checked_url(place), data_folder() / "watched"
    sweep(watched)  # copies that a killed process has left
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
    """A game at a server of the LMU protocol, with the delay that the server sets for spectators."""
    from catan_p2p.lmu.client import CannotConnect
    from catan_p2p.lmu.spectator import LmuSpectator

    need_websockets()
    with tempfile.TemporaryDirectory(prefix="catan-p2p-watched-") as folder:
        path = Path(folder) / "Catan"
        say(f"{url}: waiting for the first messages to spectators")
        with closing(LmuSpectator(url, path)) as spectator:
            try:
                spectator.wait()
            except CannotConnect as error:
                raise CannotWatch(str(error)) from None
            yield path
