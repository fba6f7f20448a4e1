"""``kraftpy support-bundle``: one file with what another person needs to look at a cluster, without secrets.

What is redacted, and the limits, are in :mod:`kraftpy.doctor.redaction` and :mod:`kraftpy.doctor.bundle`.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

import kraftpy
from kraftpy.cli.errors import ArgumentError, CommandError, UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import (
    TIMEOUT_SECONDS,
    PathParam,
    metrics_option,
    optional_connection_options,
    output_option,
)
from kraftpy.cli.output import Output, show
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.errors import ApiError

if TYPE_CHECKING:
    from kraftpy.cli.node_probes import MetricsAnswer
    from kraftpy.doctor.bundle import BundleContents, SupportBundle
    from kraftpy.doctor.facts import DoctorFacts, Fact

FILES_MAX: Final = 100
"""More configuration files, or logs, than one machine has nodes."""

LIBRARIES: Final = ("click", "crc32c", "grpcio", "immutables", "prometheus-client", "protobuf", "structlog")
TEMPORARY_PREFIX: Final = ".kraftpy-support-bundle-"
NAMED_MAX: Final = 3
"""How many parts that were left out the error names; the manifest has all."""


@examples(
    "kraftpy support-bundle --out bundle.tar.gz -C localhost:9193 --metrics localhost:9293",
    "kraftpy support-bundle --out bundle.tar.gz /etc/kraftpy/server.properties --log-file /var/log/kraftpy/node.log",
)
@click.command("support-bundle")
@click.argument("files", type=PathParam(dir_okay=False), nargs=-1, metavar="[PROPERTIES]...")
@click.option("--out", required=True, type=PathParam(), metavar="FILE", help="File to write; it must not exist.")
@click.option(
    "--log-file", "logs", multiple=True, type=PathParam(dir_okay=False), metavar="FILE",
    help="Log of a node on this machine, of which the end is added; repeatable.",
)  # fmt: skip
@metrics_option
@optional_connection_options(TIMEOUT_SECONDS)
@output_option
def support_bundle(
    *,
    files: tuple[str, ...],
    out: str,
    logs: tuple[str, ...],
    metrics: tuple[str, ...],
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    output: Output,
) -> None:
    """Write one archive for support: the findings of `kraftpy doctor`, descriptions, metrics, configuration files.

    PROPERTIES are the server.properties of nodes on this machine; their secrets are redacted, and the files of their
    log directories are listed. No record of the metadata log is read. Exits with 5 when a part could not be had; the
    manifest in the archive has the reasons.
    """
    from kraftpy.cli.bundle_files import add_directories, add_log, add_node
    from kraftpy.doctor.bundle import BundleContents, packed
    from kraftpy.runtime.clock import wall_ms

    if not (files or logs or metrics or bootstrap):
        raise ArgumentError("name a cluster (-C), or the server.properties of nodes on this machine")
    _check_paths(out, files, logs)
    contents = BundleContents()
    contents.add_json("versions.json", _versions())
    nodes = [node for number, path in enumerate(files, 1) if (node := add_node(contents, path, number)) is not None]
    addresses = dict.fromkeys((*metrics, *(node.metrics for node in nodes if node.metrics is not None)))
    _add_cluster(contents, bootstrap, timeout, tuple(addresses))
    with waiting_for(f"files of this machine are read, and {out} is written"):
        for node in nodes:
            add_directories(contents, node)
        for number, path in enumerate(logs, 1):
            add_log(contents, path, number)
        bundle = packed(contents, made_ms=wall_ms(), version=kraftpy.__version__)
        _write(out, bundle)
    _report(out, bundle, output)


def _check_paths(out: str, files: Sequence[str], logs: Sequence[str]) -> None:
    """Check, before anything is read, that the bundle can be written and that what is named is there."""
    for option, named in (("PROPERTIES", files), ("--log-file", logs)):
        if len(named) > FILES_MAX:
            raise ArgumentError(f"{option} names {len(named)} files; at most {FILES_MAX} are allowed")
        for path in named:
            if not Path(path).is_file():
                raise CommandError(f"{path}: there is no such file")
    if os.path.lexists(out):
        raise _exists(out)
    if not Path(out).absolute().parent.is_dir():
        raise CommandError(f"{out}: there is no such directory: make it, or name another file with --out")


def _versions() -> dict[str, Any]:
    from kraftpy.node.build_info import form_text

    found: dict[str, str | None] = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = None
    return {
        "kraftpy": kraftpy.__version__,
        "compiled": form_text(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "libraries": found,
    }


def _add_cluster(
    contents: BundleContents, bootstrap: tuple[str, ...] | None, timeout: float, metrics: tuple[str, ...]
) -> None:
    """Add what the cluster reports, and the metrics; these alone where no cluster was named or none responds."""
    from kraftpy.cli.doctor_reading import read_cluster
    from kraftpy.cli.node_probes import read_metrics

    answers: Mapping[str, Fact[MetricsAnswer]] | None = None
    if bootstrap is None:
        contents.leave_out("cluster", "no address was named (-C)", was_asked_for=False)
    else:
        try:
            reading = read_cluster(bootstrap, timeout, metrics)
        except (UnreachableError, ApiError) as error:
            contents.leave_out("cluster", str(error))
        else:
            answers = reading.metrics
            _add_facts(contents, reading.facts)
    if answers is None:
        with waiting_for("the metrics of nodes are read"):
            answers = asyncio.run(read_metrics(metrics))
    for address, answer in answers.items():
        if answer.value is None:
            contents.leave_out(f"metrics of {address}", answer.reason)
        else:
            contents.add(f"metrics/{re.sub(r'[^0-9A-Za-z.-]', '_', address)}.txt", answer.value.text)


def _add_facts(contents: BundleContents, facts: DoctorFacts) -> None:
    from kraftpy.cli.cluster_text import as_json
    from kraftpy.cli.features import feature_rows
    from kraftpy.cli.quorum_text import replication_rows
    from kraftpy.doctor.checks import examine

    cluster = facts.cluster.known
    contents.add_json("doctor.json", examine(facts).as_json())
    contents.add_json("cluster.json", as_json(cluster, facts.quorum.value))
    if facts.quorum.value is None:
        contents.leave_out("quorum.json", facts.quorum.reason)
    else:
        contents.add_json("quorum.json", replication_rows(facts.quorum.value))
    if facts.features.value is None:
        contents.leave_out("features.json", facts.features.reason)
    else:
        contents.add_json("features.json", feature_rows(facts.features.value))
    counts: dict[str, int | None] = {"brokerCount": len(cluster.brokers), "controllerCount": len(cluster.controllers)}
    topics = None if facts.topics.value is None else facts.topics.value.topics
    if topics is None:
        contents.leave_out("counts of topics", facts.topics.reason)
    counts["topicCount"] = None if topics is None else len(topics)
    counts["partitionCount"] = None if topics is None else sum(topic.partition_count for topic in topics)
    contents.add_json("counts.json", counts)


def _write(out: str, bundle: SupportBundle) -> None:
    """Make the file appear complete, for its owner alone, under a name that is free.

    Raises:
        CommandError: the name is taken, or the file cannot be written.
    """
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=Path(out).absolute().parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(bundle.data)
                file.flush()
                os.fsync(file.fileno())
            Path(out).hardlink_to(temporary)  # a link replaces nothing, and follows none
        finally:
            Path(temporary).unlink()
    except FileExistsError as error:
        raise _exists(out) from error
    except OSError as error:
        raise CommandError(
            f"{out} cannot be written: {error.strerror}; name a file in another directory with --out"
        ) from error


def _exists(out: str) -> CommandError:
    return CommandError(f"{out} exists: name another file with --out, or remove it")


def _report(out: str, bundle: SupportBundle, output: Output) -> None:
    """Print what was written.

    Raises:
        CommandError: something was left out that was asked for.
    """
    members, left_out = bundle.manifest["members"], bundle.manifest["leftOut"]
    redacted = sum(one["keyCount"] for one in bundle.manifest["redacted"])
    lines = [
        f"{out}: {len(members)} members, {len(bundle.data)} bytes; {redacted} values of configuration keys redacted",
        "Names of hosts and directories are in it: look through it before you send it (tar xzf).",
    ]
    show(output, {"file": out, "bytes": len(bundle.data), **bundle.manifest}, lines)
    missing = [f"{one['part']}: {one['reason']}" for one in left_out if one["wasAskedFor"]]
    if missing:
        more = f"; and {len(missing) - NAMED_MAX} more" if len(missing) > NAMED_MAX else ""
        named = "; ".join(missing[:NAMED_MAX])
        raise CommandError(f"{out} was written without {len(missing)} parts: {named}{more}", ExitCode.INCOMPLETE)
