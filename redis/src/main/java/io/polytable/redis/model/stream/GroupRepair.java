package io.polytable.redis.model.stream;

import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.write.WriteSet;
import java.util.Map;
import java.util.TreeMap;

/** Rebuilds the counts of one group and its index by owner from its pending entries, which are authoritative. */
final class GroupRepair {
    private final WriteSet work;
    private final StoredStream stored;
    private final Runnable step;
    private final Map<Bytes, Consumer> consumers = new TreeMap<>();
    private StreamId oldest = StreamId.MIN;
    private StreamId newest = StreamId.MIN;
    private long pending;

    /** @param step may commit the writes so far */
    GroupRepair(WriteSet work, StoredStream stored, Runnable step) {
        this.work = work;
        this.stored = stored;
        this.step = step;
    }

    void repair(Group group) {
        Bytes prefix = StreamRows.ofGroup(group.name());
        try (Cursor rows = stored.scan(work, ElementKind.STREAM_CONSUMER, prefix)) {
            while (rows.next()) {
                readOrDelete(rows, () -> {
                    Bytes name = StreamRows.behindGroup(StoredStream.sub(rows));
                    consumers.put(name, Consumer.decode(name, rows.value()).withPending(0));
                });
            }
        }
        try (Cursor rows = stored.scan(work, ElementKind.STREAM_PENDING, prefix)) {
            while (rows.next()) {
                readOrDelete(
                        rows, () -> own(group, Pending.decode(StreamRows.id(StoredStream.sub(rows)), rows.value())));
                step.run();
            }
        }
        consumers.forEach((name, consumer) ->
                put(ElementKind.STREAM_CONSUMER, StreamRows.ofConsumer(group.name(), name), consumer.row()));
        Group repaired = group.withConsumers(consumers.size()).withPending(pending, oldest, newest);
        put(ElementKind.STREAM_GROUP, group.name(), repaired.row());
    }

    private void readOrDelete(Cursor rows, Runnable reading) {
        try {
            reading.run();
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            work.delete(stored.table(), new RowKey(rows.key(), Layout.ELEMENT_PREFIX));
        }
    }

    private void own(Group group, Pending each) {
        oldest = pending++ == 0 ? each.id() : oldest;
        newest = each.id();
        consumers.merge(
                each.consumer(),
                Consumer.created(each.consumer(), each.deliveredMillis()).owning(1),
                (known, unused) -> known.owning(1));
        put(ElementKind.STREAM_OWNED, StreamRows.ofOwned(group.name(), each.consumer(), each.id()), Bytes.EMPTY);
    }

    private void put(ElementKind kind, Bytes sub, Bytes value) {
        work.put(stored.table(), stored.row(kind, sub), value);
    }
}
