#!/usr/bin/env python3
"""send.py SIGNAL WHEN COMMAND...: runs a command and sends it a signal.

WHEN is a number of milliseconds, or fifo:PATH: once the command has opened that
named pipe, in which nothing is ever written.  Prints "exit N" or "killed N",
which a shell cannot tell apart.
"""
import os
import signal
import subprocess
import sys
import time

# Until it sleeps in poll(): the thread sanitizer loses a signal that comes
# while open() returns.
SETTLE_S = 0.3
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def set_defaults():
    """Who runs the tests may ignore signals; the command must not."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def main():
    number = getattr(signal, "SIG" + sys.argv[1])
    when = sys.argv[2]
    writer = None
    child = subprocess.Popen(sys.argv[3:], preexec_fn=set_defaults)
    if when.startswith("fifo:"):
        writer = os.open(when[5:], os.O_WRONLY)
        time.sleep(SETTLE_S)
    else:
        time.sleep(int(when) / 1000)
    child.send_signal(number)
    status = child.wait(timeout=60)
    if writer is not None:
        os.close(writer)
    print("exit %d" % status if status >= 0 else "killed %d" % -status)


main()
