"""Games of real processes from which a player goes away: the others end them, all on one commit.

Every player is a process of ``catan-p2p peer --patience``. After some commits one of them is killed for ever, cut off
from all others, withholds a reveal, a discard, an answer or the turn, stands still until the others have long gone on,
or for about as long as they wait; or it is killed, and then the first coordinator of the change in which the others
leave it out: with five players for ever, else that one is started again. When it is over: whoever is there has ended,
all of them on one commit; nobody is charged, and no coordinator left out who is back; what anybody has acknowledged or
accepted who was not excused is in the game; ``verify`` finds nothing.

    python -m tests.replication.leaving --games 24 --seed 1
"""

import os
import shutil
import signal
import sys
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from catan_p2p.game.actions import Claim, ProposeTrade
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import Commit, parse_action
from catan_p2p.log.game import FormatError, GameDefinition
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.tables.seat import read_settings, write_settings
from catan_p2p.tables.status import read_status
from tests import campaigns
from tests.log.storage.repositories import commit_at
from tests.referee import referee
from tests.replication.coordinating import KILLED
from tests.replication.processes import PROGRAM, STILL_S, PeerProcess, ProcessTable, wait_until
from tests.replication.relays import bare
from tests.replication.tables import game_of, git

TOPOLOGIES = ("all to all", "ring", "relay", "folders")
"""Everybody reads everybody's daemon; everybody those of two; everybody one relay; everybody everybody's folder."""
COORDINATED = ("coordinator voted", "coordinator proposed")
WAYS = (
    *("killed", "cut off", "withholds chance", "withholds loss", "withholds answer", "comes back", "races"),
    *COORDINATED,
)
TWICE = "played twice"
"""Two programs play the leaver's seat, each from a repository of its own, and sign forks; a way of one test alone."""
COORDINATOR = COLOURS[1]
"""Of round 1 of the first change."""
RULES = {
    "withholds chance": "thesis; PointsToWin = 4; Leaving = yes; Chance = joint",
    "withholds loss": "thesis; PointsToWin = 4; Leaving = yes; HandLimit = 2",
    "withholds answer": "brief; PointsToWin = 4; Leaving = yes",
    "coordinator voted": "brief; PointsToWin = 4; Leaving = yes",
    "coordinator proposed": "brief; PointsToWin = 4; Leaving = yes; Chance = joint; Hands = hidden",
}
OTHERWISE = (
    "thesis; PointsToWin = 4; Leaving = yes; HandLimit = 3",
    "brief; PointsToWin = 4; Leaving = yes; Chance = joint",
    "thesis; PointsToWin = 4; Leaving = yes; Chance = joint; Hands = hidden",
    "brief; PointsToWin = 4; Leaving = yes; Chance = joint; Hands = hidden",
)


class Plan(NamedTuple):
    """What happens in a game."""

    seed: int
    players: int
    topology: str
    way: str
    patience_s: float
    leaver: str
    after: int
    """How many acknowledged actions of all players it is until the leaver goes."""
    rules: str

    @property
    def is_coordinator_back(self) -> bool:
        """Whether the coordinator who is killed starts again: there are not more than half without them."""
        return self.way in COORDINATED and self.players < 5

    def program_of(self, colour: str) -> tuple[str, ...]:
        """What a player runs."""
        kind, _, of = self.way.partition(" ")
        if kind == "coordinator" and colour == COORDINATOR:
            return ("tests.replication.coordinating", of)
        if kind == "withholds" and colour == self.leaver:
            return ("tests.replication.withholding", of, str(self.after))
        return PROGRAM

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.leaver} of {self.players} {self.way} after {self.after}, {self.topology}"


