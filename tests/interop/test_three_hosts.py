"""The commands of ``docs/three-hosts.md``, typed to three empty hosts: a quorum with TLS, watched by Prometheus.

In place of Grafana there is a stub of its HTTP API.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.interop.conftest import SWITCH, wanted
from tests.interop.grafana import READ, USER, Grafana
from tests.interop.hosts import Hosts, NoHostsError, check_possible, hosts
from tests.interop.prometheus import Prometheus

pytestmark = pytest.mark.timeout(400)

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "three-hosts.md"
COMMAND_TIMEOUT_S = 200.0
PATIENCE_S = 90.0
"""More than Prometheus' first two scrapes take."""
WITHOUT_VALUES = {
    "kraft_time_since_last_heartbeat_received_ms": "there are no brokers",
    'sum by (cluster, request, error) (rate(kraft_requests_total{cluster=~"main",error!="NONE"}': "no request fails",
    "kraft_grpc_call_time_ms_bucket": "no client calls a gRPC port while Prometheus looks",
    "kraftpy_limit_refused_total": "nothing goes over a limit",
}
"""What the panels that may stay empty ask for, and why."""
AS_NODE = "--tls-ca /etc/kraftpy/ca.pem --tls-cert /etc/kraftpy/controller-1.pem"
HOSTS = ("h1", "h2", "h3")
GRAFANA = "localhost:3000"
STUB = "python3 kraftpy/tests/interop/grafana.py 3000 &"


def commands() -> list[str]:
    """Every line on the page that is to be typed."""
    blocks = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def boards() -> list[dict]:
    """Both dashboards, as their files have them."""
    files = [CHECKOUT / "deploy" / "monitoring" / f"{name}.json" for name in ("quorum", "cluster")]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def expressions() -> list[str]:
    """What the panels of both dashboards ask for, with their variables."""
    found = [target["expr"] for one in boards() for panel in one["panels"] for target in panel.get("targets", ())]
    return [one.replace("$cluster", "main").replace("$__rate_interval", "1m") for one in found]


def ask(made: Hosts, *expressions: str) -> list[list[dict]]:
    """Ask Prometheus, on the machine where it runs, for each expression."""
    queries = [urllib.parse.urlencode({"query": one}) for one in expressions]
    (made.directory / "ask.py").write_text(
        "import json, urllib.request\n"
        f"answers = [urllib.request.urlopen('http://localhost:9090/api/v1/query?' + one) for one in {queries!r}]\n"
        "print(json.dumps([json.load(one) for one in answers]))\n"
    )
    answers = json.loads(made.type("python3 ask.py", COMMAND_TIMEOUT_S))
    assert {one["status"] for one in answers} == {"success"}
    return [one["data"]["result"] for one in answers]


def test_ten_commands(prometheus: Prometheus, tmp_path: Path) -> None:
    """Each succeeds, doctor finds nothing, all hosts are scraped, and the panels of the dashboards have values."""
    wanted(check_possible, "network of hosts", NoHostsError)
    wheel, *typed, serve, give_dashboards = commands()
    assert len(typed) + 3 == 10
    with hosts(tmp_path, *HOSTS) as made:
        (made.directory / "kraftpy").symlink_to(CHECKOUT)
        made.add_program(prometheus.server)
        made.type(wheel, COMMAND_TIMEOUT_S, has_internet=True)
        for line in typed:
            printed = made.type(line, COMMAND_TIMEOUT_S)
            if "kraftpy doctor" in line:
                assert "(errors: 0, warnings: 0, " in printed, printed
        secrets = made.type("ssh root@h1 ls -l /etc/kraftpy", COMMAND_TIMEOUT_S)
        assert "ca.key" not in secrets
        assert re.search(r"^-rw-r----- .* root kraftpy .* controller-1\.pem$", secrets, re.MULTILINE), secrets
        # In a host no name server answers: what is in /etc/hosts has to do.
        made.type(f"ssh root@h1 /opt/kraftpy/bin/kraftpy cluster describe -C h2:9193 {AS_NODE}", COMMAND_TIMEOUT_S)
        with in_the_background(made, serve), in_the_background(made, STUB):
            watch(made)
            made.type(f"curl -fsS --retry 50 --retry-delay 1 --retry-connrefused {GRAFANA}/api/health", PATIENCE_S)
            check_given(lambda line: made.type(line, COMMAND_TIMEOUT_S), give_dashboards)


@contextmanager
def in_the_background(made: Hosts, line: str) -> Iterator[None]:
    """Type a line that ends with ``&``, and end what it started."""
    process = made.start_typed(line)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def check_given(typed: Callable[[str], str], line: str, grafana: str = GRAFANA) -> None:
    """Type the command for Grafana, and once more, as after an upgrade: it has the dashboards of the files."""
    for version in (1, 2):
        printed = typed(line)
        assert printed.count('"status":"success"') == len(boards()), printed
        for board in boards():
            read = json.loads(typed(f"curl -fsS -u {USER} http://{grafana}{READ}{board['uid']}"))["dashboard"]
            assert read == {**board, "version": version}


