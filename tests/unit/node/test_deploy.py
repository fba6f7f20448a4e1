"""The files of ``deploy`` and the page that explains them: they must name the same things."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.feature_text import parse_release
from kraftpy.cli.root import COMMANDS
from kraftpy.config.listeners import ListenerConfig
from kraftpy.config.node_config import NodeConfig, load_config, parse_config
from kraftpy.local_cluster.kafka_broker import level_for
from kraftpy.model.ids import uuid_from_text
from kraftpy.transport.kafka.accepting import BACKLOG
from tests.fakes import compose
from tests.fakes.compose import Service
from tests.interop.jars import kafka_version

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = (REPOSITORY / "docs" / "deploy.md").read_text(encoding="utf-8")
UNITS = sorted((REPOSITORY / "deploy" / "systemd").glob("*.service"))
OURS = [unit for unit in UNITS if unit.stem.startswith("kraftpy-")]
KAFKA = REPOSITORY / "deploy" / "systemd" / "kafka-broker.service"
LOGROTATE = REPOSITORY / "deploy" / "logrotate" / "kraftpy"
LOGS = "/var/log/kraftpy"
CONFIGS = REPOSITORY / "deploy" / "config"
PLAINTEXT = ("speaks PLAINTEXT", "speaks plaintext", "has no TLS")
DOCKERFILE = (compose.DIRECTORY / "Dockerfile").read_text(encoding="utf-8")
SERVICES = compose.services()
CONTROLLERS = [one for one in SERVICES.values() if one.command]
BROKERS = [one for one in SERVICES.values() if not one.command]


def service(unit: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str
    parser.read(unit, encoding="utf-8")
    return parser["Service"]


def unexpected(config: NodeConfig) -> list[str]:
    """Return the warnings that an example for several machines need not have: its listeners are plaintext."""
    return [one for one in config.warnings if not any(words in one for words in PLAINTEXT)]


def test_there_are_units():
    """Nothing below passes for want of files."""
    assert [unit.stem for unit in UNITS] == ["kafka-broker", "kraftpy-broker", "kraftpy-controller"]
    assert (len(OURS), len(CONTROLLERS), len(BROKERS)) == (2, 3, 3)


@pytest.mark.parametrize("unit", OURS, ids=lambda unit: unit.stem)
def test_a_unit_starts_what_the_page_installs(unit):
    """Program, configuration, user and directories are those that the page's commands make."""
    program, command, option, path = service(unit)["ExecStart"].split()
    assert f"{Path(program).with_name('pip')} install" in PAGE
    assert (command in COMMANDS, option) == (True, "--config")
    config = CONFIGS / Path(path).name
    assert f"cp kraftpy/deploy/config/{config.name} {Path(path).parent}/" in PAGE
    assert re.search(rf"useradd .*--user-group .*{service(unit)['User']}$", PAGE, re.MULTILINE)
    assert service(unit)["User"] == service(unit)["Group"]
    assert f"systemctl enable --now {unit.stem} " in PAGE
    loaded = load_config(str(config))
    assert command in loaded.roles
    state = f"/var/lib/{service(unit)['StateDirectory']}/"
    assert all(directory.startswith(state) for directory in loaded.log.log_dirs), "ProtectSystem=strict"


@pytest.mark.parametrize("unit", OURS, ids=lambda unit: unit.stem)
def test_a_unit_waits_for_the_node_and_watches_it(unit):
    """What a node reports is taken, and SIGHUP renews its certificates."""
    section = service(unit)
    assert (section["Type"], section["NotifyAccess"]) == ("notify", "main")
    assert int(section["WatchdogSec"]) >= 30, "a loop that is blocked for some seconds is slow, and works"
    assert section["ExecReload"] == "/bin/kill -HUP $MAINPID"
    assert f"systemctl reload {OURS[1].stem}" in PAGE


@pytest.mark.parametrize("unit", OURS, ids=lambda unit: unit.stem)
def test_systemd_calls_a_unit_well_confined(unit, tmp_path):
    """A directive is dropped, or has no effect where it is; 10 is exposed, 0 is confined."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text(encoding="utf-8"), encoding="utf-8")
    judged = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout[-500:] + judged.stderr


@pytest.mark.parametrize("unit", OURS, ids=lambda unit: unit.stem)
def test_a_unit_is_not_started_again_where_that_does_not_help(unit):
    """The unit's exit codes are those of the table; the page lists each of them."""
    left = set(map(int, service(unit)["RestartPreventExitStatus"].split()))
    assert left == {ExitCode.USAGE, ExitCode.FINDINGS}
    assert service(unit)["Restart"] == "on-failure"
    reported = re.findall(r"^\| (\d) \|", PAGE, re.MULTILINE)
    assert reported == ["0", "1", "2", "3"]


