"""The benchmark of hand-overs: the peer has each of them when it is measured."""

from pathlib import Path

import pytest

from benchmarks.sync import measure


@pytest.mark.long
@pytest.mark.parametrize("transport", ["path", "git"])
def test_each_hand_over_is_measured_until_the_peer_has_it(transport: str, tmp_path: Path) -> None:
    found = measure(tmp_path, transport, 5)
    assert found["hand_overs"] == 5 and found["commits"] > 5
