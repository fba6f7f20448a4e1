"""The commands of ``kraftpy metadata-shell``: pure functions from a tree and words to lines.

Paths are as in a file system: ``/`` separates names, ``.`` and ``..`` work, ``*``, ``?`` and ``{a,b}`` match names.

Source: Kafka ``org.apache.kafka.shell``; KIP-631 §Metadata shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.cli.shell_tree import Directory, LeafNode, Node

PATH_PARTS_MAX: Final = 64
"""How deep a path may go; the tree is not as deep."""

INDENT: Final = "  "


@dataclass(slots=True)
class ShellState:
    """A tree, and where its user is.

    Attributes:
        working: the names of the path to the working directory.
        is_over: whether the user left.
    """

    root: Directory
    working: tuple[str, ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A node that a path leads to."""

    path: tuple[str, ...]
    node: Node

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path[-1] if self.path else "/"


def run_line(state: ShellState, line: str) -> Iterator[str]:
    """Run a line that a person typed; errors are lines, too."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        yield f"{line}: {error}"
        return
    if words:
        yield from run_words(state, words)


def run_words(state: ShellState, words: Sequence[str]) -> Iterator[str]:
    """Run one command."""
    command = COMMANDS.get(words[0])
    if command is None:
        yield f"{words[0]}: command not found; `help` lists the commands"
        return
    count = len(words) - 1
    if not command.least <= count <= command.most:
        yield f"{words[0]}: {count} arguments; usage: {command.usage}"
        return
    yield from command.run(state, words[1:])


def resolved(state: ShellState, path: str) -> list[str]:
    """Return the parts of a path from the root, without ``.`` and ``..``."""
    parts: list[str] = [] if path.startswith("/") else list(state.working)
    for part in filter(None, path.split("/")):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return parts[: PATH_PARTS_MAX + 1]


def find_nodes(state: ShellState, path: str) -> list[Found]:
    """Return the nodes that a path leads to, in the order of their names; several only for a pattern."""
    found = [Found((), state.root)]
    for part in resolved(state, path):
        pattern = glob_pattern(part)
        found = [deeper for one in found for deeper in _children(one, part, pattern)]
    return found


def _children(found: Found, part: str, pattern: re.Pattern[str] | None) -> Iterator[Found]:
    if not isinstance(found.node, Directory):
        return
    names = [part] if pattern is None else sorted(filter(pattern.fullmatch, found.node.names()))
    for name in names:
        child = found.node.child(name)
        if child is not None:
            yield Found((*found.path, name), child)


def glob_pattern(part: str) -> re.Pattern[str] | None:
    """Return what a part of a path matches, ``None`` for a name; a group that does not end is a part of a name."""
    expression, plain, is_open, escapes = [], True, False, False
    for character in part:
        if escapes:
            expression.append(re.escape(character))
            escapes = False
        elif character == "\\":
            escapes = True
            plain = False
        elif character in "*?":
            expression.append(".*" if character == "*" else ".")
            plain = False
        elif character == "{" and not is_open:
            expression.append("(?:")
            is_open, plain = True, False
        elif character == "}" and is_open:
            expression.append(")")
            is_open = False
        else:
            expression.append("|" if character == "," and is_open else re.escape(character))
    return None if plain or is_open or escapes else re.compile("".join(expression), re.DOTALL)


def list_nodes(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """List directories; files by their names."""
    files: list[str] = []
    directories: list[tuple[str, list[str]]] = []
    for path in paths or (".",):
        found = find_nodes(state, path)
        if not found:
            yield f"ls: {path}: no such file or directory."
        for one in found:
            if isinstance(one.node, Directory):
                directories.append((one.name, sorted(one.node.names())))
            else:
                files.append(one.name)
    yield from files
    needs_titles = bool(files) or len(directories) > 1
    for number, (name, children) in enumerate(directories):
        if needs_titles and children:
            if files or number:
                yield ""
            yield f"{name}:"
        yield from children


def show_files(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """Show the texts of files."""
    for path in paths:
        found = find_nodes(state, path)
        if not found:
            yield f"cat: {path}: No such file or directory."
        for one in found:
            yield one.node.text if isinstance(one.node, LeafNode) else f"cat: {path}: Is a directory"


def find_below(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """List everything below paths."""
    for path in paths or (".",):
        found = find_nodes(state, path)
        if not found:
            yield f"find: {path}: no such file or directory."
        for one in found:
            yield from _below(path, one.node)


def _below(path: str, node: Node) -> Iterator[str]:
    yield path
    if isinstance(node, Directory):
        for name in sorted(node.names()):
            child = node.child(name)
            if child is not None:
                yield from _below(f"{path}{name}" if path == "/" else f"{path}/{name}", child)


def show_trees(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """Show everything below paths, with texts."""
    for path in paths:
        found = find_nodes(state, path)
        if not found:
            yield f"tree: {path}: No such file or directory."
        for one in found:
            yield from _tree(one.node, "")


def _tree(node: Node, indent: str) -> Iterator[str]:
    if isinstance(node, LeafNode):
        yield f"{indent}{node.text}"
        return
    for name in sorted(node.names()):
        child = node.child(name)
        if child is not None:
            yield f"{indent}{name}:"
            yield from _tree(child, indent + INDENT)


def change_directory(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """Go to a directory, or to the root."""
    path = paths[0] if paths else "/"
    found = find_nodes(state, path)
    if not found:
        yield f"cd: {path}: no such directory."
    for one in found:
        if isinstance(one.node, Directory):
            state.working = one.path
        else:
            yield f"cd: {path}: not a directory."


def show_working_directory(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """Show where the user is."""
    del paths
    yield f"/{'/'.join(state.working)}"


def show_help(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """List the commands, or describe one."""
    del state
    if paths and paths[0] not in COMMANDS:
        yield f"help: there is no command {paths[0]}"
        return
    for name in [paths[0]] if paths else sorted(COMMANDS):
        yield f"{COMMANDS[name].usage:<24} {COMMANDS[name].does}"


def leave(state: ShellState, paths: Sequence[str]) -> Iterator[str]:
    """End the shell."""
    del paths
    state.is_over = True
    return iter(())


MANY: Final = 1_000
"""How many arguments a command takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """A command: what it does, its usage, and how many arguments it takes."""

    run: Callable[[ShellState, Sequence[str]], Iterator[str]]
    does: str
    usage: str
    least: int = 0
    most: int = MANY


