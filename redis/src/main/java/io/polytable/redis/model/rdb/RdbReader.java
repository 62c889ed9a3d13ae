package io.polytable.redis.model.rdb;

import io.polytable.redis.model.dump.ValueInput;
import io.polytable.redis.model.dump.ValueParts;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Reads an RDB file, or the stream of a full synchronization, from beginning to end. It understands what any Redis up to
 * 7.2 wrote; what modules wrote is refused. Not thread safe.
 */
public final class RdbReader {
    /** The newest version of the format that is read: Redis 7.2's. */
    public static final int VERSION_MAX = 11;

    /** From this version on a file ends with a checksum. */
    private static final int VERSION_WITH_CHECKSUM = 5;

    private static final String MAGIC = "REDIS";
    private static final int VERSION_DIGITS = 4;

    private final RdbInput bytes;
    private final ValueInput in;
    private final int version;

    private RdbReader(RdbInput bytes, LongConsumer kept, int version) {
        this.bytes = bytes;
        this.in = new ValueInput(bytes, kept);
        this.version = version < 0 ? readVersion() : version;
    }

    /**
     * Starts at the beginning.
     *
     * @param size of the input; {@link Long#MAX_VALUE} when it is not known
     * @param kept called before each value is created, with its bytes, so that a caller can limit them
     * @throws RdbException when it is no RDB file, or a newer one
     */
    public static RdbReader open(InputStream in, long size, LongConsumer kept) {
        return new RdbReader(new RdbInput(in, 0, 0, size, kept), kept, -1);
    }

    /**
     * Continues where another reader of the same file was.
     *
     * @param in positioned there
     */
    public static RdbReader resume(InputStream in, Mark mark, long size, LongConsumer kept) {
        return new RdbReader(new RdbInput(in, mark.offset(), mark.checksum(), size, kept), kept, mark.version());
    }

    /** A place between two items. */
    public record Mark(long offset, long checksum, int version) {}

    public Mark mark() {
        return new Mark(bytes.position(), bytes.checksum(), version);
    }

    public long position() {
        return bytes.position();
    }

    /** The version of the format. */
    public int version() {
        return version;
    }

    /** Whether the format has a checksum at its end; it may be switched off. */
    public boolean hasChecksum() {
        return version >= VERSION_WITH_CHECKSUM;
    }

    private int readVersion() {
        byte[] head = new byte[MAGIC.length() + VERSION_DIGITS];
        try {
            for (int i = 0; i < head.length; i++) {
                head[i] = (byte) in.next();
            }
        } catch (MalformedPacking tooShort) {
            throw new RdbException("This is no RDB file", bytes.position());
        }
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if (!text.startsWith(MAGIC) || !text.substring(MAGIC.length()).chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new RdbException("This is no RDB file", bytes.position());
        }
        int found = Integer.parseInt(text.substring(MAGIC.length()));
        if (found < 1 || found > VERSION_MAX) {
            throw new RdbException(
                    "RDB version " + found + " is not supported; up to " + VERSION_MAX + " is", bytes.position());
        }
        return found;
    }

    /**
     * The next item. The value of the last key must have been read.
     *
     * @throws RdbException when the file is damaged, or has what this server does not store
     */
    public RdbItem next() {
        try {
            return item();
        } catch (MalformedPacking malformed) {
            throw damaged(malformed);
        }
    }

    /** Says where the file is damaged, also for parts of values. */
    public RdbException damaged(MalformedPacking malformed) {
        return new RdbException("The RDB file is damaged: " + malformed.getMessage(), bytes.position());
    }

    private RdbItem item() {
        in.nextPart();
        long expireAt = Header.NEVER;
        OptionalLong idle = OptionalLong.empty();
        while (true) {
            int code = in.next();
            switch (code) {
                case RdbOpcode.EXPIRES_MILLIS -> expireAt = deadline(in.millis());
                case RdbOpcode.EXPIRES_SECONDS ->
                    expireAt = deadline(TimeUnit.SECONDS.toMillis(bytes.littleEndian(Integer.BYTES)));
                case RdbOpcode.IDLE -> idle = OptionalLong.of(in.length());
                case RdbOpcode.FREQUENCY -> {
                    int unusedFrequency = in.next();
                }
                case RdbOpcode.AUX -> {
                    return new RdbItem.Aux(in.string(), in.string());
                }
                case RdbOpcode.SIZES -> {
                    return new RdbItem.Sizes(in.length(), in.length());
                }
                case RdbOpcode.DATABASE -> {
                    return database(in.length());
                }
                case RdbOpcode.FUNCTION -> {
                    return new RdbItem.Function(in.string());
                }
                case RdbOpcode.END -> {
                    return end();
                }
                case RdbOpcode.FUNCTION_BEFORE_7_0 ->
                    throw new RdbException(
                            "Functions of a release candidate of Redis 7.0 are not supported", bytes.position());
                case RdbOpcode.MODULE ->
                    throw new RdbException("The file has data of a Redis module, which are not supported", position());
                default -> {
                    return key(code, expireAt, idle);
                }
            }
        }
    }

    /** A deadline before 1970 has passed, as any small one. */
    private static long deadline(long millis) {
        return Math.max(0, millis);
    }

    private static RdbItem database(long number) {
        if (number < 0 || number >= Keyspace.DATABASES) {
            throw new MalformedPacking("database " + number + " does not exist; there are " + Keyspace.DATABASES);
        }
        return new RdbItem.Database((int) number);
    }

    private RdbItem key(int type, long expireAt, OptionalLong idle) {
        Bytes key = in.string();
        if (type == RdbOpcode.MODULE_VALUE || type == RdbOpcode.MODULE_VALUE_2) {
            throw new RdbException("Key " + key + " is of a Redis module, which are not supported", position());
        }
        return new RdbItem.Key(key, expireAt, idle, ValueParts.of(type, in));
    }

    private RdbItem end() {
        if (hasChecksum()) {
            long computed = bytes.checksum();
            long written = in.millis();
            if (written != 0 && written != computed) {
                throw new MalformedPacking("its checksum is wrong");
            }
        }
        return new RdbItem.End();
    }
}
