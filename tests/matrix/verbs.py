"""Every verb that reads a repository, run on one, and what they must agree about."""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from catan_p2p import Game
from catan_p2p.cli.main import main
from catan_p2p.game.actions import Claim
from catan_p2p.game.cards import covers, total
from catan_p2p.game.rules import apply
from catan_p2p.log.history import load_history
from catan_p2p.log.opened_hands import read_as_open
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.recording import read_recording
from catan_p2p.notation.formats import WRITABLE

FINE, FINDING, WRONG_USAGE = 0, 1, 2


class Facts(NamedTuple):
    """What a verb says of a game; None where it does not."""

    actions: int | None = None
    players: tuple[str, ...] | None = None
    winner: str | None = None
    points: tuple[int, ...] | None = None

    def differs_from(self, other: Facts) -> bool:
        """Whether the two say something different of the same thing."""
        return any(one != two for one, two in zip(self, other, strict=True) if None not in (one, two))


class Ran(NamedTuple):
    """What came of a verb: exit code, standard output and standard error."""

    code: int
    out: str
    err: str


def run(*words: object) -> Ran:
    """Run a verb in this process; whatever it raises goes on."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ran(code, out.buffer.getvalue().decode(), err.getvalue())  # type: ignore[attr-defined]


@dataclass
class Examined:
    """What the verbs said of one repository."""

    facts: dict[str, Facts] = field(default_factory=dict)
    """By verb."""
    findings: list[str] = field(default_factory=list)
    verbs: int = 0
    """How many were run."""


class Examination:
    """All verbs on one repository."""

    def __init__(self, path: Path, scratch: Path, rules: str) -> None:
        self.path = path
        self.scratch = scratch
        self.rules = rules
        self.found = Examined()
        self.verified = Facts()
        """What verify says, before any card is opened."""
        self.is_told_whole = True
        self.left: set[str] = set()
        """Who was excused."""
        self.is_claimed = False
        """Whether the notations have words for all of it: not for a set-up."""
        self.is_hidden = has_hidden_hands(path)
        self.closed = why_closed(path) if self.is_hidden else None
        """Who did not open their cards, so that the verbs tell what is known; None if all cards are open."""

    def examine(self, *, is_copy: bool = False) -> Examined:
        """Run all of them; what one raises is a finding, and the others are run all the same.

        A copy has the same actions as a repository that all were run on: only what checks it whole is run on it.
        """
        verbs = [self.status, self.log, self.verify]
        if not is_copy:
            verbs += [self.library, self.stats, self.notations, self.recording, self.metrics, self.watch]
        for verb in verbs:
            self.do(verb.__name__, verb)
        self._compare()
        return self.found

    def do(self, name: str, verb: Callable[[], None]) -> None:
        """Run one, and keep what it raises."""
        try:
            verb()
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            self.found.findings.append(f"{name}: {type(error).__name__}: {error}")

    def _run(self, *words: object, codes: Sequence[int] = (FINE,)) -> Ran:
        self.found.verbs += 1
        ran = run(*words)
        if ran.code not in codes:
            last = (ran.err or ran.out).strip().splitlines()[-3:]
            shown = " ".join(str(word) for word in words[:1])
            self.found.findings.append(f"{shown} {self.path.name}: code {ran.code}: {last}")
        return ran

    def status(self) -> None:
        told = json.loads(self._run("status", self.path, "--json", codes=(FINE, FINDING)).out)
        self._run("status", self.path, codes=(FINE, FINDING))
        if told["damage"]:
            self.found.findings.append(f"status {self.path.name}: damage {told['damage']}")
        self.found.facts["status"] = Facts(told["actions"], tuple(told["keys"]), told["winner"])

    def log(self) -> None:
        lines = self._run("log", self.path, "--json").out.splitlines()
        plain = self._run("log", self.path).out.splitlines()
        if len(plain) != len(lines):
            self.found.findings.append(f"log: {len(plain)} lines, {len(lines)} as JSON")
        self.found.facts["log"] = Facts(len(lines))

    def verify(self) -> None:
        self._run("verify", self.path)
        [told] = json.loads(self._run("verify", self.path, "--json").out)
        points = told["points"]
        self.verified = Facts(told["commits"] - 1, tuple(points), told["winner"], tuple(points.values()))
        self.found.facts["verify"] = self.verified

    def library(self) -> None:
        self.found.verbs += 1
        game = Game.open(self.path)
        if game.findings or game.why_public != self.closed:
            self.found.findings.append(f"Game.open: {game.findings}, {game.why_public}, expected {self.closed}")
        self.is_told_whole = game.last.phase != "bot"
        self.left = {seat for seat, away in zip(game.colours, game.last.away, strict=True) if away}
        self.is_claimed = has_claim(self.path)
        if self.closed is not None:
            self._see_known(game)
            return
        for step in game.steps:
            if apply(step.before, step.action) != step.after:
                self.found.findings.append(f"Game.open: {step.commit}: {step.action} leads elsewhere")
        if self.is_hidden:
            self._see_opened(tuple(game.points.values()))
        self.found.facts["Game.open"] = Facts(
            self._count(len(game)), game.colours, game.winner, tuple(game.points.values())
        )

    def _see_known(self, game: Game) -> None:
        """Of a game in which not every card is open: the bounds of hands agree with what everybody sees."""
        history = load_history(self.path, may_be_hidden=True)
        self._tell("Game.open", game.colours, game.winner, game.points)
        for seat, told in enumerate(history.game.seats, 1):
            held, state = game.position().hands[told.colour], history.last
            size = total(state.h[seat - 1].rc) + state.hid.sealed[seat - 1]
            if not held.least == held.most == size or not covers(held.low.cards, state.h[seat - 1].rc):
                self.found.findings.append(f"Game.open: {told.colour} holds {held}, in the log {size} cards")

    def _see_opened(self, points: tuple[int, ...]) -> None:
        """Verify tells the points that are seen; with the cards opened, those who did not win may have more."""
        told = self.found.facts["verify"]
        if any(seen > all_ for seen, all_ in zip(told.points or (), points, strict=True)):
            self.found.findings.append(f"opened: {points}, verify {told}")
        self.found.facts["verify"] = told._replace(points=points)

    def stats(self) -> None:
        plain = self._run("stats", self.path)
        if self.closed is not None and self.closed not in plain.err:
            self.found.findings.append(f"stats: {plain.err.strip()}, expected {self.closed}")
        [told] = json.loads(self._run("stats", self.path, "--json").out)["games"]
        self._tell("stats", told["players"], told["winner"], told["points"])
        if ({one["player"] for one in told["left"]}, told["claimed"]) != (self.left, self.is_claimed):
            self.found.findings.append(f"stats: {told['left']} left, claimed: {told['claimed']}")

    def notations(self) -> None:
        for format in WRITABLE:
            file = self.scratch / f"{self.path.name}.{format}"
            ran = self._run("export", self.path, "--format", format, "-o", file, codes=(FINE, WRONG_USAGE))
            if ran.code == WRONG_USAGE:
                is_unknown = self.closed is not None and self.closed in ran.err and "nobody " in ran.err
                if not (is_unknown or _UNSAYABLE.search(ran.err)):
                    self.found.findings.append(f"export {format}: {ran.err.strip()}")
                continue
            again = self.scratch / f"{self.path.name}-{format}"
            players = len(self.found.facts["verify"].players or ())
            words = ("import", file, "--rules", self.rules, "--players", players, "--json", "-o", again)
            ran = self._run(*words, codes=(FINE, FINDING))
            told = json.loads(ran.out)
            if ran.code == FINDING:
                # Cards out of play of who left are in no notation: by open hands, what follows may be wrong.
                if self.is_told_whole and not (self.is_hidden and self.left):
                    self.found.findings.append(f"import {format}: {told['findings'][:2]}")
                continue
            names = [one["colour"] for one in told["players"]]
            self._tell(f"import {format}", names, told["winner"], told["points"], are_seen=True)
            if told["is_game"]:
                game = Game.open(again)
                are_seen = self.closed is not None
                self._tell(f"{format} played again", game.colours, game.winner, game.points, are_seen=are_seen)

    def _tell(
        self, verb: str, names: Sequence[str], winner: str | None, points: Mapping[str, int], *, are_seen: bool = False
    ) -> None:
        """Take note of what a notation tells: its players are in the order of play, and may have other colours."""
        whole = self.found.facts["verify"]
        by_colour = {name.capitalize(): value for name, value in points.items()}
        if not self.is_told_whole:
            return
        if by_colour.keys() == {*(whole.players or ())}:
            told: tuple[int, ...] | None = tuple(by_colour[seat] for seat in whole.players or ())
            # The points that are seen: a victory point that is still hidden is not. Verify counts no such points either
            # of hands that are closed, while a notation names all bought cards that are known.
            is_less = all(seen <= all_ for seen, all_ in zip(told, whole.points or (), strict=True))
            if are_seen and (is_less or self.closed is not None):
                told = None
            self.found.facts[verb] = Facts(None, whole.players, winner and winner.capitalize(), told)
            return
        most, points_of_all = max(points.values()), max(whole.points or ())
        is_less = most < points_of_all and not are_seen
        is_more = most > points_of_all and not (are_seen and self.closed is not None)
        if len(names) != len(whole.players or ()) or is_more or is_less:
            # Other colours; and a victory point that is still hidden is seen by nobody.
            self.found.findings.append(f"{verb}: {points}, verify {whole}")

    def metrics(self) -> None:
        out = self.scratch / f"{self.path.name}-metrics"
        if not self.found.facts["verify"].actions:
            self._run("metrics", self.path, "--quick", "--out", out, codes=(WRONG_USAGE,))
            return
        self._run("metrics", self.path, "--quick", "--out", out)
        self.found.facts["metrics"] = Facts(len((out / "actions.csv").read_text().splitlines()) - 1)

    def watch(self) -> None:
        file = self.scratch / f"{self.path.name}.png"
        ran = self._run("watch", self.path, "--snapshot", file, "--size", "640x480")
        if not file.is_file() or not re.search(r"step (\d+) of \1$", ran.err.strip()):
            self.found.findings.append(f"watch: {ran.err.strip()}")

    def recording(self) -> None:
        self.found.verbs += 1
        recorded = read_recording(self.path)
        if recorded.unreadable is not None:
            self.found.findings.append(f"check-trace: {recorded.unreadable}")
        self.found.facts["check-trace"] = Facts(recorded.step_count)

    def _count(self, actions: int) -> int | None:
        """How many actions a verb tells; where all cards were opened, calls and openings are left out."""
        return None if self.is_hidden else actions

    def _compare(self) -> None:
        """All verbs say the same, as far as they say anything."""
        whole = self.found.facts.get("verify")
        for verb, facts in self.found.facts.items():
            if whole is not None and facts.differs_from(whole):
                self.found.findings.append(f"{verb} says {facts}, verify {whole}")


_UNSAYABLE = re.compile(r"standard island only|only the standard island|2 to 4 players|one port on a tile|not earn")
"""What docs/reference/notation.md says that a notation has no words for."""


def has_hidden_hands(path: Path) -> bool:
    """Whether the hands of a game are hidden."""
    return load_history(path, may_be_hidden=True).game.constants.rules.hands == "hidden"


def why_closed(path: Path) -> str | None:
    """Why nobody sees all cards of a game of hidden hands, None if all were opened at the end."""
    with read_as_open(path) as found:
        return found.closed


def has_claim(path: Path) -> bool:
    """Whether somebody has claimed a game, whatever came after."""
    return any(isinstance(logged.action, Claim) for logged in load_history(path, may_be_hidden=True).actions)


def is_claimed(path: Path) -> bool:
    """Whether a game ends with a claim: of two who are silent to each other, each may make one."""
    actions = load_history(path, may_be_hidden=True).actions
    return bool(actions) and isinstance(actions[-1].action, Claim)


def examine_all(repositories: Sequence[Path], honest: frozenset[str], rules: str, is_over: bool) -> Examined:
    """All verbs on all repositories of a game, then on the folder that they are in."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    total = Examined()
    with tempfile.TemporaryDirectory(prefix="catan-p2p-matrix-") as temporary:
        known: dict[frozenset[ObjectId], tuple[Facts, Facts]] = {}
        for path in repositories:
            commits = frozenset(logged.commit for logged in load_history(path, may_be_hidden=True).actions)
            one = Examination(path, Path(temporary), rules)
            found = one.examine(is_copy=commits in known)
            total.verbs += found.verbs
            total.findings += [f"{path.name}: {finding}" for finding in found.findings]
            verified, with_all_cards = known.setdefault(commits, (one.verified, found.facts.get("verify", Facts())))
            if one.verified != verified:
                total.findings.append(f"{path.name}: verify says {one.verified}, of the same actions {verified} before")
            total.facts[path.name] = with_all_cards
        ends = {total.facts[path.name] for path in repositories if path.name in honest}
        if is_over and len(ends) > 1 and not (len(honest) == 2 and all(map(is_claimed, repositories))):
            total.findings.append(f"honest players ended differently: {ends}")
        _examine_folder(repositories, Path(temporary), total)
    return total


