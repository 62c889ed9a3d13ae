package io.polytable.redis.model.stream;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a stream's rows are consistent: entries can be decoded and lie between the ids in the header, the
 * nodes count them right, and each group agrees with its consumers and pending entries ({@link GroupCheck}).
 */
public final class StreamCheck {
    private final Reader reader;
    private final CollectionHeader header;
    private final StoredStream stored;
    private final Consumer<String> problems;

    public StreamCheck(RedisTables tables, Reader reader, CollectionHeader header, Consumer<String> problems) {
        this.reader = reader;
        this.header = header;
        this.stored = StoredStream.of(tables, header);
        this.problems = problems;
    }

    public void run() {
        StreamMeta meta = readable("what its header says of a stream", () -> StreamMeta.decode(header.fields()));
        if (meta != null) {
            checkEntries(meta);
        }
        new GroupCheck(reader, stored, problems).run();
    }

    /** Null, after reporting a problem, when it cannot be decoded. */
    private <T> @Nullable T readable(String what, Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            problems.accept(what + " cannot be read");
            return null;
        }
    }

    private void checkEntries(StreamMeta meta) {
        StreamId first = StreamId.MIN;
        StreamId last = StreamId.MIN;
        try (NodeWalk nodes = new NodeWalk(meta);
                Cursor rows = stored.scan(reader, ElementKind.STREAM_ENTRY)) {
            while (rows.next()) {
                Bytes sub = StoredStream.sub(rows);
                if (sub.length() != StreamId.BYTES) {
                    problems.accept("an entry has an id of " + sub.length() + " bytes");
                    continue;
                }
                StreamId id = StreamRows.id(sub);
                Object unusedFields = readable("its entry " + id, () -> StreamEntry.fields(rows.value()));
                first = first.equals(StreamId.MIN) ? id : first;
                last = id;
                nodes.pass(id);
            }
            nodes.end();
        }
        if (!first.equals(meta.first())) {
            problems.accept("its header says that " + meta.first() + " is its first entry, it is " + first);
        }
        if (last.isAfter(meta.last())) {
            problems.accept("its entry " + last + " is behind the last id " + meta.last() + " of its header");
        }
    }

    /** Walks over the nodes in step with the entries, and compares the count of each. */
    private final class NodeWalk implements AutoCloseable {
        private final StreamMeta meta;
        private final Cursor rows;
        private @Nullable StreamNode node;
        private boolean isTailDone;
        private long nodes;
        private long entries;

        NodeWalk(StreamMeta meta) {
            this.meta = meta;
            this.rows = stored.scan(reader, ElementKind.STREAM_NODE);
            this.node = next();
        }

        private @Nullable StreamNode next() {
            while (rows.next()) {
                nodes++;
                StreamNode read = readable(
                        "one of its nodes",
                        () -> StreamNode.decode(StreamRows.id(StoredStream.sub(rows)), rows.value()));
                if (read != null) {
                    return read;
                }
            }
            StreamNode tail = isTailDone ? null : meta.tail();
            isTailDone = true;
            return tail;
        }

        void pass(StreamId id) {
            while (node != null && id.isAfter(node.last())) {
                close(node);
                node = next();
            }
            if (node == null || id.isBefore(node.first())) {
                problems.accept("its entry " + id + " is in no node");
            } else {
                entries++;
            }
        }

        private void close(StreamNode ended) {
            if (ended.live() != entries) {
                problems.accept(
                        "its node " + ended.first() + " counts " + ended.live() + " entries, it has " + entries);
            }
            entries = 0;
        }

        void end() {
            for (StreamNode left = node; left != null; left = next()) {
                close(left);
            }
            if (nodes != meta.nodes()) {
                problems.accept("its header says " + meta.nodes() + " nodes, it has " + nodes);
            }
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
