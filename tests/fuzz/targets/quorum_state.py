"""``quorum-state``, and the JSON file beside it that a clean shutdown leaves."""

from __future__ import annotations

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.voters import ReplicaKey
from kraftpy.records.quorum_state import parse_quorum_state, render_quorum_state
from kraftpy.storage.clean_shutdown import take_clean_shutdown
from kraftpy.storage.names import CLEAN_SHUTDOWN
from kraftpy.storage.quorum_state import read_quorum_state
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with
from tests.fuzz.targets.parts import UUID


def run(data: bytes) -> None:
    """Read it as a node does at its start; nothing but a StorageError, and what is understood can be written again."""
    disk = disk_with({"/data/quorum-state": data, f"/data/{CLEAN_SHUTDOWN}": data})
    take_clean_shutdown(disk, ["/data"])
    state = read_quorum_state(disk, "/data/quorum-state")
    assert parse_quorum_state(render_quorum_state(state, version=1)) == state


def samples():
    for name, state in {
        "empty": ElectionState(),
        "led": ElectionState(epoch=7, leader_id=2),
        "voted": ElectionState(epoch=9, voted_key=ReplicaKey(3, UUID)),
    }.items():
        for version in (0, 1):
            text = render_quorum_state(state, version=version, current_voters=(1, 2, 3))
            yield f"{name}-{version}", text.encode()
    yield "clean-shutdown", b'{"version":0,"brokerEpoch":7}'


TARGET = Target(
    name="quorum_state",
    run=run,
    refusals=(MalformedError, StorageError),
    samples=samples,
    words=(
        b"{",
        b"[",
        b'"',
        b"\\ud800",
        b'"data_version":1',
        b"NaN",
        b"1e999",
        b"\r",
        b"\x0b",
        b"\n",
        b"null",
        b"-1",
        b'"a":{',
    ),
)
