"""``kraftpy config``: write the files of a new cluster's nodes, and check files, each and against each other.

Nothing is asked of a running node: ``kraftpy configs`` does that.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.model.errors import ConfigError

if TYPE_CHECKING:
    from kraftpy.config.node_config import NodeConfig

FILES_MAX: Final = 1_000
"""More files than any cluster has nodes whose files are in one place."""

DATA: Final = "/var/lib/kraftpy"
KEYS: Final = "/etc/kraftpy"


@click.group("config", cls=CommandGroup)
def config() -> None:
    """Write and check server.properties of nodes."""


@examples(
    "kraftpy config check /etc/kraftpy/server.properties",
    "kraftpy config check controller-1.properties controller-2.properties controller-3.properties",
)
@config.command("check")
@click.argument("files", type=PathParam(), nargs=-1, required=True, metavar="FILE...")
@output_option
def check(files: tuple[str, ...], output: Output) -> None:
    """Check files, each by itself and all against each other; exit with 3 when one cannot work.

    Several files are those of one cluster: node ids, voters, addresses, ports and directories of one machine, listener
    names and everything that whichever controller is active decides by have to agree. The files need not be on this
    machine's paths, and no name is looked up.
    """
    from kraftpy.config.agreement import disagreements

    names = tuple(dict.fromkeys(files))
    if len(names) > FILES_MAX:
        raise ArgumentError(f"{len(names)} files; at most {FILES_MAX} are checked together")
    found: list[dict[str, Any]] = []
    read: list[NodeConfig] = []
    for name in names:
        one = _read(name, found)
        if one is not None:
            read.append(one)
            found += [_row("warning", [name], text.removeprefix(f"{name}: ")) for text in one.warnings]
    for each in disagreements(read):
        severity = "error" if each.is_error else "warning"
        found.append(_row(severity, each.sources, each.what, each.way_out))
    errors = sum(1 for row in found if row["severity"] == "error")
    summary = f"{len(names)} files: {errors} errors, {len(found) - errors} warnings"
    show(output, {"files": list(names), "errors": errors, "findings": found}, [*map(_line, found), summary])
    if errors:
        raise SystemExit(ExitCode.FINDINGS)


def _read(name: str, found: list[dict[str, Any]]) -> NodeConfig | None:
    """Read a file, or note why it cannot be used.

    Raises:
        CommandError: it cannot be read at all.
    """
    from kraftpy.config.node_config import load_config

    try:
        return load_config(name)
    except ConfigError as error:
        found.append(_row("error", [name], str(error).removeprefix(f"{name}: ")))
        return None


def _row(severity: str, files: Sequence[str], what: str, way_out: str | None = None) -> dict[str, Any]:
    return {"severity": severity, "files": list(files), "what": what, "wayOut": way_out}


def _line(row: dict[str, Any]) -> str:
    way_out = f"; {row['wayOut']}" if row["wayOut"] else ""
    place = f"{row['files'][0]}: " if len(row["files"]) == 1 else ""
    return f"{row['severity']}: {place}{row['what']}{way_out}"


@examples(
    "kraftpy config generate --controllers c1,c2,c3 --brokers b1,b2,b3 --racks a,b,c --out kraftpy-config",
    "kraftpy config generate --controllers c1,c2,c3 --tls --out kraftpy-config",
)
@config.command("generate")
@click.option("--controllers", required=True, metavar="HOSTS", help="Host of each controller, comma-separated.")
@click.option("--brokers", default="", metavar="HOSTS", help="Host of each broker, comma-separated. Default: none.")
@click.option("--racks", default="", metavar="RACKS", help="Rack of each broker, comma-separated. Default: none.")
@click.option("--data", default=DATA, show_default=True, metavar="DIR", help="Directory of each machine for data.")
@click.option("--tls", is_flag=True, help="TLS at every port, and a script that makes the certificates with openssl.")
@click.option("--keys", default=KEYS, show_default=True, metavar="DIR", help="With --tls: directory for PEM files.")
@click.option("--out", required=True, type=PathParam(file_okay=False), metavar="DIR", help="Where to write the files.")
@output_option
def generate(
    *, controllers: str, brokers: str, racks: str, data: str, tls: bool, keys: str, out: str, output: Output
) -> None:
    """Write the server.properties of each node of a new cluster.

    The quorum starts from empty directories: no node has to be formatted. A host that is named several times gets
    several nodes, with ports and directories of their own.
    """
    from kraftpy.config.generation import CERTIFICATES, Plan, generated

    plan = Plan(
        controllers=_hosts("--controllers", controllers),
        brokers=_hosts("--brokers", brokers) if brokers else (),
        racks=_words("--racks", racks) if racks else (),
        data=_absolute("--data", data),
        keys=_absolute("--keys", keys) if tls else None,
    )
    if plan.racks and len(plan.racks) != len(plan.brokers):
        raise ArgumentError(f"--racks has {len(plan.racks)} racks for {len(plan.brokers)} brokers; name one for each")
    files = generated(plan)
    _write(Path(out), files)
    paths = [str(Path(out, name)) for name in files]
    certificates = [f"Make the certificates: sh {Path(out, CERTIFICATES)}"] if tls else []
    start = "Copy each file to its machine, then start each node: kraftpy server --config FILE"
    show(output, {"files": paths}, [*paths, *certificates, start])


def _words(option: str, text: str) -> tuple[str, ...]:
    from kraftpy.config.generation import HOSTS_MAX

    words = tuple(word.strip() for word in text.split(","))
    if not all(word and word.isprintable() for word in words):
        raise ArgumentError(f"{option} {text!r:.200}: one of the names between the commas is empty or not printable")
    if len(words) > HOSTS_MAX:
        raise ArgumentError(f"{option} has {len(words)} names; at most {HOSTS_MAX} are allowed")
    return words


def _hosts(option: str, text: str) -> tuple[str, ...]:
    from kraftpy.config.endpoints import parse_named_address

    hosts = tuple(word.removeprefix("[").removesuffix("]") for word in _words(option, text))
    for host in hosts:
        try:
            parse_named_address(f"[{host}]:1" if ":" in host else f"{host}:1")
        except ValueError as error:
            raise ArgumentError(f"{option} {host!r:.200} is no host: {error}; ports are chosen") from error
    return hosts


def _absolute(option: str, text: str) -> str:
    if not text.startswith("/") or not text.isprintable() or "," in text or text != text.strip():
        raise ArgumentError(
            f"{option} {text!r:.200} is not an absolute path without commas, control characters or blanks around it"
        )
    return os.path.normpath(text)


def _write(directory: Path, files: dict[str, str]) -> None:
    """Write all files, or none where one of them is there."""
    present = [name for name in files if (directory / name).exists()]
    if present:
        raise CommandError(f"{directory / present[0]} exists; name another --out, or remove it. Nothing was written")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (directory / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{error.filename or directory}: {error.strerror}") from error
