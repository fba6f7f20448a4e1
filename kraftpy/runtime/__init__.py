"""The runtime: the only package in which time passes.

Purpose: to own the order of events. One task, the driver, owns the replica and its disk; the registration drivers own
the calls to the active controller; everything else is a value that is handed from one module to the next.
Must not depend on: configuration files, command lines, or the process that it runs in (``node`` wires it).

Reading order: ``clock``, ``random``, ``inbox``, ``peer_requests``, ``driver`` (the event loop of a node),
``disk_executor`` (waits for the disk), ``recovered_state`` (what recovery found, as input of the replica),
``recovered_users`` (whom it lets in before), ``state_machine`` (turns the committed log into images and passes them to
publishers), ``sliced_publishing`` (those whose work takes longer than a turn), ``durations``, ``append_times``,
``controller_figures`` and ``failover_phases`` (what is measured), ``waiters`` (writes that wait for commit or
confirmation), ``large_write`` (a write that takes several turns), ``record_appender`` (from a decision into the log),
``broker_event_log`` (why brokers were fenced), ``controller_loop`` (a write from request to response), ``slow_disk``
and ``leader_handover`` (away from a bad disk), ``reads`` (reads that wait), ``cluster_id`` (the publisher of KIP-1262),
``snapshotter``, ``state_digest_worker``, ``cleaner``, ``active_controller`` (calls to it, in this process or another),
``registration_drivers``, ``backend``, ``application``.

The path of one write::

    transport.grpc      decodes                 -> WriteRequest
    ControllerLoop      queues; in the driver's turn: controller.decide -> records -> replica.propose -> waiter
    Driver              replica.ready -> append -> (followers fetch it) -> fsync -> advance
    raft                a majority has it       -> the high watermark advances
    StateMachine        loads the batch         -> publishers in order
    ControllerLoop      the last publisher: completes every waiter at or below the image's offset

Invariants: nothing is awaited between reading state and acting on it; Ready values are executed in order, and so are
the steps of each; no message is sent before the fsync that it promises has completed; every wait for the disk goes
through the disk executor; every queue has a named limit.
"""
