"""Every publisher is shown every offset once, in order: each delta builds on the image shown before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.image import LogDeltaManifest, Manifest, MetadataDelta, MetadataImage
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode


class PublishersChecker(Checker):
    """Follows the probes at both ends of the publishers' order."""

    name = "publishers"

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        before, after = probe.last.provenance.offset, image.provenance.offset
        self.require(
            delta.image is probe.last,
            "a delta stands on the image shown before",
            f"the {probe.name} of node {node.id} was shown {before}, then a delta from {delta.image.provenance}",
        )
        # A node that starts on an empty log is shown the empty image once.
        self.require(after > before or after == before == -1, "offsets rise", node.id, probe.name, before, after)
        high_watermark = node.running.replica.high_watermark
        self.require(
            high_watermark is not None and after < high_watermark, "only committed offsets are shown", node.id, after
        )
        if isinstance(manifest, LogDeltaManifest):
            self.require(manifest.provenance == image.provenance, "the manifest tells of the image", node.id, manifest)

    def after_turn(self, node: SimulatedNode) -> None:
        process = node.running
        first, last = process.probes
        self.require(first.last is last.last, "all publishers are shown the same", node.id)
        if process.state_machine.caught_up_once:
            self.require(
                process.state_machine.image is first.last, "what is published was shown to publishers", node.id
            )

    def at_end(self) -> None:
        for node in self.sim.up():
            process = node.running
            shown = process.probes[1].last.provenance.offset + 1
            self.require(shown == process.replica.high_watermark, "all that is committed was shown", node.id, shown)
