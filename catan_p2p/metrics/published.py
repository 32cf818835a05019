"""The thesis's published figures (section 5.1.4): 100 games of two and 100 of four random players, by its own program.

Its figures of single commits are of one game of two and one of four.
Sizes in bytes with 1 kB = 1000 bytes, times in seconds. Its machine was another one (Windows 11, i9-12900K).
"""

from dataclasses import dataclass

SOURCE = "thesis, section 5.1.4"


@dataclass(frozen=True, slots=True)
class PublishedMean:
    """A published mean with its standard deviation; None where none is given."""

    mean: float
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class ThesisFigures:
    """The figures of the thesis for one number of players."""

    games: int
    """How many games the figures are from, except those of single commits."""
    diff_games: int
    """How many games, with 750 commits each, the figures of single commits are from (figure 5.3)."""
    commits: PublishedMean
    disk_bytes: PublishedMean
    disk_bytes_per_commit: PublishedMean
    empty_diff_share: float
    diff_bytes: PublishedMean
    elapsed_s: PublishedMean
    synchronizing_s: PublishedMean
    """Per commit."""
    computing_s: PublishedMean
    """Per commit."""

    @property
    def elapsed_s_per_commit(self) -> PublishedMean:
        """Published only per game, so without a deviation."""
        return PublishedMean(self.elapsed_s.mean / self.commits.mean)

    @property
    def changed_diff_bytes(self) -> PublishedMean:
        """The mean of the deltas that are not empty; ``diff_bytes`` is that of all."""
        return PublishedMean(self.diff_bytes.mean / (1 - self.empty_diff_share))


PUBLISHED: dict[int, ThesisFigures] = {
    2: ThesisFigures(
        games=100,
        diff_games=1,
        commits=PublishedMean(880, 360),
        disk_bytes=PublishedMean(2.12e6, 0.41e6),
        disk_bytes_per_commit=PublishedMean(2770, 990),
        empty_diff_share=0.244,
        diff_bytes=PublishedMean(490, 320),
        elapsed_s=PublishedMean(113, 45.6),
        synchronizing_s=PublishedMean(0.0644, 0.0049),
        computing_s=PublishedMean(0.0641, 0.0056),
    ),
    4: ThesisFigures(
        games=100,
        diff_games=1,
        commits=PublishedMean(1168, 369),
        disk_bytes=PublishedMean(2.3e6, 0.62e6),
        disk_bytes_per_commit=PublishedMean(2180, 810),
        empty_diff_share=0.229,
        diff_bytes=PublishedMean(630, 450),
        elapsed_s=PublishedMean(406, 130.5),
        synchronizing_s=PublishedMean(0.2494, 0.0256),
        computing_s=PublishedMean(0.0997, 0.0099),
    ),
}
"""By number of players."""

PULL_WITHOUT_NEWS = PublishedMean(1.0, 0.05)
PULL_WITH_NEWS = PublishedMean(1.06, 0.05)
"""Seconds that a pull from GitHub took."""
