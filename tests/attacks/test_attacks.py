"""Every attack of the table, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.registry import Attack, all_attacks

SHORT = [attack for attack in all_attacks() if not attack.is_long]


@pytest.mark.parametrize("attack", SHORT, ids=lambda attack: attack.name)
def test_nothing_comes_of(attack: Attack, tmp_path: Path) -> None:
    attack.run(tmp_path / "table")
