package io.polytable.redis.model.stream;

import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;

/**
 * A consumer of a group.
 *
 * @param seenMillis when it last asked for entries
 * @param activeMillis when it last received any, {@link #NEVER} when it never did
 * @param pending the number of entries delivered to it and not acknowledged
 */
public record Consumer(Bytes name, long seenMillis, long activeMillis, long pending) {
    public static final long NEVER = -1;

    static Consumer created(Bytes name, long nowMillis) {
        return new Consumer(name, nowMillis, NEVER, 0);
    }

    Consumer seen(long nowMillis) {
        return new Consumer(name, nowMillis, activeMillis, pending);
    }

    Consumer active(long nowMillis) {
        return new Consumer(name, seenMillis, nowMillis, pending);
    }

    Consumer owning(long more) {
        return new Consumer(name, seenMillis, activeMillis, pending + more);
    }

    Consumer withPending(long count) {
        return new Consumer(name, seenMillis, activeMillis, count);
    }

    Bytes row() {
        return new BytesWriter(24)
                .zigzag(seenMillis)
                .zigzag(activeMillis)
                .varint(pending)
                .toBytes();
    }

    static Consumer decode(Bytes name, Bytes row) {
        BytesReader reader = new BytesReader(row);
        Consumer consumer = new Consumer(name, reader.zigzag(), reader.zigzag(), reader.varint());
        reader.end();
        return consumer;
    }
}
