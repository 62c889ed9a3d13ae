package io.polytable.sql;

import io.polytable.sql.command.session.Jobs;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.table.Eviction;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.FlushPolicies;
import io.polytable.sql.tier.Tiering;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A background thread that applies flush policies, evicts old events of stream tables and removes old tombstones. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private final Catalog catalog;
    private final Jobs jobs;
    private final Eviction eviction;
    private final FlushPolicies policies;
    private final Thread thread = new Thread(this::run, "sql-housekeeping");
    private volatile boolean stopped;

    Housekeeping(TableStore store, Catalog catalog, Jobs jobs, Tiering tiering, InstantSource clock) {
        this.catalog = catalog;
        this.jobs = jobs;
        eviction = new Eviction(store, clock);
        policies = new FlushPolicies(store, tiering, clock);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                TimeUnit.NANOSECONDS.sleep(EVERY.toNanos());
                cleanAll(List.copyOf(catalog.state().tables()));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void cleanAll(List<SqlTable> tables) {
        Set<Integer> ids = tables.stream().map(table -> table.table().id()).collect(Collectors.toSet());
        policies.retain(ids);
        eviction.retain(ids);
        tables.forEach(this::clean);
    }

    private void clean(SqlTable table) {
        try {
            policies.apply(table);
            long evicted = eviction.run(table);
            if (evicted > 0) {
                Jobs.Job job = jobs.begin("eviction", table.name().toString());
                jobs.end(job, true, evicted + " rows");
            }
        } catch (StoreException gone) {
            // The table was dropped or the store closed; the next round works on the catalog as it is then.
            LOG.debug("{} could not be cleaned: {}", table.name(), gone.getMessage());
        } catch (RuntimeException | Error ours) {
            // An uncaught error would end the thread silently.
            LOG.error("Cleaning {} failed; it is tried again", table.name(), ours);
        }
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, STOP_MAX.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
