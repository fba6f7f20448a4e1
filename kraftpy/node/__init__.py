"""The composition root: turns a configuration into a running node.

Purpose: to open directories, construct and wire every part of a node, and provide logs, metrics and signal handling.
Must not depend on: how anything is decided; this package only connects the parts that decide.

Reading order: ``broker_id`` (of a broker without one), ``startup`` (from directories to the recovered state),
``metadata_disk`` (the space of its disk), ``repair`` (when recovery finds corruption), ``node`` (all parts, and a
node's lifecycle), ``replica_parts``, ``controller_parts``, ``broker_parts`` (how the parts are constructed),
``cluster_identity``, ``log_dir_monitor`` (with ``daemon_threads``), ``cluster_events``, ``state_guard`` (and
``divergence``, ``supervisor``: the reaction to a wrong state), ``service_manager`` (systemd), ``running_settings``
(what changes while a node runs), ``reloading`` (SIGHUP), ``servers``, ``limits`` (of listeners), ``certificates``
(renewed without a restart), ``own_certificate``, ``authentication`` (SASL) with ``oauth_keys``, ``permissions`` (the
authorizer), ``policies`` (the operator's, loaded and guarded), ``addresses``, ``leader_calls`` (calls that are
forwarded), ``tracing`` (the export of spans), ``http`` with ``health_checks`` and ``status_page``, ``metrics`` (with
``metric_families``, ``raft_metrics``, ``controller_metrics``, ``process_metrics``, ``disk_space``,
``certificate_expiry``), ``limit_metrics``, ``request_metrics``, ``call_metrics``, ``logs``, ``build_info`` (compiled or
not).
"""