def rows_for_several_machines() -> list[list[str]]:
    """Return the cells of the table: key, value on a controller, value on a broker."""
    cells = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| `[a-z.]+` \|", line)]
    rows = [row for row in cells if len(row) == 3]
    assert len(rows) >= 9
    return rows


@pytest.mark.parametrize(("column", "name"), [(1, "controller"), (2, "broker")])
def test_the_values_for_several_machines_make_a_node(column, name):
    """The table's values, put into the example, name no other host; plaintext is what it warns of."""
    rows = rows_for_several_machines()
    lines = (CONFIGS / f"{name}.properties").read_text(encoding="utf-8")
    for row in rows:
        key, value = row[0].strip(" `"), re.match(r" `(.*?)`", row[column])
        if value is not None:
            lines, count = re.subn(rf"^{re.escape(key)}=.*$", f"{key}={value[1]}", lines, flags=re.MULTILINE)
            assert count == 1, row
    assert "localhost" not in re.sub("^#.*$", "", lines, flags=re.MULTILINE)
    config = parse_config(lines, name)
    assert config.roles == frozenset({name})
    assert unexpected(config) == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_understands_a_unit(unit, tmp_path):
    """As systemd itself judges it, where there is one; the program is another one, for nothing is installed here."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze")
    copy = tmp_path / unit.name
    text = unit.read_text(encoding="utf-8")
    copy.write_text(re.sub("/opt/(kraftpy/bin/kraftpy|kafka/bin/kafka-server-start.sh)", sys.executable, text))
    judged = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, check=False)
    assert (judged.returncode, judged.stderr) == (0, "")


def test_the_logs_that_are_rotated_are_those_of_the_page():
    """The page makes their directory, lets services and shells append to files in it, and installs these rules."""
    assert re.findall(r"^(\S+) \{$", LOGROTATE.read_text(encoding="utf-8"), re.MULTILINE) == [f"{LOGS}/*.log"]
    assert f"\ninstall -d {LOGS}\n" in PAGE
    assert f"StandardError=append:{LOGS}/controller.log" in PAGE
    assert f"2>> {LOGS}/controller.log" in PAGE
    assert f"\ncp kraftpy/{LOGROTATE.relative_to(REPOSITORY)} /etc/logrotate.d/\n" in PAGE


def test_the_limits_of_the_page_are_those_of_services_and_listeners():
    """The advice on open files holds for the services, that on ``net.core.somaxconn`` for what a listener asks for."""
    (limit,) = {service(unit)["LimitNOFILE"] for unit in OURS}
    assert f"`LimitNOFILE={limit}`" in PAGE
    (row,) = re.findall(r"^\| `net.core.somaxconn` .*$", PAGE, re.MULTILINE)
    assert f"asks for {BACKLOG}, " in row


def test_the_unit_of_kafka_starts_what_the_page_installs():
    """Kafka's program, its configuration, user and directories; a JVM that SIGTERM ends has not failed."""
    unit = service(KAFKA)
    program, path = unit["ExecStart"].split()
    config = CONFIGS / Path(path).name
    assert f"cp kraftpy/deploy/config/{config.name} {Path(path).parent}/" in PAGE
    assert (unit["User"], unit["Group"]) == ("kafka", "kafka")
    assert re.search(r"useradd .*--user-group .*kafka$", PAGE, re.MULTILINE)
    storage = Path(program).with_name("kafka-storage.sh")
    assert re.search(rf"runuser -u kafka .*{storage} format -t \S+ -c {path}$", PAGE, re.MULTILINE)
    assert f"systemctl enable --now {KAFKA.stem} " in PAGE
    loaded = load_config(str(config))
    assert loaded.roles == frozenset({"broker"})
    state, logs = f"/var/lib/{unit['StateDirectory']}", f"/var/log/{unit['LogsDirectory']}"
    assert all(directory.startswith(f"{state}/") for directory in loaded.log.log_dirs), "ProtectSystem=strict"
    assert unit["Environment"] == f"LOG_DIR={logs}"
    assert f"install -d -o kafka -g kafka {state} {logs}" in PAGE
    assert unit["SuccessExitStatus"] == "143"


