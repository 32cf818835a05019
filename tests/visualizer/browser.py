"""Headless Chromium with a page open, for tests, by the protocol of its developer tools."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


class Browser:
    """A page in headless Chromium, by the protocol of its developer tools."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)

    def ask(self, method: str, **params: Any) -> Any:
        id = next(self._ids)
        self._socket.send(json.dumps({"id": id, "method": method, "params": params}))
        while (told := json.loads(self._socket.recv(timeout=60))).get("id") != id:
            pass
        assert "error" not in told, told
        return told["result"]

    def value(self, expression: str) -> Any:
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        code = {"windowsVirtualKeyCode": 27} if key == "Escape" else {}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **code, **(text if kind == "keyDown" else {}))

    def names(self) -> list[tuple[str, str]]:
        """Role and name of all that a screen reader is told of."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node["name"]["value"]) for node in nodes if not node["ignored"] and "name" in node
        ]

    def wait_until(self, expression: str) -> None:
        end = time.monotonic() + 60
        while not self.value(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.05)


@contextmanager
def browsing(url: str, folder: Path, size: str) -> Iterator[Browser]:
    """Chromium with a page open, in a profile of its own below ``folder``."""
    assert CHROMIUM is not None
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", f"--window-size={size}"]
    # No child of this process: what it takes would be counted as what the children of other tests may take.
    begin = ["sh", "-c", '"$@" > /dev/null & echo $!', "sh", CHROMIUM, *options, f"--user-data-dir={folder}", url]
    with subprocess.Popen(begin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None and shell.stderr is not None
        chromium = int(shell.stdout.readline())
        try:
            lines = (re.search(r"listening on ws://[^:]+:(\d+)/", line) for line in shell.stderr)
            port = next(int(found[1]) for found in lines if found)
            with connect(_page_at(port, url), max_size=None) as socket:
                browser = Browser(socket)
                browser.wait_until("document.getElementById('words')?.textContent")
                yield browser
        finally:
            os.kill(chromium, signal.SIGKILL)


def _page_at(port: int, url: str) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with urlopen(f"http://127.0.0.1:{port}/json") as answer:
            for tab in json.load(answer):
                if tab["url"] == url:
                    return str(tab["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError("Chromium opened no page")
