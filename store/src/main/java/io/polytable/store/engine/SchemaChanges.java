package io.polytable.store.engine;

import io.polytable.store.state.Family;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, alters and drops tables, one change at a time: each is a durable commit before the catalog shows it. */
final class SchemaChanges {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChanges.class);

    private final Catalog catalog;
    private final Applier applier;
    private final Failure failure;
    private final Consumer<Batch> commitDurably;

    SchemaChanges(Catalog catalog, Applier applier, Failure failure, Consumer<Batch> commitDurably) {
        this.catalog = catalog;
        this.applier = applier;
        this.failure = failure;
        this.commitDurably = commitDurably;
    }

    synchronized Table create(TableSpec spec) {
        failure.check();
        Optional<EngineTable> present = catalog.find(spec.name());
        if (present.isPresent()) {
            if (present.get().spec().equals(spec)) {
                return present.get();
            }
            throw new StoreException(
                    StoreError.TABLE_EXISTS, "A table of this name has another spec", Map.of("table", spec.name()));
        }
        spec.requireCreatable();
        return createNew(spec);
    }

    private EngineTable createNew(TableSpec spec) {
        if (catalog.orphans().contains(Family.of(spec).name())) {
            // Leftovers of a drop that did not finish.
            dropOrphans();
        }
        Batch batch = new Batch();
        int id = catalog.prepare(spec, batch);
        commitDurably.accept(batch);
        return catalog.created(id, spec);
    }

    synchronized Table addColumn(TableName name, Column column) {
        EngineTable table = existing(name);
        return alter(table, table.spec().withColumn(column));
    }

    synchronized Table setTtl(TableName name, Optional<Duration> ttl) {
        EngineTable table = existing(name);
        return alter(table, table.spec().withTtl(ttl));
    }

    private Table alter(EngineTable table, TableSpec next) {
        commitDurably.accept(catalog.alteration(table, next));
        table.alter(next);
        return table;
    }

    private EngineTable existing(TableName name) {
        failure.check();
        return catalog.existing(name);
    }

    /** Drops the index of row deadlines that older versions kept. */
    synchronized void dropDeadlines() {
        catalog.deadlines().ifPresent(this::drop);
    }

    synchronized void drop(TableName name) {
        drop(existing(name));
    }

    private void drop(EngineTable table) {
        commitDurably.accept(catalog.deletion(table));
        catalog.dropped(table);
        try {
            dropOrphans();
        } catch (StoreException e) {
            failure.check();
            LOG.warn("The files of the dropped table {} stay until they can be deleted", table.name(), e);
        }
    }

    /** Drops families that no table owns, once no replay can meet their rows any more. */
    private void dropOrphans() {
        Set<String> orphans = catalog.orphans();
        if (!orphans.isEmpty()) {
            applier.drain();
            applier.flushState();
            catalog.dropFamilies(orphans);
        }
    }
}
