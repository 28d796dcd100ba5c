"""A sign of life on a terminal before a command says anything, and none where nobody looks."""

import os
import pty
import subprocess
import sys

CODE = """
import sys, time
from modernart.first_word import first_word
with first_word(patience=0.05, tick=0.05):
    time.sleep({seconds})
    print("mine")
    time.sleep(0.3)
    print("more", file=sys.stderr)
print("write" in vars(sys.stdout))
"""


def said_on_a_terminal(seconds):
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", CODE.format(seconds=seconds)])
    said = b""
    try:
        while more := os.read(terminal, 4096):
            said += more
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(terminal)
    assert os.waitpid(process, 0)[1] == 0
    return said.decode()


def test_word_is_shown_until_the_command_speaks():
    said = said_on_a_terminal(0.5)
    assert said.startswith("\rstarting: 0 s")
    before, mine = said.split("mine")
    assert before.endswith("\r" + " " * len("starting: 0 s") + "\r")
    assert mine == "\r\nmore\r\nFalse\r\n"


def test_quick_command_says_only_its_own_words():
    assert said_on_a_terminal(0.0) == "mine\r\nmore\r\nFalse\r\n"


def test_nothing_is_shown_where_there_is_no_terminal():
    done = subprocess.run([sys.executable, "-c", CODE.format(seconds=0.3)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("mine\nFalse\n", "more\n")
