package io.polytable.entity.permit;

import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Cells of a table for one user. */
record GuardedTable(StoredTable table, Guard guard, String name) implements StoredTable {
    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        return guarded(Permission.READ, () -> table.get(rowKey, query));
    }

    @Override
    public CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query) {
        return guarded(Permission.READ, () -> table.getAll(rowKeys, query));
    }

    @Override
    public RowCursor scan(ScanQuery query) {
        guard.require(Permission.READ, Optional.of(name));
        return table.scan(query);
    }

    /** A check reveals whether a value is present, so it needs READ too. */
    @Override
    public CompletableFuture<WriteAnswer> write(RowChange change) {
        return guarded(Permission.WRITE, () -> {
            if (change.check().isPresent()) {
                guard.require(Permission.READ, Optional.of(name));
            }
            return table.write(change);
        });
    }

    @Override
    public CompletableFuture<Void> writeAll(List<RowChange> changes) {
        return guarded(Permission.WRITE, () -> table.writeAll(changes));
    }

    @Override
    public List<Partition> partitions(int wanted) {
        guard.require(Permission.READ, Optional.of(name));
        return table.partitions(wanted);
    }

    @Override
    public void flush() {
        guard.require(Permission.WRITE, Optional.of(name));
        table.flush();
    }

    private <T> CompletableFuture<T> guarded(Permission permission, Supplier<CompletableFuture<T>> call) {
        try {
            guard.require(permission, Optional.of(name));
            return call.get();
        } catch (EntityException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
