"""A broker's lifecycle, and a controller's registration, as tick/step machines.

Purpose: to decide when a node registers, heartbeats, requests to be unfenced, reports lost directories, shuts down
cleanly or gives up. The package is pure: time comes in as ``now_ms``, randomness from a port, and requests go out as
values; the runtime sends them and steps the machine with the response.
Must not depend on: how calls are transported, what decides them (``controller``), or the format of the log.

Reading order: ``outputs`` (what the machines return), ``backoff``, ``calls``, ``log_dirs``, ``cordoning``,
``lifecycle``, ``controller_registration``.

Invariants:

* At most one call of a machine is in flight; the runtime completes each exactly once, within the call's timeout.
* A broker registers only once it knows the cluster id (K1262-24), and waits no longer than the initial timeout.
* After a failure nothing is sent at once; a new leader shortens a long pause to the first one.
* A machine that gave up or shut down returns no further outputs.

Divergences from Kafka: a broker that receives STALE_BROKER_EPOCH registers again (Kafka heartbeats for ever); each lost
directory has its own deadline and counts as reported only if the heartbeat that was answered had named it.

Sources: Kafka ``BrokerLifecycleManager``, ``ControllerRegistrationManager``; KIP-631, KIP-858, KIP-919, KIP-1262.
"""
