"""The file of a game's messages: one object a line, whoever goes on with it, and however the last one ended."""

from pathlib import Path

import pytest

from catan_p2p.lmu.tournament.record import PUBLIC, GameRecord, PublicTail, public_messages

TEXTS = ['{"Chat": 1}', '{"Chat": 2}', '{"Chat": 3}']


def written(path: Path, texts: list[str]) -> None:
    record = GameRecord(path)
    for text in texts:
        record.told([PUBLIC], text)
    record.close()


def test_a_file_that_another_process_goes_on_with_has_no_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "Catan_0.jsonl"
    for text in TEXTS:
        written(path, [text])
    assert path.read_bytes().count(b"\n") == len(TEXTS)
    assert [*public_messages(path)] == TEXTS


@pytest.mark.parametrize("cut", [1, 5])
def test_a_line_that_a_kill_has_cut_is_ended_and_nothing_else_is_lost(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "Catan_0.jsonl"
    written(path, TEXTS[:2])
    path.write_bytes(path.read_bytes()[:-cut])
    written(path, TEXTS[2:])
    assert path.read_bytes().count(b"\n") == len(TEXTS)
    assert [*public_messages(path)] == (TEXTS if cut == 1 else [TEXTS[0], TEXTS[2]])


def test_empty_lines_of_earlier_versions_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "Catan_0.jsonl"
    written(path, TEXTS)
    path.write_bytes(b"\n" + path.read_bytes().replace(b"\n", b"\n\n"))
    assert [*public_messages(path)] == TEXTS
    tail = PublicTail(path)
    assert tail.read() == TEXTS
    assert tail.is_at_end
