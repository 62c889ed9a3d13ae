package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** Consistency levels by name, and how many replicas each needs. */
public final class Levels {
    private Levels() {}

    public static ConsistencyLevel parse(String name) {
        try {
            return DefaultConsistencyLevel.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "Not a consistency level of Cassandra", Map.of("consistency", name), e);
        }
    }

    /**
     * Refuses a level that needs more replicas than any row has. Cassandra itself refuses plain writes and counters at
     * such a level, but it applies a conditional write and then waits for the replicas until its own time-out.
     *
     * @param replication of a keyspace, as Cassandra describes it
     */
    static void check(ConsistencyLevel level, Map<String, String> replication) {
        int needed = replicasNeeded(level);
        OptionalInt replicas = replicas(replication);
        if (replicas.isPresent() && replicas.getAsInt() < needed) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "The instance has fewer replicas than the consistency level needs",
                    Map.of("consistency", level.name(), "needed", needed, "replicas", replicas.getAsInt()));
        }
    }

    /**
     * The number of replicas a level needs, independent of the replication factor; other levels are fractions of it.
     */
    static int replicasNeeded(ConsistencyLevel level) {
        if (level == DefaultConsistencyLevel.TWO) {
            return 2;
        }
        return level == DefaultConsistencyLevel.THREE ? 3 : 1;
    }

    /** Of all data centres together; empty for a strategy that does not say. */
    private static OptionalInt replicas(Map<String, String> replication) {
        return replication.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("class"))
                // Transient replicas, as in 3/1, count.
                .map(entry -> entry.getValue().split("/", 2)[0])
                .filter(count -> count.matches("[0-9]{1,4}"))
                .mapToInt(Integer::parseInt)
                .reduce(Integer::sum);
    }

    /** The stricter of two levels, for a batch that must satisfy both. */
    public static ConsistencyLevel stricter(ConsistencyLevel a, ConsistencyLevel b) {
        return rank(a) >= rank(b) ? a : b;
    }

    private static int rank(ConsistencyLevel level) {
        return switch ((DefaultConsistencyLevel) level) {
            case ANY -> 0;
            case LOCAL_ONE -> 1;
            case ONE -> 2;
            case TWO -> 3;
            case LOCAL_SERIAL, LOCAL_QUORUM -> 4;
            case SERIAL, QUORUM -> 5;
            // With up to five replicas three are at least a quorum.
            case THREE -> 6;
            case EACH_QUORUM -> 7;
            case ALL -> 8;
        };
    }
}
