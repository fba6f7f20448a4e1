"""A broker's life, and a controller's registration, as tick/step machines.

What this room is for: when a node registers, heartbeats, asks to be unfenced, reports lost directories, leaves in order
or gives up. It is pure: time comes in as ``now_ms``, randomness from a port, and what is to be sent goes out as values;
the shell sends them and steps the machine with the answer. What it may not know: how calls travel, who decides them
(``controller``), and what the log is made of.

Reading order: ``outputs`` (what the machines say), ``backoff``, ``calls``, ``log_dirs``, ``lifecycle``,
``controller_registration``.

Invariants of the room:

* At most one call of a machine is in flight; the shell answers each exactly once, within the time the call names.
* A broker registers only once it knows the cluster id (K1262-24), and waits no longer than the initial timeout.
* After a failure nothing is sent at once.
* A machine that gave up or shut down says nothing more.

Divergences from Kafka: a broker that is told STALE_BROKER_EPOCH registers anew (Kafka heartbeats for ever); each lost
directory has a deadline of its own and counts as told only if the heartbeat that was answered had named it.

Sources: Kafka ``BrokerLifecycleManager``, ``ControllerRegistrationManager``; KIP-631, KIP-858, KIP-919, KIP-1262.
"""