def test_the_broker_of_kafka_follows_the_controllers_of_the_example():
    """It has the voters of their files, which a broker of Kafka needs in a static quorum."""
    broker = load_config(str(CONFIGS / "kafka-broker.properties"))
    controller = load_config(str(CONFIGS / "controller.properties"))
    assert broker.voters == controller.voters
    assert broker.controller_listener_name == controller.controller_listener_name
    assert_internal_topics_outlive_a_broker(broker)
    lines = (CONFIGS / "kafka-broker.properties").read_text(encoding="utf-8")
    for key, there, here in rows_for_several_machines():
        name = key.strip(" `")
        if found := re.match(r" `(.*?)`", there if name == "controller.quorum.voters" else here):
            lines = re.sub(rf"^{re.escape(name)}=.*$", f"{name}={found[1]}", lines, flags=re.MULTILINE)
    assert "localhost" not in lines
    assert unexpected(parse_config(lines, "b1")) == []


def address_of(listener: ListenerConfig) -> tuple[str, int]:
    return listener.advertised.host, listener.advertised.port


def assert_internal_topics_outlive_a_broker(config: NodeConfig) -> None:
    replicated = {key: value for key, value in config.values.items() if "topic.replication" in key or "log.repl" in key}
    assert {key: value for key, value in replicated.items() if value != 3} == {}
    assert {config.values[key] for key in config.values if key.endswith(("log.min.isr", "topic.min.isr"))} == {2}


@pytest.mark.parametrize("one", CONTROLLERS, ids=lambda one: one.name)
def test_a_controller_of_the_compose_file_can_start(one: Service):
    """Its properties are kraftpy's, and name this container, all controllers and the volume."""
    (path,) = one.files
    config = parse_config(one.files[path], path)
    assert unexpected(config) == []
    assert config.roles == frozenset({"controller"})
    assert config.node_id == int(one.name.rsplit("-", 1)[1])
    assert one.definition["hostname"] == one.name
    addresses = {voter.key.node_id: voter.endpoints[0] for voter in config.voters}
    assert {address.host for address in addresses.values()} == {each.name for each in CONTROLLERS}
    listener = config.controller_listener
    assert listener is not None
    assert (listener.host, listener.port) == (one.name, 9093)
    assert listener.advertised == addresses[config.node_id]
    assert config.api.grpc_listener == (one.name, 9193)
    assert config.api.metrics_listener == (one.name, 9293)
    (volume,) = one.volumes
    assert all(directory.startswith(f"{volume}/") for directory in config.log.log_dirs)
    assert f"-d -o kraftpy -g kraftpy {volume}\n" in compose.DIRECTORY.joinpath("Dockerfile").read_text(
        encoding="utf-8"
    )
    assert config.values["default.replication.factor"] == len(BROKERS)
    assert config.values["min.insync.replicas"] == len(BROKERS) - 1
    assert list(one.ports) == [9293]
    assert ":9293/readyz" in one.definition["healthcheck"]["test"][-1]


@pytest.mark.parametrize("one", CONTROLLERS, ids=lambda one: one.name)
def test_a_controller_of_the_compose_file_is_formatted_for_its_brokers(one: Service):
    """Each start formats what is not formatted, with the id and for the release of the brokers; then it runs."""
    (path,) = one.files
    script = one.command[-1].splitlines()
    assert one.command[:-1] == ("/bin/sh", "-ec")
    assert script[1:] == [f"exec kraftpy controller --config {path}"]
    words = script[0].split()
    assert words[:4] == ["kraftpy", "storage", "format", "--ignore-formatted"]
    options = dict(zip(words[4::2], words[5::2], strict=True))
    assert options.pop("--config") == path
    assert options.pop("--cluster-id") == '"$CLUSTER_ID"'
    release = options.pop("--release-version")
    assert options == {}
    images = {broker.definition["image"] for broker in BROKERS}
    assert images == {f"apache/kafka:{kafka_version()}"}
    assert parse_release(release).level == level_for(kafka_version())


