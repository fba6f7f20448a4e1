"""The auditor's room: an independent witness of what the log says.

What this room is for: reading Kafka's metadata files (this project's and real Kafka's) as tables, replaying them with
code of its own, judging the result by rules with names, and compacting it. What it may not know: the service. It shares
``records`` (bytes to values) and ``model`` with it and nothing else, because an auditor that shares the code shares the
bug: replay, rules and compaction are written here once more.

Reading order::

    reading/     files -> batches -> records -> Arrow columns; discovery, splitting, damage as data
    engines/     one protocol, two engines: one process (Arrow and DuckDB), or Spark; the same SQL on both
    replay/      state out of records, shard by shard
    tables.py    the relational tables that rules are written against
    rules/       one small module a rule: id, severity, SQL, the way out
    findings.py  rules asked, findings given; redaction.py: what is never shown
    log_volume.py  what made the logs grow; diff.py, history.py: between two states, along one entity's life
    report/      one HTML page: findings first, then plots
    source/      the PySpark data source "kraft" and its typed views; autoload/: how PySpark finds it
    spark.py     how a Spark session comes about (Java, Python, addresses)
    optional_dependencies.py  what may not be installed
    jvm.py       its JVM, which ends no later than the command that started it
    compaction/  log and snapshots to one new snapshot
    offset_bounds.py  whether a point that was asked for is in the files; times.py: times that no calendar has

How an audit goes: *discover* lists the files; a first, cheap *scan* gives files, batches, properties and the few
records that decide how others are read (feature levels, transaction bounds); an *outline* per node says from which
snapshot and up to which offset the state is replayed; *replay* runs over shards of records, independently of each
other; rules are SQL over the tables that come out.

Invariants of the room: damage is data (a row with a named problem) or a named error, never a crash and never a state
that is silently different; nothing that grows with the data is collected to one process by the Spark engine; both
engines give the same answers. Spark, Arrow and DuckDB are imported late, by the functions that need them: the core of
kraftpy runs without them (``pip install 'kraftpy[spark]'`` brings them).
"""
