"""The benchmark of waiting peers: the peers really run, and those who think really think."""

from pathlib import Path

import pytest

from benchmarks.idle import spent, thinking_directly, waiting_at_folder
from catan_p2p.log.refs import COLOURS
from catan_p2p.tables.status import read_status


@pytest.mark.long
def test_a_peer_that_waits_at_a_folder_takes_processor_time(tmp_path: Path) -> None:
    found = spent(waiting_at_folder(tmp_path), 2)
    assert found.all_s > 0
    assert found.serving_s == 0, "it serves nobody"


@pytest.mark.long
def test_nobody_acts_while_all_think(tmp_path: Path) -> None:
    found = spent(thinking_directly(tmp_path), 5)
    assert 0 < found.serving_s < found.all_s
    assert len(read_status(tmp_path / COLOURS[0]).graph) == 1, "only the root"
