"""What a simulation does not load: libraries that only other verbs need, some of which are not installed."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from catan_p2p.cli.main import main
code = main(["simulate", "--seed", "1", "--rules", "thesis; PointsToWin = 3", "--quiet", *sys.argv[1:]])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
UNUSED = {"pygame", "numpy", "scipy", "matplotlib", "pandas", "distributed", "simpy", "websockets", "git", "visualizer"}


def test_a_simulation_loads_no_library_of_other_verbs(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not UNUSED & set(done.stderr.splitlines()[-1].split())
