"""A small cluster on this machine: its directories, processes and status, for ``kraftpy quickstart`` and the tests.

Purpose: to lay out directories, ports and configuration files of several nodes, run each node as a child process, and
read what the nodes report.
Must not depend on: a node's inside. Nodes are separate processes; what is known of them comes from their files, their
exit status and the public client.

Reading order: ``cluster`` (directories and configuration of each node), ``child_processes`` (start, restart, stop),
``cluster_status`` (leader, voters and offsets, from the nodes), ``sample_topics``, ``node_findings`` (problems, from
the nodes' files); then stock Kafka brokers: ``kafka_broker`` (their properties and command), ``kafka_installation``
(Java and Kafka's jars on this machine), ``kafka_download`` (the jars, by Maven).

Invariants:

* A directory that was not created as a local cluster is never written to.
* Ports are chosen once and kept in the configuration files; a second start finds the same cluster.
"""
