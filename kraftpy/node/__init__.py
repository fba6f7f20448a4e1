"""The composition root: turns a configuration into a running node.

Purpose: to read ``server.properties``, open directories, construct and wire every part of a node, and provide logs,
metrics, signal handling, and the local clusters that ``quickstart`` and the tests start.
Must not depend on: how anything is decided; this package only connects the parts that decide.

Reading order: ``config``, with ``config_keys`` (every key), ``config_source`` (a value and where it was set),
``config_endpoints``, ``config_listeners``, ``config_tls`` and ``config_protection`` (keys that are rejected because the
feature does not exist here) under it, ``limits`` (of listeners); ``startup`` (from directories to the recovered state),
``repair`` (when recovery finds corruption), ``node`` (all parts, and a node's lifecycle), ``replica_parts``,
``controller_parts``, ``broker_parts`` (how the parts are constructed), ``cluster_identity``, ``state_guard`` (and
``divergence``, ``supervisor``: the reaction to a wrong state), ``servers``, ``certificates`` (renewed without a
restart), ``own_certificate``, ``addresses``, ``control_channel``, ``http``, ``metrics``, ``limit_metrics``,
``ok_to_stop``, ``logs``, ``build_info`` (compiled or not); ``observer`` (a copy of another quorum's log),
``quorum_admin`` and ``probe`` (requests to nodes from outside); then ``local_cluster``, ``child_processes``,
``cluster_status`` and ``node_findings`` for whole clusters on one machine.
"""
