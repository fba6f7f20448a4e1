"""Texts without secrets: configuration files by the table of keys, everything else by known secrets and by pattern.

A configuration file is written again from its keys and values, so nothing of its comments is left. A value is shown
only if its key is known and holds no secret; of any other key the name is shown. A file in which a line has no key's
name in front is not shown at all: such a line may be a piece of a secret whose continuation was lost. The values that
are not shown are then removed from everything else, too: a log should not have them, and is not relied on for that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.records.properties import each_property, render_properties
from kraftpy.records.redaction import REDACTED, is_secret

SECRET_CHARACTERS_MIN: Final = 8
"""A shorter value is redacted under its key, and not searched for elsewhere: it would be found in ordinary words."""

KEY_CHARACTERS_MAX: Final = 200
"""A longer name of a key is not shown."""

_LISTENER_PREFIX: Final = re.compile(
    r"^listener\.name\.[^.]+\.(?:(?:plain|scram-sha-256|scram-sha-512|oauthbearer)\.)?"
)
_KEY_NAMES: Final = re.compile(rf"[A-Za-z0-9._-]{{1,{KEY_CHARACTERS_MAX}}}")
_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]+-----"
_END: Final = r"-----END [A-Z0-9 ]+-----"
_WHOLE_BLOCKS: Final = re.compile(rf"{_BEGIN}(?:(?!-----BEGIN ).)*?{_END}", re.DOTALL)
_BLOCKS: Final = re.compile(rf"{_BEGIN}.*?(?:{_END}|\Z)", re.DOTALL)
_ENDED_BLOCK: Final = re.compile(rf"(?:(?!-----BEGIN ).)*?{_END}[^\n]*\n?", re.DOTALL)
"""The rest of a block whose beginning is not in the text, and what is before it."""

_NUMBERS: Final = re.compile(r"[\d.,:+-]+")
_ADDRESSES: Final = re.compile(r"(?P<scheme>://)(?P<user>[^\s/\"'@:]{0,256}(?::(?:(?!://)[^\s\"'@]){0,256})?)@")
_QUERIES: Final = re.compile(r"(?P<address>://[^\s?#]{0,2048})(?P<query>[?#]\S*)")
_QUERY_VALUES: Final = re.compile(r"=([^&#]+)")
_LOGIN_OPTIONS: Final = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]+)\s*=\s*(?:\"(?P<double>(?:\\.|[^\"\\])*)\"|'(?P<single>(?:\\.|[^'\\])*)'|(?P<bare>[^\s;\"']+))"
)
_NAME_ENDINGS: Final = (
    r"(?:passwords?|passwd|passphrase|pass|pwd|secrets?|tokens?|credentials?|authorization|jaas(?:\.config)?"
    r"|(?:api|secret|private|master|access|signing|encryption)[._-]?key|(?<![a-z])sig)"
)
_NAME_ENDING: Final = re.compile(rf"{_NAME_ENDINGS}\Z", re.IGNORECASE)
_PAIRS: Final = re.compile(
    rf"(?P<name>{_NAME_ENDINGS}(?P<closing>\\{{0,16}}[\"'])?[ \t]*\\{{0,16}}[=:][ \t]*)"
    r"(?:(?P<quote>\\{0,16}[\"'])(?!\[redacted\])(?P<quoted>[^\n]*?(?<!\\)(?P=quote)|[^\n]*)"
    r"|(?!\\{0,16}[\"']|\[redacted\])(?P<bare>[\[{][^\n]*"
    r"|(?:(?:bearer|basic|digest|negotiate)\s+)?(?:(?![,;}\])]{1,16}(?:\s|\\{0,16}\"|\Z))(?:[^\s\"\\]|\\(?!\\{0,16}\")))+))",
    re.IGNORECASE,
)
"""``password=x`` and its like, as in login lines, in addresses and in JSON, also JSON within JSON.

