package io.polytable.store.fluss;

import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.fluss.ownership.Chain;
import io.polytable.store.fluss.ownership.Takeover;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a log in Fluss.
 *
 * @param partition which of the store's logs it is
 * @param lease how long a silent owner keeps others away
 * @param claimMax how long opening waits for another owner's lease to end
 * @param checkpointBytes the growth of the log after which a checkpoint is written
 * @param formerOwner the last owner from this data directory; its process is dead, since the directory is locked by us
 * @param startOver where to start over, ignoring whatever the table holds
 */
public record FlussLogOptions(
        String partition,
        Duration lease,
        Duration claimMax,
        long checkpointBytes,
        Optional<Long> formerOwner,
        Optional<StartAfter> startOver) {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration CLAIM_MAX = Duration.ofSeconds(60);
    private static final long CHECKPOINT_BYTES = 1L << 30;

    /**
     * The start of a new log: after this position and ticket, with that checkpoint, 0 for none.
     *
     * @param epoch the epoch in which the caller found the table unused; if another server owned it since, the log is
     *     not started over
     */
    public record StartAfter(long position, long ticket, long checkpoint, OptionalLong epoch) {
        /** Starts over whatever the table holds. */
        public static final StartAfter NOTHING = new StartAfter(0, 0, 0, OptionalLong.empty());
    }

    Takeover.Terms terms() {
        return new Takeover.Terms(
                lease,
                claimMax,
                startOver.map(from -> new Takeover.Beginning(
                        new Chain.Start(from.position(), from.ticket()), from.checkpoint(), from.epoch())));
    }

    public static FlussLogOptions of(String partition) {
        return new FlussLogOptions(partition, LEASE, CLAIM_MAX, CHECKPOINT_BYTES, Optional.empty(), Optional.empty());
    }

    public static FlussLogOptions of(int partition) {
        return of(PartitionDirectories.label(partition));
    }

    /** The table that holds the log. */
    public String table() {
        return "commit_log_" + partition;
    }

    /** The table that holds its checkpoints. */
    public String checkpointTable() {
        return "checkpoint_" + partition;
    }

    public FlussLogOptions withPartition(int number) {
        return new FlussLogOptions(
                PartitionDirectories.label(number), lease, claimMax, checkpointBytes, formerOwner, startOver);
    }

    public FlussLogOptions withLease(Duration time) {
        return new FlussLogOptions(partition, time, claimMax, checkpointBytes, formerOwner, startOver);
    }

    public FlussLogOptions withClaimMax(Duration most) {
        return new FlussLogOptions(partition, lease, most, checkpointBytes, formerOwner, startOver);
    }

    public FlussLogOptions withCheckpointBytes(long bytes) {
        return new FlussLogOptions(partition, lease, claimMax, bytes, formerOwner, startOver);
    }

    public FlussLogOptions withFormerOwner(Optional<Long> owner) {
        return new FlussLogOptions(partition, lease, claimMax, checkpointBytes, owner, startOver);
    }

    public FlussLogOptions withAnew(StartAfter start) {
        return new FlussLogOptions(partition, lease, claimMax, checkpointBytes, formerOwner, Optional.of(start));
    }
}