COMMANDS: Final = {
    "cat": ShellCommand(run=show_files, does="Show the contents of files.", usage="cat PATH...", least=1),
    "cd": ShellCommand(run=change_directory, does="Change the working directory.", usage="cd [PATH]", most=1),
    "exit": ShellCommand(run=leave, does="End the shell; Ctrl-D does, too.", usage="exit", most=0),
    "find": ShellCommand(run=find_below, does="List everything below paths.", usage="find [PATH...]"),
    "help": ShellCommand(run=show_help, does="List the commands, or describe one.", usage="help [COMMAND]", most=1),
    "ls": ShellCommand(run=list_nodes, does="List directories.", usage="ls [PATH...]"),
    "man": ShellCommand(run=show_help, does="Describe a command.", usage="man COMMAND", least=1, most=1),
    "pwd": ShellCommand(run=show_working_directory, does="Show the working directory.", usage="pwd", most=0),
    "tree": ShellCommand(run=show_trees, does="Show everything below paths.", usage="tree PATH...", least=1),
}


def completions(state: ShellState, line: str, word: str) -> list[str]:
    """Return how the last word of a line can go on: commands at its beginning, paths after it."""
    if not line[: len(line) - len(word)].strip():
        return [f"{name} " for name in sorted(COMMANDS) if name.startswith(word)]
    head, slash, start = word.rpartition("/")
    at = find_nodes(state, f"{head}{slash}" or ".")
    if not at or not isinstance(at[0].node, Directory):
        return []
    found = []
    for name in sorted(at[0].node.names()):
        if name.startswith(start):
            is_directory = isinstance(at[0].node.child(name), Directory)
            found.append(f"{head}{slash}{name}{'/' if is_directory else ' '}")
    return found
