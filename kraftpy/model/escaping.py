"""Text of clients in what operators read: log lines and terminals."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Return a text with its control characters, and what else cannot be printed, as escapes."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def shortened(text: str, characters_max: int) -> str:
    """Return a text as :func:`escaped` does, with no more than this many characters; ``...`` ends what was longer."""
    shown = escaped(text[: characters_max + 1])
    return shown if len(shown) <= characters_max else f"{shown[: characters_max - 3]}..."
