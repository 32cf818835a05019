"""Counterexamples of the replication in words: what peers do, derived from the difference of two states.

Every function mirrors steps of ``spec/CatanP2P.tla``, or of a module that extends it. A commit is named by its id
there, such as ``1.2.1`` for height 1, player 2, variant 1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from catan_p2p.game.constants import NO_OWNER, Constants
from catan_p2p.log.refs import COLOURS
from catan_p2p.model_check.counterexample import changed, explain
from catan_p2p.model_check.states import make_state, parse_variables
from catan_p2p.view.observe import observe
from catan_p2p.view.words import EventWording, in_words

Variables: TypeAlias = Mapping[str, Any]
"""The variables of a state of ``CatanP2P`` by name."""

Id: TypeAlias = tuple[int, ...]

_NO_COMMIT: Id = (0, 0, 0)
_BRANCHES = {"log": "its log", "reply": "its temporary branch"}


def describe_steps(texts: Sequence[str], constants: Constants) -> tuple[str, ...]:
    """One line for each step, from the states that TLC prints; the last may describe an infinite behaviour."""
    states = [parse_variables(text) if "/\\ book = " in text else {} for text in texts]
    lines = [f"begin: all know the same game, in phase {states[0]['G']['tp']}"] if states else []
    for (before, after), text in zip(pairwise(states), texts[1:], strict=True):
        lines.append(describe_step(before, after, constants) if after else _for_ever(text))
    return tuple(lines)


def _for_ever(text: str) -> str:
    """The end of an infinite behaviour: TLC counts states from 1, this program counts steps."""
    number, _, told = text.partition(": ")
    return (
        f"back to where it was after step {int(number) - 1}" if told.startswith("Back") else "nothing happens any more"
    )


def describe_step(before: Variables, after: Variables, constants: Constants) -> str:
    """What a peer does between two states, by the variables that differ."""
    # The most specific variables first: a step such as LosePower changes others, too.
    if before.get("losses") != after.get("losses"):
        return _power(before, after)
    if before["up"] != after["up"]:
        return _program(before, after)
    if before["cut"] != after["cut"]:
        return _link(before, after)
    if before["desk"]["who"] != after["desk"]["who"]:
        return _seat(before, after)
    if any(before[name] != after[name] for name in ("desk", "SU", "G")):
        return _play(before, after, constants)
    if before["book"] != after["book"]:
        return _fabricated(before, after)
    if before["proofs"] != after["proofs"]:
        return _proof(before, after)
    if before["shown"] != after["shown"]:
        return _published(before, after)
    if before["journal"] != after["journal"]:
        return _kept(before, after)
    if before["view"] != after["view"]:
        return _taken_in(before, after)
    if before.get("synced") != after.get("synced"):
        return _synced(before, after)
    names = [name for name in before if before[name] != after.get(name)]
    return f"no step of the peers leads here, which changes {', '.join(names)}" if names else "nothing changes"


def _program(before: Variables, after: Variables) -> str:
    """Crash, Restart."""
    (player,) = before["up"] ^ after["up"]
    return f"{_name(player)} {'crashes' if player in before['up'] else 'restarts'}"


def _power(before: Variables, after: Variables) -> str:
    """LosePower: of the journal, only the part on the medium stays."""
    changed_journals = dict(_changes(before["journal"], after["journal"]))
    (player,) = before["up"] ^ after["up"] or changed_journals or (0,)
    who = f"{_name(player)} loses power" if player else "a player who is down loses power"
    return f"{who}, and what was recorded last with it" if changed_journals else who


def _synced(before: Variables, after: Variables) -> str:
    """Sync."""
    ((player, _),) = _changes(before["synced"], after["synced"])
    return f"{_name(player)} waits until the medium has its journal"


def _link(before: Variables, after: Variables) -> str:
    """Cut, Heal."""
    (link,) = before["cut"] ^ after["cut"]
    what = "heals" if link in before["cut"] else "is cut"
    return f"the link between {_and(map(_name, sorted(link)))} {what}"


def _seat(before: Variables, after: Variables) -> str:
    """Sit, Equivocate, Forge; Record, Pretend, Rise."""
    desk = after["desk"] if after["desk"]["who"] != NO_OWNER else before["desk"]
    who, other = _name(desk["who"]), _name(desk["name"])
    is_own = desk["who"] == desk["name"]
    if desk is after["desk"]:
        if not is_own:
            return f"{who} sits down in the name of {other}"
        is_lie = before["faults"] != after["faults"]
        return f"{who} sits down again on {_spell(desk['on'])}, to go on otherwise" if is_lie else f"{who} sits down"
    new = after["book"].keys() - before["book"].keys()
    if not new:
        return f"{who} rises: it has recorded the same before"
    told = f"{who} records {_commits(new)} on {_spell(desk['on'])}"
    if desk["merges"]:
        told += f" with {_commits(desk['merges'])}"
    return told if is_own else f"{told} as if {other} had"


def _play(before: Variables, after: Variables, constants: Constants) -> str:
    """Play: the action of the game."""
    old, new = (make_state(variables["SU"], variables["G"], constants) for variables in (before, after))
    who = before["desk"]["who"]
    action = explain(old, new)
    if action is None:
        return f"{_name(who)} makes a step that is no action of the program, which changes {changed(old, new)}"
    told = in_words(observe(action, old, new), EventWording(COLOURS, constants.board))
    return f"{_name(who)} {told}" if action.player == who else f"{_name(who)}, as {_name(action.player)}, {told}"


def _fabricated(before: Variables, after: Variables) -> str:
    """Fabricate."""
    (new,) = after["book"].keys() - before["book"].keys()
    commit = after["book"][new]
    return f"{_name(commit['writer'])} records {_spell(new)} on {_spell(commit['on'])}, which no action leads to"


def _proof(before: Variables, after: Variables) -> str:
    """Prove."""
    ((player, pairs),) = _changes(before["proofs"], after["proofs"])
    commits = frozenset[Id]().union(*pairs - before["proofs"][player - 1])
    liars = sorted({after["book"][commit]["by"] for commit in commits})
    return f"{_name(player)} proves that {_and(map(_name, liars))} has lied, by {_commits(commits)}"


def _published(before: Variables, after: Variables) -> str:
    """Publish, Turn: a peer that shows a commit that is not in its journal has turned to that commit."""
    ((player, shown),) = _changes(before["shown"], after["shown"])
    journal = after["journal"][player - 1]
    moved = [ref for ref in _BRANCHES if shown[ref] != before["shown"][player - 1][ref]]
    turned = [shown[ref] for ref in moved if shown[ref] != journal[ref]]
    if turned:
        return f"{_name(player)} shows {_commits(turned)} as if its others had never been"
    removed = [ref for ref in moved if shown[ref] == _NO_COMMIT]
    if removed:
        return f"{_name(player)} publishes that {_and(_BRANCHES[ref] for ref in removed)} is gone"
    return f"{_name(player)} publishes {_and(_BRANCHES[ref] for ref in moved)}"


def _kept(before: Variables, after: Variables) -> str:
    """Keep, Remove."""
    ((player, journal),) = _changes(before["journal"], after["journal"])
    if journal["seen"] != before["journal"][player - 1]["seen"]:
        return f"{_name(player)} keeps what it has taken in"
    return f"{_name(player)} removes its temporary branch"


def _taken_in(before: Variables, after: Variables) -> str:
    """TakeIn."""
    ((player, known),) = _changes(before["view"], after["view"])
    old = before["view"][player - 1]
    new = {known["head"]} - {old["head"]} or known["replies"] - old["replies"]
    return f"{_name(player)} takes in {_commits(new)}"


def _changes(before: Sequence[Any], after: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The players whose values differ, each with the new value."""
    return ((player, new) for player, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new)


def _name(player: int) -> str:
    return COLOURS[player - 1]


def _spell(commit: Id) -> str:
    return ".".join(map(str, commit))


def _commits(commits: Iterable[Id]) -> str:
    return _and(map(_spell, sorted(commits)))


def _and(words: Iterable[str]) -> str:
    return " and ".join(words)
