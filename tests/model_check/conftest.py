"""What the tests of traces share."""

import pytest

from catan_p2p.model_check.tlc import TlcProgram
from tests.model_check.guard_mutations import quick_tlc


@pytest.fixture(scope="session")
def tlc() -> TlcProgram:
    return quick_tlc()
