package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.endpoints;
import static io.polytable.server.config.ValueTypes.integer;
import static io.polytable.server.config.ValueTypes.text;

import java.time.Duration;
import java.util.List;

/** The commit log in Apache Fluss. */
public final class FlussKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<List<String>> BOOTSTRAP_SERVERS = KEYS.add(key(
            "fluss.bootstrap.servers",
            endpoints(),
            "",
            "Servers of the Fluss cluster to contact first; list several, since any of them may be down."));
    public static final Key<String> DATABASE =
            KEYS.add(key("fluss.database", text(), "polytable", "The database in Fluss that holds our tables."));
    public static final Key<Integer> REPLICATION = KEYS.add(key(
            "fluss.replication.factor",
            integer(0, 100),
            "0",
            "Copies of each table that is created in Fluss; 0 leaves it to the cluster."));
    public static final Key<Duration> ANSWER_TIMEOUT = KEYS.add(
            key(
                    "fluss.answer.timeout",
                    duration(),
                    "30s",
                    "How long Fluss may take to answer; a write that takes longer counts as failed, and the store is rebuilt."));
    public static final Key<Duration> LEASE_TIME = KEYS.add(key(
            "fluss.lease.time", duration(), "10s", "Lease duration: how long an unresponsive owner blocks takeover."));
    public static final Key<Duration> CLAIM_TIMEOUT = KEYS.add(key(
            "fluss.claim.timeout", duration(), "60s", "How long a start waits for another server to release the log."));
    public static final Key<Long> CHECKPOINT_BYTES = KEYS.add(key(
            "fluss.checkpoint.bytes",
            bytes(MB, TB),
            "1gb",
            "Log after which an image of the state is written to Fluss, and the log before it removed."));
    public static final Key<Integer> LOG_GROUPS = KEYS.add(
            key(
                    "fluss.log.groups",
                    integer(1, 100),
                    "1",
                    "Commit logs in Fluss. One keeps everything atomic; with more, a command on keys of several gets CROSSSLOT."));

    private FlussKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
