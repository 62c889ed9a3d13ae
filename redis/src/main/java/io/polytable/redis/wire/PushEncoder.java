package io.polytable.redis.wire;

import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.Reply;
import java.util.Arrays;

/** Encodes push messages into byte arrays. Each event loop has one. */
final class PushEncoder implements PushMessage.Encoder {
    private static final int KEEP_BYTES_MAX = 64 * 1024;
    private static final byte[] NOTHING = {};

    private final ReplyWriter writer = new ReplyWriter(this::take);
    private byte[] bytes = NOTHING;
    private int size;

    @Override
    public byte[] encode(Reply reply, int protocol) {
        size = 0;
        writer.write(reply, protocol);
        writer.end();
        byte[] encoded = Arrays.copyOf(bytes, size);
        if (bytes.length > KEEP_BYTES_MAX) {
            bytes = NOTHING;
        }
        return encoded;
    }

    private void take(byte[] from, int offset, int length) {
        if (bytes.length - size < length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, Math.min(2 * bytes.length, 1 << 30)));
        }
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }
}
