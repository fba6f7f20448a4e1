"""``--dry-run`` of the commands that request a change of the cluster.

That a change would be refused is a finding: the command ends with 3, and prints the reason in the format that was asked
for. Whatever prevents the check (no controller answers, a node does not know the request, a file cannot be read) ends
as it does without ``--dry-run``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from kraftpy.cli.errors import CommandError, RequestRefusedError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.output import Output, show
from kraftpy.model.errors import ApiError, ErrorCode

VALIDATES: Final = "Validate the request on the controller without changing anything."

NO_VERDICTS: Final = frozenset(
    {
        ErrorCode.BROKER_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.SASL_AUTHENTICATION_FAILED,
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.UNSUPPORTED_VERSION,
    }
)
"""Errors of a request that no controller has checked: it may be accepted."""


def dry_run_option(text: str = VALIDATES, *, in_list: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Add ``--dry-run``, passed as ``dry_run``.

    Args:
        text: help of the option.
        in_list: whether the command prints a list in JSON; then the refusal is its only item.
    """

    def decorate(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def judged(*args: Any, **given: Any) -> Any:
            try:
                return command(*args, **given)
            except RequestRefusedError as error:
                if not given["dry_run"]:
                    raise
                raise _refusal(given["output"], str(error), in_list=in_list, is_shown=error.is_shown) from error
            except ApiError as error:
                if not given["dry_run"] or error.code in NO_VERDICTS:
                    raise
                reason = f"{error.message} ({error.code.name})"
                raise _refusal(given["output"], reason, in_list=in_list) from error

        return click.option("--dry-run", is_flag=True, help=text)(judged)

    return decorate


def _refusal(output: Output, reason: str, *, in_list: bool, is_shown: bool = False) -> CommandError:
    """Print the refusal, unless the command has, and return the error that ends it; as text it is on stderr alone."""
    data = {"accepted": False, "dryRun": True, "reason": reason}
    if not is_shown:
        show(output, [data] if in_list else data, [])
    return CommandError(reason, ExitCode.FINDINGS)
