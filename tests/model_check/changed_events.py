"""Changes of one trace of peers, all tried in one run of TLC: it takes the trace, and turns into each on its way."""

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from catan_p2p.game.constants import Constants
from catan_p2p.model_check.peers import Event, peers_constants, peers_module
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import tla

_MODULE = """\
---- MODULE RunChanges ----
EXTENDS RunPeers
VARIABLE change     \\* the number of the change that the peers have gone into; 0: none
Changes == <<%s>>
ChangedEvent == IF change = 0 THEN Trace[at] ELSE Changes[change].events[at - Changes[change].at + 1]
ChangedLast == IF change = 0 THEN %d ELSE Changes[change].at + Len(Changes[change].events) - 1
Turns(n) == change = 0 /\\ desk = EmptyDesk /\\ at = Changes[n].at /\\ change' = n /\\ UNCHANGED peersVars
ChangesNext == (PeersNext /\\ UNCHANGED change) \\/ \\E n \\in DOMAIN Changes : Turns(n)
ChangesSpec == PeersInit /\\ change = 0 /\\ [][ChangesNext]_<<peersVars, change>>
TellingChanges == <<Telling, change>>
IsSound == NeverBothNowAndThen /\\ NothingIsForgotten
Came == IsSound /\\ change > 0 => PrintT(<<"came", change, at>>)
====
"""
_CONFIG = """\
SPECIFICATION ChangesSpec
VIEW TellingChanges
CONSTRAINT IsSound
INVARIANT Came
"""
_CAME = re.compile(r'<<"came", (\d+), (\d+)>>')


def refused_at(
    events: Sequence[Event],
    constants: Constants,
    changes: Mapping[str, Sequence[Event]],
    tlc: TlcProgram,
    *,
    signed: bool,
    most: int = 12,
) -> dict[str, int | None]:
    """Which event of each changed trace was refused, counted from 0; None if none was, of those that were tried.

    Those are ``most`` events, from the first one that differs. A trace in which nothing is changed is tried to its end.
    """
    end = max(0, len(events) - most)
    begins = {
        name: next((at for at, (old, new) in enumerate(zip(events, changed, strict=False)) if old != new), end)
        for name, changed in changes.items()
    }
    tried = {name: changed[begins[name] : begins[name] + most] for name, changed in changes.items()}
    rows = ",\n  ".join(f"[at |-> {begins[name] + 1}, events |-> {tla(list(tried[name]))}]" for name in changes)
    needed = events[: max(begins.values())]
    with tempfile.TemporaryDirectory(prefix="catan-p2p-changes-") as scratch:
        (Path(scratch) / "RunPeers.tla").write_text(peers_module(needed, constants), encoding="utf-8")
        module = Path(scratch) / "RunChanges.tla"
        module.write_text(_MODULE % (rows, len(needed)), encoding="utf-8")
        config = _CONFIG + peers_constants(constants, signed=signed)
        result = tlc.run(module, f"{config}    Event <- ChangedEvent\n    Last <- ChangedLast\n", ["-deadlock"])
    assert result.verdict == "fine", result.detail
    came = [(int(number), int(at) - 1) for line in result.printed for number, at in _CAME.findall(line)]
    reached = {
        name: max((at for one, at in came if one == number), default=-1) for number, name in enumerate(changes, 1)
    }
    assert all(reached[name] >= begins[name] for name in changes), f"not all were tried: {reached}, {begins}"
    return {name: None if at == begins[name] + len(tried[name]) else at for name, at in reached.items()}