def _examine_folder(repositories: Sequence[Path], scratch: Path, total: Examined) -> None:
    folder = repositories[0].parent
    farthest = max(facts.actions or 0 for facts in total.facts.values())
    told = json.loads(run("verify", folder, "--json").out)
    if len(told) != len(repositories) or not all(one["fine"] for one in told):
        total.findings.append(f"verify of the folder: {told}")
    count = len(run("log", folder).out.splitlines())
    is_hidden = has_hidden_hands(repositories[0])
    opened = len(Game.open(folder))
    if {count, farthest if is_hidden else opened} != {farthest}:
        total.findings.append(f"log and Game.open of the folder: not {farthest} actions")
    shown = run("watch", folder, "--snapshot", scratch / "all.png", "--size", "640x480")
    if shown.code != FINE:
        total.findings.append(f"watch of the folder: {shown}")
    if (shown := run("stats", folder)).code != FINE:
        total.findings.append(f"stats of the folder: {shown}")
    total.verbs += 5


def examine_relay(path: Path, total: Examined, is_over: bool) -> None:
    """The verbs that read any repository, on a relay: it holds what its players have pushed."""
    lines, is_hidden = run("log", path), has_hidden_hands(path)
    [told] = json.loads(run("verify", path, "--json").out)
    count = len(lines.out.splitlines())
    farthest = max(facts.actions or 0 for facts in total.facts.values())
    if lines.code != FINE or not told["fine"]:
        total.findings.append(f"relay: {lines.err} {told}")
    elif {count, told["commits"] - 1, count if is_hidden else len(Game.open(path))} != {count} or (
        is_over and count != farthest
    ):
        total.findings.append(f"relay: {count} actions in its log, {told}, {farthest} at the players")
    for words in (("stats", path), ("export", path, "--format", "catan" if is_hidden else "sgn")):
        if (shown := run(*words)).code != FINE:
            total.findings.append(f"relay: {words[0]}: {shown.err}")
    total.verbs += 5
