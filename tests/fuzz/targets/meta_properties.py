"""``meta.properties``."""

from __future__ import annotations

from kraftpy.model.errors import MalformedError
from kraftpy.storage.meta_properties import (
    MetaProperties,
    parse_meta_properties,
    read_meta_properties,
    render_meta_properties,
)
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with
from tests.fuzz.targets.parts import UUID

EXTRA = (("other", "x y"), ("ü=:", "\t#"))


def run(data: bytes) -> None:
    """Read it as a node does at its start; what is understood is the same after it was written again."""
    found = read_meta_properties(disk_with({"/data/meta.properties": data}), "/data")
    assert found is not None
    assert parse_meta_properties(render_meta_properties(found)) == found


def samples():
    for version in (0, 1, 2):
        found = MetaProperties(
            version=version, cluster_id="MkU3OEVBNTcwNTJENDM2Qg", node_id=7, directory_id=UUID, extra=EXTRA
        )
        yield f"version-{version}", render_meta_properties(found).encode()
    yield "no-cluster", render_meta_properties(MetaProperties(version=2, node_id=7)).encode()


TARGET = Target(
    name="meta_properties",
    run=run,
    refusals=(MalformedError,),
    samples=samples,
    words=(
        b"\\\n",
        b"\\u",
        b"\\ud83d\\ude42",
        b"\\uD800",
        b"node.id=",
        b"broker.id=",
        b"version=",
        b"=",
        b"\r\n",
        b"directory.id=",
    ),
)
