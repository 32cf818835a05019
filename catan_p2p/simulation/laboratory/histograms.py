"""Histograms of durations in fixed memory: a bucket is at most a sixteenth of its values wide."""

from collections.abc import Iterable

_BITS = 4


class Histogram:
    """Counts of durations in microseconds."""

    __slots__ = ("_counts", "count", "most", "total")

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._counts: dict[int, int] = {}
        self.count = self.total = self.most = 0
        for value in values:
            self.add(value)

    def add(self, value: int) -> None:
        """Count one duration."""
        bucket = _bucket(value)
        self._counts[bucket] = self._counts.get(bucket, 0) + 1
        self.count += 1
        self.total += value
        self.most = max(self.most, value)

    def quantile(self, share: float) -> int:
        """The value below which this share of the durations lies, to a bucket; 0 if nothing was counted."""
        wanted, seen = share * self.count, 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= wanted:
                return min(self.most, _middle(bucket))
        return 0

    def counts(self) -> list[tuple[int, int]]:
        """Pairs of a duration, the middle of a bucket, and its count; in ascending order."""
        return [(min(self.most, _middle(bucket)), self._counts[bucket]) for bucket in sorted(self._counts)]

    @property
    def mean(self) -> float:
        """The mean; 0 if nothing was counted."""
        return self.total / self.count if self.count else 0.0


def _bucket(value: int) -> int:
    # Like a float: the shift is the exponent, and the five leading bits are the mantissa. Order is kept.
    shift = max(0, value.bit_length() - _BITS - 1)
    return (shift << (_BITS + 1)) | (value >> shift)


def _middle(bucket: int) -> int:
    shift, rest = bucket >> (_BITS + 1), bucket & ((1 << (_BITS + 1)) - 1)
    return (rest << shift) + ((1 << shift) >> 1)
