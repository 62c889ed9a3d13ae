package io.polytable.entity.read;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.session.Futures;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.StoredRow;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads entities of a table, each call under the current layout. Thread safe. */
public final class TableReader {
    private static final int BULK_MAX = 100_000;

    private final TableAccess access;
    private volatile @Nullable ReadPlan last;

    public TableReader(TableAccess access) {
        this.access = access;
    }

    /** Reads the entity: an empty row if it does not exist. */
    public EntityRow get(EntityId id, DataRequest request) {
        return Futures.join(getAsync(id, request));
    }

    public CompletableFuture<EntityRow> getAsync(EntityId id, DataRequest request) {
        return access.underAsync(state -> {
            ReadPlan plan = plan(state, request);
            return state.stored().get(id.rowKey(), plan.query()).thenApply(row -> row(id, plan, row));
        });
    }

    /** One row for each id, in order; the store reads them in parallel. */
    public List<EntityRow> getAll(List<EntityId> ids, DataRequest request) {
        return Futures.join(getAllAsync(ids, request));
    }

    public CompletableFuture<List<EntityRow>> getAllAsync(List<EntityId> ids, DataRequest request) {
        if (ids.size() > BULK_MAX) {
            return CompletableFuture.failedFuture(new EntityException(
                    EntityError.TOO_LARGE, "Too many entities at a time", Map.of("entities", ids.size())));
        }
        return access.underAsync(state -> {
            ReadPlan plan = plan(state, request);
            List<Bytes> keys = ids.stream().map(EntityId::rowKey).toList();
            return state.stored().getAll(keys, plan.query()).thenApply(rows -> {
                List<EntityRow> answer = new ArrayList<>(rows.size());
                for (int i = 0; i < rows.size(); i++) {
                    answer.add(row(ids.get(i), plan, rows.get(i)));
                }
                return answer;
            });
        });
    }

    /** Most programs repeat one request. */
    private ReadPlan plan(LayoutState state, DataRequest request) {
        ReadPlan known = last;
        if (known == null || known.state() != state || !known.request().equals(request)) {
            known = new ReadPlan(state, request);
            last = known;
        }
        return known;
    }

    /** Scans the entities that have a requested cell. Close the scanner. */
    public RowScanner scan(DataRequest request, ScanOptions options) {
        return access.under(state -> new RowScanner(this, state, request, options));
    }

    public RowScanner scan(DataRequest request) {
        return scan(request, ScanOptions.ALL);
    }

    /** Splits the table into about so many parts that can be scanned in parallel, also by other processes. */
    public List<Partition> partitions(int wanted) {
        return access.under(state -> state.stored().partitions(wanted));
    }

    EntityRow row(EntityId id, ReadPlan plan, StoredRow row) {
        return new EntityRow(id, plan, this, plan.cells(row));
    }
}
