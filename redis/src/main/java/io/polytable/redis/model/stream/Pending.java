package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;

/**
 * An entry that was delivered and not acknowledged.
 *
 * @param deliveredMillis when it was last delivered
 * @param deliveries how often
 */
public record Pending(StreamId id, Bytes consumer, long deliveredMillis, long deliveries) {
    Pending delivered(long nowMillis) {
        return new Pending(id, consumer, nowMillis, deliveries + 1);
    }

    boolean isIdle(long nowMillis, long minIdleMillis) {
        return minIdleMillis == 0 || nowMillis - deliveredMillis >= minIdleMillis;
    }

    Bytes row() {
        return new BytesWriter(consumer.length() + 20)
                .varint(deliveredMillis)
                .varint(deliveries)
                .raw(consumer)
                .toBytes();
    }

    public static Pending decode(StreamId id, Bytes row) {
        BytesReader reader = new BytesReader(row);
        long delivered = reader.varint();
        long deliveries = reader.varint();
        return new Pending(id, reader.raw(reader.remaining()), delivered, deliveries);
    }
}
