"""Describes the machine of a measurement, and the versions of the software."""

import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from catan_p2p import __version__
from catan_p2p.log.storage.repository import git


def describe_machine() -> dict[str, object]:
    """Versions of everything involved, and the machine, as plain values."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "catan_p2p": __version__,
        "python": platform.python_version(),
        "git": ".".join(map(str, git.Git().version_info)),
        "gitpython": git.__version__,
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_bytes": _memory_bytes(),
        "load": _load(),
    }


def spell_machine(machine: Mapping[str, object]) -> str:
    """The date of a measurement, versions and machine in words, from what ``describe_machine`` has found."""
    of = machine.get
    return (
        f"on {of('date')} with catan_p2p {of('catan_p2p')}, Python {of('python')}, git {of('git')} on {of('system')}, "
        f"{of('processor')}, {of('cores')} cores"
    )


def _processor() -> str:
    if sys.platform == "linux":  # where platform.processor() names no model
        try:
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
        except OSError:
            pass
    return platform.processor() or platform.machine()


def _load() -> float | None:
    """The load average of the last fifteen minutes; None if the system does not have one."""
    if sys.platform == "win32":
        return None
    try:
        return round(os.getloadavg()[2], 1)
    except OSError:
        return None


def _memory_bytes() -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
