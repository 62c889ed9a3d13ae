package io.polytable.sql.command.session;

import io.polytable.sql.query.Cancellation;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The registry of running statements, for {@code system.live_queries} and KILL QUERY. */
public final class RunningQueries {
    private final InstantSource clock;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Query> queries = new ConcurrentSkipListMap<>();

    /** A running statement. */
    public record Query(long id, String user, String text, Instant since, Cancellation cancellation) {}

    RunningQueries(InstantSource clock) {
        this.clock = clock;
    }

    public long add(String user, String text, Cancellation cancellation) {
        long id = numbers.incrementAndGet();
        queries.put(id, new Query(id, user, text, clock.instant(), cancellation));
        return id;
    }

    public void remove(long id) {
        queries.remove(id);
    }

    public List<Query> all() {
        return List.copyOf(queries.values());
    }

    public void kill(String id) {
        Query query = id.matches("\\d{1,18}") ? queries.get(Long.parseLong(id)) : null;
        if (query == null) {
            throw new SqlError(SqlCode.UNDEFINED_OBJECT, "no query " + id + " is running");
        }
        query.cancellation().cancel();
    }
}
