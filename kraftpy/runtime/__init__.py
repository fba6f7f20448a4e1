"""The shell: the only room where time passes.

What this room is for: owning the order of things. One task, the driver, owns the replica and its disk; agents own the
conversations with the active controller; everything else is values handed from one to the next. What it may not know:
configuration files, command lines, which process it runs in (``node`` wires it).

Reading order: ``clock``, ``random``, ``inbox``, ``peer_requests``, ``driver`` (the loop, one screen), ``disk_executor``
(where it waits for the disk), ``control_records`` (what they tell the replica), ``state_machine`` (the committed log
becomes images, and images go to publishers), ``waiters`` (writes that wait, and successes that may not be told yet),
``controller_loop`` (a write from request to answer), ``reads`` (reads that wait), ``cluster_id`` (the publisher of
KIP-1262), ``snapshotter``, ``state_digest_worker``, ``cleaner``, ``registration_drivers``, ``backend``,
``application``.

One write, hop by hop::

    transport.grpc      decodes                 -> Submission
    ControllerHost      queues; in the driver's turn: controller.decide -> records -> replica.propose -> waiter
    Driver              replica.ready -> append -> (followers fetch it) -> fsync -> advance
    raft                a majority has it       -> the high watermark moves
    StateMachine        loads the batch         -> publishers in order
    ControllerHost      the last publisher: every waiter at or below the image's offset is answered

Invariants: nothing is awaited between reading state and acting on it; Ready after Ready, each in its own order and
all in theirs; nothing leaves before the fsync line that promises what stands before it; every wait for the disk goes
through one lane; every queue has a named limit.
"""
