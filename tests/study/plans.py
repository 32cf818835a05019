"""Files of studies that tests play."""

from pathlib import Path

from catan_p2p.study.plan import StudyPlan, read_plan

SHORT = """
games = 3
measures = ["game", "storage", "deltas", "counts"]

[settings]
rules = "thesis; PointsToWin = 3"

[factors]
players = [2, 3]
policy = ["random", "builder"]

[[without]]
players = 3
policy = "builder"

[baseline]
policy = "random"
"""
LINKS = """
games = 2
measures = ["hand_over_p50_s", "all_bytes_per_action"]

[settings]
rules = "thesis; PointsToWin = 3"
topology = "network"
policy = "builder"

[factors]
network.profile = ["lan", "city"]
network.looks = ["back-off", "hooks"]
"""


def plan_of(text: str, folder: Path) -> StudyPlan:
    """The plan in a file with this text."""
    return read_plan(written(text, folder))


def written(text: str, folder: Path, name: str = "study.toml") -> Path:
    """A file of a study."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
