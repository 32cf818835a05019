"""The picture of the modules in spec/README.md is what they say themselves: EXTENDS, INSTANCE, and the models."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from catan_p2p.model_check.models import MODELS
from catan_p2p.model_check.replication_models import DISK_MODELS, LARGE_REPLICATION_MODELS, REPLICATION_MODELS
from catan_p2p.model_check.tlc import spec_folder

TRACE = "MCP2PTrace"
"""The module whose behaviours drive real repositories."""


class Modules:
    """What each module extends, what it takes as an INSTANCE, and which of them a model is of."""

    def __init__(self) -> None:
        self.extended: dict[str, set[str]] = {}
        self.refined: dict[str, set[str]] = {}
        self.checked: set[str] = set()


def drawn(lines: Iterable[str]) -> Modules:
    """The modules of a picture."""
    found, above = Modules(), list[tuple[int, str]]()
    for line in lines:
        names = re.findall(r"\b(\w+)(?: (\*))?(?=,|  |$)", re.split(r"   +(?=\S)", line.rstrip().lstrip("│├└─ "))[0])
        depth = len(line) - len(line.lstrip("│├└─ "))
        words = line.strip("│├└─ ").partition("   ")[2]
        above = [one for one in above if one[0] < depth]
        also = re.match(r" *\+ (\w+)", words)
        refines = re.search(r"refines (\w+(?:, [A-Z]\w+)*)", words)
        for name, star in names:
            assert name not in found.extended, f"{name} is drawn twice"
            found.extended[name] = {one for _, one in above[-1:]} | ({also[1]} if also else set())
            found.refined[name] = set(refines[1].split(", ")) if refines else set()
            found.checked |= {name} if star else set()
        above.append((depth, names[-1][0]))
    return found


def written(folder: Path) -> Modules:
    """The modules of a folder."""
    found = Modules()
    files = sorted(folder.glob("*.tla"))
    own = {file.stem for file in files}
    for file in files:
        text = file.read_text(encoding="utf-8")
        line = re.search(r"^EXTENDS (.+)$", text, re.MULTILINE)
        found.extended[file.stem] = own & set(re.split(", *", line[1])) if line else set()
        found.refined[file.stem] = set(re.findall(r"^ *(?:\w+(?:\(\w+\))? ==\s+)?INSTANCE (\w+)", text, re.MULTILINE))
    return found


@pytest.fixture(scope="module")
def picture() -> Modules:
    text = (spec_folder() / "README.md").read_text(encoding="utf-8")
    return drawn(text.partition("```text\n")[2].partition("```")[0].splitlines())


def test_the_picture_hangs_modules_on_what_they_extend(picture: Modules) -> None:
    assert picture.extended == written(spec_folder()).extended


def test_the_picture_says_what_modules_refine(picture: Modules) -> None:
    assert picture.refined == written(spec_folder()).refined


def test_the_picture_marks_the_modules_of_models(picture: Modules) -> None:
    models = (*MODELS, *REPLICATION_MODELS, *LARGE_REPLICATION_MODELS, *DISK_MODELS)
    assert picture.checked == {TRACE, *(model.module for model in models)}


def test_a_module_that_is_drawn_elsewhere_is_seen(tmp_path: Path) -> None:
    (tmp_path / "One.tla").write_text("---- MODULE One ----\nEXTENDS Naturals\n====\n")
    (tmp_path / "Two.tla").write_text(
        "---- MODULE Two ----\nEXTENDS One, FiniteSets\nGame == INSTANCE One WITH x <- y\n====\n"
    )
    modules = written(tmp_path)
    assert drawn(["One", "└─ Two *     refines One"]).extended == modules.extended
    assert drawn(["One", "└─ Two *     refines One"]).refined == modules.refined
    assert drawn(["One", "Two"]).extended != modules.extended
    assert drawn(["One", "└─ Two *"]).refined != modules.refined


TRACED = ("CatanTrace", "CatanGiven", "CatanP2PTrace")
"""Modules that follow something given: variables say where they are in it."""


def declared(text: str) -> set[str]:
    """The variables that a module declares."""
    found = re.search(r"^VARIABLES?\b(.*?)(?=^\S)", re.sub(r"\\\*.*", "", text), re.MULTILINE | re.DOTALL)
    return set(re.findall(r"\w+", found[1])) if found else set()


def named_within(text: str) -> set[str]:
    """The names, with and without parameters, that definitions of a module give within themselves."""
    given = r"(?:\bLET|^ {5,}) *(\w+)(?:\([^)]*\)|\[[^]]*\])? =="
    return set(re.findall(given, re.sub(r"\\\*.*", "", text), re.MULTILINE))


def clashing(folder: Path, module: str) -> dict[str, set[str]]:
    """Which modules that a traced one extends or instantiates call something within as a trace calls a variable."""
    modules, below, left = written(folder), {module}, [module]
    while left:
        name = left.pop()
        found = (modules.extended[name] | modules.refined[name]) - below
        below |= found
        left += found
    texts = {name: (folder / f"{name}.tla").read_text(encoding="utf-8") for name in below}
    variables = set[str]().union(*(declared(texts[name]) for name in below if name in (*TRACED, module)))
    return {name: same for name, text in texts.items() if (same := variables & named_within(text))}


@pytest.mark.parametrize("module", TRACED)
def test_nothing_within_a_definition_is_called_as_the_place_in_a_trace(module: str) -> None:
    """TLC took the variable for it, in a trace in which a reply is overtaken: ``LET at == ...`` of ``CatanP2P``."""
    assert clashing(spec_folder(), module) == {}


def test_a_name_that_two_modules_use_is_seen(tmp_path: Path) -> None:
    (tmp_path / "One.tla").write_text("---- MODULE One ----\nF(c) ==\n    LET at == c\n    IN at\n====\n")
    (tmp_path / "Two.tla").write_text("---- MODULE Two ----\nEXTENDS One\nVARIABLES\n    at  \\* the place\n\n====\n")
    assert clashing(tmp_path, "Two") == {"One": {"at"}}


@pytest.mark.parametrize("within", ["LET at(x) == x", "LET a == 1\n        at(x, y) == x", "LET at[x \\in S] == x"])
@pytest.mark.parametrize("by", ["EXTENDS One", "Game == INSTANCE One", "Game(x) ==\n    INSTANCE One"])
def test_a_name_with_parameters_or_through_an_instance_is_seen(within: str, by: str, tmp_path: Path) -> None:
    (tmp_path / "One.tla").write_text(f"---- MODULE One ----\nF(c) ==\n    {within}\n    IN at\n====\n")
    (tmp_path / "Two.tla").write_text(f"---- MODULE Two ----\nVARIABLES\n    at\n\n{by}\n====\n")
    assert clashing(tmp_path, "Two") == {"One": {"at"}}
