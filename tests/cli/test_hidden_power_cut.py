"""The power goes while ``turn`` tells something of hidden cards: it goes on, tells it once, and loses no card."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import main
from catan_p2p.tables.seat import read_settings, write_settings

if sys.platform == "win32":
    pytest.skip("processes are forked", allow_module_level=True)

from tests.cli.kills import hidden_relay, hidden_until, is_robbed, is_to_shuffle_rest, red_keeps_cards
from tests.log.storage.power import Medium

OWED: dict[str, Callable[[Path], None]] = {
    "an answer to a robber": hidden_until(is_robbed, hidden_relay),
    "a shuffle of the rest": hidden_until(is_to_shuffle_rest, hidden_relay, is_left=True),
}


@pytest.mark.long
@pytest.mark.sampled(1)
@pytest.mark.parametrize("owed", OWED)
def test_what_is_told_of_hidden_cards_survives_a_loss_of_power(tmp_path: Path, owed: str) -> None:
    """Cuts before every sync; with each comes the relay as it was then, to which Red may have pushed."""
    table, cuts = tmp_path / "table", list[Path]()
    table.mkdir()
    OWED[owed](table)
    red, relay = table / "Red", table / "relay"
    settings = read_settings(red)
    settings.durable = True
    write_settings(red, settings)
    medium, rng = Medium(red), Random(1)

    def cut(when: str) -> None:
        folder = tmp_path / f"cut {len(cuts)}"
        medium.cut(folder / "Red", rng)
        shutil.copytree(relay, folder / "relay")
        cuts.append(folder)

    try:
        with medium.followed(cut):
            assert main(["turn", str(red)]) in (0, 3)
        cut("at the end")
    finally:
        medium.close()
    red_keeps_cards(table)
    assert len(cuts) > 3
    for folder in cuts:
        for path in (red, relay):
            shutil.rmtree(path)
            shutil.copytree(folder / path.name, path)
        assert main(["turn", str(red)]) in (0, 3), folder.name
        red_keeps_cards(table)
