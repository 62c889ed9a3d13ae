package io.polytable.redis.model.rdb;

import io.polytable.redis.model.dump.Crc64;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.ValueOutput;
import io.polytable.redis.model.dump.ValueWriter;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Writes an RDB file, or the stream of a full synchronization. Not thread safe. */
final class RdbWriter {
    private final OutputStream target;
    private final DumpFormat format;
    private final ValueWriter values = new ValueWriter();
    private final ValueOutput out;
    private long crc;
    private long written;

    RdbWriter(OutputStream target, DumpFormat format) {
        this.target = target;
        this.format = format;
        this.out = new ValueOutput(format.compresses(), this::write);
    }

    private void write(Bytes bytes) {
        try {
            target.write(bytes.array(), bytes.offset(), bytes.length());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        crc = Crc64.update(crc, bytes.array(), bytes.offset(), bytes.length());
        written += bytes.length();
    }

    /** The bytes handed to the target. */
    long written() {
        return written;
    }

    void begin() {
        out.raw(Bytes.utf8(
                String.format(Locale.ROOT, "REDIS%04d", format.version().number())));
    }

    void aux(String name, String value) {
        out.opcode(RdbOpcode.AUX).string(Bytes.utf8(name)).string(Bytes.utf8(value));
    }

    void function(Bytes source) {
        out.opcode(RdbOpcode.FUNCTION).string(source);
    }

    void database(int number, long keys, long expires) {
        out.opcode(RdbOpcode.DATABASE).length(number);
        out.opcode(RdbOpcode.SIZES).length(keys).length(expires);
    }

    void key(Space space, Bytes key, Header header) {
        if (header.hasDeadline()) {
            out.opcode(RdbOpcode.EXPIRES_MILLIS).millis(header.expireAt());
        }
        out.name(key);
        values.write(space, header, format, out);
        out.pause();
    }

    /** Writes the end with the checksum. */
    void end() {
        out.opcode(RdbOpcode.END).drain();
        // The checksum covers everything before it.
        out.millis(crc).drain();
    }
}
