"""The auditor: an independent check of metadata logs.

Purpose: read Kafka's metadata files (this project's and real Kafka's) as tables, replay them with its own code, check
the result by named rules, and compact it. It must not depend on the service. It shares ``records`` (bytes to values)
and ``model`` with it and nothing else, because an auditor that shares the code shares the bug: replay, rules and
compaction are implemented here again.

Reading order::

    reading/     files -> batches -> records -> Arrow columns; discovery, input splits, corruption as data
    engines/     one protocol, two engines: one process (Arrow and DuckDB), or Spark; the same SQL on both
    replay/      state out of records, shard by shard
    tables.py    the relational tables that rules query
    rules/       one small module per rule: id, severity, SQL, fix
    findings.py  runs rules, returns findings; redaction.py: what is never shown
    log_volume.py  what the logs consist of; diff.py, history.py: between two states, along one entity's history
    report/      one HTML page: findings first, then plots
    source/      the PySpark data source "kraft" and its typed views; autoload/: how PySpark finds it
    spark.py     starts a Spark session (Java, Python, addresses)
    jvm.py       its JVM, which ends no later than the command that started it
    optional_dependencies.py  packages that may be missing
    compaction/  log and snapshots to one new snapshot
    offset_bounds.py  whether a requested offset is in the files; times.py: times beyond the calendar;
                      labels.py: labels of clusters and nodes in output

An audit in steps: *discovery* lists the files. The *first pass* returns files, batches, properties and the control
entries (feature levels, transaction bounds). A *plan* per node has the snapshot to start from and the end offset.
*Replay* runs over shards of records, independently of each other. Rules are SQL over the resulting tables.

Invariants: corruption is data (a row with a named problem) or a named error, never a crash and never a silently
different state. The Spark engine collects nothing in one process that grows with the data. Both engines return the same
results. Spark, Arrow and DuckDB are imported late, by the functions that need them: the core of kraftpy runs without
them (``pip install 'kraftpy[spark]'`` installs them).
"""
