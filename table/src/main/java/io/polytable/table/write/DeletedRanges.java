package io.polytable.table.write;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The range deletes of a {@link WriteSet}: for every key, the last one that covers it. Stored as disjoint segments by
 * their first key, so that a lookup is logarithmic however many deletes overlap. The last delete can be undone.
 */
final class DeletedRanges {
    /** A segment up to {@code to}, exclusive, empty for unbounded, and the last change that deleted it. */
    record Segment(Bytes to, int change) {
        boolean reaches(Bytes key) {
            return to.isEmpty() || key.compareTo(to) < 0;
        }
    }

    /** The undo information of one delete. */
    private record Step(List<Map.Entry<TableKey, Segment>> removed, List<TableKey> added) {}

    private final NavigableMap<TableKey, Segment> segments = new TreeMap<>();
    private final Deque<Step> steps = new ArrayDeque<>();

    /** Deletes the range, by a change that is newer than all before. */
    void add(int table, Bytes from, Bytes to, int change) {
        Step step = new Step(overlapping(table, from, to), new ArrayList<>());
        steps.push(step);
        for (Map.Entry<TableKey, Segment> cut : step.removed()) {
            segments.remove(cut.getKey());
            Segment old = cut.getValue();
            if (cut.getKey().key().compareTo(from) < 0) {
                put(step, cut.getKey(), new Segment(from, old.change()));
            }
            if (!to.isEmpty() && old.reaches(to)) {
                put(step, new TableKey(table, to), old);
            }
        }
        put(step, new TableKey(table, from), new Segment(to, change));
    }

    private void put(Step step, TableKey from, Segment segment) {
        segments.put(from, segment);
        step.added().add(from);
    }

    /** Undoes the last delete. */
    void undo() {
        Step step = steps.pop();
        step.added().forEach(segments::remove);
        step.removed().forEach(old -> segments.put(old.getKey(), old.getValue()));
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** The last change that deleted the key, or -1. */
    int find(int table, Bytes key) {
        Map.Entry<TableKey, Segment> segment = segments.floorEntry(new TableKey(table, key));
        boolean covers = segment != null
                && segment.getKey().table() == table
                && segment.getValue().reaches(key);
        return covers ? segment.getValue().change() : -1;
    }

    /** The deleted segments within the range, by their first key. */
    NavigableMap<Bytes, Segment> within(int table, KeyRange range) {
        NavigableMap<Bytes, Segment> found = new TreeMap<>();
        if (!segments.isEmpty()) {
            overlapping(table, range.from(), range.to())
                    .forEach(segment -> found.put(segment.getKey().key(), segment.getValue()));
        }
        return found;
    }

    private List<Map.Entry<TableKey, Segment>> overlapping(int table, Bytes from, Bytes to) {
        List<Map.Entry<TableKey, Segment>> found = new ArrayList<>();
        TableKey start = new TableKey(table, from);
        Map.Entry<TableKey, Segment> before = segments.lowerEntry(start);
        if (before != null
                && before.getKey().table() == table
                && before.getValue().reaches(from)) {
            found.add(before);
        }
        segments.subMap(start, TableKey.end(table, to)).forEach((key, segment) -> found.add(Map.entry(key, segment)));
        return found;
    }
}
