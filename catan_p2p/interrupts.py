"""Ctrl-C: an interrupt that Python loses is asked for again."""

import signal
import sys
import threading
import time


def repeat_lost() -> None:
    """Repeat an interrupt that comes while an object is deleted, from now on in this process.

    Python can raise nothing there: it would print a traceback, and go on as if nobody had interrupted it.
    """
    report = sys.unraisablehook

    def repeat(lost: "sys.UnraisableHookArgs") -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            report(lost)
            return
        threading.Thread(target=_interrupt_soon, daemon=True).start()

    sys.unraisablehook = repeat


def _interrupt_soon() -> None:
    """Interrupt the main thread, after the time in which it leaves the hook: there, it would be lost again."""
    time.sleep(0.01)
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    elif (main := threading.main_thread().ident) is not None:
        signal.pthread_kill(main, signal.SIGINT)  # a signal of that thread also ends what it waits for
