"""kraftpy: a replicated metadata log, compatible with Kafka's KRaft.

A quorum of *controllers* agrees on one log of typed metadata records; *brokers* and other observers follow it; every
node turns the committed log into an immutable *image* and publishes what changed. A node needs no format step: the
first active controller writes a ClusterIdRecord, and every node persists the id that it discovers (KIP-1262). The files
are Kafka's, byte for byte, and the nodes speak Kafka's protocol to each other: replication, registrations, heartbeats.

Words (all: docs/glossary.md): a *record* has an *offset*; a *batch* is what is appended and fsynced together; the *log
end offset* is the next to be written; the *high watermark* is the first that is not known to be committed; an *epoch*
has at most one *leader*; a *voter* counts in the majority, an *observer* only fetches; a *delta* is what changed
between two images; a *publisher* acts on a delta.

The packages, in reading order. Each may import those to its right and no others; import-linter checks it::

    cli > doctor > local_cluster | quorum_tools > node > runtime | disaster_recovery
        > config | transport | storage | audit | client
        > authenticator | authorizer | controller | broker | raft
        > quotas > image > records | config_keys | policies > model | pb | tracing

``model``       nouns: offsets, epochs, ids, voters, error codes, feature levels
``tracing``     spans of calls, and the port to OpenTelemetry
``records``     bytes to values and back: batches, control records, metadata records, Kafka's messages
``image``       state: one module per slice, with its delta and its replay; the loader
``quotas``      limits of clients: which applies, and for how long a client has to wait
``raft``        agreement, without I/O: ``tick``, ``step``, ``propose`` in, one ordered ``Ready`` out
``authenticator``  who a peer is: SASL, without I/O
``authorizer``  who may do what: super users and access control entries
``controller``  decisions, without I/O: a request and a state give records and a response
``broker``      the broker lifecycle, without I/O
``storage``     the disk: segments, checkpoints, quorum-state, meta.properties, recovery
``transport``   ``kafka`` is the wire between nodes, ``grpc`` the public API; both only translate
``client``      the public Python client, async first
``runtime``     the event loop and time: the driver, the order of publishers, registrations
``config_keys``  the table of config keys: type, default, allowed values, description
``policies``    the interface of the operator's rules for new topics and altered configs
``config``      ``server.properties`` to checked values
``node``        the composition root: wiring, logs, metrics
``disaster_recovery``  stopped directories: what is left of a quorum, and how it starts again
``quorum_tools``  requests to a quorum from outside of it: probe, voter changes, observer
``local_cluster``  a small cluster on one machine: directories, processes, status
``doctor``      what is wrong with a running cluster, decided from what was read of it; support bundles
``cli``         one command, ``kraftpy``, with groups named as Kafka's tools are
``audit``       the independent auditor; shares ``records`` with the service and nothing else

The path of one write is in :mod:`kraftpy.runtime`, the order of durability in :mod:`kraftpy.raft.ready`.
"""

from __future__ import annotations

__version__ = "0.1.0"
"""The one place that states it: a wheel, a release and the Helm chart have it from here."""

__commit__ = "unknown"
"""The commit that a wheel was built from: deploy/wheel/hook.py writes it into the wheel. A checkout has git to ask."""
