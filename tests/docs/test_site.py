"""The site: built strictly, with everything that is to be read, and nothing that comes from anywhere else."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from catan_p2p.cli.main import VERBS, spelled
from catan_p2p.log.verdict import REASONS
from tests.docs.session import ROOT
from tests.shared import made_once

pytestmark = [
    pytest.mark.long,
    pytest.mark.sampled(2, together=True),
    pytest.mark.skipif(
        not os.environ.get("CI") and (find_spec("material") is None or find_spec("mkdocstrings") is None),
        reason="needs the extra docs",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all tests here."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", "docs/site/mkdocs.yml"]
        done = subprocess.run(
            [*command, "--site-dir", str(folder)],
            cwd=ROOT,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once(tmp_path_factory, "site", build)


class Loads(HTMLParser):
    """Collects what a browser loads by itself for a page, not what somebody may click."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.found.append(given.get("href", ""))
        elif tag in ("script", "img", "iframe", "source", "video", "audio", "embed", "object"):
            self.found += [given[name] for name in ("src", "srcset", "data") if name in given]


def test_the_site_loads_nothing_from_anywhere_else(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        parser = Loads()
        parser.feed(page.read_text(encoding="utf-8"))
        assert bool(parser.found) == (page.name != "replay.html"), "a game's page loads nothing at all"
        outside = [what for what in parser.found if re.match(r"(\w+:)?//", what)]
        assert not outside, f"{page.relative_to(site)}: {outside}"
        # The theme fetches a program for these, and only for these.
        assert 'class="mermaid"' not in page.read_text(encoding="utf-8")
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import )[\"']?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_what_is_to_be_read_is_there(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    for page in [
        "reference/notation",
        "guides/peers",
        "guides/viewer",
        "specification",
        "benchmarks",
        "contributing",
        "changelog",
        "api/rules",
        "reference/verbs",
        "reference/refusals",
        "reference/columns",
    ]:
        assert (site / f"{page}.html").exists(), page
        assert f'href="{page}.html"' in index, page
    assert (site / "research" / "figures" / "figures-games.csv").exists()
    assert 'src="replay.html"' in index
    assert "Red, Blue, Green, Orange" in (site / "replay.html").read_text(encoding="utf-8")
    assert "--sand" in (site / "assets" / "site.css").read_text(encoding="utf-8")
    verbs = (site / "reference" / "verbs.html").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f'id="catan-p2p-{spelled(verb)}"' not in verbs] == []
    refusals = (site / "reference" / "refusals.html").read_text(encoding="utf-8")
    assert [reason for reason in REASONS if f"<code>{reason}</code>" not in refusals] == []
    assert "BR6 network" in refusals
    assert "<code>gc_file_bytes</code>" in (site / "reference" / "columns.html").read_text(encoding="utf-8")
    assert (site / "files" / "spec" / "Catan.tla").read_bytes() == (ROOT / "spec" / "Catan.tla").read_bytes()
    assert "broken_guards" in (site / "api" / "rules.html").read_text(encoding="utf-8")
    assert "broken_guards" in (site / "search" / "search_index.json").read_text(encoding="utf-8")
