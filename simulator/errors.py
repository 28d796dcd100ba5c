"""Errors that a user can fix; each message is one sentence."""


class ModernArtError(Exception):
    """Base of the project's own errors; its message is one sentence that says what to change.

    The command line prints the message without a traceback and exits with `exit_code`.
    """

    exit_code = 1


class UsageError(ModernArtError):
    """The call is wrong: an argument, a name or a file. Exit code 2."""

    exit_code = 2


class RunError(ModernArtError):
    """The call was right, but the run failed. Exit code 1."""


class BotError(UsageError):
    """A strategy of a stranger does not load or compile. Exit code 1, as for one that fails in play."""

    exit_code = 1


class RecordsChanged(Exception):
    """A strategy wrote to what it may only read; raised within compiled code."""
