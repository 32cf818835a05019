"""What a simulation loads: only what its games use."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
at_start = {*sys.modules}
from catan_p2p.cli.main import main
code = main(["simulate", "--seed", "1", "--rules", "thesis; PointsToWin = 3", "--quiet", *sys.argv[1:]])
print(*(sys.modules.keys() - at_start), file=sys.stderr)
sys.exit(code)
"""
UNUSED = {
    *(
        "asyncio",
        "ssl",
        "email",
        "multiprocessing",
        "concurrent.futures",
        "logging",
        "configparser",
        "git",
        "distributed",
        "shutil",
        "tempfile",
        "base64",
    ),
    *("catan_p2p.log.evidence", "catan_p2p.log.keys", "catan_p2p.log.proof", "catan_p2p.log.signing"),
    *("catan_p2p.replication.core.left_behind", "catan_p2p.replication.core.looking"),
    *("catan_p2p.replication.core.refusals", "catan_p2p.replication.core.voter"),
    "catan_p2p.programs",
    *("catan_p2p.game.board.drawing", "catan_p2p.game.board.layouts", "catan_p2p.game.board.map_file"),
    *("catan_p2p.game.board.openings", "catan_p2p.game.board.svg", "catan_p2p.game.board.variable"),
    *("catan_p2p.game.flat", "catan_p2p.players.builder", "catan_p2p.players.strategist", "catan_p2p.view"),
    *("catan_p2p.log.sealed_cards", "catan_p2p.log.transport", "catan_p2p.log.storage.pack_reader", "catan_p2p.tables"),
    "catan_p2p.sealing",
    *("catan_p2p.simulation.cluster", "catan_p2p.simulation.laboratory", "catan_p2p.simulation.separate"),
}


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ((), set()),
        (("--policy", "builder"), {"catan_p2p.players.builder"}),
        (
            ("--hands", "hidden"),
            {"catan_p2p.log.sealed_cards", "catan_p2p.sealing", "catan_p2p.view", "shutil", "tempfile", "base64"},
        ),
    ],
)
def test_a_simulation_loads_only_what_its_games_use(tmp_path: Path, given: tuple[str, ...], used: set[str]) -> None:
    assert UNUSED & loaded(tmp_path / "run", *given) == used


def test_a_simulation_loads_few_modules(tmp_path: Path) -> None:
    """Whoever adds one asks first whether a plain game needs it; of Python's own, each version has other ones."""
    found = loaded(tmp_path / "run")
    own = {name for name in found if name.split(".")[0] == "catan_p2p"}
    assert len(own) <= 150
    assert len(found - own) <= 85


def loaded(out: Path, *given: str) -> set[str]:
    """The modules that a simulation loads besides those of Python's start."""
    command = [sys.executable, "-c", PROGRAM, "--out", str(out), *given]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())
