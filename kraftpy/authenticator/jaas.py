r"""The login line of a mechanism: ``<class of a login module> required name="value" ...;``.

The grammar is the part of Java's that such lines use: words, values in double or single quotes with the escapes
``\\``, ``\"``, ``\'``, ``\t``, ``\n`` and ``\r``, and one entry that ends with a semicolon. Comments, numbers without
quotes and flags other than ``required`` are refused by name. No text of an error repeats a value: they are passwords.

Source: Kafka ``JaasConfig``, ``JaasContext``, ``PlainLoginModule``, ``ScramLoginModule``, ``OAuthBearerLoginModule``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

LINE_CHARS_MAX: Final = 65_536
"""How long a line may be."""

OPTIONS_MAX: Final = 1_000
"""How many options a line may have; each user of PLAIN is one."""

PLAIN_MODULE: Final = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM_MODULE: Final = "org.apache.kafka.common.security.scram.ScramLoginModule"
OAUTH_MODULE: Final = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
MODULES: Final = (PLAIN_MODULE, SCRAM_MODULE, OAUTH_MODULE)

_FLAG: Final = "required"
_USER_PREFIX: Final = "user_"
_BLANKS: Final = re.compile(r"[ \t\r\n\f]*")
_WORD: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_.$-]*")
_QUOTED: Final = re.compile(r'"(?P<double>(?:[^"\\\r\n]|\\.)*)"' + r"|'(?P<single>(?:[^'\\\r\n]|\\.)*)'")
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = MappingProxyType({"\\": "\\", '"': '"', "'": "'", "t": "\t", "n": "\n", "r": "\r"})


@dataclass(frozen=True, slots=True)
class LoginLine:
    """What a line says. Its options never show in ``repr``.

    Attributes:
        module: the class of the login module, one of ``MODULES``.
        options: name to value.
    """

    module: str
    options: MappingProxyType[str, str]

    def __repr__(self) -> str:
        return f"LoginLine({self.module!r}, [hidden])"

    @property
    def passwords(self) -> dict[str, str]:
        """User to password, of the options ``user_NAME="password"``."""
        found = self.options.items()
        return {name.removeprefix(_USER_PREFIX): value for name, value in found if name.startswith(_USER_PREFIX)}

    def others(self, *names: str) -> list[str]:
        """Return the names of options that are neither among these nor users."""
        return sorted(name for name in self.options if name not in names and not name.startswith(_USER_PREFIX))


def parse_login_line(text: str) -> LoginLine:
    """Read a line.

    Raises:
        ValueError: it is not one that is understood here; the text says where and why, and repeats no value.
    """
    if len(text) > LINE_CHARS_MAX:
        raise ValueError(f"it has {len(text)} characters, more than {LINE_CHARS_MAX}")
    reader = _Reader(text)
    module = reader.word("the class of a login module")
    if module not in MODULES:
        raise ValueError(f"it names the login module {module[:100]}; there are {', '.join(MODULES)}")
    flag = reader.word(f"the flag {_FLAG}")
    if flag.lower() != _FLAG:
        raise ValueError(f"it has the flag {flag[:100]}; write {_FLAG}")
    options: dict[str, str] = {}
    while not reader.takes(";"):
        name = reader.name()
        if not reader.takes("="):
            raise ValueError(f"the option {name[:100]} has no '=' and value, {reader.place}")
        if name in options:
            raise ValueError(f"the option {name[:100]} is in it twice")
        if len(options) >= OPTIONS_MAX:
            raise ValueError(f"it has more than {OPTIONS_MAX} options")
        options[name] = reader.value(name)
    if not reader.is_at_end:
        raise ValueError(f"more follows the semicolon, {reader.place}; one login module is possible")
    return LoginLine(module, MappingProxyType(options))


class _Reader:
    """Reads a line from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._skip_blanks()

    @property
    def place(self) -> str:
        """Where it is, for errors."""
        return f"at character {self._at + 1}"

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._text)

    def takes(self, mark: str) -> bool:
        """Go over a mark if it comes next.

        Raises:
            ValueError: the line ends before its semicolon.
        """
        if self._text.startswith(mark, self._at):
            self._at += 1
            self._skip_blanks()
            return True
        if self.is_at_end and mark == ";":
            raise ValueError("it does not end with a semicolon")
        return False

    def word(self, what: str) -> str:
        found = _WORD.match(self._text, self._at)
        if found is None:
            raise ValueError(f"{what} is expected {self.place}")
        return self._took(found, found.group())

    def name(self) -> str:
        """Read the name of an option, which may be quoted: Java's reader does not distinguish."""
        quoted = self._quoted()
        return self.word("the name of an option, or a semicolon,") if quoted is None else quoted

    def value(self, name: str) -> str:
        quoted = self._quoted()
        if quoted is not None:
            return quoted
        try:
            return self.word("a value")
        except ValueError:
            raise ValueError(
                f"the value of the option {name[:100]} is expected {self.place}: a word, or text in quotes"
            ) from None

    def _quoted(self) -> str | None:
        found = _QUOTED.match(self._text, self._at)
        if found is None:
            return None
        inside = found["double"] if found["double"] is not None else found["single"]
        return self._took(found, _ESCAPE.sub(self._unescaped, inside))

    def _unescaped(self, found: re.Match[str]) -> str:
        if found[1] not in _ESCAPES:
            raise ValueError(f"the text in quotes {self.place} has a backslash before a character that needs none")
        return _ESCAPES[found[1]]

    def _took(self, found: re.Match[str], value: str) -> str:
        self._at = found.end()
        self._skip_blanks()
        return value

    def _skip_blanks(self) -> None:
        found = _BLANKS.match(self._text, self._at)
        self._at = self._at if found is None else found.end()
