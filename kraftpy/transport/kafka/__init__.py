"""Kafka's protocol over asyncio, between nodes.

``framing`` (bytes to frames), ``translate`` (messages to values), ``connection`` (one socket), ``apis`` (the supported
APIs and versions), ``control`` (calls for the controller, not for its replica), ``items`` (how many elements a request
may hold), ``listener`` (the server; ``quorum_listeners`` are several as one to the core) with ``accepting``,
``creation_rate`` (the rate limit of new connections), ``admission`` (which connections are kept),
``voter_connections``, ``turns`` (which connection's request is next) and ``budgets`` (bytes of queued requests and of
unread responses), ``authentication`` (of its peers, by SASL), ``channel`` (the client) with ``resolving`` and ``login``
(by SASL), ``controller_calls`` (a node's registrations and heartbeats), ``throttling`` (request quotas), ``identity``
(which node ids a certificate may use).

Everything runs in callbacks of the event loop, without a task per connection or request; the only task is the one that
connects. Sinks and inboxes are called from these callbacks and must only queue the value: an exception there is raised
in the event loop's handler and does not reach the caller that should see it.

Source: Kafka protocol; KIP-35, KIP-511, KIP-595, KIP-853.
"""
