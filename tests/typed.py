"""Commands as users type them, carried out in this process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from catan_p2p.cli.main import main


class Printed(NamedTuple):
    """What a command has printed."""

    out: str
    err: str


Typed = Callable[..., Printed]
"""Carries out a command that has to end with an exit code: ``typed(0, "verify", path)``."""


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    def carry_out(code: int, *words: object) -> Printed:
        try:
            ended = main([*map(str, words)])
        except SystemExit as exit:  # of argparse
            ended = exit.code  # type: ignore[assignment]
        assert ended == code
        return Printed(*capsys.readouterr())

    return carry_out
