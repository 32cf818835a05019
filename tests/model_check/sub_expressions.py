"""Every sub-expression of a module of the specification, and what a mistake could make of it.

The tree is SANY's, TLC's own parser: it writes a module as XML, with the place of every node. From each node follow
the mistakes that its operator allows: another operator, one operand instead of two, a part left out, a branch of an IF
or a CASE never or always taken, a number one higher or lower, another string or field of the same kind, another player.
"""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from catan_p2p.model_check.tlc import TlcError, TlcProgram, spec_folder


class Change(NamedTuple):
    """A text of a definition replaced by another; ``start`` counts from the beginning of the definition."""

    file: str
    definition: str
    start: int
    old: str
    new: str
    what: str


class Node(NamedTuple):
    """A node of the tree: its operator or kind, its text's place in the module, and its operands."""

    kind: str
    start: int
    end: int
    parts: tuple[Node, ...]
    parameters: tuple[str, ...] = ()
    """The names that it binds."""


class Body(NamedTuple):
    """A definition: its place, its parameters, and its tree."""

    name: str
    start: int
    end: int
    parameters: tuple[str, ...]
    tree: Node


OTHER_OPERATOR = {
    "=": ("#",),
    "/=": ("=",),
    "<": ("<=",),
    ">": (">=",),
    "\\leq": ("<",),
    "\\geq": (">",),
    "\\in": ("\\notin",),
    "\\notin": ("\\in",),
    "+": ("-",),
    "-": ("+",),
}
"""By operator what may stand between the operands instead."""

ONE_OPERAND = {
    **dict.fromkeys(("+", "*", "\\union", "\\intersect", "\\cup", "\\cap"), (0, 1)),
    **dict.fromkeys(("-", "\\div", "%", "\\", "@@", "\\o"), (0,)),
    "=>": (1,),
}
"""By operator which operand may stand for the whole."""

FIRST_ARGUMENT = {
    **dict.fromkeys(("AddRec", "SubRec", "Won", "NextPlayer", "PreviousPlayer", "SeatAfter", "SeatBefore", "Steal"), 0),
    **dict.fromkeys(("RolledGame", "Returned", "Opened"), 0),
    **dict.fromkeys(("NextPresent", "PreviousPresent"), 1),
}
"""Operators of the specification whose result is of the type of one of their arguments: which."""

FIELDS = (
    ("give", "receive"),
    ("BC", "AC"),
    ("Road", "Village", "City"),
    ("Lumber", "Brick", "Wool", "Grain", "Ore"),
    ("Monopoly", "YearOfPlenty", "RoadBuilding"),
    ("lr", "la"),
    ("head", "seen"),
    ("side", "from"),
)
"""Fields of the same type."""

PLAYERS = frozenset(("p", "q", "x", "partner", "victim", "leader"))
"""Names that stand for players."""


def bodies(file: str, tlc: TlcProgram) -> tuple[Body, ...]:
    """All definitions of a module at its top level, in the order of the text."""
    return _bodies(file, tlc.java.as_posix(), tlc.jar.as_posix())


