"""Which failure ends a command with which exit code, and with which one line.

A command raises what the packages below raise; nothing is caught on the way. This module is the only place that turns
an exception into words: usage errors are 2, a controller that cannot be reached is 4, everything a user or a disk or a
cluster can cause is 1 with the error's own sentence. Our own bugs keep their traceback.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from typing import Final

import click

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.model.errors import ApiError, KraftError
from kraftpy.model.escaping import escaped

_OF_WRITING: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class CommandError(KraftError):
    """A command cannot do what it was asked; the text is the line the user reads."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILURE) -> None:
        super().__init__(message)
        self.code = code


class RequestRefusedError(CommandError):
    """A change was refused, or would be; a dry run ends with 3 then.

    Attributes:
        is_shown: whether the command has printed the refusal in its own output already.
    """

    def __init__(self, message: str, *, is_shown: bool = False) -> None:
        super().__init__(message)
        self.is_shown = is_shown


class ArgumentError(CommandError):
    """The command line was wrong in a way that only the command can see; nothing was done."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ExitCode.USAGE)


class InterruptedCommandError(CommandError):
    """SIGINT ended a command that handles it itself, such as one that stops its nodes first."""

    def __init__(self) -> None:
        super().__init__(ExitCode.INTERRUPTED.meaning, ExitCode.INTERRUPTED)


class UnreachableError(CommandError):
    """No controller answered."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ExitCode.UNREACHABLE)


def report(error: BaseException) -> ExitCode | None:
    """Print the one line about an error and return its exit code; ``None`` when it is no error of the user's world."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            error.show()
            return ExitCode.USAGE
        case click.UsageError():
            return _print(f"{error.format_message()}{_hint(error)}", ExitCode.USAGE)
        case click.ClickException():
            return _print(error.format_message(), ExitCode.FAILURE)
        case click.Abort() | KeyboardInterrupt():
            return _interrupted()
        case CommandError():
            return _print(str(error), error.code)
        case ApiError():
            return _print(f"{error.message} ({error.code.name})", ExitCode.FAILURE)
        case BrokenPipeError():
            return _reader_left()
        case KraftError() | OSError():
            return _print(_sentence(error), ExitCode.FAILURE)
        case Exception(__cause__=KeyboardInterrupt()):
            # What was being imported made its own error of it, as a class with a descriptor does.
            return _interrupted()
        case _:
            return None


def print_error(message: str) -> None:
    """Print what went wrong, as the one line that a mistake is."""
    click.echo("error: " + escaped(" ".join(message.split())), err=True)


def _print(message: str, code: ExitCode) -> ExitCode:
    """Print what went wrong. Where stderr cannot be written, as when Ctrl-C ended its reader, too, the code says it."""
    # `python -m` ends by SIGINT instead of with an exit code if an interrupt left a text that was executed, as a
    # dataclass is made of one. The next text that is executed makes it forget that (_Py_UnhandledKeyboardInterrupt).
    exec("")  # noqa: S102 - an empty text
    with suppress(OSError):
        print_error(message)
    return code


def _interrupted() -> ExitCode:
    with suppress(OSError):
        if sys.stderr is not None and sys.stderr.isatty():
            click.echo(err=True)  # The terminal shows ^C, and stays on its line.
    return _print(ExitCode.INTERRUPTED.meaning, ExitCode.INTERRUPTED)


def _sentence(error: KraftError | OSError) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.errno in _OF_WRITING:
        # Every file that is written has a name; what has none is where the output goes.
        return f"the output cannot be written: {error.strerror}"
    return str(error) or type(error).__name__


def _hint(error: click.UsageError) -> str:
    return "" if error.ctx is None else f" (try '{error.ctx.command_path} --help')"


def _reader_left() -> ExitCode:
    """End quietly when the reader of a pipe has left, as ``head`` does, with the code of who is ended by SIGPIPE.

    It is none of the others: the command did not get to its end, so it is neither done nor clean.
    """
    # Python flushes stdout once more at exit and would complain: give it somewhere to go.
    sys.stdout = None
    return ExitCode.READER_LEFT
