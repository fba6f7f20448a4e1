"""Files to batches to records to Arrow columns.

Purpose: find the files of any number of clusters and nodes (local or remote), cut them into input splits at batch
boundaries, read them in whatever state they are, and return rows or Arrow columns. It must not depend on what a record
means for the state of a cluster.

Reading order, from bytes to tables:

* ``columns`` (the tables that leave this package), ``rows`` (the tuples that cross to replay);
* ``filesystem`` (local and remote reads), ``discovery`` (paths, globs and trees to files), ``splits``;
* ``scan`` (bytes to checked batches, corruption as data) with ``batch_runs`` (many batches at a time);
* ``frames`` (a batch run to the columns of its records) and ``entries`` (one batch to records, one by one);
* ``reader``: the one entrance to all of these, with ``summaries`` (counts and bounds of what was read);
* ``first_pass`` (over a split, and over all files) with ``batch_rows`` and ``author_rows`` (who asked for which
  records); ``record_chunks`` (records on their way into
  replay);
* ``topic_records`` (fields of many plain records at a time), ``json_columns`` (their JSON), ``binaries`` and ``arrow``
  (columns);
* ``properties`` (the small text files), ``contradictions`` (where the files beside a log contradict it),
  ``unread`` (up to which offset each node's records are known), and ``file_tables``, which both engines make of them.

Invariants: every byte of a file is accounted for: it is in a batch, or it is zeros allocated ahead, or it is in a
batch row with a ``problem``. A file is never mapped and never held whole. What a live node appends meanwhile is not
seen. A file that shrinks or vanishes is a problem of that file and not of the run.

Source: ``on-disk formats`` §2, §7, §8.
"""
