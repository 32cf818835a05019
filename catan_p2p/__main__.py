"""``python -m catan_p2p``, and where the program ``catan-p2p`` begins: Ctrl-C while it loads is no traceback either."""

import sys


def run() -> int:
    """Load the program and run it; returns the exit code."""
    try:
        from catan_p2p.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(run())
