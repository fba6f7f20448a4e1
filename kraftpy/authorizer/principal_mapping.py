"""Names of principals from the distinguished names of certificates: ``ssl.principal.mapping.rules``.

A rule is ``RULE:pattern/replacement/``, followed by ``L`` or ``U`` for lower or upper case, or ``DEFAULT``, which takes
the name as it is. The first rule whose pattern matches the whole name applies. Patterns are regular expressions of
Python; ``$1`` in a replacement is the first group.

Source: Kafka ``SslPrincipalMapper``; KIP-371.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from kraftpy.model.identity import ANONYMOUS_NAME

USER: Final = "User:"
DEFAULT_RULES: Final = "DEFAULT"

NAMES_REMEMBERED_MAX: Final = 10_000
"""How many mapped names are remembered; the one that was used longest ago is forgotten."""

NAME_CHARS_MAX: Final = 1_000
"""Names longer than this are mapped each time, and not remembered."""

_RULE: Final = r"(DEFAULT)|RULE:((\\.|[^\\/])*)/((\\.|[^\\/])*)/([LU]?).*?|(.*?)"
_SPLITTER: Final = re.compile(rf"\s*({_RULE})\s*(,\s*|$)")
_PARSER: Final = re.compile(_RULE)
_REFERENCE: Final = re.compile(r"\\(?P<literal>.)|\$(?P<digits>[0-9]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MappingRule:
    """One rule; without a pattern it is ``DEFAULT``."""

    pattern: re.Pattern[str] | None = None
    replacement: str = ""
    case: str = ""

    def apply(self, name: str) -> str | None:
        """Return the mapped name, ``None`` when the rule does not apply."""
        if self.pattern is None:
            return name
        if self.pattern.fullmatch(name) is None:
            return None
        mapped = self.pattern.sub(self._expanded, name)
        return {"L": mapped.lower(), "U": mapped.upper()}.get(self.case, mapped)

    def _expanded(self, match: re.Match[str]) -> str:
        return _REFERENCE.sub(lambda found: _resolved(found, match), self.replacement)


def _resolved(found: re.Match[str], match: re.Match[str]) -> str:
    """Return what a reference is replaced by: as many digits as name a group count; where none does it is text."""
    if found["literal"] is not None:
        return found["literal"]
    digits, groups = found["digits"], match.re.groups
    size = 1
    while size < len(digits) and int(digits[: size + 1]) <= groups:
        size += 1
    if int(digits[:size]) > groups:
        return found.group()
    return (match.group(int(digits[:size])) or "") + digits[size:]


def parse_rules(text: str) -> tuple[MappingRule, ...]:
    """Read the rules of a configuration.

    Raises:
        ValueError: a rule is malformed; the text names it.
    """
    rules: list[MappingRule] = []
    for part in _SPLITTER.finditer(text.strip()):
        rule = part[1]
        found = _PARSER.match(rule)
        if found is None or found.end() != len(rule):
            raise ValueError(f"{rule!r} is neither DEFAULT nor RULE:pattern/replacement/ with L or U after it")
        if found[1] is not None:
            rules.append(MappingRule())
        elif found[2] is not None:
            rules.append(_rule(found[2], found[4], found[6]))
    if not rules:
        raise ValueError(f"{text!r} has no rule: no certificate would have a name; DEFAULT takes each name as it is")
    return tuple(rules)


def _rule(pattern: str, replacement: str, case: str) -> MappingRule:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression of Python: {error}") from error
    named = [found["digits"] for found in _REFERENCE.finditer(replacement) if found["digits"] is not None]
    if compiled.groups == 0 and any(digits[0] != "0" for digits in named):
        raise ValueError(f"{replacement!r} names a group, and {pattern!r} has none: put it into (parentheses)")
    return MappingRule(compiled, replacement, case)


class PrincipalMapper:
    """Maps the names of principals by rules, and remembers what it mapped."""

    __slots__ = ("_mapped", "_rules")

    def __init__(self, rules: tuple[MappingRule, ...] = (MappingRule(),)) -> None:
        self._rules = rules
        self._mapped: OrderedDict[str, str | None] = OrderedDict()

    def name_of(self, principal: str) -> str | None:
        """Return the mapped principal, with its type; ``None`` when no rule applies to its distinguished name."""
        if principal == ANONYMOUS_NAME:
            return principal
        if principal in self._mapped:
            self._mapped.move_to_end(principal)
            return self._mapped[principal]
        name = principal.removeprefix(USER)
        found = next((mapped for rule in self._rules if (mapped := rule.apply(name)) is not None), None)
        mapped = None if found is None else f"{USER}{found}"
        if len(principal) <= NAME_CHARS_MAX:
            self._mapped[principal] = mapped
        if len(self._mapped) > NAMES_REMEMBERED_MAX:
            self._mapped.popitem(last=False)
        return mapped