A value that is a list or an object, or whose quote does not end, goes to the end of its line.
"""
_BEARER: Final = re.compile(r"(?P<scheme>\bbearer\s+)[\w.~+/=-]{8,}", re.IGNORECASE)
_WORD_BEGINS: Final = r"(?:(?<![^\W_])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9a-fA-F]{2}))"
"""Also after an escaped character of JSON or of an address, whose last letter belongs to no word."""


@dataclass(frozen=True, slots=True)
class RedactedFile:
    """A configuration file without its secrets, and what these were; the latter are for :func:`scrubbed` alone.

    Attributes:
        text: what may be shown; ``None`` when nothing may.
        problem: why nothing may be shown.
        keys: how many keys have a value that is not shown, or not whole.
        secrets: what is not shown.
    """

    text: str | None
    problem: str
    keys: int
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        """Count the keys, and do not name the secrets."""
        return f"RedactedFile(keys={self.keys})"


def is_shown(name: str) -> bool:
    """Return whether a key of a configuration file is known, and not one whose value is a secret by its name."""
    known = NODE_KEYS.get(_LISTENER_PREFIX.sub("", name))
    return known is not None and known.type is not ConfigType.PASSWORD and not is_secret(name, "x")


def redacted_file(text: str) -> RedactedFile:
    """Return a properties file without comments and secrets, or why it cannot be shown.

    Raises:
        MalformedError: it is no properties file; nothing of it may be shown then.
    """
    cut = _WHOLE_BLOCKS.sub(REDACTED, text)
    shown: dict[str, str] = {}
    secrets: set[str] = set()
    redacted: set[str] = set()
    strange = 0
    for one in each_property(cut):
        value = _shown_value(one.key, one.value)
        strange += _KEY_NAMES.fullmatch(one.key) is None
        if value != one.value:
            secrets.update(_inner(one.value))
            redacted.add(one.key)
        if value or is_shown(one.key):
            shown[one.key] = value
    problem = ""
    if "-----BEGIN " in cut:
        problem = "a block of PEM begins in it and does not end"
    elif strange:
        problem = f"{strange} of its lines begin with no name of a key (letters, digits, '.', '_' and '-')"
    return RedactedFile(None if problem else render_properties(shown), problem, len(redacted), tuple(sorted(secrets)))


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text without these secrets, as they are or within JSON, and without what looks like one."""
    text = _BLOCKS.sub(REDACTED, text)
    for secret in sorted(secrets, key=len, reverse=True):
        if _is_searched_for(secret):
            for form in _forms(secret):
                if form in text:
                    text = _as_word(form).sub(REDACTED, text)
    text = _ADDRESSES.sub(rf"\g<scheme>{REDACTED}@", text)
    text = _PAIRS.sub(_without_value, text)
    return _BEARER.sub(rf"\g<scheme>{REDACTED}", text)


def scrubbed_json(data: Any, secrets: Iterable[str] = ()) -> Any:
    """Return a value of JSON whose names and texts are scrubbed one by one, so that it stays JSON."""
    match data:
        case str():
            return scrubbed(data, secrets)
        case list():
            return [scrubbed_json(one, secrets) for one in data]
        case dict():
            return {scrubbed(name, secrets): _scrubbed_member(name, value, secrets) for name, value in data.items()}
        case _:
            return data


def after_cut_block(text: str) -> str:
    """Return a text without its beginning, if that is the end of a block of PEM that began before it."""
    ended = _ENDED_BLOCK.match(text)
    return text if ended is None else text[ended.end() :]


def _shown_value(name: str, value: str) -> str:
    """Return what is shown in place of a value, which is empty where it is."""
    if not value.strip():
        return value
    if not is_shown(name):
        return REDACTED
    value = _ADDRESSES.sub(rf"\g<scheme>{REDACTED}@", value)
    value = _QUERIES.sub(lambda found: f"{found['address']}{found['query'][0]}{REDACTED}", value)
    return REDACTED if is_secret(name, value) else value


def _inner(value: str) -> Iterator[str]:
    """Yield a value and the secrets within it: options of a login line but the user's name, and parts of addresses."""
    yield value.strip()
    for option in _LOGIN_OPTIONS.finditer(value):
        if option["name"] != "username":
            found = option["double"] or option["single"] or option["bare"] or ""
            yield found
            yield re.sub(r"\\(.)", r"\1", found)
    for address in _ADDRESSES.finditer(value):
        yield address["user"].partition(":")[2] or address["user"]
    for address in _QUERIES.finditer(value):
        yield from _QUERY_VALUES.findall(address["query"])


def _is_searched_for(secret: str) -> bool:
    return len(secret) >= SECRET_CHARACTERS_MIN and secret != REDACTED and _NUMBERS.fullmatch(secret) is None


def _forms(secret: str) -> list[str]:
    """Return a secret as a text has it, JSON, and JSON within JSON; the longest first."""
    forms = {secret}
    for plain in (True, False):
        once = json.dumps(secret, ensure_ascii=plain)[1:-1]
        forms |= {once, json.dumps(once, ensure_ascii=plain)[1:-1]}
    return sorted(forms, key=len, reverse=True)


def _as_word(secret: str) -> re.Pattern[str]:
    """Return the pattern of a secret that is no part of a longer word."""
    before = _WORD_BEGINS if secret[0].isalnum() else ""
    after = r"(?![^\W_])" if secret[-1].isalnum() else ""
    return re.compile(f"{before}{re.escape(secret)}{after}")


def _scrubbed_member(name: str, value: Any, secrets: Iterable[str]) -> Any:
    if isinstance(value, str) and value and _NAME_ENDING.search(name) is not None:
        return REDACTED
    return scrubbed_json(value, secrets)


def _without_value(pair: re.Match[str]) -> str:
    """Return a pair without its value; quotes stay, and a bare value gets those of its name, as JSON needs them."""
    quote = pair["quote"] or pair["closing"] or ""
    return f"{pair['name']}{quote}{REDACTED}{quote}"
