package io.polytable.store.feed;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The tables as of just before the next commit: a snapshot, overlaid with the changes since. */
final class TrailingRows {
    /** Overhead of a row. */
    static final long ROW_BYTES = 160;

    /** The most rows of a range delete that are reported one by one. */
    static final int RANGE_ROWS_MAX = 100_000;

    private final Reader base;
    private final Map<Integer, NavigableMap<Bytes, Optional<Bytes>>> since = new HashMap<>();
    private long bytes;

    record Place(int table, Bytes key) {}

    TrailingRows(Reader base) {
        this.base = base;
    }

    Optional<Bytes> read(Table table, Bytes key) {
        Optional<Bytes> changed = of(table).get(key);
        return changed != null ? changed : base.read(table, RowKey.whole(key));
    }

    private NavigableMap<Bytes, Optional<Bytes>> of(Table table) {
        return since.computeIfAbsent(table.id(), id -> new TreeMap<>());
    }

    void set(Table table, Bytes key, Optional<Bytes> value) {
        Optional<Bytes> before = of(table).put(key, value);
        bytes += value.map(Bytes::length).orElse(0)
                - (before == null
                        ? -ROW_BYTES - key.length()
                        : before.map(Bytes::length).orElse(0));
    }

    /** The keys of the rows in a range, unordered. */
    void forEach(Table table, KeyRange range, Consumer<Bytes> action) {
        NavigableMap<Bytes, Optional<Bytes>> changed = of(table).tailMap(range.from(), true);
        if (!range.to().isEmpty()) {
            changed = range.isEmpty() ? Collections.emptyNavigableMap() : changed.headMap(range.to(), false);
        }
        int count = changed.size();
        try (Cursor rows = base.scan(table, range)) {
            while (rows.next()) {
                Bytes key = rows.key();
                if (!changed.containsKey(key)) {
                    action.accept(key.copy());
                    count++;
                }
                if (count > RANGE_ROWS_MAX) {
                    throw new StoreException(
                            StoreError.TOO_MANY, "A commit removes too many rows", Map.of("limit", RANGE_ROWS_MAX));
                }
            }
        }
        changed.forEach((key, value) -> {
            if (value.isPresent()) {
                action.accept(key);
            }
        });
    }

    /** Approximate memory of the changes since the snapshot. */
    long bytes() {
        return bytes;
    }
}
