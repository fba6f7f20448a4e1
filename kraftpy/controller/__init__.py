"""Decisions: what a request, or the passing of time, does to the metadata.

What this room is for: it turns a request and the newest state into records and an answer. It is pure: no clock, no
socket, no file, no task, no randomness; the time comes in as ``now_ms``, fresh ids from a port. What it may not know:
how records are agreed upon, written or sent (``raft``, ``storage``, ``transport``), and who asked.

Reading order: ``requests`` (what is asked and answered), ``result``, ``controller`` (the machine),
``uncommitted_state`` (the state it decides from), ``decision_context``, ``broker_events`` (what a decision does to a
broker, for the log), ``slices`` (decisions that take longer than a turn); then one module per kind of decision:
``activation``, ``registration``, ``heartbeats``, ``fencing`` and ``directory_reports``, ``isr_changes`` with
``partition_change``, ``replica_index`` and ``topic_rules``, ``partition_requests`` with ``alter_partition``,
``elections``, ``periodic_elections``, ``reassignments`` and ``replica_directories``, ``topic_requests`` with
``create_topics``, ``delete_topics``, ``create_partitions``, ``new_partitions``, ``topic_names``, ``topic_configs``
and the package ``placement``, ``broker_id_requests`` with ``broker_ids`` and ``broker_id_reservations``,
``account_requests`` with ``client_quotas``, ``scram`` and ``producer_ids``,
``acl_requests`` with ``acls`` and ``acl_index``,
``delegation_token_requests`` with ``delegation_tokens`` and ``delegation_token_index``,
``features``, ``configs`` with ``alteration_rules``, ``config_schema``, ``topic_config_rules``, ``group_configs`` and
``client_match``;
``policies`` (the operator's, asked last); ``dedupe`` for requests that come twice;
``growth`` (what is refused on a full disk); ``limits`` and ``config``.

Invariants of the room:

* A decision changes no hard state. Replaying what was appended is the only thing that does.
* The newest image is the committed one with every appended record replayed; a resignation leaves the committed one.
* A broker epoch is an offset of the log that no record had before, so epochs are unique and grow.
* No fenced broker leads a partition, and none joins an ISR; the same holds for a replica in a full directory.
* ``validate_only`` is looked at in one place, after everything was decided; only the creation of a delegation token
  looks before, because it would show a secret.

Divergences from Kafka:

* Idle clusters write nothing: ``metadata.max.idle.interval.ms`` is 0 here (500 in Kafka); above 0 it works alike.
* A fenced broker that asks to shut down gets that answer without being fenced again; a registration that changes
  nothing is not written again.
* ``previous_broker_epoch`` equal to the registered epoch counts as a clean restart (KIP-966); any new incarnation
  leaves the ISRs in the batch that registers it.
* An unknown security protocol is INVALID_REGISTRATION, not an internal error.
* A broker that is unregistered leaves the ELRs, too: an id that is not registered cannot be eligible.
* Only altered config keys are judged, so a key from an older release prevents no change; broker names are canonical.
* No ZkMigrationStateRecord is written: ZooKeeper is gone since Kafka 4.0.
* Two names of one CreateTopics that differ only in ``.`` and ``_`` are not both created.
* A heartbeat's cordoned directories that are not registered are left out of the record; a process that registers again
  keeps its list.
* Logs below metadata.version 7 are read, not led.
* From metadata.version 41 on, a broker without an id gets one by its host (KIP-426), which Kafka's controllers do not
  do.

Sources: Kafka ``QuorumController`` and its managers; KIP-631, KIP-584, KIP-339, KIP-858, KIP-868, KIP-919, KIP-1262,
KIP-426.
"""
