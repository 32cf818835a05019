"""All attacks of the table, each as often as it says: ``python -m tests.attacks [--times N] [--short]``.

Prints what is done, what comes of it, and how often each was tried and came through. docs/research/attacks.md sums the
table up.
"""

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

from tests.attacks.registry import Attack, all_attacks


def came_through(attack: Attack, times: int) -> int:
    """Try an attack so many times; how often something came of it."""
    count = 0
    for _ in range(times):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-attack-") as folder:
            try:
                attack.run(Path(folder) / "table")
            except Exception:  # noqa: BLE001 - whatever it is, the attack has done something
                traceback.print_exc()
                count += 1
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1, help="how often each is tried (default: 1)")
    parser.add_argument("--short", action="store_true", help="without the campaigns")
    parser.add_argument("--only", default="", help="attacks with this in their names")
    parser.add_argument("--list", action="store_true", help="only list the attacks")
    args = parser.parse_args()
    if args.list:
        for attack in all_attacks():
            print(f"{attack.name}: {attack.what}: {attack.expected}")
        return 0
    print("| attack | what is done | outcome | tried | came through |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    failures = 0
    for attack in all_attacks():
        if args.only in attack.name and not (args.short and attack.is_long):
            times = 1 if attack.is_long else args.times
            bad = came_through(attack, times)
            failures += bad
            cells = (f"`{attack.name}`", attack.what, attack.expected, str(times * attack.tries), str(bad))
            print(f"| {' | '.join(cells)} |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
