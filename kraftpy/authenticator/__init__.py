"""Who a peer is: SASL mechanisms as machines of bytes in, bytes and a verdict out.

Purpose: to check, and on the client's side to show, a password (PLAIN), a proof of one (SCRAM-SHA-256, SCRAM-SHA-512)
or a signed token (OAUTHBEARER), and to say in which order a connection may ask for what.
Must not depend on: connections, configuration files, tasks, clocks, randomness. Nonces and ``now_ms`` are arguments.

Reading order: ``mechanism`` (what the two sides of a mechanism are), ``plain``, ``scram``, ``bearer`` (the mechanisms),
``credentials`` (SCRAM credentials of the log's users and of delegation tokens), ``exchange`` (the states of one
connection to a server), ``login`` (its client), ``jaas`` (the lines of a configuration that name users and passwords).

Invariants:

* Nothing that is secret is in an exception, a repr or a text for the peer.
* A user that does not exist costs as many messages, and is answered with the same text, as a wrong password.
* Secrets are compared in constant time, and nothing here derives a key from a password for a message of a stranger.

Source: Kafka ``SaslServerAuthenticator``, ``SaslClientAuthenticator``; RFC 4422, RFC 4616, RFC 5802, RFC 7628; KIP-43,
KIP-84, KIP-255, KIP-368.
"""
