"""A node's configuration: ``server.properties`` to checked values.

Purpose: to read Kafka's configuration file, check every key and what several keys mean together, and return one
:class:`~kraftpy.config.node_config.NodeConfig`. Every error gives file, line, key, value and what is allowed.
Must not depend on: sockets, tasks, storage, anything that runs. Nothing here opens a listener or a log directory.

Reading order: ``values`` (text to values, by the table of config keys), ``protection`` (keys that are
rejected because the feature does not exist here), ``environment`` (values in environment variables), ``settings`` (a
value, and where it was set), ``endpoints`` and ``listeners`` (addresses), ``tls`` (certificates and identity checks),
``sasl``, ``authorization``, ``policies`` (classes),
``node_config`` (the rules over several keys); ``agreement`` (what the files of several nodes say together),
``generation`` (files for a new cluster); ``client_config`` (the file of commands, by itself).

Invariants:

* A key that asks for protection which does not exist here prevents the start.
* A key of Kafka that is not used here is accepted and logged; an unknown key is logged with the nearest known one.
* A value is checked once, when the file is read. Later code gets numbers, addresses and enums, never text.

Source: Kafka ``AbstractKafkaConfig``, ``KafkaConfig``, ``QuorumConfig``; KIP-853 §controller.quorum.bootstrap.servers.
"""
