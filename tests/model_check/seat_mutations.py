"""Wrong seats and extra updates in ``Catan.tla``, made from its text: helper definitions are changed as actions are.

``python -m tests.model_check.seat_mutations`` makes the table anew; names of definitions after it look at those only.
Every seat that a function or an operator is applied to is replaced by the next one, and every action puts one component
more back to what it was at first. The chosen steps must notice, as for the mistakes of effect_mutations.py.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache

from catan_p2p.model_check.tlc import TlcProgram
from tests.game.actions.asymmetric import HEARD
from tests.model_check.effect_mutations import Mutant, is_effect, judge, numbered, run
from tests.model_check.given_steps import Case, groups
from tests.model_check.mutant_search import search
from tests.model_check.spec_text import definitions
from tests.model_check.sub_expression_mutations import checks
from tests.model_check.sub_expressions import Change, bodies

_SUM = "it is one of a sum, or of a set, of all players'"

_WHY: tuple[tuple[str, str, str], ...] = (
    (HEARD, "prop is as at first", "all proposals are over"),
    ("RollForStart RollDice MoveBandit BuyDevCard PlayKnight", "call is as at first", "what was called for is drawn"),
    ("Pledge", "ap is as at first", "player 1 is at turn before the first turn"),
    ("SetupPhaseTwo", "ba is as at first", "the bandit has not moved yet"),
    ("MoveBandit", "lim is as at first", "all have discarded"),
    ("ConcludeTrade WithdrawTrade", "offer is as at first", "the offer is over"),
    ("ConcludeTrade WithdrawTrade", "ans is as at first", "the offer is over"),
    *(
        ("Claim", f"{name} is as at first", "the turn is over for who is silent")
        for name in ("pd", "sb", "lim", "offer", "ans", "prop", "made", "call")
    ),
    ("Unseen", "the next seat in G.h[«p»]", _SUM),
    ("BonusHolder", "the next seat in has[«p»] (1)", _SUM),
    ("Returned", "the next seat in cards[«p»] (1)", _SUM),
    ("Harvested", "the next seat in gain[«p»] (1)", _SUM),
    ("Harvested", "the next seat in partly[«p»]", _SUM),
    ("Opened", "the next seat in earned(«p») (1)", _SUM),
    ("Opened", "the next seat in @[«p»] (1)", "before the opening all hold the same"),
    ("Opened", "the next seat in @[«p»] (2)", "before the opening all have the same pieces"),
    ("Opened", "the next seat in of(«p») (3)", "in every opening all place as many pieces"),
    ("Opened", "the next seat in of(«p») (4)", "in every opening all place as many pieces"),
)

IMPLIED: dict[tuple[str, str], str] = {(one, what): why for names, what, why in _WHY for one in names.split()}
"""Mistakes that change nothing in any state that can be reached, and why."""

"""Where ``make mutations`` writes what it saw."""

HEAD = """# What turns red with a wrong seat, or one update more

Written by `make mutations` (tests/model_check/seat_mutations.py): in the definitions on which actions of `Catan.tla`
rest every seat, marked «», is replaced by the next one, and every action puts one component more back to what it was
at first. What sees it is a chosen step of tests/model_check/test_given.py, a state of random games
(tests/model_check/test_successors.py), or a small model that the tests compare with the program.

| definition | the mistake | check | what is seen |
| --- | --- | --- | --- |
"""


@cache
def mutants() -> tuple[Mutant, ...]:
    """All of them, in the order of the specification."""
    found = []
    for one in definitions().values():
        if one.file == "Catan.tla" and is_effect(one) and not one.name.startswith("Seat"):
            model = "MCTrails" if one.name in _TRAILS else ""
            made = numbered(one, [*wrong_seats(one.text), *extra_updates(one.text)])
            found += [mutant._replace(model=model) for mutant in made]
    return tuple(found)


_TRAILS = ("GoesOn", "Layers", "OverLayers", "OverRings", "LongestTrail")
"""What a model sees better, which compares it with a plain search."""

_SEAT = re.compile(r"(?<=[\[(])(p|x|victim|partner)(?=[\]),])(?!\) ==)|(?<=, )(p|x|victim|partner)(?=\))(?!\) ==)")
"""A seat as what a function or an operator is applied to."""


def wrong_seats(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Every such seat replaced by the next one."""
    head = text.index("==")
    seats = {"p", *re.findall(r"\w+", text[:head])[1:]}
    for found in _SEAT.finditer(text, head):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if "\\*" not in line and found[0] in seats:
            seat = found[0]
            told = re.sub(r"\s+", " ", _piece(text, found.start(), found.end()))
            yield found.start(), f"the next seat in {told}", seat, f"(IF {seat} = NPlayers THEN 1 ELSE {seat} + 1)"