@pytest.fixture
def grafana() -> Iterator[Grafana]:
    with Grafana(0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def curl(line: str, directory: Path) -> str:
    """Type a line with curl in a directory; return what was printed."""
    done = subprocess.run(["sh", "-c", line], cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_last_command_gives_grafana_both_dashboards(grafana: Grafana, tmp_path: Path) -> None:
    """Also on a machine that can have no hosts: this command needs none."""
    (tmp_path / "kraftpy").symlink_to(CHECKOUT)
    line = commands()[-1].replace(GRAFANA, grafana.address)
    assert grafana.address in line
    check_given(lambda typed: curl(typed, tmp_path), line, grafana.address)


@pytest.mark.parametrize(
    ("replaced", "by", "stated"),
    [
        ("admin:admin", "admin:other", "401"),
        ("-u admin:admin", "", "401"),
        ("application/json", "text/plain", "400"),
        ('"dashboard":', '"board":', "400"),
        ('{"overwrite"', '"overwrite"', "400"),
        ("cat ", 'sed \'1,5s/"title": .*,/"title": "",/\' ', "400"),
        ("cat ", 'sed \'1,5s/"uid": .*,/"uid": "a b",/\' ', "400"),
        ("true", "false", "412"),
        ("/db", "/dashboard", "404"),
    ],
)
def test_a_command_that_grafana_refuses_fails(
    grafana: Grafana, tmp_path: Path, replaced: str, by: str, stated: str
) -> None:
    """As curl sees it, where the dashboards are there already."""
    (tmp_path / "kraftpy").symlink_to(CHECKOUT)
    line = commands()[-1].replace(GRAFANA, grafana.address)
    curl(line, tmp_path)
    assert replaced in line
    with pytest.raises(AssertionError, match=f"The requested URL returned error: {stated}"):
        curl(line.replace(replaced, by), tmp_path)


def test_panels_name_the_data_source_that_is_chosen() -> None:
    """Grafana looks for the data source of a panel when it draws it: there is one, of Prometheus, to be chosen."""
    for board in boards():
        chosen = {one["name"] for one in board["templating"]["list"] if one["type"] == "datasource"}
        graphs = [panel for panel in board["panels"] if panel["type"] != "row"]
        sources = [one["datasource"] for panel in graphs for one in (panel, *panel["targets"])]
        assert {(one["type"], one["uid"]) for one in sources} == {("prometheus", f"${{{name}}}") for name in chosen}
        assert len(graphs) > 10


@pytest.mark.parametrize(("wish", "outcome"), [("required", pytest.fail.Exception), ("wanted", pytest.skip.Exception)])
def test_hosts_are_as_necessary_as_kafka(
    monkeypatch: pytest.MonkeyPatch, wish: str, outcome: type[BaseException]
) -> None:
    """Where Kafka is required, a machine without namespaces would else pass without the commands of the page."""
    monkeypatch.setenv(SWITCH, wish)
    monkeypatch.setattr("tests.interop.hosts.PROGRAMS", ("no-such-program",))
    with pytest.raises(outcome, match=r"network of hosts.*: no no-such-program on the PATH"):
        wanted(check_possible, "network of hosts", NoHostsError)


def watch(made: Hosts) -> None:
    """Wait until Prometheus has scraped all nodes twice: a leader, rates and what a panel shows are in its answers."""
    wait_for(lambda: nodes_not_up(made))
    leaders, firing = ask(made, "kraft_active_controller == 1", 'ALERTS{alertstate="firing"}')
    assert len(leaders) == 1
    assert firing == []
    wait_for(lambda: panels_without_values(made))


def wait_for(missing: Callable[[], object]) -> None:
    """Ask until nothing is missing, for as long as two scrapes may take."""
    deadline = time.monotonic() + PATIENCE_S
    while left := missing():
        assert time.monotonic() < deadline, left
        time.sleep(0.5)


def nodes_not_up(made: Hosts) -> object:
    """The hosts that Prometheus has not scraped, or why it does not answer."""
    try:
        (targets,) = ask(made, "up")
    except AssertionError as error:
        return str(error)[-300:]
    up = {one["metric"]["instance"] for one in targets if one["value"][1] == "1"}
    return {f"{host}:9293" for host in HOSTS} - up


def panels_without_values(made: Hosts) -> list[str]:
    """What the panels ask for that has no value, and should."""
    asked = expressions()
    assert all(any(one in expression for expression in asked) for one in WITHOUT_VALUES), "a panel is gone"
    answers = zip(asked, ask(made, *asked), strict=True)
    return [
        expression for expression, rows in answers if not rows and not any(one in expression for one in WITHOUT_VALUES)
    ]
