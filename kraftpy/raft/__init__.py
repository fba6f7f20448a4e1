"""Agreement: one replica of the metadata log, as a machine of values without clock, socket, file, task or randomness.

Purpose: decide who leads, what is in the log, and what of it is committed. Must not depend on what the records mean
(``image``), how they are stored (``storage``), how they travel (``transport``), or on the time. Time comes in as
``now_ms``, randomness as a ``Jitter``; everything to be done comes out as one ordered ``Ready``.

Reading order
    messages               the requests and responses of replicas
    ready, config          the contract: output and input
    roles                  one dataclass per role, with only what that role knows
    quorum_state           which role may follow which, and the one function that changes roles
    replica, view          the public object: inputs and output (dispatch only), and the queries
    replica_state          the state that the modules below work on
    requests, senders      the prologue of every request; who sends one
    responses              the rules common to all responses; error_responses: the failed ones
    election               pre-votes, votes, when to start an election; vote_tally: counting votes and offsets
    vote_store             how long this disk takes to store a vote, and the election time that follows from it
    leadership             becoming leader, check-quorum, resigning; follower_progress: what a leader knows of replicas
    confirming             whether it still leads: ReadIndex
    leader_replication     proposals, fetch responses, high watermark; fetch_purgatory: fetches that wait
    leader_discovery       learning who leads, and that a leader is gone
    follower_fetch         the follower's fetch and truncation
    voter_changes          changes of the voter set, one at a time; pending_voter_change: the one in progress
    snapshots              serving and downloading snapshots; snapshot_fetches: which ones are being fetched
    timers                 deadlines, and what is sent when; timing: all constants of time
    appending              the functions that change the log; batch_accumulator: proposals that wait to be framed
    log_view               the log's outline; epoch_history, voter_set_history: what is in force at which offset
    guards                 around the protocol: lost disks, duplicate node ids, wrong states
    digest_tracker         the digests reported; epoch_limit: how far ahead of its own a replica accepts an epoch
    request_manager        one request in flight per node; outbox: the next Ready
    initial_role           the role after a restart
    invariants             conditions that must hold

Invariants
    * An epoch has one leader. A vote is stored before it is sent.
    * Nothing that promises durability leaves before the fsync line of its ``Ready``.
    * The high watermark never goes back, rests on fsynced copies of a majority, and includes a record of the
      leader's epoch.
    * Committed records are never truncated.
    * Who led an epoch, and stopped, neither votes nor appends in it again.

Roles, generated from ``quorum_state.TRANSITIONS``::

    unattached  -> unattached  saw a higher epoch, or gave its vote
                -> prospective election timer expired, and is a voter
                -> follower    learnt the leader and where it listens
    prospective -> unattached  saw a higher epoch, gave its vote, or would not win
                -> candidate   a majority would vote for it; epoch + 1
                -> follower    learnt the leader, or would not win while its leader lives
    candidate   -> unattached  saw a higher epoch
                -> prospective lost the election, or the election timer expired, and backed off
                -> leader      a majority voted for it
                -> follower    learnt the leader
    leader      -> unattached  saw a higher epoch
                -> follower    learnt the leader of a higher epoch
                -> resigned    was asked to, is shutting down, or lost touch with the majority
    follower    -> unattached  saw a higher epoch, or (observer) lost touch with the leader
                -> prospective fetch timer expired or the leader is dead, and is a voter
                -> follower    learnt the leader of a higher epoch
    resigned    -> unattached  election timer expired (epoch + 1), or saw a higher epoch
                -> follower    learnt the leader of a higher epoch

Divergences from Kafka, and why
    * The leader counts its own copy only when it is fsynced. A commit then never rests on memory.
    * A dead leader is noticed by its connections (cut, then refused), and a resigned or restarted one by its answer,
      instead of by the fetch timeout alone: failovers take milliseconds. Voters start elections staggered by rank;
      until then they count as not following when asked for pre-votes. A cut network still waits for the timeout.
    * After EndQuorumEpoch a follower grants pre-votes; otherwise the preferred successor would be refused by its
      peers. So does the leader that resigned, without which two voters, or the last two of three, have no majority.
    * The fetch timer of a voter is longer by 25 ms for each voter before it, so that followers which heard of
      their leader last in the same moment do not split the vote.
    * A lost election is followed by a short random back-off (50 ms, doubling), not by the rest of the election timer.
      Unreachable voters are no hope once a voter refused.
    * "You lead this epoch", sent to a node that knows nothing of it (a lost disk), makes it Unattached in that epoch
      with itself as the known leader, so it neither votes nor appends in it. Kafka's node dies.
    * A snapshot chunk that does not fit drops the download and starts again. Kafka's node dies.
    * INVALID_REQUEST and INCONSISTENT_CLUSTER_ID responses are reported (``PeerRejected``) and backed off from; the
      same message about the same peer is logged once in 10 s.
    * A voter whose directory was found empty counts only after it has caught up with a leader, or when all voters are
      empty (``guards.voter_eligibility``). Kafka needs its format step for that.
    * Under a static voter's id one directory counts at a time; a second one is refused and abstains
      (``guards.duplicate_node_ids``). In Kafka every directory counts.
    * Where a leader has answered in its epoch its endpoints stay; Kafka takes a longer list from anybody.
    * A higher epoch is believed as far as elections can have raised it since (``epoch_limit``). Kafka believes any.
    * A vote of which only the node id is remembered is not given again to a candidate with a directory id. In Kafka it
      is.
    * What a leader proposed before it lost its leadership is framed and stays in its log, uncommitted. Kafka drops it.
      Either may be cut by the next leader; keeping it means that the log end offset never falls but by a truncation.
    * A vote and a leader are both stored when both are known (as later Kafka), never one at the price of the other.
    * Leaving Leader answers all pending fetches at once, whatever comes next.
    * A valid fetch is answered when the next ``Ready`` is built, with whole batches up to its end.
    * A replica without a leader asks one peer every 50 ms; a voter does so too (as later Kafka).
    * A new voter is waited for, within the asker's time, until it has caught up; Kafka refuses it until then.
    * A replica whose exact key was taken out of the voter set does not join by itself again; Kafka's does.
    * A leader has its leadership confirmed on request (``confirming``), by BeginQuorumEpoch requests; a voter
      answers them before its flush, says which directory it is, and whether it may have forgotten a vote. Kafka's
      leader answers from its own state.
    * A snapshot that a replica is fetching stays for up to ten minutes (``snapshot_fetches``). Kafka drops it.
    * The leadership can be handed to a chosen voter: no proposals until it has caught up, then it heads the successors.

Sources: Raft (Ongaro, Ousterhout); KIP-595, KIP-630, KIP-853, KIP-996, KIP-1166, KIP-1262; Kafka ``raft``; etcd
``raft`` for the shape of ``Ready``.
"""
