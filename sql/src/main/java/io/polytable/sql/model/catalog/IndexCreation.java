package io.polytable.sql.model.catalog;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.table.IndexBuilder;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Builds an index while others write. From the first step on writers maintain its entries, and nobody reads it.
 * Existing rows get their entries in short steps in key order: rows are read from a snapshot without a lock, since flushed
 * ones may take long, and get their entries while no commit runs. The definition is written last: a crash before it
 * leaves a table without a definition, which the next start drops.
 *
 * <p>A unique index that finds two rows with the same values is abandoned; until then it already rejects duplicates
 * that it knows of.
 */
public final class IndexCreation {
    private final Catalog catalog;
    private final TableStore store;
    private final SqlTable table;
    private final IndexDef def;

    /** Runs a step while no commit and no other definition runs. */
    public interface Exclusive {
        <T> T run(Supplier<T> step);
    }

    IndexCreation(Catalog catalog, TableStore store, SqlTable table, IndexDef def) {
        this.catalog = catalog;
        this.store = store;
        this.table = table;
        this.def = def;
    }

    /**
     * Builds the index and returns the table with it.
     *
     * @param ending runs the step that abandons the index, without the statement's time limit, which may have passed
     * @param check called for every row; it throws to abandon the index
     */
    public SqlTable run(Exclusive exclusive, Exclusive ending, Runnable check) {
        SqlIndex index = exclusive.run(this::begin);
        try (IndexBuilder builder = new IndexBuilder(store, index, check)) {
            IndexBuilder.Step step;
            do {
                builder.read(current(index));
                step = exclusive.run(() -> builder.step(current(index)));
                AnswerGate.settle(step.commit());
            } while (step.more());
            return exclusive.run(() -> finish(index));
        } catch (RuntimeException | Error failure) {
            abandon(index, ending, failure);
            throw failure;
        }
    }

    private void abandon(SqlIndex index, Exclusive ending, Throwable failure) {
        try {
            boolean unused = ending.run(() -> abandon(index));
        } catch (RuntimeException | Error another) {
            failure.addSuppressed(another);
        }
    }

    private SqlIndex begin() {
        requireFreeName();
        SqlIndex index = new SqlIndex(table.def(), def, new IndexTables(store).create(SqlIndex.spec(table.def(), def)));
        catalog.created(index.table());
        try {
            catalog.replace(table, table.filling(index));
        } catch (RuntimeException failure) {
            store.drop(index.table().name());
            throw failure;
        }
        return index;
    }

    /** Names of indexes that are being built are taken too. */
    private void requireFreeName() {
        boolean taken = catalog.state().tables().stream()
                .filter(other -> other.name().namespace().equals(table.name().namespace()))
                .flatMap(other -> other.indexes().stream())
                .map(SqlIndex::def)
                .anyMatch(other -> other.name().equals(def.name()) && !other.equals(def));
        if (taken) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "index \"" + def.name() + "\" already exists");
        }
    }

    /** The current table; other indexes may be built concurrently. */
    private SqlTable current(SqlIndex index) {
        return catalog.state()
                .table(table.name())
                .filter(now -> now.indexes().contains(index))
                .orElseThrow(() -> new SqlError(
                        SqlCode.SERIALIZATION_FAILURE, "table " + table.name() + " was changed meanwhile; retry"));
    }

    /** Defines the index. Rows written since the last step have their entries from their writers. */
    private SqlTable finish(SqlIndex index) {
        SqlTable filled = current(index);
        requireFreeName();
        List<IndexDef> indexes = new ArrayList<>(filled.def().indexes());
        indexes.add(def);
        SqlTable after = filled.as(filled.def().withIndexes(indexes));
        catalog.replace(filled, after);
        return after;
    }

    private boolean abandon(SqlIndex index) {
        catalog.state()
                .table(table.name())
                .filter(now -> now.indexes().contains(index))
                .ifPresent(now -> catalog.replace(now, now.without(index)));
        if (store.find(index.table().name()).isPresent()) {
            store.drop(index.table().name());
        }
        return true;
    }
}
