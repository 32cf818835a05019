"""The game that ``watch`` and ``page`` show: in a folder, at a relay, or at a player who serves."""

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from catan_p2p.log.transport.quarantine import Quarantine, sweep
from catan_p2p.log.transport.remote import checked_url, local_path
from catan_p2p.tables.invitation import is_mangled, parse_invitation

WATCHED = "a game repository, or a folder with one in it; or the URL of a relay or of a player, or an invitation"
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


@contextmanager
def opened(place: str, follow: bool) -> Iterator[Path]:
    """The folder of the game at a checked place, or of a temporary copy of it.

    The copy of a remote game follows it if ``follow`` is true. ``CannotWatch`` if there is no game, ``StoreError``
    if it cannot be fetched.
    """
    if (path := local_path(place)) is not None:
        yield path
        return
    with _fetched(place, follow) as there:
        yield there


@contextmanager
def _fetched(place: str, follow: bool) -> Iterator[Path]:
    # Imported here: most games that are watched are folders of this machine, and need neither.
    from catan_p2p.log.transport.mirror import BranchMirror
    from catan_p2p.tables.seat import data_folder

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
