package io.polytable.redis.model.dump;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.packing.PackedTooLarge;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.Optional;

/** DUMP: a value as a payload with version and checksum. */
public final class Dumps {
    private final ValueWriter values = new ValueWriter();

    /**
     * The key's value with version and checksum; empty when the key is absent.
     *
     * @throws RedisError when it would be longer than any string
     */
    public Optional<Bytes> dump(Space space, Bytes key, DumpFormat format) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(dump(space, header.get(), format));
    }

    /**
     * The value of this header, without a lookup.
     *
     * @throws RedisError when it would be longer than any string
     */
    public Bytes dump(Space space, Header header, DumpFormat format) {
        ValueOutput out = new ValueOutput(format.compresses());
        try {
            values.write(space, header, format, out);
            return Payload.seal(out.bytes(), format.version());
        } catch (PackedTooLarge tooLarge) {
            throw new RedisError(RedisError.Code.OOM, "the value is larger than what DUMP may answer");
        }
    }
}
