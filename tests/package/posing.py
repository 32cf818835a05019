"""A program that takes this system for Windows: ``python -m tests.package.posing [VERB ...]``.

What only POSIX has is taken away before the program is loaded, and ``msvcrt`` is a fake. Without a verb, every module
is imported; the names of those that cannot be are printed.
"""

import importlib
import os
import pkgutil
import signal
import sys
from contextlib import suppress
from types import ModuleType

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty")
CALLS = ("killpg", "getuid", "geteuid", "getpgrp", "getsid", "setsid", "fork", "uname", "chown", "mkfifo", "nice",
         "posix_fadvise", "fdatasync", "register_at_fork")  # fmt: skip
SIGNALS = ("SIGKILL", "SIGALRM", "SIGHUP", "SIGXFSZ", "SIGUSR1", "SIGCHLD", "SIGPIPE", "alarm", "setitimer")
OTHERS = (
    "asyncio", "concurrent.futures.process", "git", "gymnasium", "matplotlib.pyplot", "multiprocessing.popen_fork",
    "numpy", "pygame", "selectors", "shutil", "socketserver", "subprocess", "tempfile",
)  # fmt: skip
"""What others have written knows well which system this is: it is loaded before."""
KNOWING = ("git", "gitdb", "subprocess")
"""Of these, what goes by the system when it is called: it keeps the real one."""
LK_NBLCK = 2


class Msvcrt(ModuleType):
    """The part of ``msvcrt`` that the program uses."""

    LK_NBLCK = LK_NBLCK
    locked: set[int] = set()

    @staticmethod
    def locking(descriptor: int, mode: int, size: int) -> None:
        """Lock a byte of a file that nobody else has locked here."""
        assert mode == LK_NBLCK and size == 1
        Msvcrt.locked.add(descriptor)


def pose() -> None:
    """Be Windows from here on."""
    for name in OTHERS:
        with suppress(ImportError):
            importlib.import_module(name)
    for module in list(sys.modules.values()):
        if module.__name__.partition(".")[0] in KNOWING:
            for name in ("sys", "signal"):
                if hasattr(module, name):
                    setattr(module, name, _copy(getattr(module, name)))
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for owner, names in ((os, CALLS), (signal, SIGNALS)):
        for name in names:
            if hasattr(owner, name):
                delattr(owner, name)
    sys.modules["msvcrt"] = Msvcrt("msvcrt")
    sys.platform = "win32"


def _copy(module: ModuleType) -> ModuleType:
    copy = ModuleType(module.__name__)
    copy.__dict__.update(module.__dict__)
    return copy


def import_all() -> int:
    """Import every module; how many cannot be."""
    count = 0
    for root in ("catan_p2p", "visualizer"):
        package = importlib.import_module(root)
        for module in pkgutil.walk_packages(package.__path__, f"{root}."):
            if not module.name.endswith("__main__"):
                try:
                    importlib.import_module(module.name)
                except (ImportError, AttributeError, NameError, OSError, ValueError) as error:
                    print(f"{module.name}: {type(error).__name__}: {error}")
                    count += 1
    return count


if __name__ == "__main__":
    pose()
    if sys.argv[1:]:
        from catan_p2p.cli.main import main

        sys.exit(main(sys.argv[1:]))
    sys.exit(1 if import_all() else 0)
