"""What all tests share."""

import os

# Colours and line breaks of the terminal must not decide a test.
os.environ.update(NO_COLOR="1", COLUMNS="200", TERM="dumb")
