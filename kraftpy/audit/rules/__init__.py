"""Rules with names: what must hold of files, logs, nodes and state.

One small module a rule, found by being here: its ``RULE`` is all that counts. A rule is SQL over flat tables, and which
engine answers it cannot be seen from the answer. What a rule is about, whom it spares and why stands in its module.
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
    """Return every rule: the worst first, of those the ones that others follow from, then by id."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.name not in _NO_RULES]
    rules = [import_module(f"{__name__}.{name}").RULE for name in names]
    return tuple(sorted(rules, key=lambda rule: (rule.severity.rank, not rule.is_cause, rule.id)))


def choose_rules(text: str | None) -> tuple[Rule, ...]:
    """Return the rules that a list names: ids apart by commas, a severity for all of its kind, ``-id`` to leave out.

    Raises:
        LocalError: when a word is neither; the text names the nearest one, and lists what there is.
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
    """Return a hint at what may have been meant; empty when nothing is near."""
    near = difflib.get_close_matches(word.removeprefix("-"), sorted(known), n=1)
    return f" (did you mean {'-' * word.startswith('-')}{near[0]}?)" if near else ""
