"""What selects the clients of a metrics subscription: ``client_id=web-.*,client_source_port=90[0-9]+``.

Each element names a property of a client and an expression for its value. The controller only judges whether it is one:
it parses and never matches, nor compiles, because compiling takes milliseconds for each range of characters in a class.
Parsing takes time in proportion to the text and recurses for each group, so both are limited.

Source: KIP-714; Kafka ``ClientMetricsConfigs.parseMatchingPatterns``, which has no limits (a JVM's stack is larger).
"""

from __future__ import annotations

import re
import warnings
from typing import Any, Final

from kraftpy.controller.config_schema import CLIENT_METRICS_SELECTORS

PATTERN_CHARACTERS_MAX: Final = 1_024
"""How long one expression may be."""

PATTERN_GROUPS_MAX: Final = 64
"""How many parentheses one expression may open; so deep may they be nested at most."""

REQUEST_CHARACTERS_MAX: Final = 32_768
"""How many characters of expressions one request may set: a tenth of a second of the controller's time."""

_parse: Final[Any] = re._parser.parse  # type: ignore[attr-defined] # noqa: SLF001 - there is no public parser


def pattern_fault(element: str) -> str | None:
    """Return what is wrong with one element of a ``match`` value, ``None`` when nothing is."""
    selector, equals, pattern = element.partition("=")
    pattern = pattern.strip()
    if not equals or selector.strip() not in CLIENT_METRICS_SELECTORS:
        return f"expected NAME=EXPRESSION, NAME one of {', '.join(sorted(CLIENT_METRICS_SELECTORS))}"
    if len(pattern) > PATTERN_CHARACTERS_MAX:
        return f"the expression has {len(pattern)} characters, at most {PATTERN_CHARACTERS_MAX} are allowed"
    groups = pattern.count("(")
    if groups > PATTERN_GROUPS_MAX:
        return f"the expression opens {groups} parentheses, at most {PATTERN_GROUPS_MAX} are allowed"
    try:
        with warnings.catch_warnings(action="ignore"):
            _parse(pattern)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        return f"the expression cannot be read: {error}"
    return None
