"""A daemon that answers to Git's protocol with whatever a test wants."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

HEAD = "1" * 40


def line(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % (len(data) + 4) + data


class HostileDaemon:
    """Tells ``listing``, then answers what follows with ``pack``; in version 2 of the protocol, if it is to."""

    def __init__(self, *, speaks_2: bool = False) -> None:
        self.speaks_2 = speaks_2
        self.listing = line(f"{HEAD} refs/heads/Red_0\0ofs-delta\n") + b"0000"
        self.pack = b""
        self.is_silent = False
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"git://127.0.0.1:{self._socket.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._kept: list[socket.socket] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()
        for connection in self._kept:
            connection.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            if self.is_silent:
                self._kept.append(connection)
                continue
            with connection, contextlib.suppress(OSError):
                connection.settimeout(0.5)
                connection.recv(4096)
                if self.speaks_2:
                    connection.sendall(line("version 2\n") + line("ls-refs\n") + line("fetch\n") + b"0000")
                    connection.recv(1 << 16)
                connection.sendall(self.listing)
                request = connection.recv(1 << 16)
                while b"done" not in request and request[-4:] != b"0000":
                    more = connection.recv(1 << 16)
                    if not more:
                        break
                    request += more
                if b"done" in request:
                    connection.sendall(self._in_bands() if self.speaks_2 else line("NAK\n") + self.pack)

    def _in_bands(self) -> bytes:
        pieces = (b"\1" + self.pack[at : at + 5000] for at in range(0, len(self.pack), 5000))
        return line("packfile\n") + b"".join(b"%04x" % (len(one) + 4) + one for one in pieces) + b"0000"
