"""Counts of durations in fixed memory: a bucket is at most one part in sixteen wide."""

from collections.abc import Iterable

_BITS = 4


class Histogram:
    """How often durations, in microseconds, were seen."""

    __slots__ = ("_counts", "count", "most", "total")

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._counts: dict[int, int] = {}
        self.count = self.total = self.most = 0
        for value in values:
            self.add(value)

    def add(self, value: int) -> None:
        """Count one."""
        bucket = _bucket(value)
        self._counts[bucket] = self._counts.get(bucket, 0) + 1
        self.count += 1
        self.total += value
        self.most = max(self.most, value)

    def quantile(self, share: float) -> int:
        """About the value below which this share lies; 0 if nothing was counted."""
        wanted, seen = share * self.count, 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= wanted:
                return min(self.most, _middle(bucket))
        return 0

    def counts(self) -> list[tuple[int, int]]:
        """About how long, and how many took so long, in order."""
        return [(min(self.most, _middle(bucket)), self._counts[bucket]) for bucket in sorted(self._counts)]

    @property
    def mean(self) -> float:
        """The mean; 0 if nothing was counted."""
        return self.total / self.count if self.count else 0.0


def _bucket(value: int) -> int:
    shift = max(0, value.bit_length() - _BITS - 1)
    return (shift << (_BITS + 1)) | (value >> shift)


def _middle(bucket: int) -> int:
    shift, rest = bucket >> (_BITS + 1), bucket & ((1 << (_BITS + 1)) - 1)
    return (rest << shift) + ((1 << shift) >> 1)
