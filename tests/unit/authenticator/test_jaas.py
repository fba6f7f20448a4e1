"""Login lines: what is read, and that everything else is refused without a value in the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.authenticator.jaas import LINE_CHARS_MAX, OAUTH_MODULE, OPTIONS_MAX, PLAIN_MODULE, parse_login_line

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sasl.md"
VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='\r\n"\\'))


def test_users_and_credentials_of_a_line() -> None:
    """Names and values in both kinds of quotes, bare words, escapes, and blanks where Java takes them."""
    line = parse_login_line(
        f' {PLAIN_MODULE} Required username="me" \'password\' = \'it"s\' user_a="1" user_b.c=x-1 user_d="\\"\\\\" ; '
    )
    assert line.module == PLAIN_MODULE
    assert line.options["username"] == "me"
    assert line.options["password"] == 'it"s'
    assert line.passwords == {"a": "1", "b.c": "x-1", "d": '"\\'}
    assert line.others("username", "password") == []
    assert 'it"s' not in repr(line)


def test_the_login_lines_of_the_page_are_read() -> None:
    """A line that is copied from docs/sasl.md begins a node or a command."""
    page = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^[a-z0-9.-]*sasl\.jaas\.config=(.*)$", page, re.MULTILINE)
    assert [parse_login_line(each).options["username"] for each in lines] == ["node", "alice"]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("", "the class of a login module is expected at character 1"),
        ("org.other.Module required;", "it names the login module org.other.Module; there are"),
        (f"{OAUTH_MODULE};", "the flag required is expected"),
        (f"{OAUTH_MODULE} optional;", "it has the flag optional; write required"),
        (f"{OAUTH_MODULE} required", "it does not end with a semicolon"),
        (f"{OAUTH_MODULE} required; {OAUTH_MODULE} required;", "more follows the semicolon"),
        (f'{PLAIN_MODULE} required password "hunter2";', "the option password has no '=' and value"),
        (f"{PLAIN_MODULE} required password=;", "the value of the option password is expected"),
        (f"{PLAIN_MODULE} required password=12hunter2;", "the value of the option password is expected"),
        (f'{PLAIN_MODULE} required password="hunter2;', "the value of the option password is expected"),
        (f'{PLAIN_MODULE} required password="hunter2\\x";', "a backslash before a character that needs none"),
        (f'{PLAIN_MODULE} required user_a="hunter2" user_a="hunter2";', "the option user_a is in it twice"),
        (f"{PLAIN_MODULE} required /* hunter2 */;", "the name of an option, or a semicolon, is expected"),
        (" " * (LINE_CHARS_MAX + 1), f"more than {LINE_CHARS_MAX}"),
        (
            f"{PLAIN_MODULE} required {' '.join(f'user_{n}=hunter2' for n in range(OPTIONS_MAX + 1))};",
            f"more than {OPTIONS_MAX} options",
        ),
    ],
)
def test_a_line_that_is_not_understood_is_refused(text: str, stated: str) -> None:
    """The text says what is wrong, and repeats no value."""
    with pytest.raises(ValueError, match=r".") as caught:
        parse_login_line(text)
    assert stated in str(caught.value)
    assert "hunter2" not in str(caught.value)


@given(st.dictionaries(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,10}", fullmatch=True), VALUES, max_size=5))
def test_every_option_comes_back(options: dict[str, str]) -> None:
    written = " ".join(f'{name}="{value}"' for name, value in options.items())
    assert dict(parse_login_line(f"{PLAIN_MODULE} required {written};").options) == options


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_login_line(f"{PLAIN_MODULE} required {text}")
    except ValueError:
        return
