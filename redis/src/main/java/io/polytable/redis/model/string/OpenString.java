package io.polytable.redis.model.string;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One string, opened for one call of the model that reads or changes a part of it. A short string is one row, and a
 * change rewrites it. Beyond {@link #ONE_ROW_BYTES_MAX} the first partial change moves it into {@link Segments}, and
 * each change then writes only the segments it touches. A string that is only set as a whole stays one row at any
 * length. Whoever changes it calls {@link #save()} after the last change.
 */
public final class OpenString {
    /** Counters, flags, cached objects and HyperLogLogs (12 KiB) are not longer: for them one row is best. */
    public static final int ONE_ROW_BYTES_MAX = 16 * 1024;

    private final Space space;
    private final Bytes key;
    private final @Nullable Header header;
    private long length;

    /** The string while it is one row. */
    private Bytes row = Bytes.EMPTY;

    private @Nullable SegmentEditor segments;

    private OpenString(Space space, Bytes key, @Nullable Header header) {
        this.space = space;
        this.key = key;
        this.header = header;
        if (header instanceof StringHeader string) {
            row = string.value();
            length = row.length();
        } else if (header instanceof CollectionHeader segmented) {
            segments = new SegmentEditor(space, segmented);
            length = segmented.size();
        }
    }

    /**
     * The string of the key, an empty one when the key is absent.
     *
     * @throws RedisError WRONGTYPE when the key holds something else
     */
    public static OpenString of(Space space, Bytes key) {
        Optional<Header> header = space.header(key);
        if (header.isPresent() && header.get().type() != Type.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        return new OpenString(space, key, header.orElse(null));
    }

    /** Whether the key exists. */
    public boolean isPresent() {
        return header != null;
    }

    public long length() {
        return length;
    }

    /** Remembers that Redis would have converted the string to its raw encoding, though no byte changed. */
    public void makeRaw() {
        if (header instanceof StringHeader string) {
            StringHeader raw = StringHeader.of(string.expireAt(), string.value(), StringHeader.Form.RAW);
            if (raw.form() != string.form()) {
                space.putUnnoticed(key, raw);
            }
        }
    }

    /** The whole string when it is one row; absent when it is in segments. */
    public Optional<Bytes> row() {
        return segments == null ? Optional.of(row) : Optional.empty();
    }

    /** The rows of a string in segments, valid if nothing was changed since {@link #save()}. */
    public Optional<Segments> segments() {
        return Optional.ofNullable(segments).map(SegmentEditor::rows);
    }

    /** Reads bytes, with zeros after the end. */
    public byte[] read(long from, int count) {
        SegmentEditor parts = segments;
        if (parts != null) {
            return parts.read(from, count);
        }
        byte[] bytes = new byte[count];
        if (from < row.length()) {
            row.slice((int) from, (int) Math.min(row.length(), from + count)).copyTo(bytes, 0);
        }
        return bytes;
    }

    /** Bytes within the string, as a part of a reply. */
    Bytes slice(long from, int count) {
        if (segments == null) {
            return row.slice((int) from, (int) from + count);
        }
        space.keep(count);
        return Bytes.of(read(from, count));
    }

    /** Pads the string with zeros up to a length. */
    public void growTo(long least) {
        if (least > length) {
            length = least;
        }
        if (segments == null && length > ONE_ROW_BYTES_MAX) {
            segments = cut();
            row = Bytes.EMPTY;
        } else if (segments == null && length > row.length()) {
            row = Bytes.of(Arrays.copyOf(row.toByteArray(), (int) length));
        }
    }

    private SegmentEditor cut() {
        CollectionHeader fresh = space.newCollection(key, Type.STRING);
        SegmentEditor parts = new SegmentEditor(space, header == null ? fresh : fresh.withExpireAt(header.expireAt()));
        parts.write(0, row);
        return parts;
    }

    /** Overwrites a part; the string grows as needed. */
    public void write(long from, Bytes part) {
        growTo(from + part.length());
        SegmentEditor parts = segments;
        if (parts != null) {
            parts.write(from, part);
            return;
        }
        // The row as it was read belongs to the store.
        byte[] next = row.toByteArray();
        part.copyTo(next, (int) from);
        row = Bytes.of(next);
    }

    /** Puts the changed string. */
    public void save() {
        SegmentEditor parts = segments;
        if (parts == null) {
            long expireAt = header == null ? Header.NEVER : header.expireAt();
            space.putString(key, row, expireAt, StringHeader.Form.RAW);
            return;
        }
        parts.flush();
        CollectionHeader next = parts.header().withSize(length);
        if (!next.equals(header)) {
            space.put(key, next);
        }
    }
}
