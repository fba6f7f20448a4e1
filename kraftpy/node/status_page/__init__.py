"""The status page of a node: what an operator looks at first, on the metrics listener.

Purpose: to show who leads, who lags, brokers, partitions that need attention, the last elections and administrative
changes, and the disk; as a page that needs no other file and no script, and follows the node where scripts run.
Must not: hold the node's loop, change anything, or show what this node does not know.

Reading order: ``state`` (the values, and their JSON), ``reading`` (from a node to these values, in steps) with
``warnings``; ``layout`` (what is shown where) and ``texts`` (a value as text), which the page's script reads from the
page itself; ``page`` (HTML, with a style sheet and a script); ``feed`` (one state for all viewers), ``streams``
(server-sent events).

Invariants:

* A state is read at most once in a second and for a tenth of the time, however many look, and not at all without a
  viewer.
* Every text that others chose is shortened, has no control characters, and is escaped where it enters HTML.
* What a stream has not sent yet is one state at most: it has no queue, and a reader that is too slow is disconnected.
"""
