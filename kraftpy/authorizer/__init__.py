"""Who may do what: the decisions of Kafka's StandardAuthorizer.

Purpose: to decide, from super users and the access control entries of the log, whether a principal may perform an
operation on a resource from a host.
Must not depend on: connections, certificates, configuration files, tasks, clocks. Callers pass names.

Reading order: ``actions`` (what is asked), ``rules`` (whether one entry applies), ``standard`` (the index over all
entries, and the decision), ``principal_mapping`` (the name of a principal, from a certificate's).

Invariants:

* DENY outweighs ALLOW, and a super user outweighs both.
* Before the entries are loaded only super users are decided about; for all others the call fails, and may be repeated.
* A decision costs lookups by name and by the lengths of the prefixes that exist, never a walk over all entries.

Source: Kafka ``StandardAuthorizer``, ``StandardAuthorizerData``; KIP-11, KIP-290, KIP-801.
"""