@pytest.mark.parametrize("one", BROKERS, ids=lambda one: one.name)
def test_a_broker_of_the_compose_file_finds_the_controllers(one: Service):
    """What its environment makes is a broker of the controllers' cluster, whose clients reach it here and there."""
    given = compose.kafka_properties(one.environment)
    config = parse_config("".join(f"{key}={value}\n" for key, value in given.items()), one.name)
    assert config.roles == frozenset({"broker"})
    assert config.node_id == int(one.name.rsplit("-", 1)[1])
    assert one.definition["hostname"] == one.name
    controllers = [parse_config(text, name) for each in CONTROLLERS for name, text in each.files.items()]
    assert all(config.voters == each.voters for each in controllers)
    assert all(config.controller_listener_name == each.controller_listener_name for each in controllers)
    assert one.environment["CLUSTER_ID"] == compose.document()["x-cluster"]["CLUSTER_ID"]
    assert tuple(config.log.log_dirs) == tuple(one.volumes) == ("/var/lib/kafka/data",)
    assert config.values["broker.rack"] is not None
    assert_internal_topics_outlive_a_broker(config)
    inside, published = config.broker_listeners
    assert given["inter.broker.listener.name"] == inside.name
    assert (inside.host, inside.port) == address_of(inside) == (one.name, 9092)
    assert one.ports == {published.port: ("127.0.0.1", published.port)}
    assert address_of(published) == ("localhost", published.port)
    assert f"localhost:{published.port}" in compose.FILE.read_text(encoding="utf-8").partition("\nname:")[0]
    assert set(one.definition["depends_on"]) == {each.name for each in CONTROLLERS}


def test_docker_compose_takes_the_file():
    """As Docker's plugin reads it, where there is one that the page allows; no daemon is asked."""
    if shutil.which("docker") is None:
        pytest.skip("there is no docker")
    asked = subprocess.run(["docker", "compose", "version", "--short"], capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip("docker has no plugin for compose")
    (needed,) = re.findall(r"^With Docker Compose (\S+) or newer", PAGE, re.MULTILINE)
    if version_numbers(asked.stdout) < version_numbers(needed):
        pytest.skip(f"the file needs Docker Compose {needed}, and this is {asked.stdout.strip()}")
    judged = subprocess.run(
        ["docker", "compose", "--file", str(compose.FILE), "config", "--quiet"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (judged.returncode, judged.stderr) == (0, "")


def version_numbers(version: str) -> list[int]:
    """Return 1, 2 and 3 of ``v1.2.3-desktop.1``."""
    return [int(one) for one in re.findall(r"\d+", version)[:3]]


def test_the_compose_file_refers_to_what_it_has():
    """Ids, volumes, published ports and racks are each service's own; no volume or config is left over."""
    document = compose.document()
    assert set(document["volumes"]) == {name for one in SERVICES.values() for name in one.volumes.values()}
    assert sum(len(one.volumes) for one in SERVICES.values()) == len(document["volumes"])
    assert [one["source"] for each in CONTROLLERS for one in each.definition["configs"]] == list(document["configs"])
    ports = [port for one in SERVICES.values() for address, port in one.ports.values() if address == "127.0.0.1"]
    assert len(ports) == len(set(ports)) == len(SERVICES)
    assert len({one.environment["KAFKA_BROKER_RACK"] for one in BROKERS}) == len(BROKERS)
    assert len(uuid_from_text(document["x-cluster"]["CLUSTER_ID"])) == 16
    assert {one.environment["CLUSTER_ID"] for one in SERVICES.values()} == set(document["x-cluster"].values())
    assert all(one.definition["stop_grace_period"] for one in SERVICES.values())


def test_the_image_is_built_from_all_that_a_wheel_needs():
    """What ``Dockerfile.dockerignore`` leaves out is nothing that pyproject.toml, or the Dockerfile, names."""
    # One service builds it, and the others use it.
    (build,) = [tuple(one.definition["build"].values()) for one in CONTROLLERS if "build" in one.definition]
    assert {one.definition["image"] for one in CONTROLLERS} == {"kraftpy:local"}
    context, dockerfile = build
    assert (compose.DIRECTORY / context).resolve() == REPOSITORY
    assert REPOSITORY / dockerfile == compose.DIRECTORY / "Dockerfile"
    rules = (compose.DIRECTORY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split("\n")
    kept = [rule[1:] for rule in rules if rule.startswith("!")]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    build_of_wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = ["pyproject.toml", "requirements.txt", project["project"]["readme"], *project["project"]["license-files"]]
    needed += [*build_of_wheel["packages"], *build_of_wheel["force-include"], build_of_wheel["hooks"]["custom"]["path"]]
    assert [path for path in needed if not any(path == rule or path.startswith(f"{rule}/") for rule in kept)] == []
    assert all((REPOSITORY / rule).exists() for rule in kept)
    assert "--constraint requirements.txt ." in DOCKERFILE
    # A test builds on another base; without an argument it is this one, in both stages.
    assert re.findall(r"^ARG (.*)$", DOCKERFILE, re.MULTILINE) == ["BASE=docker.io/library/python:3.13-slim"]
    assert re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE) == ["$BASE AS build", "$BASE"]
    assert DOCKERFILE.index("\nUSER kraftpy\n") < DOCKERFILE.index('\nENTRYPOINT ["kraftpy"]\n')
