"""The metadata as values: the content of the committed log, at every offset.

Committed records become immutable images; a delta describes what changed from one image to the next; an image becomes
records again for a snapshot. This is the only place where a record changes state, and the same code runs on active
controllers, standbys and brokers. It knows no quorums, requests, files, sockets or clocks.

Reading order: ``provenance``, ``errors``, ``changes`` (pending changes to a map); the slices, one module each:
``features`` (the smallest with all parts), ``topics`` with ``partitions`` (the richest), ``cluster`` with
``registrations``, ``configs``, ``cluster_id``, ``broker_hosts``, ``client_quotas``, ``producer_ids``, ``acls``,
``scram``, ``delegation_tokens``, ``unknown`` (what no other replays); ``image``, ``delta``, ``loader``,
``publishing``; ``writer`` (an image in records again) with ``ordering``, and ``digest``; ``partition_counts`` with
``min_isr`` (figures for metrics), ``troubled_partitions`` (which ones they are about).

Invariants:

* An image never changes. Equal logs give equal images, and equal images give the same snapshot bytes.
* Replay from the beginning, replay from a snapshot and the records that follow it, and applying deltas one by one all
  lead to the same image.
* No record of a transaction is visible before its End, and no record of an incomplete batch at all.
* Records that an image cannot hold are counted, and such an image is not written.
* No text made here contains a credential, a token or a configured value.

Divergences from Kafka:

* A record that does not replay stops the loader. Kafka reports it and goes on without it.
* After an Abort the delta starts empty. Kafka's still holds the aborted records if more records follow at once.
* Records and tagged fields that are not known are counted, and forbid a snapshot. Kafka stops at an unknown record.
* A ZooKeeper migration state of "none" is not written, as in Kafka from 4.0 on.
* Snapshots are sorted within each kind of record.

A million small ConfigRecords load in 3 to 6 seconds and take 110 to 250 MB, depending on how many resources they belong
to (``bench/micro_image.py``), if the garbage collector is off meanwhile and the result is frozen: the runtime does so.
Nothing here forms reference cycles, so that old images are freed without the collector.

Sources: Kafka ``org.apache.kafka.image``; KIP-631, KIP-868, KIP-1262.
"""

from __future__ import annotations

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import MetadataLossError, OnLoss, ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id
from kraftpy.image.loader import MetadataLoader, SnapshotLoading
from kraftpy.image.provenance import NOWHERE, Provenance
from kraftpy.image.publishing import LogDeltaManifest, Manifest, MetadataPublisher, Publication, SnapshotManifest
from kraftpy.image.writer import image_records, snapshot_groups

__all__ = [
    "EMPTY",
    "NOWHERE",
    "LogDeltaManifest",
    "Manifest",
    "MetadataDelta",
    "MetadataImage",
    "MetadataLoader",
    "MetadataLossError",
    "MetadataPublisher",
    "OnLoss",
    "Provenance",
    "Publication",
    "ReplayError",
    "SnapshotLoading",
    "SnapshotManifest",
    "check_cluster_id",
    "image_records",
    "snapshot_groups",
]
