package io.polytable.table.testkit.history;

import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.testkit.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The plainest thing that could be right: sorted maps of texts, copied for snapshots and cursors. */
final class OracleWorld implements World {
    /** Rows by table. */
    private record Tables(NavigableMap<String, NavigableMap<String, String>> byName) {
        Tables() {
            this(new TreeMap<>());
            Workload.TABLES.forEach(table -> byName.put(table, new TreeMap<>()));
        }

        NavigableMap<String, String> rows(String table) {
            return byName.computeIfAbsent(table, name -> new TreeMap<>());
        }

        Tables copy() {
            Tables copy = new Tables();
            byName.forEach((table, rows) -> copy.rows(table).putAll(rows));
            return copy;
        }

        List<String> scan(Scan scan) {
            NavigableMap<String, String> rows = rows(scan.table());
            return (scan.direction() == Direction.FORWARD ? rows : rows.descendingMap())
                    .entrySet().stream()
                            .filter(row -> contains(scan.span(), row.getKey()))
                            .limit(scan.limit())
                            .map(row -> row.getKey() + "=" + row.getValue())
                            .toList();
        }
    }

    private final Tables tables = new Tables();
    private final Map<Integer, Tables> snapshots = new TreeMap<>();
    private final Map<Integer, List<String>> cursors = new TreeMap<>();

    @Override
    public String commit(List<Write> writes) {
        writes.forEach(this::apply);
        return DONE;
    }

    private void apply(Write write) {
        NavigableMap<String, String> rows = tables.rows(write.table());
        if (write instanceof Write.Put put) {
            rows.put(put.key(), put.value());
        } else if (write instanceof Write.Delete delete) {
            rows.remove(delete.key());
        } else if (write instanceof Write.DeleteRange delete) {
            rows.keySet().removeIf(key -> contains(delete.span(), key));
        }
    }

    private static boolean contains(Span span, String key) {
        KeyRange range = span.range();
        return range.contains(Rows.key(key).bytes());
    }

    @Override
    public String read(String table, List<String> keys) {
        return keys.stream()
                .map(key -> tables.rows(table).getOrDefault(key, NONE))
                .toList()
                .toString();
    }

    @Override
    public String scan(Scan scan) {
        return tables.scan(scan).toString();
    }

    @Override
    public String takeSnapshot(int slot) {
        snapshots.put(slot, tables.copy());
        return DONE;
    }

    @Override
    public String scanSnapshot(int slot, Scan scan) {
        Tables snapshot = snapshots.get(slot);
        return snapshot == null ? NONE : snapshot.scan(scan).toString();
    }

    @Override
    public String openCursor(int slot, Scan scan) {
        cursors.put(slot, new ArrayList<>(tables.scan(scan)));
        return DONE;
    }

    @Override
    public String advanceCursor(int slot, int rows) {
        List<String> left = cursors.get(slot);
        if (left == null) {
            return NONE;
        }
        List<String> next = left.subList(0, Math.min(rows, left.size()));
        String answer = next.toString();
        next.clear();
        return answer;
    }

    @Override
    public String follow() {
        return tables.byName().toString();
    }

    @Override
    public String recreate(String table) {
        tables.rows(table).clear();
        return restart();
    }

    @Override
    public String restart() {
        snapshots.clear();
        cursors.clear();
        return DONE;
    }

    @Override
    public String settle() {
        return DONE;
    }

    @Override
    public void close() {
        restart();
    }
}
