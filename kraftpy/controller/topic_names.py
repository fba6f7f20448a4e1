"""Rules for the names of topics.

Source: Kafka ``Topic``, ``ReplicationControlManager.validateNewTopicNames``; controller reference §12.1.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from kraftpy.image.topics import TopicsImage

TOPIC_NAME_CHARACTERS_MAX: Final = 249
TOPIC_NAME_ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")

SEPARATORS_LOOKED_UP_MAX: Final = 6
"""A name with more of ``.`` and ``_`` is looked for in a list of all names, made once per request: up to here the
names that collide with it are 64, and each is one look into the image."""


def name_fault(name: str) -> str | None:
    """Return what is wrong with a topic's name, in Kafka's words; ``None`` when nothing is."""
    if not name:
        return "Topic name is invalid: the empty string is not allowed"
    if name in {".", ".."}:
        return f"Topic name is invalid: '{name}' is not allowed"
    if len(name) > TOPIC_NAME_CHARACTERS_MAX:
        return (
            f"Topic name is invalid: the length of '{name}' is longer than the max allowed length "
            f"{TOPIC_NAME_CHARACTERS_MAX}"
        )
    if not TOPIC_NAME_ALPHABET.issuperset(name):
        return (
            f"Topic name is invalid: '{name}' contains one or more characters other than ASCII alphanumerics, '.', "
            "'_' and '-'"
        )
    return None


class NameCollisions:
    """Finds topics whose names differ only in ``.`` and ``_``: their metrics would have one name."""

    __slots__ = ("_by_normal", "_new", "_topics")

    def __init__(self, topics: TopicsImage) -> None:
        self._topics = topics
        self._by_normal: dict[str, str] | None = None
        self._new: dict[str, str] = {}

    def find(self, name: str) -> str | None:
        """Return the name of a topic that a new one would collide with; one of the same name is none."""
        separators = name.count(".") + name.count("_")
        if not separators:
            return None
        found = self._new.get(_normal(name))
        if found is None:
            found = self._look_up(name) if separators <= SEPARATORS_LOOKED_UP_MAX else self._walk(name)
        return None if found == name else found

    def add(self, name: str) -> None:
        """Take it that this request creates a topic."""
        self._new[_normal(name)] = name

    def _look_up(self, name: str) -> str | None:
        choices = ("._" if character in "._" else character for character in name)
        for letters in product(*choices):
            candidate = "".join(letters)
            if candidate != name and candidate in self._topics.ids_by_name:
                return candidate
        return None

    def _walk(self, name: str) -> str | None:
        if self._by_normal is None:
            self._by_normal = {_normal(each): each for each in self._topics.ids_by_name}
        return self._by_normal.get(_normal(name))


def _normal(name: str) -> str:
    return name.replace(".", "_")
