package io.polytable.redis.model.stream;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One stream, opened for one command. Changes of its header are kept here until {@link #save()}, so that the header is
 * written once; other rows are written at once.
 */
final class OpenStream {
    private final Space space;
    private final Bytes key;
    private final CollectionHeader header;
    private final StreamRows rows;
    private long length;
    private StreamMeta meta;

    private OpenStream(Space space, Bytes key, CollectionHeader header) {
        this.space = space;
        this.key = key;
        this.header = header;
        this.rows = StreamRows.of(space, header);
        this.length = header.size();
        this.meta = StreamMeta.decode(header.fields());
    }

    /** The stream of this header, without a lookup of the key. */
    static OpenStream of(Space space, Bytes key, CollectionHeader header) {
        return new OpenStream(space, key, header);
    }

    /** @throws io.polytable.redis.model.RedisError WRONGTYPE when the key holds something else */
    static Optional<OpenStream> find(Space space, Bytes key) {
        return space.collection(key, Type.STREAM).map(header -> new OpenStream(space, key, header));
    }

    /** As {@link #find}, for commands that write, but look up the stream as readers do: reports a miss. */
    static Optional<OpenStream> findToRead(Space space, Bytes key) {
        Optional<OpenStream> found = find(space, key);
        if (found.isEmpty()) {
            space.missed(key);
        }
        return found;
    }

    /** The stream, or a new empty one that exists only once it is saved. */
    static OpenStream findOrNew(Space space, Bytes key) {
        return new OpenStream(space, key, space.collectionOrNew(key, Type.STREAM));
    }

    void save() {
        space.put(key, header.withSize(length).withFields(meta.encode()));
    }

    Space space() {
        return space;
    }

    Bytes key() {
        return key;
    }

    StreamRows rows() {
        return rows;
    }

    long length() {
        return length;
    }

    StreamMeta meta() {
        return meta;
    }

    void meta(StreamMeta next) {
        meta = next;
    }

    /** Appends an entry; its id is higher than all ids given before. */
    void append(StreamId id, List<Bytes> fields, NodeLimits limits) {
        long bytes = 0;
        for (Bytes word : fields) {
            bytes += word.length();
        }
        StreamNode tail = meta.tail();
        if (tail != null && limits.isFull(tail, bytes)) {
            putNode(tail);
            meta = meta.withNodes(meta.nodes() + 1);
            tail = null;
        }
        rows.entries().put(id.bytes(), StreamEntry.encode(fields));
        length++;
        meta = meta.appended(
                length == 1 ? id : meta.first(),
                id,
                tail == null ? StreamNode.begin(id, fields) : tail.with(id, fields));
    }

    /** Appends a node that Redis has made; it becomes the tail. */
    void append(NodeContents node) {
        StreamNode tail = meta.tail();
        if (tail != null) {
            putNode(tail);
            meta = meta.withNodes(meta.nodes() + 1);
        }
        for (StreamEntry entry : node.entries()) {
            rows.entries().put(entry.id().bytes(), StreamEntry.encode(entry.fields()));
        }
        StreamId first = length == 0 ? node.entries().get(0).id() : meta.first();
        int added = node.entries().size();
        length += added;
        StreamNode next = StreamNode.of(node.first(), node.last(), added, node.dead(), node.bytes(), node.names());
        meta = new StreamMeta(first, node.last(), meta.maxDeleted(), meta.added() + added, meta.nodes(), next);
    }

    /** Writes the row of a node that is not the tail. */
    void putNode(StreamNode node) {
        rows.nodes().put(node.first().bytes(), node.row());
    }

    /** Deletes the row of a node that has no entries left, or that becomes the tail. */
    void deleteNode(StreamNode node) {
        rows.nodes().delete(node.first().bytes());
        meta = meta.withNodes(meta.nodes() - 1);
    }

    /** The first stored node from an id on, or the last one up to it. */
    Optional<StreamNode> node(StreamId from, Direction direction) {
        Bytes start = direction == Direction.FORWARD ? from.bytes() : Bytes.EMPTY;
        Bytes end = direction == Direction.FORWARD
                ? Bytes.EMPTY
                : from.next().map(StreamId::bytes).orElse(Bytes.EMPTY);
        try (Cursor cursor = rows.nodes().scan(start, end, direction, 1)) {
            return cursor.next()
                    ? Optional.of(StreamNode.decode(StreamRows.id(rows.nodes().sub(cursor)), cursor.value()))
                    : Optional.empty();
        }
    }

    /** Accounts for removed entries. */
    void shrink(long entries, StreamId first, @Nullable StreamNode tail) {
        length -= entries;
        meta = meta.shrunk(length == 0 ? StreamId.MIN : first, tail);
    }

    /** Entries from one id to another, both inclusive. */
    Cursor entries(StreamId from, StreamId to, Direction direction, long limit) {
        // Before the first entry there are only tombstones of trimmed ones: a scan of them could take long.
        StreamId start = StreamId.max(from, meta.first());
        if (length == 0 || start.isAfter(to)) {
            return rows.entries().scan(StreamId.MAX.bytes(), StreamId.MAX.bytes(), direction, limit);
        }
        Bytes end = to.next().map(StreamId::bytes).orElse(Bytes.EMPTY);
        return rows.entries().scan(start.bytes(), end, direction, limit);
    }

    StreamEntry entry(Cursor cursor) {
        return StreamEntry.decode(StreamRows.id(rows.entries().sub(cursor)), cursor.value());
    }

    Optional<StreamEntry> entry(StreamId id) {
        return rows.entries().get(id.bytes()).map(row -> StreamEntry.decode(id, row));
    }

    boolean has(StreamId id) {
        return rows.entries().get(id.bytes()).isPresent();
    }

    /** The id of the last existing entry. */
    Optional<StreamId> lastPresent() {
        try (Cursor cursor = entries(StreamId.MIN, StreamId.MAX, Direction.REVERSE, 1)) {
            return cursor.next() ? Optional.of(StreamRows.id(rows.entries().sub(cursor))) : Optional.empty();
        }
    }

    /** The id of the first entry from an id on. */
    Optional<StreamId> firstFrom(StreamId from) {
        try (Cursor cursor = rows.entries().scan(from.bytes(), Bytes.EMPTY, Direction.FORWARD, 1)) {
            return cursor.next() ? Optional.of(StreamRows.id(rows.entries().sub(cursor))) : Optional.empty();
        }
    }

    /** Whether an entry from the id on may have been deleted, as far as Redis keeps track of it. */
    boolean hasHolesFrom(StreamId id) {
        StreamId deleted = meta.maxDeleted();
        return length > 0 && !deleted.equals(StreamId.MIN) && !meta.first().isAfter(deleted) && !id.isAfter(deleted);
    }

    /** The number of entries ever added up to the id, where it can be derived. */
    OptionalLong addedUpTo(StreamId id) {
        if (meta.added() == 0) {
            return OptionalLong.of(0);
        }
        int toLast = id.compareTo(meta.last());
        if (toLast == 0 || (toLast < 0 && length == 0)) {
            return OptionalLong.of(meta.added());
        }
        boolean whole =
                meta.maxDeleted().equals(StreamId.MIN) || meta.maxDeleted().isBefore(meta.first());
        int toFirst = id.compareTo(meta.first());
        if (toLast > 0 || !whole || toFirst > 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(meta.added() - length + (toFirst == 0 ? 1 : 0));
    }
}
