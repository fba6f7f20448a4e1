"""Client quotas: which limit holds for a client, and whether the client is within it.

Purpose: to decide, from the quotas of the published state, for how long a client is to be throttled.
Must not depend on: connections, tasks, clocks. Callers pass names and the time (``now_ms``); what a request cost they
measured themselves.

Reading order: ``resolution`` (which quota applies to a user and a client id), ``token_bucket`` and ``windowed_rate``
(the two ways to count), ``usage`` (what is remembered of each entity, and for how long), ``mutations``
(partitions that are created and deleted) and ``request_time`` (the time that requests take).

Invariants:

* What is remembered of all entities together is bounded, whatever names clients give themselves.
* An entity that was forgotten starts like a new one: it may use its whole burst.
* The entity whose usage is counted follows from the quota that applies: all client ids of a user share the user's
  quota, all users of a client id share the client id's.

Source: KIP-13, KIP-124, KIP-257, KIP-546, KIP-599; Kafka ``ClientQuotaManager``.
"""
