"""The ports of a new cluster can be narrowed, as a firewall may want it."""

from __future__ import annotations

import pytest

from kraftpy.local_cluster.cluster import PORTS_KEY, open_local_cluster
from kraftpy.model.errors import ConfigError


def test_ports_come_from_the_range_that_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv(PORTS_KEY, "20000-20099")
    made = open_local_cluster(tmp_path / "c", controllers=3, brokers=0)
    ports = {int(node.properties["grpc.listener"].rpartition(":")[2]) for node in made.nodes}
    assert len(ports) == 3
    assert all(20_000 <= port <= 20_099 for port in ports)


@pytest.mark.parametrize("words", ["x", "1-", "-5", "5-1", "0-10", "1-70000", "10"])
def test_a_range_that_is_none_is_refused(tmp_path, monkeypatch, words):
    monkeypatch.setenv(PORTS_KEY, words)
    with pytest.raises(ConfigError, match=f"{PORTS_KEY}={words}"):
        open_local_cluster(tmp_path / "c", controllers=1, brokers=0)
    assert not (tmp_path / "c").exists()
