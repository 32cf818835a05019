"""Every attack of the table, once."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.attacks.registry import MODULES, Attack, all_attacks

pytestmark = [pytest.mark.long, pytest.mark.sampled(16)]

ROOT = Path(__file__).parents[2]
SHORT = [attack for attack in all_attacks() if not attack.is_long]


RUN = """
import sys
from pathlib import Path
from tests.attacks.registry import all_attacks
next(attack for attack in all_attacks() if attack.name == sys.argv[1]).run(Path(sys.argv[2]))
"""
"""What an attack is run by: a process of its own, whose children are those of nothing else, for their memory counts."""


@pytest.mark.parametrize("attack", SHORT, ids=lambda attack: attack.name)
def test_nothing_comes_of(attack: Attack, tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, attack.name, str(tmp_path / "table")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_table_of_the_documentation_counts_every_attack() -> None:
    text = (ROOT / "docs/research/attacks.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z`, ]+`) \| (\d+) \|", text, re.MULTILINE)
    told = [(tuple(re.findall(r"[a-z]+", modules)), int(count)) for modules, count in rows]
    there = Counter(attack.module for attack in all_attacks())
    assert [module for modules, _ in told for module in modules] == list(MODULES)
    assert [count for _, count in told] == [sum(there[module] for module in modules) for modules, _ in told]
    assert f"\n{there.total()} attacks are functions" in text
