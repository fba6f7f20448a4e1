"""A sandbox: the directories, ports and configuration files of a small cluster on one machine.

``quickstart`` and the tests start clusters from it. The configuration files are authoritative: an existing sandbox is
opened unchanged, ports included, so that a restarted cluster continues where it was.

Layout::

    <root>/controller-1/server.properties   and   data/   node.log
    <root>/broker-4/server.properties       and   data-0/ data-1/   node.log
    <root>/kafka-broker-4/server.properties and   data/   log4j2.properties   node.log

A released Kafka reads no log at kraftpy's default metadata.version. The directories of a cluster with Kafka brokers are
therefore formatted when they are made, all with one cluster id, at a level that the brokers know.
"""

from __future__ import annotations

import contextlib
import enum
import os
import re
import secrets
import socket
import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from kraftpy.config.node_config import parse_config
from kraftpy.local_cluster.kafka_broker import KAFKA_BROKERS_MAX, LOG4J, LOG4J_FILE, broker_properties
from kraftpy.model.errors import ConfigError, MalformedError, StorageError
from kraftpy.model.features import BY_LEVEL, METADATA_VERSION
from kraftpy.model.ids import uuid_from_random, uuid_to_text
from kraftpy.records.metadata import FeatureLevelRecord
from kraftpy.records.properties import parse_properties, render_properties
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import FileSystem, RealFileSystem
from kraftpy.storage.format import FormatRequest, format_directories
from kraftpy.storage.os_errors import sync_names

CONTROLLERS_MAX = 9
BROKERS_MAX = 100
HOST = "127.0.0.1"
PORT_MAX = 65_535
PORTS_KEY = "KRAFTPY_SANDBOX_PORTS"
"""The environment variable that narrows the ports of a new cluster: ``first-last``."""

PORTS = range(10_240, 32_768)
"""Below the range that Linux takes the ports of outgoing connections from: one of those could sit on the port of a node
that is stopped, and it would not start again."""

PORT_DRAWS_MAX = 10_000
PORTS_REMEMBERED = 200
_latest: deque[int] = deque(maxlen=PORTS_REMEMBERED)
"""The ports that this process assigned to sandboxes last: they may not be bound yet when the next sandbox is
created."""

BROKER_LOG_DIRS = 2
"""Every broker gets two log directories, so that all of them are seen to carry the cluster id."""


RESERVE_BYTES = 1 << 20
"""The reserve of each node: a cluster for trying things is to take little space and start soon."""


class NodeKind(enum.Enum):
    """What a node of the sandbox is."""

    CONTROLLER = "controller"
    BROKER = "broker"
    KAFKA_BROKER = "kafka-broker"
    """A broker of a stock Kafka, in a JVM."""


@dataclass(frozen=True, slots=True)
class LocalNode:
    """One node: where its files are, and where it listens."""

    node_id: int
    kind: NodeKind
    directory: Path
    properties: dict[str, str]

    @property
    def name(self) -> str:
        """Return such as ``controller-1``."""
        return f"{self.kind.value}-{self.node_id}"

    @property
    def config_file(self) -> Path:
        """The node's server.properties."""
        return self.directory / "server.properties"

    @property
    def log_file(self) -> Path:
        """Where the node's output goes."""
        return self.directory / "node.log"

    @property
    def log_dirs(self) -> tuple[Path, ...]:
        """Every directory that carries a meta.properties."""
        return tuple(Path(text) for text in self.properties["log.dirs"].split(","))

    @property
    def grpc_endpoint(self) -> str | None:
        """Where the public API listens, as host:port."""
        return self.properties.get("grpc.listener")

    @property
    def metrics_endpoint(self) -> str | None:
        """Where metrics and health are served over HTTP, as host:port."""
        return self.properties.get("metrics.listener")

    @property
    def kafka_endpoint(self) -> str:
        """Where it listens for Kafka's protocol, as host:port: the quorum's listener on a controller."""
        first = self.properties["listeners"].partition(",")[0]
        address = first.partition("://")[2].strip()
        return HOST + address if address.startswith(":") else address


