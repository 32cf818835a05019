"""Loggers for warnings. Few processes log any, so ``logging`` is imported with the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger


def logger(name: str) -> Logger:
    """The logger of this name."""
    import logging

    return logging.getLogger(name)
