"""Arguments that all verbs with a window take, and their exit codes."""

import argparse
import re

from ..pictures.layout import SMALLEST
from ..view import FILMS, SPEEDS

FINE, FINDING, WRONG_USAGE = 0, 1, 2
_LARGEST = 16384


class WrongUsage(Exception):
    """Arguments that are wrong; the message is one line."""


def size_of(text: str | None) -> tuple[int, int] | None:
    """The size that an argument spells, such as ``1280x800``, None without one; raises ``WrongUsage``."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,5})[xX](\d{1,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (SMALLEST[0] <= size[0] <= _LARGEST and SMALLEST[1] <= size[1] <= _LARGEST):
        least = "x".join(map(str, SMALLEST))
        raise WrongUsage(f"--size {text}: expected a size in pixels from {least} on, such as 1280x800")
    return size


def check(args: argparse.Namespace) -> None:
    """Check the arguments of ``watch`` that do not depend on the game; raises ``WrongUsage``."""
    size_of(args.size)
    if not 0.25 <= args.scale <= 4:
        raise WrongUsage(f"--scale {args.scale:g}: expected 0.25 to 4")
    if args.speed is not None and not SPEEDS[0] <= args.speed <= SPEEDS[-1]:
        raise WrongUsage(f"--speed {args.speed:g}: expected {SPEEDS[0]:g} to {SPEEDS[-1]:g} actions a second")
    if args.snapshot is not None and args.snapshot.suffix.lower() != ".png":
        raise WrongUsage(f"--snapshot {args.snapshot}: expected a .png file")
    if args.record is not None and args.record.suffix.lower() not in FILMS:
        raise WrongUsage(f"--record {args.record}: expected a {' or '.join(FILMS)} file")
    if args.follow and (args.snapshot is not None or args.record is not None):
        raise WrongUsage("--follow needs a window; --snapshot and --record do not open one")
    if args.until is not None and args.record is None:
        raise WrongUsage("--until says where a film ends; it needs --record")
