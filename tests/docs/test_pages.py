"""Every command of README and docs, typed in order in one fresh copy of the project, prints what is shown."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.cli.main import make_parser
from tests.docs.blocks import blocks, commands
from tests.docs.session import ROOT, Session, follow, fresh_copy

README = ROOT / "README.md"
PAGES = [
    README,
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name / "README.md" for name in ("spec", "benchmarks")),
]

pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None or shutil.which("make") is None, reason="needs bash and make"),
    pytest.mark.long,
]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A terminal in a fresh copy."""
    opened = Session(fresh_copy(tmp_path / "clone"))
    yield opened
    opened.close()


@pytest.mark.first
def test_all_pages_one_after_the_other(session: Session) -> None:
    """README first: the other pages go on in its folder, with its games."""
    wrong = [line for page in PAGES for line in follow(page, session)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_is_not_run_is_at_least_spelled_as_the_program_has_it(page: Path) -> None:
    for command in commands(page):
        if command.is_run or not command.text.startswith("catan-p2p "):
            continue
        _, *args = shlex.split(command.text, comments=True)
        make_parser([args[0].replace("-", "_")]).parse_args(args)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_is_in_a_block_that_is_run(page: Path) -> None:
    """A block of no kind, or of another one, would be shown and never tried."""
    for begun, kind, lines in blocks(page.read_text(encoding="utf-8")):
        assert kind in ("console", "python", "text", "toml", "sh"), f"{page.name}:{begun}: a block of the kind {kind!r}"
        if kind == "text":
            tried = [line for line in lines if re.match(r"(\$ )?(catan-p2p|git|make|pip) ", line)]
            assert not tried, f"{page.name}:{begun}: {tried}"
