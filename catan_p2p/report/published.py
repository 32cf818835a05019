"""What the thesis publishes (section 5.1.4): 100 games of two and 100 of four random players, by its own program.

Its figures of single commits are of one game of two and one of four.
Sizes in bytes with 1 kB = 1000 bytes, times in seconds. Its machine was another one (Windows 11, i9-12900K).
"""

from dataclasses import dataclass

SOURCE = "thesis, section 5.1.4"


@dataclass(frozen=True, slots=True)
class Value:
    """A published mean with its standard deviation; None where none is given."""

    mean: float
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """The figures of the thesis for one number of players."""

    games: int
    """Of so many games the figures are, but for those of single commits."""
    diff_games: int
    """Of so many games, with 750 commits each, the figures of single commits are (figure 5.3)."""
    commits: Value
    disk_bytes: Value
    disk_bytes_per_commit: Value
    empty_diff_share: float
    diff_bytes: Value
    elapsed_s: Value
    synchronizing_s: Value
    """Per commit."""
    computing_s: Value
    """Per commit."""


PUBLISHED: dict[int, Published] = {
    2: Published(
        games=100,
        diff_games=1,
        commits=Value(880, 360),
        disk_bytes=Value(2.12e6, 0.41e6),
        disk_bytes_per_commit=Value(2770, 990),
        empty_diff_share=0.244,
        diff_bytes=Value(490, 320),
        elapsed_s=Value(113, 45.6),
        synchronizing_s=Value(0.0644, 0.0049),
        computing_s=Value(0.0641, 0.0056),
    ),
    4: Published(
        games=100,
        diff_games=1,
        commits=Value(1168, 369),
        disk_bytes=Value(2.3e6, 0.62e6),
        disk_bytes_per_commit=Value(2180, 810),
        empty_diff_share=0.229,
        diff_bytes=Value(630, 450),
        elapsed_s=Value(406, 130.5),
        synchronizing_s=Value(0.2494, 0.0256),
        computing_s=Value(0.0997, 0.0099),
    ),
}
"""By number of players."""

PULL_WITHOUT_NEWS = Value(1.0, 0.05)
PULL_WITH_NEWS = Value(1.06, 0.05)
"""Seconds that a pull from GitHub took."""
