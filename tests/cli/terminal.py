#!/usr/bin/env python3
"""terminal.py COLUMNS HOW COMMAND...: standard error as a terminal gets it.

HOW says how the command is made to take its time:

    pipe:FILE  its standard input is a pipe that gets half of FILE, and the rest
               when something is on the terminal, or after a second
    stop       it is stopped for a second in all while its threads work

Prints what came, as a Python literal, one piece between carriage returns a
line, and at the end "exit N".
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time


def read_until(master, done, seconds):
    """What comes until done(text) or so many seconds have gone by."""
    text = b""
    end = time.monotonic() + seconds
    while not done(text) and time.monotonic() < end:
        if select.select([master], [], [], 0.05)[0]:
            try:
                text += os.read(master, 65536)
            except OSError:
                break
    return text


def feed(pipe, data):
    """Writes from a thread: a pipe may be full."""
    def write():
        try:
            pipe.write(data)
            pipe.flush()
        except BrokenPipeError:
            pass
    thread = threading.Thread(target=write)
    thread.start()
    return thread


def stop_at_work(child):
    """Stops the command, again and again, once it has threads."""
    path = "/proc/%d/task" % child.pid
    while child.poll() is None and len(os.listdir(path)) < 2:
        pass
    for _ in range(9):
        if child.poll() is not None:
            break
        child.send_signal(signal.SIGSTOP)
        time.sleep(0.12)
        child.send_signal(signal.SIGCONT)
        time.sleep(0.01)


def main():
    columns, how, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0,
                                                       0))
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=slave)
    text = b""
    if how == "stop":
        stop_at_work(child)
    else:
        with open(how[5:], "rb") as source:
            data = source.read()
        first = feed(child.stdin, data[:len(data) // 2])
        text = read_until(master, lambda t: t.count(b"\r") > 2, 1)
        first.join()
        feed(child.stdin, data[len(data) // 2:]).join()
    child.stdin.close()
    text += read_until(master, lambda _: child.poll() is not None, 60)
    text += read_until(master, lambda _: False, 0.1)
    for piece in text.split(b"\r"):
        print(ascii(piece.decode()))
    print("exit %d" % child.wait())


main()
