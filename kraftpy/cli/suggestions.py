"""What was probably meant by a word that does not exist: a command, or a value of an option that has a few.

A misspelt word is answered with the nearest ones and with all that exist, so that the next attempt is right. click's
own errors name the nearest command, but not the others, and no nearest value. Names of Kafka's tools and of etcdctl's
commands are understood, too.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import click

NEAREST_MAX: Final = 3
"""How many words are suggested."""

WORD_CHARACTERS_MAX: Final = 60
"""A longer word is no misspelt one; comparing takes time with the square of the length."""

KAFKA_PREFIX: Final = "kafka-"
KAFKA_SUFFIX: Final = ".sh"
"""Of the names of Kafka's tools: ``kafka-topics.sh`` is ``kraftpy topics``."""

ETCD_COMMANDS: Final[Mapping[str, Mapping[str, str]]] = {
    "alarm": {"list": "doctor", "disarm": "doctor"},
    "check": {"perf": "storage probe"},
    "compaction": {"": "compact"},
    "endpoint": {"health": "doctor", "status": "doctor", "hashkv": "audit"},
    "member": {
        "list": "quorum describe --replication",
        "add": "quorum add-controller",
        "promote": "quorum add-controller",
        "remove": "quorum remove-controller",
    },
    "move-leader": {"": "quorum transfer-leader"},
    "snapshot": {"save": "backup", "restore": "restore", "status": "restore --dry-run"},
}
"""What has the purpose of a command of etcdctl, by its words."""


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Return the words that are most like one that does not exist, the nearest first; none where none is like it."""
    if len(word) > WORD_CHARACTERS_MAX:
        return []
    names = {name.lower(): name for name in known}
    wanted = word.lower().replace("_", "-").removeprefix(KAFKA_PREFIX).removesuffix(KAFKA_SUFFIX)
    near = difflib.get_close_matches(wanted, names, n=NEAREST_MAX)
    parts = [name for name in names if wanted in name.split("-")]
    return [names[name] for name in dict.fromkeys((*near, *parts))][:NEAREST_MAX]


def as_in_etcd(words: Sequence[str]) -> list[str]:
    """Return what has the purpose of a command line of etcdctl, or of all that begin so; none where it has none."""
    commands = ETCD_COMMANDS.get(words[0], {})
    exact = commands.get(words[1]) if len(words) > 1 else None
    return list(dict.fromkeys(commands.values())) if exact is None else [exact]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question with the nearest words, after a space; nothing where none is like it."""
    return _question(nearest(word, known))


def _question(names: Iterable[str]) -> str:
    text = " or ".join(map(repr, names))
    return f" Did you mean {text}?" if text else ""


class CommandGroup(click.Group):
    """A group that names the nearest of its commands, and all, for one that does not exist."""

    def names_beside(self) -> Iterable[str]:
        """Return further names of commands, which are suggested but not listed."""
        return ()

    def meant_by(self, words: Sequence[str]) -> Sequence[str]:
        """Return what words of another system mean here; they go before the nearest names."""
        del words
        return ()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command to call."""
        word, names = args[0], self.list_commands(ctx)
        is_option = word.startswith("-")
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, word) is None:
            meant = self.meant_by(args)
            near = _question(meant) if meant else did_you_mean(word, (*names, *self.names_beside()))
            ctx.fail(f"No such command {word[:WORD_CHARACTERS_MAX]!r}.{near} There are: {', '.join(names)}.")
        return super().resolve_command(ctx, args)


class WordChoice(click.Choice[str]):
    """One of a few words; the error for another one names the nearest of them."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Name all words, and the nearest."""
        return super().get_invalid_choice_message(value, ctx) + did_you_mean(str(value), self.choices)
