package io.polytable.entity.serve;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.Futures;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.entity.wire.ChangeCodec;
import io.polytable.entity.wire.QueryCodec;
import io.polytable.entity.wire.RowCodec;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The calls on a table's cells. */
final class TableCalls {
    /** The maximum number of rows in an answer. */
    private static final int ROWS_MAX = 10_000;

    /** A page ends with the row that reaches this size. */
    private static final long PAGE_BYTES = 1 << 20;

    private static final int STEP_ROWS = 100;
    private static final int CELL_BYTES = 32;

    private TableCalls() {}

    static void answer(StoreCall kind, ServedInstance instance, BytesReader in, BytesWriter out) {
        String table = in.text();
        String print = in.text();
        switch (kind) {
            case GET -> get(instance, table, print, in, out);
            case WRITE -> write(instance, table, print, changes(in), out);
            case WRITE_ALL -> {
                List<RowChange> changes = changes(in);
                instance.under(
                        table,
                        print,
                        false,
                        stored -> Futures.join(stored.writeAll(changes).thenApply(done -> table)));
            }
            case PARTITIONS -> {
                int wanted = in.i32();
                in.end();
                List<Partition> parts = instance.under(table, print, false, stored -> stored.partitions(wanted));
                out.varint(parts.size());
                parts.forEach(part -> QueryCodec.write(out, part));
            }
            case FLUSH -> {
                in.end();
                instance.under(table, print, false, stored -> {
                    stored.flush();
                    return table;
                });
            }
            case SCAN -> scan(instance, table, print, in, out);
            default -> throw new IllegalStateException("Not a call on a table: " + kind);
        }
    }

    private static void get(ServedInstance instance, String table, String print, BytesReader in, BytesWriter out) {
        int count = in.count();
        if (count > ROWS_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "Too many rows in one call", Map.of("rowsMax", ROWS_MAX));
        }
        List<Bytes> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(in.sized().copy());
        }
        RowQuery query = QueryCodec.rowQuery(in);
        in.end();
        boolean goesOn =
                query.columns().stream().anyMatch(column -> column.after().isPresent());
        List<StoredRow> rows = instance.under(table, print, goesOn, stored -> Futures.join(stored.getAll(keys, query)));
        rows.forEach(row -> RowCodec.write(out, row));
    }

    private static List<RowChange> changes(BytesReader in) {
        int count = in.count();
        List<RowChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(ChangeCodec.change(in));
        }
        in.end();
        return changes;
    }

    private static void write(
            ServedInstance instance, String table, String print, List<RowChange> changes, BytesWriter out) {
        List<ChangeCodec.Outcome> outcomes = instance.under(table, print, false, stored -> written(stored, changes));
        outcomes.forEach(outcome -> ChangeCodec.write(out, outcome));
    }

    private static List<ChangeCodec.Outcome> written(StoredTable stored, List<RowChange> changes) {
        List<CompletableFuture<WriteAnswer>> running = new ArrayList<>();
        for (RowChange change : changes) {
            running.add(Futures.guarded(() -> stored.write(change)));
        }
        List<ChangeCodec.Outcome> outcomes = new ArrayList<>();
        for (CompletableFuture<WriteAnswer> write : running) {
            try {
                outcomes.add(new ChangeCodec.Outcome.Answered(Futures.join(write)));
            } catch (EntityException e) {
                outcomes.add(new ChangeCodec.Outcome.Failed(e));
            }
        }
        return outcomes;
    }

    private static void scan(ServedInstance instance, String table, String print, BytesReader in, BytesWriter out) {
        int rowsMax = Math.max(1, Math.min(in.i32(), ROWS_MAX));
        boolean goesOn = in.u8() == 1;
        ScanQuery query = QueryCodec.scanQuery(in);
        in.end();
        List<StoredRow> rows = new ArrayList<>();
        boolean hasMore = instance.under(table, print, goesOn, stored -> {
            rows.clear();
            try (RowCursor cursor = stored.scan(query)) {
                return page(cursor, rowsMax, rows);
            }
        });
        out.u8(hasMore ? 1 : 0).varint(rows.size());
        rows.forEach(row -> RowCodec.write(out, row));
    }

    /** Fills a page; returns whether more rows may follow. */
    private static boolean page(RowCursor cursor, int rowsMax, List<StoredRow> rows) {
        long bytes = 0;
        while (rows.size() < rowsMax && bytes < PAGE_BYTES) {
            List<StoredRow> step = cursor.next(Math.min(STEP_ROWS, rowsMax - rows.size()));
            if (step.isEmpty()) {
                return false;
            }
            for (StoredRow row : step) {
                rows.add(row);
                bytes += row.rowKey().length();
                for (StoredCell cell : row.cells()) {
                    bytes += CELL_BYTES + cell.value().length();
                }
            }
        }
        return true;
    }
}
