"""Without catanatron there is no second opinion: everything here is skipped, but never in CI."""

import os
from importlib.util import find_spec

import pytest

IS_MISSING = find_spec("catanatron") is None
collect_ignore_glob: list[str] = []

if IS_MISSING:
    if os.environ.get("CI"):
        raise pytest.UsageError("catanatron is missing: pip install 'catan-p2p[test]'")
    collect_ignore_glob = ["test_[!m]*.py", "test_m[!i]*.py"]
