"""The entry point of ``catan-p2p`` and ``python -m catan_p2p``. Ctrl-C prints no traceback, even while modules load."""

import sys

from catan_p2p import __version__


def run() -> int:
    """Load the program and run it; returns the exit code."""
    try:
        if sys.argv[1:] == ["--version"]:  # as the parser would, without loading it
            try:
                print(f"catan-p2p {__version__}", flush=True)
                return 0
            except OSError:
                pass  # standard output is closed or full; the program below tries again and says so
        from catan_p2p import interrupts

        interrupts.repeat_lost()
        from catan_p2p.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        # Where Ctrl-C ended code that was run from a string (as dataclasses are, while modules load), CPython would
        # end ``-m`` by the signal, whatever the exit code; running another string makes it forget.
        exec("")


if __name__ == "__main__":
    sys.exit(run())
