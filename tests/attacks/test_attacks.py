"""Every attack of the table, once."""

import re
from pathlib import Path

import pytest

from tests.attacks.registry import Attack, all_attacks

SHORT = [attack for attack in all_attacks() if not attack.is_long]


@pytest.mark.parametrize("attack", SHORT, ids=lambda attack: attack.name)
def test_nothing_comes_of(attack: Attack, tmp_path: Path) -> None:
    attack.run(tmp_path / "table")


def test_the_table_of_the_documentation_has_every_attack_as_it_is_printed() -> None:
    text = (Path(__file__).parents[2] / "docs/research/attacks.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z0-9_]+)` \| (.*) \| (.*) \| .* \|$", text, re.MULTILINE)
    assert rows == [(attack.name, attack.what, attack.expected) for attack in all_attacks()]