@dataclass(frozen=True, slots=True)
class LocalCluster:
    """A cluster on this machine."""

    root: Path
    nodes: tuple[LocalNode, ...]

    @property
    def controllers(self) -> tuple[LocalNode, ...]:
        """The quorum, ascending by id."""
        return tuple(node for node in self.nodes if node.kind is NodeKind.CONTROLLER)

    @property
    def brokers(self) -> tuple[LocalNode, ...]:
        """The brokers, kraftpy's or Kafka's, ascending by id."""
        return tuple(node for node in self.nodes if node.kind is not NodeKind.CONTROLLER)

    @property
    def kafka_brokers(self) -> tuple[LocalNode, ...]:
        """Those of the brokers that are Kafka's."""
        return tuple(node for node in self.nodes if node.kind is NodeKind.KAFKA_BROKER)

    @property
    def bootstrap_servers(self) -> str:
        """What clients of the Kafka brokers take as ``bootstrap.servers``; empty where there are none."""
        return ",".join(node.kafka_endpoint for node in self.kafka_brokers)

    @property
    def racks(self) -> frozenset[str]:
        """The racks that brokers are in."""
        return frozenset(rack for node in self.brokers if (rack := node.properties.get("broker.rack")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How many of each a new cluster has."""

    controllers: int
    brokers: int
    kafka_brokers: int
    racks: int

    def check(self) -> None:
        """Check every number.

        Raises:
            ConfigError: one is out of its range; the text names the option.
        """
        brokers = self.brokers + self.kafka_brokers
        for option, number, least, most in (
            ("--controllers", self.controllers, 1, str(CONTROLLERS_MAX)),
            ("--brokers", self.brokers, 0, str(BROKERS_MAX)),
            ("--kafka-brokers", self.kafka_brokers, 0, str(KAFKA_BROKERS_MAX)),
            ("--racks", self.racks, 0, f"{brokers}, the number of brokers"),
        ):
            if not least <= number <= int(most.partition(",")[0]):
                raise ConfigError(f"{option} {number}: expected {least} to {most}")


def open_local_cluster(
    root: Path,
    *,
    controllers: int | None,
    brokers: int | None,
    kafka_brokers: int | None = None,
    racks: int | None = None,
    extra: dict[str, str] | None = None,
    level: int | None = None,
) -> LocalCluster:
    """Open the sandbox in ``root``, or create one there.

    Args:
        root: an empty or missing directory, or one that an earlier call made.
        controllers: how many; ``None`` takes what is there, or 3.
        brokers: how many; ``None`` takes what is there, or 3; none where there are to be Kafka brokers.
        kafka_brokers: how many stock Kafka brokers; ``None`` takes what is there, or none.
        racks: how many the brokers are in; ``None`` takes what is there, or no rack.
        extra: properties to add to every node of a new sandbox.
        level: the metadata.version that the directories of a new sandbox are formatted for, and that those of an
            existing one must not be above; ``None`` leaves new ones empty, as kraftpy's nodes need no format.

    Raises:
        ConfigError: the directory holds something else, or a sandbox of another size or of a newer level.
    """
    existing = _read(root.absolute())
    if existing is None:
        brokers_by_default = 0 if kafka_brokers else 3
        sizes = Sizes(
            controllers=3 if controllers is None else controllers,
            brokers=brokers_by_default if brokers is None else brokers,
            kafka_brokers=kafka_brokers or 0,
            racks=racks or 0,
        )
        return _create(root, sizes, extra or {}, level)
    ours = len(existing.brokers) - len(existing.kafka_brokers)
    for wanted, found, what in (
        (controllers, len(existing.controllers), "controllers"),
        (brokers, ours, "brokers"),
        (kafka_brokers, len(existing.kafka_brokers), "kafka-brokers"),
        (racks, len(existing.racks), "racks"),
    ):
        if wanted is not None and wanted != found:
            raise ConfigError(
                f"{root} holds a cluster with {found} {what}, not {wanted}: "
                f"leave --{what} out to start it as it is, or name another --dir"
            )
    if level is not None:
        _check_level(existing, level)
    return existing


def find_local_cluster(root: Path) -> LocalCluster | None:
    """Open the sandbox in ``root``, ``None`` when the directory is empty or missing; nothing is created.

    Raises:
        ConfigError: the directory holds something else.
    """
    return _read(root.absolute())


def read_local_cluster(root: Path) -> LocalCluster:
    """Open the sandbox in ``root``; nothing is created.

    Raises:
        ConfigError: there is none.
    """
    found = _read(root.absolute())
    if found is None:
        what = "holds no cluster" if root.exists() else "there is no such directory"
        raise ConfigError(f"{root}: {what}; name the --dir of a `kraftpy quickstart`")
    return found


def _read(root: Path) -> LocalCluster | None:
    if not root.exists():
        return None
    if not root.is_dir():
        raise ConfigError(f"{root} is not a directory: name another --dir")
    nodes = []
    for directory in sorted(root.iterdir()):
        match = re.fullmatch(r"(controller|broker|kafka-broker)-(\d+)", directory.name)
        if match is None:
            continue
        config = directory / "server.properties"
        if not config.is_file():
            raise ConfigError(f"{config} is missing: put it back, or name an empty or new --dir")
        properties = _properties(config)
        nodes.append(LocalNode(int(match[2]), NodeKind(match[1]), directory, properties))
    if nodes:
        return LocalCluster(root, tuple(sorted(nodes, key=lambda node: node.node_id)))
    if any(root.iterdir()):
        raise ConfigError(f"{root} is not empty and holds no cluster: name an empty or new --dir")
    return None


def _properties(config: Path) -> dict[str, str]:
    """Read a node's file; it must contain the keys that identify a sandbox."""
    way_out = "Mend the file, or name another --dir."
    try:
        properties = parse_properties(config.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{config}: is not UTF-8 at byte {error.start}. {way_out}") from error
    except MalformedError as error:
        raise ConfigError(f"{config}: {error}. {way_out}") from error
    missing = next((key for key in ("listeners", "log.dirs") if not properties.get(key)), None)
    if missing is not None:
        raise ConfigError(f"{config}: {missing} is missing. {way_out}")
    return properties


def _create(root: Path, sizes: Sizes, extra: dict[str, str], level: int | None) -> LocalCluster:
    sizes.check()
    root = root.resolve() if root.is_symlink() else root.absolute()
    _check_directories(root, sizes, extra)
    nodes = _plan(root, sizes, extra)
    for node in nodes:
        # A property that no node would start with is refused now, not found in the directory for ever.
        if node.kind is not NodeKind.KAFKA_BROKER:
            parse_config(render_properties(node.properties), node.name)
    # All of it appears in one step: an interrupted start never leaves what would pass for a smaller cluster. What the
    # nodes will write is durable only if the directories that it is in are.
    fs = RealFileSystem()
    try:
        make_directory_durably(fs, str(root.parent))
        with tempfile.TemporaryDirectory(prefix=f".{root.name}-", dir=root.parent, ignore_cleanup_errors=True) as made:
            whole = Path(made) / root.name
            for node in nodes:
                directory = whole / node.name
                make_directory_durably(fs, str(directory))
                text = render_properties(node.properties, comment=node.name)
                replace_file(fs, str(directory / node.config_file.name), text.encode())
                if node.kind is NodeKind.KAFKA_BROKER:
                    replace_file(fs, str(directory / LOG4J_FILE), LOG4J.encode())
            if level is not None:
                _format(fs, LocalCluster(root, nodes), whole, level)
            whole.rename(root)
            sync_names(fs, str(root.parent))
    except (OSError, StorageError) as error:
        cause = error.__cause__ if isinstance(error, StorageError) else error
        raise ConfigError(
            f"{root} cannot be made: {getattr(cause, 'strerror', None) or error}. Name a --dir that does not exist "
            "yet, in a directory that you may write to."
        ) from error
    return LocalCluster(root, nodes)


def _check_directories(root: Path, sizes: Sizes, extra: dict[str, str]) -> None:
    """Check that the log directories of a new cluster will be those below its root, one set for each node.

    Raises:
        ConfigError: ``log.dirs`` would name others, of kraftpy's nodes or of Kafka's; the text names the option.
    """
    if "," in str(root):
        raise ConfigError(
            f"--dir {root}: a comma separates directories in the nodes' log.dirs, so they would write elsewhere; name "
            "a --dir without a comma in its absolute path"
        )
    for key in ("log.dirs", "metadata.log.dir"):
        if sizes.kafka_brokers and key in extra:
            raise ConfigError(
                f"--property {key}={extra[key]}: the directories of a cluster with Kafka brokers are formatted below "
                "--dir, for each node its own; leave the property out"
            )


def _format(fs: FileSystem, cluster: LocalCluster, made: Path, level: int) -> None:
    """Format the log directories of a cluster, which are still below ``made``, with a cluster id of its own."""
    cluster_id = uuid_to_text(uuid_from_random(os.urandom))
    for node in cluster.nodes:
        directories = tuple(str(made / path.relative_to(cluster.root)) for path in node.log_dirs)
        request = FormatRequest(
            node_id=node.node_id,
            directories=directories,
            metadata_directory=directories[0],
            metadata_version=level,
            cluster_id=cluster_id,
        )
        format_directories(fs, request, os.urandom)


def _check_level(cluster: LocalCluster, level: int) -> None:
    """Check that brokers that follow levels up to ``level`` can register with a cluster of an earlier start.

    The level of the format is compared. ``features upgrade`` may have raised the cluster's level since: brokers that
    are too old for that one only are not found here, but say it in their logs.

    Raises:
        ConfigError: they are too old; the text has both levels.
    """
    formatted = _formatted_level(cluster)
    if formatted is not None and formatted > level:
        version = BY_LEVEL.get(formatted)
        raise ConfigError(
            f"{cluster.root} was formatted for metadata.version {version or formatted}, and the brokers of this Kafka "
            f"know up to {BY_LEVEL[level]}: they could not register. Name "
            f"{f'Kafka {version.release} or newer' if version else 'a newer Kafka'} with --kafka-home or in "
            "KAFKA_HOME, or name another --dir"
        )


def _formatted_level(cluster: LocalCluster) -> int | None:
    """Return the metadata.version that the directories are formatted for; ``None`` where no directory has it."""
    for node in cluster.controllers:
        try:
            records = read_bootstrap(RealFileSystem(), str(node.log_dirs[0]))
        except StorageError:
            # The node reports its fault itself, where it matters; the others have the same level.
            continue
        for record in records or ():
            if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
                return record.feature_level
    return None


def _plan(root: Path, sizes: Sizes, extra: dict[str, str]) -> tuple[LocalNode, ...]:
    """Choose ids, ports, racks and properties; nothing is written."""
    controllers, brokers = sizes.controllers, sizes.brokers + sizes.kafka_brokers
    ports = free_ports(3 * (controllers + brokers))
    quorum = {node_id: ports.pop() for node_id in range(1, controllers + 1)}
    common = {
        "controller.quorum.voters": ",".join(f"{node_id}@{HOST}:{port}" for node_id, port in quorum.items()),
        "controller.listener.names": "CONTROLLER",
    }
    nodes = []
    for number, kind in enumerate(_kinds(sizes)):
        node_id = number + 1
        directory = root / f"{kind.value}-{node_id}"
        properties = {
            "process.roles": "controller" if kind is NodeKind.CONTROLLER else "broker",
            "node.id": str(node_id),
            **common,
        }
        if kind is NodeKind.KAFKA_BROKER:
            properties |= broker_properties(sizes.kafka_brokers, f"{HOST}:{ports.pop()}")
        else:
            properties |= {"grpc.listener": f"{HOST}:{ports.pop()}", "metrics.listener": f"{HOST}:{ports.pop()}"}
        if kind is NodeKind.CONTROLLER:
            properties["listeners"] = f"CONTROLLER://{HOST}:{quorum[node_id]}"
            properties["metadata.log.reserve.bytes"] = str(RESERVE_BYTES)
        elif kind is NodeKind.BROKER:
            properties["listeners"] = f"PLAINTEXT://{HOST}:{ports.pop()}"
            properties["log.dir.reserve.bytes"] = str(RESERVE_BYTES)
        properties["log.dirs"] = ",".join(str(directory / name) for name in _directory_names(kind))
        if sizes.racks and kind is not NodeKind.CONTROLLER:
            properties["broker.rack"] = f"rack-{1 + (number - controllers) % sizes.racks}"
        nodes.append(LocalNode(node_id, kind, directory, properties | extra))
    return tuple(nodes)


def _kinds(sizes: Sizes) -> list[NodeKind]:
    """Return the kind of each node, ascending by id."""
    return [
        *[NodeKind.CONTROLLER] * sizes.controllers,
        *[NodeKind.BROKER] * sizes.brokers,
        *[NodeKind.KAFKA_BROKER] * sizes.kafka_brokers,
    ]


def _directory_names(kind: NodeKind) -> tuple[str, ...]:
    """Return the log directories of a node, below its own."""
    return tuple(f"data-{n}" for n in range(BROKER_LOG_DIRS)) if kind is NodeKind.BROKER else ("data",)


def free_ports(count: int) -> list[int]:
    """Find unused ports; all are held until all are found, so none is returned twice."""
    choice = _port_range(os.environ.get(PORTS_KEY))
    with contextlib.ExitStack() as stack:
        ports: list[int] = []
        for _ in range(PORT_DRAWS_MAX):
            if len(ports) == count:
                _latest.extend(ports)
                return ports
            port = choice[secrets.randbelow(len(choice))]
            if port in _latest:
                continue
            holder = stack.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                holder.bind((HOST, port))
                ports.append(port)
    raise ConfigError(f"{count} free ports were not found between {choice[0]} and {choice[-1]} on {HOST}")


def _port_range(words: str | None) -> range:
    """Read the ports to choose from."""
    if not words:
        return PORTS
    first, _, last = words.partition("-")
    if not (first.isascii() and first.isdigit() and last.isascii() and last.isdigit()):
        raise ConfigError(f"{PORTS_KEY}={words}: expected first-last, such as {PORTS[0]}-{PORTS[-1]}")
    if not 1 <= int(first) <= int(last) <= PORT_MAX:
        raise ConfigError(f"{PORTS_KEY}={words}: allowed are ports from 1 to {PORT_MAX}, the lower one first")
    return range(int(first), int(last) + 1)
