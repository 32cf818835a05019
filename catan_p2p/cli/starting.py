"""What ``host`` and ``join`` do with a seat once the game has begun."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from catan_p2p import programs
from catan_p2p.cli import values
from catan_p2p.cli.main import make_parser
from catan_p2p.cli.output import FINE, say, tell

STARTS = ("play", "peer", "no")
_OPEN_DISPLAY = (
    "import sys, pygame; pygame.display.init(); sys.exit(pygame.display.get_driver() in ('offscreen', 'dummy'))"
)
"""A program that fails where no window can be opened."""


def add_start_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--start`` and ``--policy``."""
    parser.add_argument(
        "--start",
        choices=STARTS,
        help="what to do when the game begins: open the window (play), let a policy play the seat "
        "(peer), or print the command to continue with (no) (default: play where there is a "
        "screen, else no)",
    )
    parser.add_argument(
        "--policy", type=values.policy, metavar="NAME", help=f"with --start peer, who decides: {values.POLICY_NAMES}"
    )


def asks(question: str) -> bool:
    """Ask the user, if there is one at a terminal; returns whether the answer is yes."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say(f"{question} [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def start(args: argparse.Namespace, path: Path) -> int:
    """Do with the seat at ``path`` what ``--start`` says; returns the exit code."""
    verb = args.start or ("play" if _has_screen() else "no")
    if verb == "no":
        tell(f"go on with: catan-p2p play {path}")
        return FINE
    policy = ["--policy", args.policy] if verb == "peer" and args.policy else []
    then = make_parser([verb]).parse_args([verb, str(path), *policy])
    code: int = then.func(then)
    return code


def _has_screen() -> bool:
    """Whether a window can be opened here."""
    if find_spec("pygame") is None:
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    named = [f"{name}={os.environ[name]}" for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
    if not named:
        return False
    # Tried in another process: a display can be named and not answer, or only after minutes.
    fault = programs.tried(Path(sys.executable), "-c", _OPEN_DISPLAY).fault
    if fault is not None:
        tell(f"no window can be opened on {' or '.join(named)}")
    return fault is None
