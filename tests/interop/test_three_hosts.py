"""The commands of ``docs/three-hosts.md``, typed to three empty hosts: a quorum with TLS, watched by Prometheus."""

from __future__ import annotations

import json
import re
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interop.conftest import SWITCH, wanted
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


def commands() -> list[str]:
    """Every line on the page that is to be typed."""
    blocks = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def expressions() -> list[str]:
    """What the panels of both dashboards ask for, with their variables."""
    found = []
    for name in ("quorum", "cluster"):
        dashboard = json.loads((CHECKOUT / "deploy" / "monitoring" / f"{name}.json").read_text(encoding="utf-8"))
        found += [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
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
    wheel, *typed, serve, _grafana = commands()
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
        server = made.start_typed(serve)
        try:
            watch(made)
        finally:
            server.terminate()
            server.wait()


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
