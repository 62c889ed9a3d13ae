package io.polytable.entity.read;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilter;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A scan under way, under the layout it began with. One thread at a time; close it. */
public final class RowScanner implements Iterator<EntityRow>, AutoCloseable {
    private static final int TOKEN_VERSION = 1;

    private final TableReader reader;
    private final ReadPlan shown;
    private final ReadPlan read;
    private final Optional<RowFilter> filter;
    private final RowCursor cursor;
    private final int batchRows;
    private final Deque<StoredRow> fetched = new ArrayDeque<>();
    private long left;
    private boolean ended;
    private @Nullable EntityRow ready;
    private @Nullable Bytes last;

    RowScanner(TableReader reader, LayoutState state, DataRequest request, ScanOptions options) {
        this.reader = reader;
        filter = options.filter();
        shown = new ReadPlan(state, request);
        DataRequest needed = filter.map(RowFilter::needs).orElse(DataRequest.EMPTY);
        read = needed.columns().isEmpty() ? shown : new ReadPlan(state, widened(state, request, needed));
        batchRows = options.batchRows();
        left = options.limit();
        Optional<Bytes> after = options.token().map(RowScanner::rowOf);
        cursor = state.stored().scan(new ScanQuery(options.range(), options.partition(), read.query(), after));
    }

    /** What the scan reads so that the filter can decide, without losing entities that have only what was requested. */
    private static DataRequest widened(LayoutState state, DataRequest request, DataRequest needed) {
        if (!request.columns().isEmpty()) {
            return request.merge(needed);
        }
        DataRequest all = DataRequest.EMPTY;
        for (LayoutColumns.Family family : state.columns().families()) {
            ColumnName name = ColumnName.family(family.layout().name());
            boolean isNeeded = needed.columns().keySet().stream()
                    .anyMatch(column -> column.family().equals(name.family()));
            ColumnRequest whole = ColumnRequest.of(name);
            all = all.with(isNeeded ? whole : whole.paged(1));
        }
        return all;
    }

    @Override
    public boolean hasNext() {
        while (ready == null && left > 0 && !ended) {
            if (fetched.isEmpty()) {
                fetched.addAll(cursor.next(
                        (int) Math.min(batchRows, Math.max(1, filter.isEmpty() ? left : batchRows))));
                ended = fetched.isEmpty();
                continue;
            }
            ready = accepted(fetched.removeFirst());
        }
        return ready != null;
    }

    private @Nullable EntityRow accepted(StoredRow row) {
        EntityId id = read.state().keys().ofRowKey(row.rowKey());
        if (filter.isPresent() && !filter.get().accepts(reader.row(id, read, row))) {
            last = row.rowKey();
            return null;
        }
        // With a filter the row may be here only for the filter's own columns.
        if (read != shown && !shown.isIn(row)) {
            last = row.rowKey();
            return null;
        }
        return reader.row(id, shown, row);
    }

    @Override
    public EntityRow next() {
        if (!hasNext() || ready == null) {
            throw new NoSuchElementException();
        }
        EntityRow row = ready;
        ready = null;
        left--;
        last = row.id().rowKey();
        return row;
    }

    /** Where another scan with the same request and options goes on behind the last row; empty before the first. */
    public Optional<String> token() {
        Bytes row = last;
        if (row == null) {
            return Optional.empty();
        }
        Bytes token = new BytesWriter().u8(TOKEN_VERSION).sized(row).toBytes();
        return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(token.toByteArray()));
    }

    private static Bytes rowOf(String token) {
        try {
            BytesReader in = new BytesReader(Bytes.of(Base64.getUrlDecoder().decode(token)));
            if (in.u8() == TOKEN_VERSION) {
                Bytes row = in.sized().copy();
                in.end();
                return row;
            }
        } catch (IllegalArgumentException | StoreException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a scan's token", Map.of("token", token), e);
        }
        throw new EntityException(EntityError.BAD_REQUEST, "Not a scan's token", Map.of("token", token));
    }

    /** The rows that are left, for a loop. */
    public Iterable<EntityRow> rows() {
        return () -> this;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
