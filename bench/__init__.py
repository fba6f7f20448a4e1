"""The benchmark harness behind ``kraftpy bench``: the same work for kraftpy and its peers, in one run.

It lives beside the package, not in it: a benchmark belongs to a checkout, whose commit it names.

Reading order:

* ``stats``     percentiles, spreads, the schedule of an open loop: no clock, no socket.
* ``work``      what is asked of a system, what comes back, and what a system must be able to do.
* ``writes``    the writes: names, values, messages, and the pre-encoded frames of the lean client.
* ``loadgen``   closed and open loops over any client that has a coroutine; ``lean`` over one raw stream;
  ``requests`` over Kafka's protocol, for which ``wire`` makes the writes; ``forms``.
* ``writer``    a patient client over Kafka's protocol, for loads and probes of kraftpy and Kafka alike;
  ``background``  clients that write at a steady rate, whatever the cluster does.
* ``cluster``   kraftpy under test; ``peers`` etcd, ZooKeeper and Kafka under the same test.
* ``commit``, ``failover``, ``catch_up``, ``load``: what every system can do.
* ``shapes``    the same work in other shapes, and ``shape_rates``, which compares their rates.
* ``channel``, ``brokers``: connections on which questions are asked, and brokers that are nothing but requests.
* ``cases``, ``topics``, ``isr``, ``broker_death``, ``heartbeats``, on partitions that ``assigned`` makes and with the
  log that ``observer`` follows: what only controllers do.
* ``day``: all of that in the mix of a day, which ``day_plan`` draws; ``day_brokers`` and ``day_requests`` do its steps,
  on partitions that are known from the log (``followed``).
* ``large``: starts and failovers with the files of ``large_data``, which shares its topics with ``audit_data``.
* ``reading``, ``reads``, ``watch``, and ``grpc_reads`` for kraftpy: what can be read and watched.
* ``figures``, ``ratios``, ``report``, ``results_file``, ``plot``, ``machine``, ``proc``: what is written down, and of
  which machine; ``heat_map`` and ``heat_map_plot``: latencies around a kill, as counts in cells and as a picture.
* ``main``      runs: A B, B A, each on a fresh cluster in a directory of its own.

Rules: latency is measured from the *intended* start (open loop) or from the call (closed loop), never from the send;
every error is counted and shown; a system that cannot be had is skipped by name and reason; a figure is shown with its
minimum and maximum over the runs.
"""
