"""The composition root: where a configuration becomes a running node.

What this room is for: reading ``server.properties``, opening directories, constructing every part of a node and wiring
them, logs, metrics, signals, and the sandboxes that ``quickstart`` and the tests start. What it may not know: how
anything is decided; it only connects those who do.

Reading order: ``config``, with ``config_keys`` (every key), ``config_source`` (a value and its place),
``config_endpoints``, ``config_listeners``, ``config_tls`` and ``config_protection`` (what is refused because it is not
here) under it, ``limits`` (of listeners); ``startup`` (from directories to what recovery found), ``repair`` (when that
is damage), ``node`` (all parts, and a node's life), ``replica_parts``, ``controller_parts``, ``broker_parts`` (how they
are made), ``cluster_identity``, ``state_guard`` (and ``divergence``, ``supervisor``: what follows when a state is
wrong), ``servers``, ``certificates`` (renewed without a restart), ``own_certificate``, ``addresses``,
``control_channel``, ``http``, ``metrics``, ``limit_metrics``, ``ok_to_stop``, ``logs``, ``build_info`` (compiled or
not); ``observer`` (a copy of another quorum's log), ``quorum_admin`` and ``probe`` (asking nodes from outside); then
``local_cluster``, ``child_processes``, ``cluster_status`` and ``node_findings`` for whole clusters on one machine.
"""
