"""Ctrl-C ends the command `relviz` with exit code 130 and without a traceback, from its first moment to its last.

Imported before anything else of relviz, since numpy takes a while to load and main() answers only when it runs. In any
other program this does nothing: there, Ctrl-C is the program's affair.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STOPPED = 130


def stop(*_: Any) -> None:
    """Leave at once: nothing is open yet, or any more."""
    os._exit(STOPPED)


@contextmanager
def raised() -> Iterator[None]:
    """Inside, Ctrl-C raises KeyboardInterrupt, so that what is half written can be put away."""
    ours = signal.getsignal(signal.SIGINT) is stop
    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, stop)


# Python calls itself "-m" until it has found the module to run.
_program = sys.argv[0] if getattr(sys, "argv", None) else ""
_is_command = _program == "-m" or os.path.splitext(os.path.basename(_program))[0] == "relviz"
# A command in the background may have been told to ignore Ctrl-C, and goes on doing so.
if _is_command and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, stop)
