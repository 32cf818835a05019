"""Every attack of the table, once."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.attacks.registry import MODULES, Attack, all_attacks

pytestmark = [pytest.mark.long, pytest.mark.sampled(16)]

SHORT = [attack for attack in all_attacks() if not attack.is_long]


@pytest.mark.parametrize("attack", SHORT, ids=lambda attack: attack.name)
def test_nothing_comes_of(attack: Attack, tmp_path: Path) -> None:
    attack.run(tmp_path / "table")


def test_the_table_of_the_documentation_counts_every_attack() -> None:
    text = (Path(__file__).parents[2] / "docs/research/attacks.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z`, ]+`) \| (\d+) \|", text, re.MULTILINE)
    told = [(tuple(re.findall(r"[a-z]+", modules)), int(count)) for modules, count in rows]
    there = Counter(attack.run.__module__.rpartition(".")[2] for attack in all_attacks())
    assert [module for modules, _ in told for module in modules] == list(MODULES)
    assert [count for _, count in told] == [sum(there[module] for module in modules) for modules, _ in told]
    assert f"\n{there.total()} attacks are functions" in text
