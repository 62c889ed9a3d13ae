package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;

/** The row of a string: the value stands in it, so that GET is one read. */
public record StringHeader(long expireAt, Bytes value) implements Header {
    private static final Bytes HEAD_WITHOUT_DEADLINE = Bytes.of(Header.begin(Type.STRING, NEVER, 0));

    @Override
    public Type type() {
        return Type.STRING;
    }

    @Override
    public StringHeader withExpireAt(long deadlineMillis) {
        return new StringHeader(deadlineMillis, value);
    }

    @Override
    public Bytes rowHead() {
        return expireAt == NEVER ? HEAD_WITHOUT_DEADLINE : Bytes.of(Header.begin(Type.STRING, expireAt, 0));
    }

    @Override
    public Bytes rowTail() {
        return value;
    }
}
