"""Named rules: what must hold for files, logs, nodes and state.

Each module is one rule, its ``RULE``, and is found by being in this package. The first sentence of its docstring is the
rule's title; the rest explains what the rule covers, what it leaves out, and why. A rule is SQL over flat tables, with
the same result on both engines.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from kraftpy.audit.rules.rule import Rule, Severity
from kraftpy.model.errors import LocalError

__all__ = ["Rule", "Severity", "all_rules", "choose_rules"]

_NO_RULES = frozenset({"rule", "views"})


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, ordered by severity, causes before their consequences, then by id."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.name not in _NO_RULES]
    rules = [import_module(f"{__name__}.{name}").RULE for name in names]
    return tuple(sorted(rules, key=lambda rule: (rule.severity.rank, not rule.is_cause, rule.id)))


def choose_rules(text: str | None) -> tuple[Rule, ...]:
    """Return the rules in a list separated by commas: ids, severities, and ``-`` before those to leave out.

    Raises:
        LocalError: for an unknown one; the text contains the nearest match and all that exist.
    """
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    rules = all_rules()
    known = {rule.id for rule in rules} | set(Severity)
    unknown = [word for word in words if word.removeprefix("-") not in known]
    if unknown:
        named = ", ".join(f"{word}{_nearest(word, known)}" for word in unknown)
        raise LocalError(f"there is no rule {named}; there are: {', '.join(sorted(known))}")
    wanted = {word for word in words if not word.startswith("-")}
    unwanted = {word[1:] for word in words if word.startswith("-")}
    return tuple(
        rule
        for rule in rules
        if (not wanted or {rule.id, rule.severity} & wanted) and not {rule.id, rule.severity} & unwanted
    )


def _nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint at what may have been meant; empty without a close match."""
    near = difflib.get_close_matches(word.removeprefix("-"), sorted(known), n=1)
    return f" (did you mean {'-' * word.startswith('-')}{near[0]}?)" if near else ""
