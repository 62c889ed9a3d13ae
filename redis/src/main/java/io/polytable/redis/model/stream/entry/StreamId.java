package io.polytable.redis.model.stream.entry;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Optional;
import java.util.OptionalLong;

/** The id of a stream's entry: milliseconds and a sequence number, both unsigned 64-bit numbers. */
public record StreamId(long millis, long sequence) implements Comparable<StreamId> {
    public static final int BYTES = 2 * Long.BYTES;
    public static final long SEQUENCE_MAX = -1;
    public static final StreamId MIN = new StreamId(0, 0);
    public static final StreamId MAX = new StreamId(-1, SEQUENCE_MAX);

    /** Redis reads an id from a buffer of this size. */
    private static final int TEXT_MAX = 127;

    @Override
    public int compareTo(StreamId other) {
        int byMillis = Long.compareUnsigned(millis, other.millis);
        return byMillis != 0 ? byMillis : Long.compareUnsigned(sequence, other.sequence);
    }

    public boolean isBefore(StreamId other) {
        return compareTo(other) < 0;
    }

    public boolean isAfter(StreamId other) {
        return compareTo(other) > 0;
    }

    public static StreamId min(StreamId one, StreamId other) {
        return one.isAfter(other) ? other : one;
    }

    public static StreamId max(StreamId one, StreamId other) {
        return one.isAfter(other) ? one : other;
    }

    /** Empty after {@link #MAX}. */
    public Optional<StreamId> next() {
        if (equals(MAX)) {
            return Optional.empty();
        }
        return Optional.of(sequence == SEQUENCE_MAX ? new StreamId(millis + 1, 0) : new StreamId(millis, sequence + 1));
    }

    /** Empty before {@link #MIN}. */
    public Optional<StreamId> previous() {
        if (equals(MIN)) {
            return Optional.empty();
        }
        return Optional.of(sequence == 0 ? new StreamId(millis - 1, SEQUENCE_MAX) : new StreamId(millis, sequence - 1));
    }

    /** Big-endian: the order of the bytes is the order of the ids. */
    public Bytes bytes() {
        byte[] bytes = new byte[BYTES];
        BigEndian.putLong(bytes, 0, millis);
        BigEndian.putLong(bytes, Long.BYTES, sequence);
        return Bytes.of(bytes);
    }

    public static StreamId at(Bytes bytes, int offset) {
        return new StreamId(BigEndian.longAt(bytes, offset), BigEndian.longAt(bytes, offset + Long.BYTES));
    }

    public static StreamId read(BytesReader from) {
        return new StreamId(from.varint(), from.varint());
    }

    public void write(BytesWriter to) {
        to.varint(millis).varint(sequence);
    }

    /** The text that clients see. */
    public Bytes text() {
        return Bytes.of(toString().getBytes(US_ASCII));
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(millis) + "-" + Long.toUnsignedString(sequence);
    }

    /**
     * Parses {@code millis-sequence} or {@code millis} alone. Accepts all that C's strtoull accepts, since Redis
     * parses ids with it.
     *
     * @param missingSequence the sequence number of an id that has none
     */
    public static Optional<StreamId> parse(Bytes word, long missingSequence) {
        Bytes text = upToZero(word);
        int dash = indexOfDash(text);
        OptionalLong millis = unsigned(dash < 0 ? text : text.slice(0, dash));
        OptionalLong sequence = dash < 0 ? OptionalLong.of(missingSequence) : unsigned(text.from(dash + 1));
        return word.length() > TEXT_MAX || millis.isEmpty() || sequence.isEmpty()
                ? Optional.empty()
                : Optional.of(new StreamId(millis.getAsLong(), sequence.getAsLong()));
    }

    private static int indexOfDash(Bytes text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) == '-') {
                return i;
            }
        }
        return -1;
    }

    private static Bytes upToZero(Bytes word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.at(i) == 0) {
                return word.slice(0, i);
            }
        }
        return word;
    }

    private static OptionalLong unsigned(Bytes text) {
        OptionalLong plain = Numbers.parseLong(text);
        if (plain.isPresent()) {
            return plain.getAsLong() < 0 ? OptionalLong.empty() : plain;
        }
        int at = 0;
        while (at < text.length() && isBlank(text.at(at))) {
            at++;
        }
        boolean negative = at < text.length() && text.at(at) == '-';
        if (at < text.length() && (negative || text.at(at) == '+')) {
            at++;
        }
        OptionalLong digits = digits(text.from(at));
        return negative && digits.isPresent() ? OptionalLong.of(-digits.getAsLong()) : digits;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    private static OptionalLong digits(Bytes text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) < '0' || text.at(i) > '9') {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(text.utf8()));
        } catch (NumberFormatException noneOrTooLarge) {
            return OptionalLong.empty();
        }
    }
}
