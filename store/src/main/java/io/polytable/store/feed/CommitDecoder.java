package io.polytable.store.feed;

import io.polytable.store.log.LogReader;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decodes log records into changes. Not thread-safe. */
final class CommitDecoder {
    private final EncodedRow row = new EncodedRow();

    /** The record's changes to the given tables, in order. */
    List<Change> decode(LogReader record, Position after, Map<Integer, Table> tables) {
        List<Change> changes = new ArrayList<>();
        int end = record.offset() + record.length();
        for (int at = record.offset(); at < end; at = row.end()) {
            row.moveTo(record.array(), at);
            Table table = tables.get(row.table());
            if (table != null) {
                changes.add(change(table, after, record.origin()));
            }
        }
        return ended(changes);
    }

    private Change change(Table table, Position after, Origin origin) {
        Bytes key = row.key().copy();
        Optional<Bytes> none = Optional.empty();
        return switch (row.op()) {
            case EncodedRow.PUT ->
                new Change(
                        Change.Kind.PUT, table, key, Optional.of(row.value().copy()), none, none, after, origin, false);
            case EncodedRow.DELETE ->
                new Change(Change.Kind.DELETE, table, key, none, none, none, after, origin, false);
            case EncodedRow.DELETE_RANGE ->
                new Change(
                        Change.Kind.DELETE_RANGE,
                        table,
                        key,
                        none,
                        none,
                        Optional.of(row.value().copy()),
                        after,
                        origin,
                        false);
            default -> throw new StoreException(StoreError.CORRUPT, "Unknown kind of row", Map.of("op", row.op()));
        };
    }

    /** Marks the last change of a commit. */
    static List<Change> ended(List<Change> changes) {
        if (!changes.isEmpty()) {
            int last = changes.size() - 1;
            changes.set(last, changes.get(last).at(changes.get(last).position(), true));
        }
        return changes;
    }

    /**
     * The commit's net effect with old values: one change per row, with the commit's final value. A range delete
     * becomes deletes of the rows it removed. Advances {@code before} past the commit.
     */
    static List<Change> withBefore(List<Change> commit, TrailingRows before) {
        Map<TrailingRows.Place, Change> net = new LinkedHashMap<>();
        for (Change change : commit) {
            if (change.kind() == Change.Kind.DELETE_RANGE) {
                removeRange(change, net, before);
            } else {
                net.put(new TrailingRows.Place(change.table().id(), change.key()), change);
            }
        }
        List<Change> result = new ArrayList<>();
        for (Change change : net.values()) {
            Optional<Bytes> was = before.read(change.table(), change.key());
            if (was.isPresent() || change.value().isPresent()) {
                result.add(known(change, was));
            }
        }
        result.forEach(change -> before.set(change.table(), change.key(), change.value()));
        return ended(result);
    }

    private static void removeRange(Change range, Map<TrailingRows.Place, Change> net, TrailingRows before) {
        KeyRange keys = KeyRange.between(range.key(), range.end().orElse(Bytes.EMPTY));
        int table = range.table().id();
        net.replaceAll((place, change) ->
                place.table() == table && keys.contains(place.key()) ? deletion(range, place.key()) : change);
        before.forEach(
                range.table(), keys, key -> net.putIfAbsent(new TrailingRows.Place(table, key), deletion(range, key)));
    }

    private static Change deletion(Change range, Bytes key) {
        Optional<Bytes> none = Optional.empty();
        return new Change(
                Change.Kind.DELETE, range.table(), key, none, none, none, range.position(), range.origin(), false);
    }

    private static Change known(Change of, Optional<Bytes> before) {
        return new Change(
                of.kind(),
                of.table(),
                of.key(),
                of.value(),
                before,
                Optional.empty(),
                of.position(),
                of.origin(),
                false);
    }

    /** Approximate heap size of a decoded commit. */
    static long bytesOf(List<Change> changes) {
        return changes.stream().mapToLong(CommitDecoder::bytesOf).sum();
    }

    static long bytesOf(Change change) {
        return TrailingRows.ROW_BYTES
                + change.key().length()
                + change.value().map(Bytes::length).orElse(0)
                + change.before().map(Bytes::length).orElse(0);
    }
}
