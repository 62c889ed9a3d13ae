package io.polytable.entity.write;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.session.Futures;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.codec.BytesReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Writes one change at a time. A call returns, and a future completes, when the change is durable as the store
 * promises. Columns are written {@code family:qualifier}. Thread safe.
 */
public final class TableWriter {
    private final TableAccess access;
    private final Optional<String> consistency;

    public TableWriter(TableAccess access) {
        this(access, Optional.empty());
    }

    private TableWriter(TableAccess access, Optional<String> consistency) {
        this.access = access;
        this.consistency = consistency;
    }

    /**
     * A writer with this consistency level of the store, such as {@code ONE} or {@code ALL}, instead of that of the
     * layout or the URI. Stores without replicas ignore it.
     */
    public TableWriter at(String level) {
        return new TableWriter(access, Optional.of(level));
    }

    public void put(EntityId id, String column, Object value) {
        Futures.join(putAsync(id, column, value));
    }

    public void put(EntityId id, String column, long timestamp, Object value) {
        Futures.join(putAsync(id, column, timestamp, value));
    }

    public CompletableFuture<Void> putAsync(EntityId id, String column, Object value) {
        return putAsync(id, column, CellEdit.NOW, value);
    }

    public CompletableFuture<Void> putAsync(EntityId id, String column, long timestamp, Object value) {
        return Futures.guarded(() -> {
            ColumnName name = ColumnName.parse(column);
            access.register(name, value);
            return write(id, Edits.put(name, timestamp, value));
        });
    }

    /** Increments a counter and returns its new value. */
    public long increment(EntityId id, String column, long amount) {
        return Futures.join(incrementAsync(id, column, amount));
    }

    public CompletableFuture<Long> incrementAsync(EntityId id, String column, long amount) {
        return Futures.guarded(() -> answered(id, Edits.increment(ColumnName.parse(column), amount))
                .thenApply(answer -> new BytesReader(answer.counters().get(0).value()).i64()));
    }

    public void deleteRow(EntityId id) {
        deleteRow(id, CellEdit.NOW);
    }

    /** Everything that was written up to the timestamp, included. */
    public void deleteRow(EntityId id, long upTo) {
        Futures.join(deleteRowAsync(id, upTo));
    }

    public CompletableFuture<Void> deleteRowAsync(EntityId id, long upTo) {
        return Futures.guarded(() -> write(id, Edits.deleteRow(upTo)));
    }

    public void deleteFamily(EntityId id, String family) {
        deleteFamily(id, family, CellEdit.NOW);
    }

    public void deleteFamily(EntityId id, String family, long upTo) {
        Futures.join(deleteFamilyAsync(id, family, upTo));
    }

    public CompletableFuture<Void> deleteFamilyAsync(EntityId id, String family, long upTo) {
        return Futures.guarded(() -> write(id, Edits.deleteFamily(family, upTo)));
    }

    public void deleteColumn(EntityId id, String column) {
        deleteColumn(id, column, CellEdit.NOW);
    }

    public void deleteColumn(EntityId id, String column, long upTo) {
        Futures.join(deleteColumnAsync(id, column, upTo));
    }

    public CompletableFuture<Void> deleteColumnAsync(EntityId id, String column, long upTo) {
        return Futures.guarded(() -> write(id, Edits.deleteColumn(ColumnName.parse(column), upTo)));
    }

    /** The newest version of the column. */
    public void deleteCell(EntityId id, String column) {
        deleteCell(id, column, CellEdit.NOW);
    }

    /** The version with exactly the timestamp. */
    public void deleteCell(EntityId id, String column, long timestamp) {
        Futures.join(deleteCellAsync(id, column, timestamp));
    }

    public CompletableFuture<Void> deleteCellAsync(EntityId id, String column, long timestamp) {
        return Futures.guarded(() -> write(id, Edits.deleteCell(ColumnName.parse(column), timestamp)));
    }

    private CompletableFuture<Void> write(EntityId id, Function<LayoutState, CellEdit> edit) {
        return answered(id, edit).thenApply(answer -> null);
    }

    private CompletableFuture<WriteAnswer> answered(EntityId id, Function<LayoutState, CellEdit> edit) {
        return access.underAsync(state -> state.stored()
                .write(new RowChange(id.rowKey(), List.of(edit.apply(state)), Optional.empty(), consistency)));
    }
}
