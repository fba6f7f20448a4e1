"""Files to batches to records to Arrow columns.

What it is for: finding the files of any number of clusters and nodes (local or remote), cutting them into splits at
batch boundaries, reading them whatever state they are in, and giving rows or Arrow columns. What it may not know: what
a record means for the state of a cluster.

Reading order: ``columns`` (the tables that leave this package), ``rows`` (the tuples that cross to replay),
``filesystem`` (local and remote reads), ``discovery`` (paths, globs and trees to files), ``splits``, ``batch_runs`` and
``scan`` (bytes to checked batches, damage as data), ``entries`` and ``frames`` (batches to records, one by one or by
vectors), ``first_pass`` and ``first_passes`` (the first pass over a piece, and over all files), ``record_chunks``
(records on their way into replay), ``fields`` (a record's fields as JSON), ``topic_records`` and ``texts`` (the same of
many plain records in one step), ``binaries`` and ``arrow`` (columns), ``properties`` (the small text files),
``witnesses`` (what the files beside a log say of it), ``unread`` (up to where each node's records are known).

Invariants: every byte of a file is accounted for: it is in a batch, or it is zeros allocated ahead, or it is in a
batch row with a ``problem``; a file is never mapped and never held whole; what a live node appends meanwhile is not
seen, and a file that shrinks or vanishes is a problem of that file and not of the run.

Source: ``on-disk formats`` §2, §7, §8.
"""
