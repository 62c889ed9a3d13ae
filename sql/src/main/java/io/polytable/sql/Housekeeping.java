package io.polytable.sql;

import io.polytable.frontend.work.Background;
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
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Background work on all tables: applies flush policies, evicts old events of stream tables and removes old tombstones. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration REMOVAL_EVERY = Duration.ofMinutes(10);

    private final Catalog catalog;
    private final Jobs jobs;
    private final Eviction eviction;
    private final FlushPolicies policies;
    private final Background background = new Background("sql-housekeeping", Duration.ZERO);

    Housekeeping(TableStore store, Catalog catalog, Jobs jobs, Tiering tiering, InstantSource clock) {
        this.catalog = catalog;
        this.jobs = jobs;
        eviction = new Eviction(store, clock);
        policies = new FlushPolicies(store, tiering, clock);
        background.after(EVERY, this::cleanAll);
        background.after(REMOVAL_EVERY, tiering.storages()::removeDeleted);
    }

    private void cleanAll() {
        List<SqlTable> tables = List.copyOf(catalog.state().tables());
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
            // The other tables are cleaned all the same.
            LOG.error("Cleaning {} failed; it is tried again", table.name(), ours);
        }
    }

    @Override
    public void close() {
        background.close();
    }
}