def _piece(text: str, start: int, end: int) -> str:
    """A seat with the name that it is for."""
    before = re.search(r"[\w.!@]*[\w.!@\[\](]$", text[:start])
    return f"{before[0] if before else ''}«{text[start:end]}»{text[end]}"


FIRST = {
    "ap": "1",
    "dice": "0",
    "pd": "0",
    "sb": "NoOwner",
    "ba": "BanditStart",
    "dp": "NoProgressCards",
    "lr": "NoOwner",
    "la": "NoOwner",
    "lim": "[seat \\in Players |-> 0]",
    "offer": "NoOffer",
    "ans": '[seat \\in Players |-> "none"]',
    "prop": "NoProposals",
    "made": "NoneMade",
    "due": '[seat \\in Players |-> Chance = "joint"]',
    "call": "NoCall",
    "away": "[seat \\in Players |-> FALSE]",
    "ahead": "[seat \\in Players |-> FALSE]",
}
"""Components of the game, and what they are at first; chance is the actor's but in what is due."""

_NEXT_GAME = re.compile(r"^(?P<indent> +)/\\ G' = (?P<value>.*?)(?=\n {4}/\\ |\Z)", re.MULTILINE | re.DOTALL)


def extra_updates(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Every component put back to what it was at first, after whatever else an action does."""
    for found in _NEXT_GAME.finditer(text):
        value = re.sub(r" *\\\*.*$", "", found["value"]).rstrip()
        column = found.start("value") - found.start()
        for name, first in FIRST.items():
            new = f"LET mutated ==\n{' ' * column}{value}\n{found['indent']}    IN [mutated EXCEPT !.{name} = {first}]"
            yield found.start("value"), f"{name} is as at first", found["value"], new


AT_ONCE = 100
"""How many mistakes one run of TLC tries."""


def look(chosen: Sequence[Mutant], tlc: TlcProgram) -> dict[Mutant, str]:
    """What sees each of them first; those that nothing sees are not there."""
    starts = {body.name: body.start for body in bodies("Catan.tla", tlc)}
    mutant_of = {
        Change("Catan.tla", one.definition, one.start - starts[one.definition], one.old, one.new, one.what): one
        for one in chosen
        if one.kinds and not one.model
    }
    told = judge([one for one in chosen if one not in mutant_of.values()], tlc)
    given = [*groups().values()]
    for number, states in enumerate(checks("Catan.tla")):
        cases = given[number] if number < len(given) else ()
        left = [one for one, of in mutant_of.items() if of not in told and _is_tried(of, cases)]
        for i in range(0, len(left), AT_ONCE):
            part = left[i : i + AT_ONCE]
            seen = search("Catan.tla", part, [mutant_of[change].kinds for change in part], states, tlc)
            told |= {mutant_of[change]: _in_words(where, cases) for change, where in seen.items()}
        print(
            f"{states.name} {number}: {len(left)} tried, {len(mutant_of) - len(told)} left", file=sys.stderr, flush=True
        )
    return told


def _is_tried(one: Mutant, cases: Sequence[Case]) -> bool:
    """Whether a mistake is tried in these steps, which concern it, or in other states, if they should see it."""
    if not cases:
        return (one.definition, one.what) not in IMPLIED
    return any(case.kind in one.kinds for case in cases)


def _in_words(where: str, cases: Sequence[Case]) -> str:
    """The step that has this number, or the states in which it was seen, or what TLC could not do."""
    name, _, place = where.partition(": ")
    if not place.isdecimal():
        return place
    return cases[int(place) - 1].name if cases else name


def main() -> int:
    """Make every mistake and tell what happens; 1 if one goes unnoticed that should not."""
    return run(mutants(), IMPLIED, "seats", HEAD, look)


if __name__ == "__main__":
    sys.exit(main())