@cache
def _bodies(file: str, java: str, jar: str) -> tuple[Body, ...]:
    command = [java, "-cp", jar, "tla2sany.xml.XMLExporter", "-o", file]
    done = subprocess.run(command, cwd=spec_folder(), capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise TlcError(f"SANY cannot read {file}: {(done.stdout + done.stderr)[-500:]}")
    return _Reader(file, ET.fromstring(done.stdout[done.stdout.index("<?xml") :])).bodies()


class _Reader:
    """Makes nodes of SANY's elements."""

    def __init__(self, file: str, root: ET.Element) -> None:
        self._module = file.removesuffix(".tla")
        text = (spec_folder() / file).read_text(encoding="utf-8")
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._entry = {entry.findtext("UID"): entry[1] for entry in root.iter("entry")}

    def bodies(self) -> tuple[Body, ...]:
        found = [self._body(one) for one in self._entry.values() if self._is_ours(one)]
        inner = {id(one) for one in found for other in found if other.start < one.start and one.end <= other.end}
        return tuple(sorted((one for one in found if id(one) not in inner), key=lambda one: one.start))

    def _is_ours(self, one: ET.Element) -> bool:
        return one.tag == "UserDefinedOpKind" and one.findtext("location/filename") == self._module

    def _body(self, one: ET.Element) -> Body:
        names = (self._name(ref.findtext("FormalParamNodeRef/UID")) for ref in one.iterfind("params/leibnizparam"))
        body = one.find("body")
        assert body is not None
        return Body(one.findtext("uniquename") or "", *self._place(one), tuple(names), self._node(body[0]))

    def _name(self, uid: str | None) -> str:
        return self._entry[uid].findtext("uniquename") or ""

    def _place(self, one: ET.Element) -> tuple[int, int]:
        numbers = [int(one.findtext(f"location/{what}") or 0) for what in ("line/begin", "column/begin")]
        ends = [int(one.findtext(f"location/{what}") or 0) for what in ("line/end", "column/end")]
        return self._line_starts[numbers[0] - 1] + numbers[1] - 1, self._line_starts[ends[0] - 1] + ends[1]

    def _node(self, one: ET.Element) -> Node:
        place = self._place(one)
        if one.tag == "LetInNode":
            refs = one.iterfind("opDefs/UserDefinedOpKindRef/UID")
            inner = [self._body(self._entry[ref.text]) for ref in refs]
            body = one.find("body")
            assert body is not None
            parts = [Node("definition", each.start, each.end, (each.tree,), each.parameters) for each in inner]
            return Node("LET", *place, (*parts, self._node(body[0])))
        if one.tag != "OpApplNode":
            return Node(one.tag, *place, ())
        operator = one.find("operator")
        assert operator is not None
        reference = operator[0]
        name = self._name(reference.findtext("UID"))
        kind = f"the {name}" if reference.tag in ("FormalParamNodeRef", "OpDeclNodeRef") else name
        bound = one.findall("boundSymbols/bound") + one.findall("boundSymbols/unbound")
        names = tuple(self._name(ref.text) for each in bound for ref in each.iterfind("FormalParamNodeRef/UID"))
        ranges = [
            self._node(part) for each in bound for part in each if part.tag not in ("FormalParamNodeRef", "tuple")
        ]
        operands = one.find("operands")
        return Node(kind, *place, (*ranges, *(self._node(part) for part in operands or ())), names)


def changes(file: str, tlc: TlcProgram) -> Iterator[Change]:
    """What mistakes could make of every sub-expression of a module."""
    text = (spec_folder() / file).read_text(encoding="utf-8")
    families = _families(text)
    for body in bodies(file, tlc):
        seen = set()
        for start, end, new, what in _Changer(text, families).of(body.tree, body.parameters):
            if text[start:end] != new and (start, end, new) not in seen:
                seen.add((start, end, new))
                yield Change(file, body.name, start - body.start, text[start:end], new, what)


def _families(text: str) -> tuple[tuple[str, ...], ...]:
    """Strings that stand for each other: those of one set of the module."""
    sets = re.findall(r'\{\s*("\w+"(?:,\s*"\w+")+)\s*\}', text)
    return tuple(sorted((tuple(re.findall(r'"(\w+)"', one)) for one in sets), key=len, reverse=True))


_Edit = tuple[int, int, str, str]


class _Changer:
    def __init__(self, text: str, families: tuple[tuple[str, ...], ...]) -> None:
        self._text = text
        self._families = (*families, *FIELDS)

    def _of(self, node: Node) -> str:
        return "@" if node.kind == "AtNode" else self._text[node.start : node.end]

    def of(self, node: Node, scope: tuple[str, ...]) -> Iterator[_Edit]:
        """The changes of a node and of all below it."""
        inner = (*scope, *node.parameters)
        yield from self._here(node, scope)
        for i, part in enumerate(node.parts):
            is_name = i == 0 and node.kind in ("$Pair",) and part.kind == "StringNode"
            if node.kind == "$RcdSelect" and i == 1:
                yield from self._field(part)
            elif node.kind == "$Seq":
                if part.kind == "StringNode":
                    yield from self._field(part)
                else:
                    yield from self.of(part, inner)
            elif not is_name and not (node.kind == "$SetEnumerate" and part.kind == "StringNode"):
                yield from self.of(part, inner)

    def _field(self, part: Node) -> Iterator[_Edit]:
        name = self._of(part).strip('".![]')
        for family in FIELDS:
            if name in family and self._text[part.start : part.end] == name:
                yield part.start, part.end, family[(family.index(name) + 1) % len(family)], f"another field than {name}"

    def _here(self, node: Node, scope: tuple[str, ...]) -> Iterator[_Edit]:
        kind, parts, text = node.kind, node.parts, self._of(node)
        if kind in ("$ConjList", "$DisjList", "\\land", "\\lor"):
            is_all = kind in ("$ConjList", "\\land")
            for part in parts:
                old = " ".join(self._of(part).split())
                yield part.start, part.end, "TRUE" if is_all else "FALSE", f"without {old[:60]}"
        elif kind in ("$BoundedForall", "$BoundedExists"):
            at = re.compile(r"\\[AE]").match(self._text, node.start)
            if at is not None:
                yield at.start(), at.end(), "\\E" if at[0] == "\\A" else "\\A", "the other quantifier"
        elif kind == "$IfThenElse":
            yield node.start, node.end, f"({self._of(parts[1])})", "always THEN"
            yield node.start, node.end, f"({self._of(parts[2])})", "always ELSE"
        elif kind == "$Case":
            for pair in parts:
                if pair.parts and pair.parts[0].end > pair.parts[0].start and self._of(pair.parts[0]) != "OTHER":
                    yield pair.parts[0].start, pair.parts[0].end, "FALSE", f"never {self._of(pair.parts[0])[:40]}"
        elif kind == "NumeralNode":
            yield node.start, node.end, f"{int(text) + 1}", f"{int(text) + 1} for {text}"
            if int(text):
                yield node.start, node.end, f"{int(text) - 1}", f"{int(text) - 1} for {text}"
        elif kind == "StringNode":
            name = text.strip('"')
            family = next((one for one in self._families if name in one), None)
            if family is not None:
                other = family[(family.index(name) + 1) % len(family)]
                yield node.start, node.end, f'"{other}"', f"{other} for {name}"
        elif kind == "$SetEnumerate":
            for i, part in enumerate(parts):
                left = ", ".join(self._of(one) for j, one in enumerate(parts) if j != i)
                yield node.start, node.end, f"{{{left}}}", f"without {self._of(part)}"
        elif kind == "$SubsetOf":
            yield node.start, node.end, self._of(parts[0]), "all of them"
        elif kind == "$Except":
            for pair in parts[1:]:
                yield pair.parts[1].start, pair.parts[1].end, "@", f"{self._of(pair).split(' = ')[0]} stays"
        elif kind == "\\lnot":
            yield node.start, node.end, f"({self._of(parts[0])})", "not negated"
        elif kind in ("TRUE", "FALSE"):
            yield node.start, node.end, "FALSE" if kind == "TRUE" else "TRUE", "the other truth"
        elif kind == "..":
            yield node.start, node.end, f"(({self._of(parts[0])}) + 1)..({self._of(parts[1])})", "begins later"
            yield node.start, node.end, f"({self._of(parts[0])})..(({self._of(parts[1])}) - 1)", "ends earlier"
        elif kind.removeprefix("the ") in PLAYERS and not parts:
            name = kind.removeprefix("the ")
            for other in sorted((PLAYERS & set(scope)) - {name}):
                yield node.start, node.end, other, f"{other} for {name}"
        if kind in OTHER_OPERATOR and len(parts) == 2:
            for operator in OTHER_OPERATOR[kind]:
                new = f"(({self._of(parts[0])}) {operator} ({self._of(parts[1])}))"
                is_prime = kind == "=" and self._of(parts[0]).endswith("'")
                if not is_prime:
                    yield node.start, node.end, new, f"{operator} for {kind.replace('/=', '#')}"
                else:
                    left = self._of(parts[0])
                    yield node.start, node.end, f"{left} = {left[:-1]}", f"{left[:-1]} stays"
        for i in ONE_OPERAND.get(kind, ()) if len(parts) == 2 else ():
            yield (
                node.start,
                node.end,
                f"({self._of(parts[i])})",
                f"{'first' if i == 0 else 'second'} operand of {kind} only",
            )
        if kind in FIRST_ARGUMENT and parts and node.end > parts[-1].end:
            part = parts[FIRST_ARGUMENT[kind]]
            yield node.start, node.end, self._of(part), f"without {kind}"
