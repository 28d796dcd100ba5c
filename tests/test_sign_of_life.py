"""Signs of life on a terminal while a command says nothing, and none where nobody looks."""

import os
import pty
import subprocess
import sys

import pytest

CODE = """
import sys, time
from modernart.sign_of_life import signs_of_life
with signs_of_life({talks}, at_first=0.1, later=0.4):
    {body}
print("write" in vars(sys.stdout))
"""


def said_on_a_terminal(body, talks=False):
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", CODE.format(body=body, talks=talks)])
    said = b""
    try:
        while more := os.read(terminal, 4096):
            said += more
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(terminal)
    assert os.waitpid(process, 0)[1] == 0
    return said.decode()


def taken_away(word):
    return "\r" + " " * len(word) + "\r"


def test_word_is_shown_until_the_command_speaks():
    said = said_on_a_terminal("time.sleep(0.3); print('mine')")
    assert said.startswith("\rstarting: 0 s")
    assert said.endswith(taken_away("starting: 0 s") + "mine\r\nFalse\r\n")


def test_quick_command_says_only_its_own_words():
    assert said_on_a_terminal("print('mine')") == "mine\r\nFalse\r\n"


def test_later_silence_is_broken_too():
    said = said_on_a_terminal("print('one'); time.sleep(0.9); print('two', file=sys.stderr)")
    assert said.startswith("one\r\n\rworking: ")
    assert said.endswith(taken_away("working: 1 s") + "two\r\nFalse\r\n")


@pytest.mark.parametrize(
    ("body", "talks"),
    [
        ("print('bar ...', end='', flush=True); time.sleep(0.9); print()", False),
        ("print('bar ...'); time.sleep(0.9)", True),
    ],
)
def test_lines_that_wait_for_their_end_or_for_a_person_stay(body, talks):
    assert said_on_a_terminal(body, talks) == "bar ...\r\nFalse\r\n"


def test_nothing_is_shown_where_there_is_no_terminal():
    code = CODE.format(body="time.sleep(0.5); print('mine')", talks=False)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("mine\nFalse\n", "")
