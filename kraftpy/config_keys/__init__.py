"""The keys of nodes and brokers: one table, from which files, requests and documentation are checked.

Purpose: for each key its name, type, default, allowed values, which role acts on it, and its description.
``kraftpy.config`` reads ``server.properties`` by it, ``kraftpy.controller`` checks dynamic broker configs by it, and
``docs/configuration.md`` is generated from it.
Must not depend on: files, nodes, the controller. It imports ``model`` only.

Reading order: ``types`` (a key, and how the text of a value is read), ``rules`` (which values are allowed),
``node_key`` (a row of the table), ``node_keys`` (the rows that kraftpy acts on, and Kafka's beside them),
``group_keys`` (Kafka's keys for groups), ``broker_keys`` (Kafka's keys for data, which nothing here acts on),
``key_table`` (all together), ``deciding_keys`` (those that a controller decides by while it is active),
``shared_keys`` (those that have to be the same on all controllers), ``connection_overrides`` (the value of one key),
``followed`` (which of several values a running node acts on).

Invariants:

* A key is in one row. A second place that needs it derives it from the row.
* Names, types and ranges are Kafka's where Kafka has the key. A different default is named in the description.
"""
