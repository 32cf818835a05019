"""The reference writer prints the same: data/reference.catan was made by it, ``make_reference.py`` says how."""

from pathlib import Path

import pytest

from tests.notation import samples

REFERENCE = Path(__file__).with_name("data") / "reference.catan"


def test_every_kind_of_line_is_what_the_reference_writer_prints() -> None:
    ours = samples.written([samples.start(), *samples.every_token()], "catan")
    assert ours.splitlines() == REFERENCE.read_text().splitlines()
    assert ours.encode() == REFERENCE.read_bytes()


def test_reading_and_writing_the_reference_is_the_identity() -> None:
    text = REFERENCE.read_text()
    assert samples.written(samples.read_back(text, "catan"), "catan") == text


def test_the_reference_is_what_the_installed_writer_prints(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("catanlog", reason="the reference writer is not installed")
    from tests.notation import make_reference

    make_reference.main()
    assert capsys.readouterr().out == REFERENCE.read_text()
