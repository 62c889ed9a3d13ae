package io.polytable.store.fluss;

import java.time.Duration;
import java.util.List;

/**
 * The connection settings of a Fluss cluster.
 *
 * @param bootstrapServers {@code host:port} of some of its servers
 * @param database the database of our tables
 * @param replication the replication factor of each table, 0 for the cluster's default
 * @param answerMax how long a call may take, the client's retries included; a write that takes longer has failed
 */
public record FlussSettings(List<String> bootstrapServers, String database, int replication, Duration answerMax) {
    public static final String DATABASE = "polytable";
    public static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    public FlussSettings {
        bootstrapServers = List.copyOf(bootstrapServers);
    }

    public static FlussSettings of(String... bootstrapServers) {
        return new FlussSettings(List.of(bootstrapServers), DATABASE, 0, ANSWER_MAX);
    }

    public FlussSettings withAnswerMax(Duration most) {
        return new FlussSettings(bootstrapServers, database, replication, most);
    }

    public FlussSettings withReplication(int copies) {
        return new FlussSettings(bootstrapServers, database, copies, answerMax);
    }

    public FlussSettings withDatabase(String name) {
        return new FlussSettings(bootstrapServers, name, replication, answerMax);
    }
}
