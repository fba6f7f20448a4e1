"""Where a tool answers something else on kraftpy's controllers on purpose: by name, with a predicate and its reason.

What a controller answers is compared far more closely by ``tests/interop/differential``; here is what reaches a user.
A difference that never occurs is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.interop.differential.differences import GROUP_BOUND, LONGER_TEXTS
from tests.interop.stock_tools.normal import Answer
from tests.interop.stock_tools.script import Call

SAME: Final = "same"
WRONG: Final = "differs"
"""The verdict on what no difference explains."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference on purpose.

    Attributes:
        claims: whether an answer of Kafka's and one of ours differ in this way and in no other.
        reason: why it is right.
    """

    name: str
    claims: Callable[[Call, Answer, Answer], bool]
    reason: str


def _own_levels(call: Call, theirs: Answer, ours: Answer) -> bool:
    text = LEVELS_IN_RANGE.sub(r"\g<1>30", LEVELS_UNKNOWN.sub(rf"\g<1>{'4.3-IV0':16}", ours.out))
    return call.tool == "kafka-features" and theirs == Answer(ours.code, text, ours.err)


def _broker_values(call: Call, theirs: Answer, ours: Answer) -> bool:
    return (
        call.text.startswith("kafka-configs --bootstrap-controller ")
        and "--entity-type brokers" in call.text
        and (theirs.code, ours.code, ours.out) == ("0", "1", "")
        and "InvalidConfigurationException: Invalid value " in ours.err
    )


def _longer_text(call: Call, theirs: Answer, ours: Answer) -> bool:
    del call
    return theirs.code == ours.code and all(
        _is_longer(*pair) for pair in ((theirs.out, ours.out), (theirs.err, ours.err))
    )


def _is_longer(theirs: str, ours: str) -> bool:
    lines, our_lines = theirs.splitlines(), ours.splitlines()
    return len(lines) == len(our_lines) and all(
        one == other
        or (other.startswith(one) and (any(each in one for each in LONGER) or GROUP_BOUND.search(one) is not None))
        for one, other in zip(lines, our_lines, strict=True)
    )


LONGER: Final = (*LONGER_TEXTS, "Remove voter request didn't include a valid voter")
"""Texts of Kafka's after which ours say more."""
LEVELS_UNKNOWN: Final = re.compile(r"(SupportedMaxVersion: )UNKNOWN 4\d      ")
LEVELS_IN_RANGE: Final = re.compile(r"(only supports versions 7-)4\d")

DIFFERENCES: Final = (
    Difference(
        "own-levels",
        _own_levels,
        "controllers know metadata.versions of their own, which Kafka's tools have no name for",
    ),
    Difference(
        "values-of-brokers",
        _broker_values,
        "the value of a broker's key that is altered at the controllers is judged; Kafka's controller takes any, "
        "also one that no broker can use",
    ),
    Difference("text-says-more", _longer_text, "after Kafka's sentence ours names the value, the limit or the way out"),
)


def judged(call: Call, theirs: Answer, ours: Answer) -> str:
    """Return :data:`SAME`, the name of the difference, or :data:`WRONG`."""
    if theirs == ours:
        return SAME
    return next((one.name for one in DIFFERENCES if one.claims(call, theirs, ours)), WRONG)