def plan_of(seed: int, *, patience_s: float, players: int | None = None) -> Plan:
    """The game of a campaign with this number: every way on every topology in turn, the rest at random."""
    rng = Random(f"leaving {seed}")
    way, topology = WAYS[seed % len(WAYS)], TOPOLOGIES[seed % len(TOPOLOGIES)]
    most = 5 if way in COORDINATED else 4
    players = players or (4 if topology == "ring" else 3 + seed // len(TOPOLOGIES) % (most - 2))
    rules = RULES.get(way) or rng.choice(OTHERWISE)
    leavers = [colour for colour in COLOURS[:players] if way not in COORDINATED or colour != COORDINATOR]
    return Plan(seed, players, topology, way, patience_s, rng.choice(leavers), rng.randrange(3, 40), rules)


@dataclass
class Figures(campaigns.Figures):
    """What a campaign did and found."""

    tell_every = 1

    actions: int = 0
    excused: int = 0
    claimed: int = 0
    """Games in which two who were left claimed it, which proves nothing."""
    ways: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    topologies: Counter[str] = field(default_factory=Counter)
    lost: int = 0


def seated(folder: Path, plan: Plan) -> ProcessTable:
    """The seats of a planned game."""
    rng = Random(plan.seed)
    table = ProcessTable(
        folder,
        game_of(rules_named(plan.rules, plan.players, may_be_hidden=True), plan.players),
        [rng.getrandbits(64) for _ in range(plan.players)],
        is_served=plan.topology in ("all to all", "ring"),
        is_ring=plan.topology == "ring",
        relay=str(bare(folder / "relay")) if plan.topology == "relay" else None,
        options=("--patience", f"{plan.patience_s}s"),
        program=plan.program_of,
    )
    if plan.way == TWICE:
        path = shutil.copytree(folder / plan.leaver, folder / TWICE / plan.leaver)
        write_settings(path, replace(read_settings(path), seed=plan.seed))
        table.peers[TWICE] = PeerProcess(path, plan.leaver, None, ("--patience", f"{plan.patience_s}s"))
        for other in [colour for colour in table.colours if colour != plan.leaver][1:]:
            (link := folder / f"{other}-to-{plan.leaver}").unlink()
            link.symlink_to(path)
    return table


def others_of(table: ProcessTable, plan: Plan) -> list[PeerProcess]:
    """All who are there in the end."""
    gone = {plan.leaver, TWICE} | ({COORDINATOR} if plan.way in COORDINATED and not plan.is_coordinator_back else set())
    return [peer for colour, peer in table.peers.items() if colour not in gone]


def _leave(table: ProcessTable, plan: Plan) -> None:
    """Let the player go, and come back where that is planned."""
    leaver, others = table.peers[plan.leaver], others_of(table, plan)
    if plan.way.startswith("withholds") or plan.way == TWICE:
        return
    wait_until(lambda: table.acknowledged >= plan.after or not leaver.is_running, STILL_S, lambda: table.acknowledged)
    if plan.way == "killed" or plan.way in COORDINATED:
        leaver.kill()
    elif plan.way == "cut off":
        table.wires.cut(plan.leaver)
    else:
        rng = Random(f"back {plan.seed}")
        leaver.signal(signal.SIGSTOP)
        stays_s = plan.patience_s * (rng.uniform(0.8, 1.6) if plan.way == "races" else 3.0)
        wait_until(lambda: not any(peer.is_running for peer in others), stays_s)
        leaver.signal(signal.SIGCONT)
    if plan.way in COORDINATED:
        coordinator = table.peers[COORDINATOR]
        wait_until(lambda: not coordinator.is_running, STILL_S, lambda: table.acknowledged)
        coordinator.wait()
        if plan.is_coordinator_back:
            coordinator.program = PROGRAM
            coordinator.start()


def play_one(folder: Path, plan: Plan) -> Figures:
    """Play one game, and check what came of it."""
    table, figures = seated(folder, plan), Figures(games=1)
    leaver, others = table.peers[plan.leaver], others_of(table, plan)
    with table.running():
        _leave(table, plan)
        ended = wait_until(lambda: not any(peer.is_running for peer in others), STILL_S, lambda: table.acknowledged)
        if ended and plan.way in ("comes back", "races"):
            wait_until(lambda: not leaver.is_running, 25.0)
    figures.ways[plan.way] += 1
    figures.topologies[plan.topology] += 1
    for line in leaver.complaints:
        if line.startswith("withholds "):
            figures.withheld[line.removeprefix("withholds ")] += 1
    if not ended:
        said = {peer.colour: peer.complaints[-3:] for peer in others}
        figures.failures.append(f"{plan}: stands still: {said}")
    else:
        figures.failures += [f"{plan}: {problem}" for problem in _problems(table, plan, figures)]
    return figures


def _problems(table: ProcessTable, plan: Plan, figures: Figures) -> list[str]:
    """What is not as it must be once the others have ended."""
    found = []
    lines: dict[str, tuple[ObjectId, ...]] = {}
    claims = 0
    excused: set[str] = set()
    for peer in others_of(table, plan):
        if peer.code not in (0, 1):
            found.append(f"{peer.colour} ended with code {peer.code}: {peer.complaints[-3:]}")
        verdict = audit(peer.path)
        if not verdict.is_fine or verdict.history is None or not verdict.history.last.is_over:
            found.append(
                f"verify of {peer.colour}: {verdict.rejected or verdict.damage or f'not over: {peer.complaints[-3:]}'}"
            )
            continue
        lines[peer.colour] = tuple(one.commit for one in verdict.history.actions)
        last = verdict.history.actions[-1].action
        claims += isinstance(last, Claim) and table.game.seats[last.player - 1].colour == peer.colour
        away = verdict.history.last.away
        excused |= {seat.colour for seat, is_away in zip(table.game.seats, away, strict=True) if is_away}
        charged = {line["colour"] for line in read_status(peer.path).refusals if line["reason"] != "missing"}
        if plan.way == TWICE:
            found += [f"{peer.colour} plays on with {plan.leaver}"] * (plan.leaver not in excused)
            found += [f"the referee: {told}" for told in referee.audit(str(peer.path))[1]]
        elif charged:
            found.append(f"{peer.colour} charges {sorted(charged)}")
    figures.excused += bool(excused)
    if plan.way in COORDINATED:
        found += [] if KILLED in table.peers[COORDINATOR].complaints else ["the coordinator was not killed"]
        if plan.is_coordinator_back and COORDINATOR in excused:
            found.append(f"{COORDINATOR} is left out")
    if found or not lines:
        return found
    if claims > 1:
        figures.claimed += 1
        return found
    if len({frozenset(line) for line in lines.values()}) != 1:
        return [f"the others ended on different commits: {[line[-1] for line in lines.values()]}"]
    line = frozenset(next(iter(lines.values())))
    figures.actions += len(line)
    # What was built on the side of a fork that was not decided is undone.
    lost = [] if plan.way == TWICE else _lost(table, plan, line, excused, figures)
    return lost + _behind(table, plan, line)


def _lost(table: ProcessTable, plan: Plan, line: frozenset[ObjectId], excused: set[str], figures: Figures) -> list[str]:
    """What somebody who was not left out has acknowledged and is not in the game.

    What only those hold who have been left out, or watch since, may be gone.
    """
    lost = [
        one
        for peer in others_of(table, plan)
        if peer.colour not in excused
        for one in peer.acknowledged
        if len(one) == 40 and one not in line and _is_action(table.game, commit_at(peer.path, one))
    ]
    figures.lost += len(lost)
    return [f"lost: {sorted(lost)}"] if lost else []


def _is_action(game: GameDefinition, commit: Commit) -> bool:
    """Whether a commit is an action that cannot be passed over: no root, no message of a change, no proposal."""
    try:
        action = parse_action(commit.message, game.constants)
        return bool(commit.parents) and not isinstance(action, ViewMessage | ProposeTrade)
    except FormatError:
        return False


def _behind(table: ProcessTable, plan: Plan, line: frozenset[ObjectId]) -> list[str]:
    """Who has come back is on the line of the others, even if they have ended before all of it was read."""
    leaver = table.peers[plan.leaver]
    if plan.way not in ("comes back", "races"):
        return []
    log = git(leaver.path, "rev-parse", f"refs/heads/{plan.leaver}_0", check=False)
    is_over = leaver.code in (0, 1)
    if log in line or not is_over:
        return []
    return [f"{plan.leaver}, who has come back, ended on {log}"]


def play_asked(seed: int, args: Namespace) -> Figures:
    """One game of the campaign that the command line asks for."""
    with TemporaryDirectory(prefix="catan-p2p-leaving-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        found = play_one(folder, plan_of(seed, patience_s=args.patience))
        if found.failures and args.keep is not None:
            shutil.copytree(folder, args.keep / folder.name, symlinks=True)
        return found


def main() -> int:
    parser = campaigns.options("Let players of real games leave, and see that the others go on.", 36)
    parser.add_argument("--patience", type=float, default=6.0, help="of every peer, in seconds (default: 6)")
    parser.add_argument("--keep", type=Path, help="where to keep the repositories of games that failed")
    return campaigns.run_campaign(parser.parse_args(), play_asked, Figures())


if __name__ == "__main__":
    os.environ.setdefault("GIT_TERMINAL_PROMPT", "0")
    sys.exit(main())
