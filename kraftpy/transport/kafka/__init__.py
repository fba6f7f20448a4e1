"""Kafka's protocol over asyncio: what quorum members and observers say to each other.

``framing`` (bytes to frames), ``translate`` (messages to values), ``connection`` (one socket), ``apis`` (what is
offered), ``control`` (the calls that are for the controller and not for its replica), ``items`` (how much a request may
name), ``listener`` (the server) with ``accepting``, ``creation_rate`` (how fast connections may come), ``admission``
(who keeps a connection), ``voter_connections``, ``turns`` (whose requests are next) and ``budgets`` (bytes that wait),
``channel`` (the client) with ``resolving``, ``security`` (TLS), ``identity`` (what a certificate lets its node say).

Everything runs in callbacks of the event loop, without tasks per connection or request; the one task is the one that
connects. Sinks and inboxes are called from these callbacks and must only put the value away: an exception there ends
up in the event loop's handler and not with whoever should see it.

Source: Kafka protocol; KIP-35, KIP-511, KIP-595, KIP-853.
"""
