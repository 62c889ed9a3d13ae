package io.polytable.entity.hbase;

import io.polytable.entity.key.EntityRange;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.jspecify.annotations.Nullable;

/** A scan in key order. The first call opens it and determines the fetch size. */
final class HBaseCursor implements RowCursor {
    private static final int CACHED_ROWS_MAX = 1000;
    private static final Bytes ANY_ROW = Bytes.utf8("any");

    private final AsyncTable<ScanResultConsumer> table;
    private final ScanQuery query;
    private final RowReads reads;
    private @Nullable ResultScanner scanner;
    private boolean ended;

    HBaseCursor(AsyncTable<ScanResultConsumer> table, ScanQuery query) {
        this.table = table;
        this.query = query;
        reads = new RowReads(query.query().columns());
    }

    private Optional<Scan> scan(int rows) {
        EntityRange range = query.range()
                .intersection(query.partition().map(Partition::range).orElse(EntityRange.ALL));
        Bytes after = query.after().map(row -> EntityRange.only(row).to()).orElse(Bytes.EMPTY);
        Bytes start = after.compareTo(range.from()) > 0 ? after : range.from();
        if (new EntityRange(start, range.to()).isEmpty()) {
            return Optional.empty();
        }
        Optional<Get> each = query.query().columns().isEmpty() ? Optional.empty() : reads.get(ANY_ROW);
        return each.map(get -> new Scan(get)
                .withStartRow(start.toByteArray(), true)
                .withStopRow(range.to().toByteArray(), false)
                .setCaching(Math.min(Math.max(rows, 1), CACHED_ROWS_MAX)));
    }

    @Override
    public List<StoredRow> next(int rows) {
        List<StoredRow> found = new ArrayList<>();
        try {
            while (found.isEmpty() && !ended) {
                fetch(rows, found);
            }
            return found;
        } catch (IOException | RuntimeException e) {
            throw Failures.of(e);
        }
    }

    private void fetch(int rows, List<StoredRow> found) throws IOException {
        ResultScanner open = scanner;
        if (open == null) {
            Optional<Scan> scan = scan(rows);
            if (scan.isEmpty()) {
                ended = true;
                return;
            }
            open = table.getScanner(scan.get());
            scanner = open;
        }
        while (found.size() < rows) {
            Result result = open.next();
            if (result == null) {
                ended = true;
                return;
            }
            List<StoredCell> cells = reads.cells(result);
            // The filters may return a little more than requested.
            if (!cells.isEmpty()) {
                found.add(new StoredRow(Bytes.of(result.getRow()), cells));
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        ResultScanner open = scanner;
        if (open != null) {
            open.close();
        }
    }
}
