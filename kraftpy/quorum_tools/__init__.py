"""Requests to a quorum from outside of it, for the command line.

Purpose: to check addresses, describe and change a quorum's voters, decide whether a node can be stopped, and copy a
quorum's log as an observer; over Kafka's protocol, where nothing else is said.
Must not depend on: this machine's nodes or their configuration. The quorum may be Kafka's own.

Reading order: ``streams``, ``port_kinds`` and ``port_probe`` (what is at an address), ``access`` (connections with TLS
and SASL), ``public_api`` (where controllers serve gRPC), ``probe`` (whether an address is a controller, and of which
cluster), ``quorum_admin`` (changes of the voter set), ``ok_to_stop`` (a pure decision about one voter),
``voter_change_checks`` (whether the leader would accept a change), ``broker_stop`` (a decision about a broker and its
partitions), ``reassignment_plan`` (one about all partitions), ``replication_throttle`` (the
configs that limit what it moves), ``rolling`` (a pure decision about which node is restarted next), ``observer`` (a
copy of the log), ``migration`` (a pure decision about the next step when controllers are replaced),
``migration_checks`` (what is in the way of that) and ``static_configs`` (what a node of Kafka says of its own file).

Invariants:

* A change of the voter set is sent at most once. After a timeout its outcome is unknown, and the error states that.
* An observer has no node id: the leader counts it in no majority and keeps no progress for it.

Source: KIP-595 §Observers; KIP-836; KIP-853; KIP-919.
"""
