"""The checks behind ``/livez`` and ``/readyz``: each has a name, and a reason where it fails.

The short answer of an endpoint is the reason of the first check that fails; with ``?verbose`` it has a line for each
check, in the layout of Kubernetes' API server, whose operators read ``[+]`` and ``[-]`` already. A reason is in the
answer, as it is in the short one: nothing of it is secret.

Source: Kubernetes ``apiserver/pkg/server/healthz``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class HealthCheck(NamedTuple):
    """A check and its outcome.

    Attributes:
        name: in lower case with hyphens; documented in ``docs/deploy.md``.
        failure: why it fails; ``None`` when it does not.
    """

    name: str
    failure: str | None


def first_failure(checks: Iterable[HealthCheck]) -> str | None:
    """Return the reason of the first check that fails, and make no further one; ``None`` when none does."""
    return next((check.failure for check in checks if check.failure is not None), None)


def check_lines(endpoint: str, checks: Iterable[HealthCheck], trouble: str | None) -> list[str]:
    """Return a line for each check, one for a trouble that fails none, and the verdict."""
    made = tuple(checks)
    lines = [
        f"[+]{name} ok" if failure is None else f"[-]{name} failed: {' '.join(failure.split())}"
        for name, failure in made
    ]
    if trouble is not None:
        lines.append(f"trouble: {trouble}")
    return [*lines, f"{endpoint} check {'passed' if first_failure(made) is None else 'failed'}"]
