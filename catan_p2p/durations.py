"""Durations in words. Elapsed time is rounded down, remaining time is rounded up."""

from math import ceil

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86400


def agreed(seconds: float) -> str:
    """An agreed time, exactly: ``10 min``, or ``90 s`` if it is not a whole number of minutes."""
    return f"{seconds:g} s" if seconds % _MINUTE_S else f"{seconds // _MINUTE_S:g} min"


def passed(seconds: float) -> str:
    """Elapsed time: ``12 s``, ``3 min``, ``2 h``, ``5 days``."""
    whole = max(0, int(seconds))
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} min"
    return f"{whole // _HOUR_S} h" if whole < 2 * _DAY_S else f"{whole // _DAY_S} days"


def left(seconds: float) -> str:
    """Remaining time: ``less than a minute``, ``7 min``, ``2 h``, ``5 days``."""
    if seconds < _MINUTE_S:
        return "less than a minute"
    unit_s, unit = next(
        (unit_s, unit)
        for unit_s, most_s, unit in ((_MINUTE_S, _HOUR_S, "min"), (_HOUR_S, 2 * _DAY_S, "h"), (_DAY_S, 0, "days"))
        if seconds <= most_s or not most_s  # 0: no upper limit
    )
    return f"{ceil(seconds / unit_s)} {unit}"
