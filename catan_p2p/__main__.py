"""``python -m catan_p2p``, and where the program ``catan-p2p`` begins: Ctrl-C while it loads is no traceback either."""

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
                pass  # the program tells why
        from catan_p2p.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(run())
