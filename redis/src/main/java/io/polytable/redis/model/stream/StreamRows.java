package io.polytable.redis.model.stream;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Map;

/**
 * The rows of one stream, by kind, and their sub-keys (docs/formats/redis-stream.md):
 *
 * <pre>
 * entry     id:16                               fields
 * node      id of its first entry:16            see StreamNode
 * group     name                                see Group
 * consumer  sized group, name                   see Consumer
 * pending   sized group, id:16                  see Pending
 * owned     sized group, sized consumer, id:16  nothing
 * </pre>
 */
public record StreamRows(
        Elements entries, Elements nodes, Elements groups, Elements consumers, Elements pending, Elements owned) {
    static StreamRows of(Space space, CollectionHeader header) {
        return new StreamRows(
                space.elements(header, ElementKind.STREAM_ENTRY),
                space.elements(header, ElementKind.STREAM_NODE),
                space.elements(header, ElementKind.STREAM_GROUP),
                space.elements(header, ElementKind.STREAM_CONSUMER),
                space.elements(header, ElementKind.STREAM_PENDING),
                space.elements(header, ElementKind.STREAM_OWNED));
    }

    /** The prefix of the sub-keys of everything that belongs to a group. */
    public static Bytes ofGroup(Bytes group) {
        return new BytesWriter(group.length() + 5).sized(group).toBytes();
    }

    static Bytes ofConsumer(Bytes group, Bytes consumer) {
        return ofGroup(group).concat(consumer);
    }

    public static Bytes ofPending(Bytes group, StreamId id) {
        return ofGroup(group).concat(id.bytes());
    }

    /** The prefix of the sub-keys of a consumer's pending entries. */
    static Bytes ofOwner(Bytes group, Bytes consumer) {
        return new BytesWriter(group.length() + consumer.length() + 10)
                .sized(group)
                .sized(consumer)
                .toBytes();
    }

    static Bytes ofOwned(Bytes group, Bytes consumer, StreamId id) {
        return ofOwner(group, consumer).concat(id.bytes());
    }

    /** The group in the sub-key of a consumer or pending entry. */
    public static Bytes group(Bytes sub) {
        return new BytesReader(sub).sized();
    }

    /** The rest of a sub-key after the group. */
    public static Bytes behindGroup(Bytes sub) {
        BytesReader reader = new BytesReader(sub);
        Bytes unusedGroup = reader.sized();
        return reader.raw(reader.remaining());
    }

    /** The id at the end of a sub-key. */
    public static StreamId id(Bytes sub) {
        if (sub.length() < StreamId.BYTES) {
            throw new StoreException(StoreError.CORRUPT, "An id is too short", Map.of("key", sub));
        }
        return StreamId.at(sub, sub.length() - StreamId.BYTES);
    }
}
