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
 * @param memory the heap of a connection
 */
public record FlussSettings(
        List<String> bootstrapServers, String database, int replication, Duration answerMax, Memory memory) {
    public static final String DATABASE = "polytable";
    public static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    /**
     * The heap of a connection.
     *
     * @param writeBytes for rows on their way to the cluster; a row without space waits
     * @param aheadBytes for rows of the log that readers fetch ahead, all readers together
     */
    public record Memory(long writeBytes, long aheadBytes) {
        /** For a program that embeds the store without a memory plan. */
        public static final Memory STANDARD = new Memory(64L << 20, 64L << 20);

        public Memory {
            writeBytes = Math.max(FlussCluster.WRITE_BUFFER_BYTES_MIN, writeBytes);
            aheadBytes = Math.max(RowFetcher.AHEAD_BYTES_MIN, aheadBytes);
        }
    }

    public FlussSettings {
        bootstrapServers = List.copyOf(bootstrapServers);
    }

    public static FlussSettings of(String... bootstrapServers) {
        return new FlussSettings(List.of(bootstrapServers), DATABASE, 0, ANSWER_MAX, Memory.STANDARD);
    }

    public FlussSettings withAnswerMax(Duration most) {
        return new FlussSettings(bootstrapServers, database, replication, most, memory);
    }

    public FlussSettings withReplication(int copies) {
        return new FlussSettings(bootstrapServers, database, copies, answerMax, memory);
    }

    public FlussSettings withMemory(Memory share) {
        return new FlussSettings(bootstrapServers, database, replication, answerMax, share);
    }

    public FlussSettings withDatabase(String name) {
        return new FlussSettings(bootstrapServers, name, replication, answerMax, memory);
    }
}
