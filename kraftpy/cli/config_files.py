"""``kraftpy config``: write the files of a new cluster's nodes, and check files, each and against each other.

Nothing is asked of a running node: ``kraftpy configs`` does that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.overrides import override_option, own_environment
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.config.settings import NO_OVERRIDES
from kraftpy.model.errors import ConfigError
from kraftpy.model.escaping import escaped

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
@override_option
@output_option
def check(files: tuple[str, ...], overrides: Mapping[str, str], output: Output) -> None:
    """Check files, each by itself and all against each other; exit with 3 when one cannot work.

    Several files are those of one cluster: node ids, voters, addresses, ports and directories of one machine, listener
    names and everything that whichever controller is active decides by have to agree. The files need not be on this
    machine's paths, and no name is looked up.
    """
    from kraftpy.config.agreement import disagreements

    names = tuple({os.path.realpath(name): name for name in reversed(files)}.values())[::-1]
    if len(names) > FILES_MAX:
        raise ArgumentError(f"{len(names)} files; at most {FILES_MAX} are checked together")
    if overrides and len(names) > 1:
        raise ArgumentError(f"--override is for one file, and {len(names)} are named: check each with its own values")
    found: list[dict[str, Any]] = []
    read: list[NodeConfig] = []
    # What this process has in its environment belongs to one node.
    environment = own_environment() if len(names) == 1 else NO_OVERRIDES
    for name in names:
        one = _read(name, overrides, environment, found)
        if one is not None:
            read.append(one)
            found += [_row("warning", [name], text) for text in one.warnings]
    for each in disagreements(read, are_all=len(read) == len(names)):
        severity = "error" if each.is_error else "warning"
        found.append(_row(severity, each.sources, each.what, each.way_out))
    errors = sum(1 for row in found if row["severity"] == "error")
    summary = f"files: {len(names)}, errors: {errors}, warnings: {len(found) - errors}"
    show(output, {"files": list(names), "errorCount": errors, "findings": found}, [*map(_line, found), summary])
    if errors:
        raise SystemExit(ExitCode.FINDINGS)


def _read(
    name: str, overrides: Mapping[str, str], environment: Mapping[str, str], found: list[dict[str, Any]]
) -> NodeConfig | None:
    """Read a file, or note why it cannot be used.

    Raises:
        CommandError: it cannot be read at all.
    """
    from kraftpy.config.agreement import UNKNOWN_HOST
    from kraftpy.config.node_config import parse_config, read_config_text

    if not Path(name).exists():
        raise CommandError(f"{name}: there is no such file")
    try:
        return parse_config(read_config_text(name), name, overrides, environment, local_host=lambda: UNKNOWN_HOST)
    except ConfigError as error:
        found.append(_row("error", [name], str(error)))
        return None


def _row(severity: str, files: Sequence[str], what: str, way_out: str | None = None) -> dict[str, Any]:
    return {"severity": severity, "files": list(files), "message": what, "fix": way_out}


def _line(row: dict[str, Any]) -> str:
    return escaped("; ".join(filter(None, (f"{row['severity']}: {row['message']}", row["fix"]))))


@examples(
    "kraftpy config generate --controllers c1,c2,c3 --brokers b1,b2,b3 --racks a,b,c --out kraftpy-config",
    "kraftpy config generate --controllers c1,c2,c3 --tls --out kraftpy-config",
)
@config.command("generate")
@click.option("--controllers", required=True, metavar="HOSTS", help="Host of each controller, comma-separated.")
@click.option("--brokers", default="", metavar="HOSTS", help="Host of each broker, comma-separated. Default: none.")
@click.option("--racks", default="", metavar="RACKS", help="Rack of each broker, comma-separated. Default: none.")
@click.option("--data", default=DATA, show_default=True, metavar="DIR", help="Directory of each machine for data.")
@click.option(
    "--tls",
    is_flag=True,
    help="TLS where nodes and clients connect, and a script that makes certificates with openssl.",
)
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
    from kraftpy.config.generation import CERTIFICATES, ClusterPlan, generated

    if not tls and click.get_current_context().get_parameter_source("keys") is ParameterSource.COMMANDLINE:
        raise ArgumentError("--keys is for --tls: name both, or neither")
    plan = ClusterPlan(
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
    if not all(word and word.isprintable() and "\\" not in word for word in words):
        raise ArgumentError(
            f"{option} {text!r:.200}: one of the names between the commas is empty, not printable, or has a backslash"
        )
    if len(words) > HOSTS_MAX:
        raise ArgumentError(f"{option} has {len(words)} names; at most {HOSTS_MAX} are allowed")
    return words


def _hosts(option: str, text: str) -> tuple[str, ...]:
    from kraftpy.config.generation import checked_host

    try:
        return tuple(map(checked_host, _words(option, text)))
    except ValueError as error:
        raise ArgumentError(f"{option}: {error}") from error


def _absolute(option: str, text: str) -> str:
    if not text.startswith("/") or not text.isprintable() or set(text) & set(",\\") or text != text.strip():
        raise ArgumentError(
            f"{option} {text!r:.200} is not an absolute path without commas, backslashes, control characters "
            "and blanks around it"
        )
    return os.path.normpath(text)


def _write(directory: Path, files: dict[str, str]) -> None:
    """Write all files, or none."""
    written: list[Path] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = directory / name
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            path.unlink()
        exists = isinstance(error, FileExistsError)
        way_out = "; name another --out, or remove it. Nothing was written" if exists else ". Nothing was written"
        raise CommandError(f"{error.filename or directory}: {error.strerror}{way_out}") from error
