package io.polytable.redis.model.effect;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The element rows of one collection that a commit writes: for each sub-key its value, or that it is deleted. */
public final class ElementRows {
    private final Reader before;
    private final Table table;
    private final Map<ElementKind, Map<Bytes, Optional<Bytes>>> rows = new EnumMap<>(ElementKind.class);
    private final Map<ElementKind, Map<Bytes, RowKey>> keys = new EnumMap<>(ElementKind.class);
    private final Map<ElementKind, List<KeyRange>> ranges = new EnumMap<>(ElementKind.class);

    /** @param before the store as it is before the commit */
    ElementRows(Reader before, Table table) {
        this.before = before;
        this.table = table;
    }

    /** A later change of a row replaces an earlier one. */
    void put(ElementKind kind, Bytes row, Optional<Bytes> value) {
        Bytes sub = sub(kind, row);
        rows.computeIfAbsent(kind, each -> new LinkedHashMap<>()).put(sub, value);
        keys.computeIfAbsent(kind, each -> new LinkedHashMap<>()).put(sub, new RowKey(row, Layout.ELEMENT_PREFIX));
    }

    /** A deleted range also deletes what was put into it before. */
    void deleteRange(ElementKind kind, KeyRange range) {
        keys.getOrDefault(kind, Map.of()).forEach((sub, row) -> {
            boolean isInside = row.bytes().compareTo(range.from()) >= 0
                    && (range.to().isEmpty() || row.bytes().compareTo(range.to()) < 0);
            if (isInside) {
                rows.getOrDefault(kind, Map.of()).put(sub, Optional.empty());
            }
        });
        ranges.computeIfAbsent(kind, each -> new ArrayList<>()).add(range);
    }

    private static Bytes sub(ElementKind kind, Bytes row) {
        return row.from(kind.hashOrdered() ? Layout.ELEMENT_PREFIX + KeyedHash.BYTES : Layout.ELEMENT_PREFIX);
    }

    /** The rows of a kind by sub-key, in the order in which they were written first. */
    public Map<Bytes, Optional<Bytes>> of(ElementKind kind) {
        return rows.getOrDefault(kind, Map.of());
    }

    public boolean hasRanges(ElementKind kind) {
        return ranges.containsKey(kind);
    }

    /** The sub-keys of rows of a kind that the commit deletes by ranges. */
    public List<Bytes> deletedByRanges(ElementKind kind) {
        List<Bytes> deleted = new ArrayList<>();
        for (KeyRange range : ranges.getOrDefault(kind, List.of())) {
            try (Cursor cursor = before.scan(table, range)) {
                while (cursor.next()) {
                    Bytes sub = sub(kind, cursor.key());
                    if (of(kind).getOrDefault(sub, Optional.empty()).isEmpty()) {
                        deleted.add(sub);
                    }
                }
            }
        }
        return deleted;
    }

    /** The hashes of the rows of a hash-ordered kind that the commit writes. */
    int[] hashes(ElementKind kind, List<Bytes> subs) {
        return subs.stream()
                .flatMap(sub -> row(kind, sub).stream())
                .mapToInt(row -> BigEndian.intAt(row.bytes(), Layout.ELEMENT_PREFIX))
                .toArray();
    }

    /** The value before the commit of a row that the commit writes. */
    public Optional<Bytes> before(ElementKind kind, Bytes sub) {
        return row(kind, sub).flatMap(row -> before.read(table, row));
    }

    private Optional<RowKey> row(ElementKind kind, Bytes sub) {
        return Optional.ofNullable(keys.getOrDefault(kind, Map.of()).get(sub));
    }
}
