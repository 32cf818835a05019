"""The file of a person's seats at servers."""

import os
from pathlib import Path

from catan_p2p.lmu.kept_seats import MAX_SEATS, KeptSeat, KeptSeats


def test_seats_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    kept = KeptSeats(tmp_path / "folder" / "seats.json")
    for i in range(MAX_SEATS + 5):
        kept.keep(f"ws://{i}", "Eve", KeptSeat("t" * i, (3, 1, 2)))
    assert kept.seat("ws://4", "Eve") is None, "the oldest"
    assert kept.seat("ws://5", "Eve") == KeptSeat("ttttt", (3, 1, 2))
    assert kept.seat("ws://5", "Ann") is None
    kept.keep("ws://5", "Eve", None)
    assert kept.seat("ws://5", "Eve") is None
    file = tmp_path / "folder" / "seats.json"
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
    for text in ("", "{}", "[1]", '[{"url": "ws://6", "name": "Eve", "token": 1, "order": []}]', "[" * 100_000):
        file.write_text(text)
        assert kept.seat("ws://6", "Eve") is None
