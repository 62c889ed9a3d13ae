package io.polytable.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The range deletes of a {@link WriteSet}: for every key, the last one that covers it. Kept as disjoint segments by their
 * first key, so that a lookup costs a logarithm however many deletes lie over one another. The last delete can be undone.
 */
final class DeletedRanges {
    /** Up to {@code to}, exclusive, empty for no end: the number of the change that deleted it last. */
    private record Segment(Bytes to, int change) {
        boolean reaches(Bytes key) {
            return to.isEmpty() || key.compareTo(to) < 0;
        }
    }

    /** What one delete did to the segments. */
    private record Step(List<Map.Entry<TableKey, Segment>> removed, List<TableKey> added) {}

    private final NavigableMap<TableKey, Segment> segments = new TreeMap<>();
    private final Deque<Step> steps = new ArrayDeque<>();

    /** The range is deleted by a change that is newer than all before. */
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

    /** Takes the last delete back. */
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

    /** Where deleted segments of the range begin and end, as they are now. */
    NavigableMap<Bytes, Bytes> within(int table, KeyRange range) {
        NavigableMap<Bytes, Bytes> ends = new TreeMap<>();
        if (!segments.isEmpty()) {
            overlapping(table, range.from(), range.to())
                    .forEach(segment ->
                            ends.put(segment.getKey().key(), segment.getValue().to()));
        }
        return ends;
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
