package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.polytable.redis.command.PushQueue.PushMessage;
import org.jspecify.annotations.Nullable;

/**
 * A push message on its way into the outputs of a loop's connections. Short ones are copied into each output; a long
 * one is shared as one network buffer, freed when the last output has sent it.
 */
final class SharedPush implements AutoCloseable {
    /** From this size on the receivers share one buffer; copying shorter ones is cheaper. */
    static final int SHARED_BYTES_MIN = 4 * 1024;

    private final PushMessage push;
    private final PushMessage.Encoder encoder;
    private final @Nullable ByteBuf[] shared = new ByteBuf[2];

    SharedPush(PushMessage push, PushMessage.Encoder encoder) {
        this.push = push;
        this.encoder = encoder;
    }

    byte[] bytes(int protocol) {
        return push.encoded(protocol, encoder);
    }

    void writeTo(Output output, int protocol) {
        byte[] bytes = bytes(protocol);
        if (bytes.length < SHARED_BYTES_MIN) {
            output.take(bytes, 0, bytes.length);
        } else {
            output.take(shared(bytes, protocol >= 3 ? 1 : 0).retainedDuplicate());
        }
    }

    private ByteBuf shared(byte[] bytes, int place) {
        ByteBuf known = shared[place];
        if (known == null) {
            known = PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
            shared[place] = known;
        }
        return known;
    }

    @Override
    public void close() {
        for (ByteBuf each : shared) {
            if (each != null) {
                each.release();
            }
        }
    }
}
