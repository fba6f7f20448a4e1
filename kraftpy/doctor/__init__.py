"""What is wrong with a running cluster, decided from what was read of it; and the support bundle.

Purpose: to turn one frozen value with everything that was read (``facts``) into named findings, each with its severity,
place and way out; to redact configuration files; to put together a support bundle.
Must not depend on: sockets, files, clocks. ``kraftpy.cli`` reads and prints.

Reading order: ``facts`` (what was read, or why it was not), ``findings`` (what a check reports), ``checks`` (the table
of all checks); then the checks by subject: ``quorum_checks``, ``member_checks``, ``feature_checks``,
``partition_checks``, ``address_checks``, ``config_checks``, ``node_checks``; before an upgrade ``releases`` (which
levels a release supports) and ``upgrade_checks``. For the bundle: ``redaction`` (texts without secrets), ``bundle``
(members, limits and the manifest).

Invariants:

* A check is one function and one row of ``checks.CHECKS`` or ``upgrade_checks.UPGRADE_CHECKS``; docs/doctor.md has the
  same rows.
* A check whose facts were not read is skipped with the reason, never silently.
* What was left out of a support bundle is in its manifest, with the reason.
* No value that may be a secret gets into a support bundle, and no record of the metadata log.
"""
