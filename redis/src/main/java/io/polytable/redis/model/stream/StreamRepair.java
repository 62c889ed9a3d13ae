package io.polytable.redis.model.stream;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.write.WriteSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds what can be derived of a stream: the nodes and the header from its entries, and for each group the counts
 * and the index by owner from its pending entries. Deletes rows that cannot be decoded or belong to no group. A stream
 * can be larger than a batch, so this takes many commits; an interrupted repair starts again. The caller has exclusive
 * access.
 */
public final class StreamRepair {
    private static final int BATCH_BYTES = 4 << 20;

    private final WriteSet work;
    private final CollectionHeader header;
    private final StoredStream stored;

    public StreamRepair(RedisTables tables, CollectionHeader header) {
        this.work = new WriteSet(tables.store());
        this.header = header;
        this.stored = StoredStream.of(tables, header);
    }

    /** Answers the header that matches the rows, for the caller to put. */
    public CollectionHeader run() {
        CollectionHeader repaired = repairEntries();
        repairGroups();
        commit();
        return repaired;
    }

    private static <T> Optional<T> readable(Supplier<T> decoding) {
        try {
            return Optional.of(decoding.get());
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private CollectionHeader repairEntries() {
        work.deleteRange(stored.table(), stored.all(ElementKind.STREAM_NODE));
        commit();
        long size = 0;
        long nodes = 0;
        StreamId first = StreamId.MIN;
        StreamId last = StreamId.MIN;
        StreamNode tail = null;
        try (Cursor rows = stored.scan(work, ElementKind.STREAM_ENTRY)) {
            while (rows.next()) {
                Bytes sub = StoredStream.sub(rows);
                Optional<List<Bytes>> fields = sub.length() == StreamId.BYTES
                        ? readable(() -> StreamEntry.fields(rows.value()))
                        : Optional.empty();
                if (fields.isEmpty()) {
                    delete(rows);
                    continue;
                }
                last = StreamRows.id(sub);
                first = size++ == 0 ? last : first;
                StreamNode next = packed(tail, last, fields.get());
                nodes += tail != null && !next.first().equals(tail.first()) ? 1 : 0;
                tail = next;
                step();
            }
        }
        return header.withSize(size)
                .withFields(meta(first, last, size, nodes, tail).encode());
    }

    private StreamNode packed(@Nullable StreamNode tail, StreamId id, List<Bytes> fields) {
        long bytes = fields.stream().mapToLong(Bytes::length).sum();
        if (tail == null) {
            return StreamNode.begin(id, fields);
        }
        if (!NodeLimits.STANDARD.isFull(tail, bytes)) {
            return tail.with(id, fields);
        }
        work.put(
                stored.table(), stored.row(ElementKind.STREAM_NODE, tail.first().bytes()), tail.row());
        return StreamNode.begin(id, fields);
    }

    /** Takes what does not follow from the entries from the old header, if it can be decoded. */
    private StreamMeta meta(StreamId first, StreamId last, long size, long nodes, @Nullable StreamNode tail) {
        StreamMeta old = readable(() -> StreamMeta.decode(header.fields()))
                .orElse(new StreamMeta(first, last, StreamId.MIN, size, 0, null));
        return new StreamMeta(
                first, StreamId.max(old.last(), last), old.maxDeleted(), Math.max(old.added(), size), nodes, tail);
    }

    private void repairGroups() {
        work.deleteRange(stored.table(), stored.all(ElementKind.STREAM_OWNED));
        commit();
        Set<Bytes> names = new HashSet<>();
        try (Cursor rows = stored.scan(work, ElementKind.STREAM_GROUP)) {
            while (rows.next()) {
                Bytes name = StoredStream.sub(rows);
                Optional<Group> group = readable(() -> Group.decode(name, rows.value()));
                if (group.isEmpty()) {
                    delete(rows);
                } else {
                    names.add(name);
                    new GroupRepair(work, stored, this::step).repair(group.get());
                }
            }
        }
        deleteStrays(ElementKind.STREAM_CONSUMER, names);
        deleteStrays(ElementKind.STREAM_PENDING, names);
    }

    private void deleteStrays(ElementKind kind, Set<Bytes> names) {
        try (Cursor rows = stored.scan(work, kind)) {
            while (rows.next()) {
                Bytes sub = StoredStream.sub(rows);
                if (readable(() -> StreamRows.group(sub))
                        .filter(names::contains)
                        .isEmpty()) {
                    delete(rows);
                    step();
                }
            }
        }
    }

    private void delete(Cursor rows) {
        work.delete(stored.table(), new RowKey(rows.key(), Layout.ELEMENT_PREFIX));
    }

    private void step() {
        if (work.sizeBytes() > BATCH_BYTES) {
            commit();
        }
    }

    private void commit() {
        Commit unusedPosition = work.commit();
    }
}
