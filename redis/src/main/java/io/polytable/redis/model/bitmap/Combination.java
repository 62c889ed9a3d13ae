package io.polytable.redis.model.bitmap;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.bitmap.Bitmaps.Operation;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.string.OpenString;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Combines strings segment by segment, skipping segments that none of them has. */
final class Combination implements AutoCloseable {
    private final Operation operation;
    private final List<Source> sources = new ArrayList<>();
    private long length;

    Combination(Operation operation) {
        this.operation = operation;
    }

    void add(OpenString string) {
        sources.add(new Source(string));
        length = Math.max(length, string.length());
    }

    /** The length of the result: that of the longest source; the others count as padded with zeros. */
    long length() {
        return length;
    }

    /** The result as one string, which is short. */
    Bytes whole() {
        byte[] result = new byte[(int) length];
        for (int number = next(0); number < Segments.count(length); number = next(number + 1)) {
            byte[] segment = segment(number);
            System.arraycopy(segment, 0, result, number * Segments.BYTES, segment.length);
        }
        return Bytes.of(result);
    }

    /** Writes the result as the segments of a new string, which exists only once its header is put. */
    CollectionHeader write(Space space, Bytes target) {
        CollectionHeader header = space.newCollection(target, Type.STRING).withSize(length);
        Elements rows = space.elements(header, ElementKind.STRING_SEGMENT);
        for (int number = next(0); number < Segments.count(length); number = next(number + 1)) {
            byte[] segment = segment(number);
            Bytes stored = Segments.stored(segment, 0, segment.length);
            if (!stored.isEmpty()) {
                rows.put(Segments.sub(number), stored);
            }
        }
        return header;
    }

    /** The first segment from this one on that may be non-zero in the result. */
    private int next(int from) {
        if (operation == Operation.NOT) {
            return from;
        }
        int next = Integer.MAX_VALUE;
        for (Source source : sources) {
            next = Math.min(next, source.passTo(from));
        }
        return next;
    }

    private byte[] segment(int number) {
        byte[] result = new byte[(int) Math.min(Segments.BYTES, length - (long) number * Segments.BYTES)];
        sources.get(0).at(number).copyTo(result, 0);
        if (operation == Operation.NOT) {
            for (int i = 0; i < result.length; i++) {
                result[i] = (byte) ~result[i];
            }
        }
        for (Source source : sources.subList(1, sources.size())) {
            combine(result, source.at(number));
        }
        return result;
    }

    private void combine(byte[] result, Bytes segment) {
        int common = segment.length();
        for (int i = 0; i < common; i++) {
            result[i] = switch (operation) {
                case AND -> (byte) (result[i] & segment.at(i));
                case OR -> (byte) (result[i] | segment.at(i));
                case XOR -> (byte) (result[i] ^ segment.at(i));
                case NOT -> throw new IllegalStateException("NOT has one source");
            };
        }
        if (operation == Operation.AND) {
            Arrays.fill(result, common, result.length, (byte) 0);
        }
    }

    @Override
    public void close() {
        sources.forEach(Source::close);
    }

    /** One string, read from its first segment to its last. */
    private static final class Source {
        private static final int END = Integer.MAX_VALUE;

        private final Bytes row;
        private final @Nullable Cursor rows;
        private int number = -1;
        private Bytes segment = Bytes.EMPTY;

        Source(OpenString string) {
            Optional<Segments> segments = string.segments();
            row = string.row().orElse(Bytes.EMPTY);
            rows = segments.map(found -> found.scan(0, Segments.count(string.length())))
                    .orElse(null);
        }

        /** Moves to the first stored segment from this number on; answers its number. */
        int passTo(int wanted) {
            while (number < wanted) {
                step(wanted);
            }
            return number;
        }

        private void step(int wanted) {
            Cursor cursor = rows;
            if (cursor == null) {
                long from = (long) wanted * Segments.BYTES;
                number = from < row.length() ? wanted : END;
                segment = number == END
                        ? Bytes.EMPTY
                        : row.slice((int) from, (int) Math.min(row.length(), from + Segments.BYTES));
            } else if (cursor.next()) {
                number = Segments.number(cursor);
                segment = cursor.valueSlice().toBytes();
            } else {
                number = END;
                segment = Bytes.EMPTY;
            }
        }

        /** The stored bytes of the segment; empty where it is all zeros. */
        Bytes at(int wanted) {
            return passTo(wanted) == wanted ? segment : Bytes.EMPTY;
        }

        void close() {
            Cursor cursor = rows;
            if (cursor != null) {
                cursor.close();
            }
        }
    }
}
