package io.polytable.table.testkit;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Change;
import io.polytable.table.Cursor;
import io.polytable.table.Deadline;
import io.polytable.table.Direction;
import io.polytable.table.Expiry;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/** Expiry in a {@link MemoryStore}: without an index, by a scan of all rows. Guarded by the store's lock. */
final class MemoryExpiry {
    private final InstantSource clock;

    private record Over(MemoryTable table, Bytes key, Bytes stored) {
        long deadlineMillis() {
            return table.expiry().deadlineMillis(key, stored);
        }
    }

    MemoryExpiry(InstantSource clock) {
        this.clock = clock;
    }

    static Cursor scan(
            Table table,
            NavigableMap<Bytes, Bytes> rows,
            KeyRange range,
            Direction direction,
            long limit,
            long nowMillis) {
        return table.expiry()
                .scan(range, limit, nowMillis, (shown, most) -> RowListCursor.over(rows, shown, direction, most));
    }

    /** Gives a row without a deadline that of its table. */
    MemoryLog.Entry withDeadline(MemoryLog.Entry entry) {
        Expiry expiry = entry.table().expiry();
        boolean unset = entry.kind() == Change.Kind.PUT
                && expiry.isByRow()
                && Deadline.of(entry.value().orElseThrow()) == Deadline.UNSET;
        if (!unset) {
            return entry;
        }
        byte[] deadline = ByteBuffer.allocate(Deadline.BYTES)
                .putLong(expiry.deadlineFrom(clock.millis()))
                .array();
        return new MemoryLog.Entry(
                entry.kind(),
                entry.table(),
                entry.key(),
                entry.value().map(value -> Bytes.of(deadline).concat(expiry.value(value))),
                entry.before(),
                entry.end());
    }

    /** Adds deletes of up to so many rows to the batch, oldest deadlines first; returns how many. */
    int remove(Collection<MemoryTable> tables, int most, Batch batch) {
        List<Over> over = new ArrayList<>();
        for (MemoryTable table : tables) {
            if (!table.expiry().isNever()) {
                table.rows().forEach((key, stored) -> over.add(new Over(table, key, stored)));
            }
        }
        long nowMillis = clock.millis();
        over.removeIf(row -> row.deadlineMillis() > nowMillis);
        over.sort(Comparator.comparingLong(Over::deadlineMillis));
        List<Over> removed = over.subList(0, Math.min(most, over.size()));
        removed.forEach(row -> batch.delete(row.table(), RowKey.whole(row.key())));
        return removed.size();
    }
}
