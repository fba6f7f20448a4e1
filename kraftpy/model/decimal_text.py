"""Numbers from text of unknown origin."""

from __future__ import annotations


def number_from_text(text: str, highest: int) -> int | None:
    """Read ASCII digits as a number from 0 to ``highest``; ``None`` when the text is anything else.

    ``int`` alone takes signs, underscores, blanks and the digits of other scripts, and it raises a text of its own for
    more than 4,300 digits.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    if len(digits) > len(str(highest)):
        return None
    value = int(digits or "0")
    return value if value <= highest else None
