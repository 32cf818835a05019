"""The types of arguments: each function reads one as the user typed it, or says what was expected instead."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from catan_p2p.limits import MAX_SEATS
from catan_p2p.log.storage.objects import StoreError

POLICY_NAMES = "random, beginner, builder, strategist, strategist:20ms, another installed one, or module:Class"
"""The names of policies, in words. ``players.policies`` has the policies, but most verbs need not load it."""


def path(text: str) -> Path:
    """A path on this machine. A URL is refused: it would be read as a strange path."""
    if "://" in text:
        raise ArgumentTypeError(f"{text}: expected a file or folder of this machine, not a URL")
    return Path(place(text))


def folder(text: str) -> Path:
    """The folder of a game, for a verb that cannot play at a URL."""
    if "://" in text:
        raise ArgumentTypeError(
            f"{text}: expected a folder; catan-p2p join takes a seat at a URL, watch shows a game there"
        )
    return path(text)


def place(text: str) -> str:
    """A path or a URL, as it was given. An empty one is refused: it is an unset variable, not the current folder."""
    if not text:
        raise ArgumentTypeError("an empty path; expected a file or folder, '.' for the current one")
    return text


def new_path(text: str) -> Path:
    """A path to write to. It must not be inside the repository of a game, which holds nothing but the game."""
    return _outside_games(text, _with_parents)


def seat_path(text: str) -> Path:
    """The folder of a seat, which may exist, since a verb goes on there; not inside the repository of another game."""
    return _outside_games(text, lambda found: _with_parents(found)[1:])


def _outside_games(text: str, folders: Callable[[Path], list[Path]]) -> Path:
    found = path(text)
    inside = next((folder for folder in folders(found) if _is_game(folder)), None)
    if inside is not None:
        raise ArgumentTypeError(f"{text}: inside the game {inside}, which holds nothing else")
    return found


def _with_parents(path: Path) -> list[Path]:
    try:
        whole = path.resolve()
    except (OSError, RuntimeError):
        return []
    return [whole, *whole.parents]


def _is_game(folder: Path) -> bool:
    """Whether a folder is the work tree of a game: its HEAD is a player's branch."""
    try:
        head = (folder / ".git" / "HEAD").read_text("ascii")
    except (OSError, ValueError):
        return False
    # Imported here, as below: the names of branches load the rules of the game, 40 ms that most verbs do not wait for.
    from catan_p2p.log.refs import parse_branch

    return parse_branch(head.strip().removeprefix("ref: refs/heads/")) is not None


def colour(text: str) -> str:
    """A player's colour, typed in upper or lower case, as refs spell it: ``Red``."""
    from catan_p2p.log.refs import COLOURS

    found = text.strip().capitalize()
    if found not in COLOURS:
        raise ArgumentTypeError(f"{text!r} is no colour, expected one of {', '.join(COLOURS)}")
    return found


SEATS = "how many play, or who, in the order of seats"
"""What ``seats`` reads, in words."""


def seats(text: str) -> list[str]:
    """The colours of the seats, in order: the first N for a number, or the listed ones; at least two.

    ``ValueError`` names ``--players``.
    """
    from catan_p2p.log.refs import COLOURS

    if text.removeprefix("-").isdecimal():  # a negative number is no colour either: the message is about numbers
        if not 2 <= int(text) <= len(COLOURS):
            raise ValueError(f"--players {text}: expected 2 to {len(COLOURS)}")
        return [*COLOURS[: int(text)]]
    try:
        found = [colour(one) for one in text.split(",")]
    except ArgumentTypeError as error:
        number = f"2 to {len(COLOURS)}, or " if "," not in text else ""
        wanted = f"expected {number}colours such as Red,Blue of {', '.join(COLOURS)}"
        raise ValueError(f"--players {text}: {wanted}" if number else f"--players: {error}") from None
    if len(set(found)) != len(found):
        raise ValueError(f"--players {text}: expected different colours")
    if len(found) < 2:
        raise ValueError(f"--players {text}: expected at least two")
    return found


def policy(text: str) -> str:
    """The name of a policy that can be loaded."""
    from catan_p2p.players.policies import UnknownPolicy, check_policy

    try:
        return check_policy(text)
    except UnknownPolicy as error:
        raise ArgumentTypeError(str(error)) from None


def address(text: str) -> str:
    """An address to listen at: ``HOST:PORT``."""
    # Imported here: most verbs listen at no address.
    from catan_p2p.log.transport.serve import parse_address

    try:
        parse_address(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
    return text


def scheduler(text: str) -> str:
    """The URL of a Dask cluster's scheduler, as it was given."""
    # Imported here: most verbs have no URLs.
    from catan_p2p.log.transport.remote import port_of

    try:
        port_of(text)
    except StoreError as error:
        raise ArgumentTypeError(str(error)) from None
    return text


def whole(text: str) -> int:
    """A whole number, 0 or more."""
    return _integer(text, least=0)


def count(text: str) -> int:
    """A whole number, 1 or more."""
    return _integer(text, least=1)


def integer(text: str) -> int:
    """Any whole number; what it must lie between is checked where that is known."""
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text}: expected a whole number") from None


def number(text: str) -> float:
    """Any number."""
    found = _fraction(text)
    if math.isnan(found):
        raise ArgumentTypeError(f"{text}: expected a number")
    return found


def player_count(text: str) -> int:
    """How many play."""
    if not text.removeprefix("-").isdecimal():
        raise ArgumentTypeError(f"{text}: expected 2 to {MAX_SEATS}")
    return int(text)


def port(text: str) -> int:
    """The number of a port, 0 for any free one."""
    number = whole(text)
    if number > 65535:
        raise ArgumentTypeError(f"{text}: expected a port, at most 65535")
    return number


def _integer(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text}: expected a whole number, at least {least}") from None
    if number < least:
        raise ArgumentTypeError(f"{text}: expected at least {least}")
    return number


def seconds(text: str) -> float:
    """A duration in seconds, 0 or more; ``inf`` is allowed."""
    number = _fraction(text)
    if not number >= 0:  # also false for nan
        raise ArgumentTypeError(f"{text}: expected a number of seconds, at least 0")
    return number


def duration(text: str) -> float:
    """A duration in seconds, more than 0, such as ``90``, ``90s``, ``10m`` or ``1.5h``."""
    unit = {"s": 1, "m": 60, "h": 3600}.get(text[-1:], 0)
    number = _fraction(text[:-1] if unit else text) * (unit or 1)
    if not 0 < number < math.inf:
        raise ArgumentTypeError(f"{text}: expected a time such as 90s, 10m or 1h")
    return number


def _fraction(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
