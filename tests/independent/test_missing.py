"""Says so where the second opinion cannot be had."""

import pytest

from tests.independent.conftest import IS_MISSING


@pytest.mark.skipif(IS_MISSING, reason="catanatron is missing: pip install 'catan-p2p[test]'")
def test_there_is_a_second_opinion() -> None:
    import catanatron

    assert catanatron.Game
