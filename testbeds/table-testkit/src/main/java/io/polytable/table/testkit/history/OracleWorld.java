package io.polytable.table.testkit.history;

import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.testkit.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The oracle: sorted maps of texts, copied for snapshots and cursors. */
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

    /** A cursor whose limit counts returned rows, not skipped ones. */
    private static final class OpenCursor {
        private final Direction direction;
        private final List<String> ahead;
        private long left;

        OpenCursor(Scan scan, List<String> rows) {
            direction = scan.direction();
            ahead = new ArrayList<>(rows);
            left = scan.limit();
        }

        String next(int rows) {
            int count = (int) Math.min(Math.min(rows, left), ahead.size());
            List<String> next = ahead.subList(0, count);
            left -= count;
            String answer = next.toString();
            next.clear();
            return answer;
        }

        String seek(String key) {
            while (left > 0 && !ahead.isEmpty() && isBefore(ahead.get(0), key)) {
                ahead.remove(0);
            }
            return next(1);
        }

        private boolean isBefore(String row, String key) {
            int order = row.substring(0, row.indexOf('=')).compareTo(key);
            return direction == Direction.FORWARD ? order < 0 : order > 0;
        }
    }

    private final Tables tables = new Tables();
    private final Map<Integer, Tables> snapshots = new TreeMap<>();
    private final Map<Integer, OpenCursor> cursors = new TreeMap<>();

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
        Scan all = new Scan(scan.table(), scan.span(), scan.direction(), Long.MAX_VALUE);
        cursors.put(slot, new OpenCursor(scan, tables.scan(all)));
        return DONE;
    }

    @Override
    public String advanceCursor(int slot, int rows) {
        OpenCursor cursor = cursors.get(slot);
        return cursor == null ? NONE : cursor.next(rows);
    }

    @Override
    public String seekCursor(int slot, String key) {
        OpenCursor cursor = cursors.get(slot);
        return cursor == null ? NONE : cursor.seek(key);
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
