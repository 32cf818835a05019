"""Servers for relays on this machine: an OpenSSH server, and Git's own HTTP backend behind a small server."""

import base64
import getpass
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep

PATIENCE_S = 60.0


@dataclass(slots=True)
class Conduct:
    """How a server behaves; may be changed while it serves."""

    user: str | None = None
    """Who may come in, with the password; None: everybody."""
    password: str = ""
    takes_pushes: bool = True
    speaks_2: bool = True
    """Whether the server knows version 2 of Git's protocol: old ones do not."""
    delay_s: float = 0.0
    """So long every answer takes."""
    cuts_after: int | None = None
    """After so many bytes of an answer the connection is cut."""
    stalls: bool = False
    """Whether the connection stays open after these bytes, and nothing more comes."""
    left: threading.Event = field(default_factory=threading.Event)
    """Set once the server ends: what stalls, ends too."""
    is_down: bool = False
    requests: list[str] = field(default_factory=list)
    sent_bytes: int = 0
    """The bytes of the answers."""


def http_backend() -> Path | None:
    """Git's own HTTP backend, None if it is not there."""
    done = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip()) / "git-http-backend"
    return path if path.exists() else None


@contextmanager
def http_server(root: Path, conduct: Conduct) -> Iterator[str]:
    """Serve the repositories below a folder; the URL of the folder."""
    backend = http_backend()
    assert backend is not None

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            self._serve(self._body())

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def _serve(self, body: bytes) -> None:
            conduct.requests.append(self.path)
            sleep(conduct.delay_s)
            if conduct.is_down:
                self.close_connection = True
                return
            if conduct.user is not None:
                expected = base64.b64encode(f"{conduct.user}:{conduct.password}".encode()).decode()
                if self.headers.get("Authorization") != f"Basic {expected}":
                    self._answer(401, {"WWW-Authenticate": 'Basic realm="table"'}, b"")
                    return
            if not conduct.takes_pushes and "receive-pack" in self.path:
                self._answer(403, {}, b"")
                return
            path, _, query = self.path.partition("?")
            environment = os.environ | {
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "REMOTE_USER": conduct.user or "anybody",
                "REMOTE_ADDR": "127.0.0.1",
            }
            if conduct.speaks_2:
                environment["HTTP_GIT_PROTOCOL"] = self.headers.get("Git-Protocol", "")
            done = subprocess.run([str(backend)], input=body, env=environment, capture_output=True, check=False)
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            self._answer(int(fields.pop("Status", "200").split()[0]), fields, content)

        def _answer(self, code: int, fields: dict[str, str], content: bytes) -> None:
            self.send_response(code)
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            conduct.sent_bytes += len(content)
            if conduct.cuts_after is not None and conduct.cuts_after < len(content):
                self.wfile.write(content[: conduct.cuts_after])
                self.wfile.flush()
                if conduct.stalls:
                    conduct.left.wait(PATIENCE_S)
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Nobody reads it."""

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            conduct.left.set()
            server.shutdown()
            thread.join()


@dataclass(slots=True)
class SshServer:
    """An OpenSSH server that runs, and how ``ssh`` gets in."""

    port: int
    command: str
    """What ``GIT_SSH_COMMAND`` must be."""
    stranger: str
    """The same with a key that the server does not know."""

    def url(self, path: Path) -> str:
        """The URL of a repository."""
        return f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}{path}"


def lacking_for_ssh() -> str | None:
    """What is lacking for a server of our own, None if nothing is."""
    lacking = [name for name in ("sshd", "ssh", "ssh-keygen") if _program(name) is None]
    return f"needs {', '.join(lacking)}" if lacking else None


def _program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


@contextmanager
def ssh_server(folder: Path) -> Iterator[SshServer]:
    """Run an OpenSSH server that lets this user in with one key, and with nothing else."""
    folder.mkdir(mode=0o700)
    for name in ("host", "known", "unknown"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True, capture_output=True
        )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder / 'host'}\nPidFile none\n"
        f"AuthorizedKeysFile {folder / 'known.pub'}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
    )
    key = (folder / "host.pub").read_text().split()
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {key[0]} {key[1]}\n")
    common = f"ssh -F /dev/null -o BatchMode=yes -o IdentitiesOnly=yes -o UserKnownHostsFile={folder / 'known_hosts'}"
    server = SshServer(port, f"{common} -i {folder / 'known'}", f"{common} -i {folder / 'unknown'}")
    program = _program("sshd")
    assert program is not None
    if os.geteuid() == 0:  # what the system's start of it does
        with suppress(OSError):
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stdout=log, stderr=log)
        try:
            deadline = monotonic() + PATIENCE_S
            while process.poll() is None and monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), 1.0).close()
                    break
                except OSError:
                    sleep(0.05)
            yield server
        finally:
            process.terminate()
            process.wait()


def ssh_gets_in(server: SshServer) -> str | None:
    """Why the server lets nobody in, None if it does: without rights of its own it may not."""
    command = [*server.command.split(), "-p", str(server.port), f"{getpass.getuser()}@127.0.0.1", "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr.strip()
