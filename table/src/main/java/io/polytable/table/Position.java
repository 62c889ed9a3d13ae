package io.polytable.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A position between two commits, for the change feed: one part for each partition of the store, usually one. Its text
 * survives restarts and may be stored anywhere.
 */
public record Position(List<Part> parts) {
    /** Before all commits, including those that the logs no longer hold, of a store of any number of partitions. */
    public static final Position START = new Position(List.of());

    private static final String SEPARATOR = ",";

    public Position {
        parts = List.copyOf(parts);
    }

    /**
     * A position in the log of one partition.
     *
     * @param incarnation of the log: a restored store continues with other commits at the same numbers
     * @param record the last record before the position
     */
    public record Part(long incarnation, long record) {
        /** Before all records of the log. */
        public static final Part START = new Part(0, 0);

        private static final int HEX = 16;

        private String text() {
            return equals(START) ? "" : Long.toHexString(incarnation) + "-" + Long.toHexString(record);
        }

        private static Part parse(String text) {
            if (text.isEmpty()) {
                return START;
            }
            String[] numbers = text.split("-", -1);
            if (numbers.length != 2) {
                throw bad(text);
            }
            try {
                return new Part(Long.parseUnsignedLong(numbers[0], HEX), Long.parseUnsignedLong(numbers[1], HEX));
            } catch (NumberFormatException e) {
                throw bad(text);
            }
        }
    }

    /** A position of a store of one partition. */
    public static Position of(long incarnation, long record) {
        return new Position(List.of(new Part(incarnation, record)));
    }

    /**
     * Reads a position from its text.
     *
     * @throws StoreException {@link StoreError#BAD_POSITION} for anything but the text of a position
     */
    public static Position parse(String text) {
        return text.isEmpty()
                ? START
                : new Position(Arrays.stream(text.split(SEPARATOR, -1))
                        .map(Part::parse)
                        .toList());
    }

    public String text() {
        return parts.stream().map(Part::text).collect(Collectors.joining(SEPARATOR));
    }

    /**
     * The parts of a position of a store with that many partitions.
     *
     * @throws StoreException {@link StoreError#BAD_POSITION} for a position of a store with another number
     */
    public List<Part> parts(int partitions) {
        if (parts.isEmpty()) {
            return Collections.nCopies(partitions, Part.START);
        }
        if (parts.size() != partitions) {
            throw bad(text());
        }
        return parts;
    }

    /** The position of a store of several partitions, each of which is at a position of its own log. */
    public static Position joined(List<Position> partitions) {
        return new Position(
                partitions.stream().map(each -> each.parts(1).get(0)).toList());
    }

    /** The position of a store of this partition alone. */
    public Position alone(int partition) {
        return parts.isEmpty() ? START : new Position(List.of(parts.get(partition)));
    }

    /** The last record of the partition's log that the position includes; 0 at the start. */
    public long record(int partition) {
        return parts.isEmpty() ? 0 : parts.get(partition).record();
    }

    /** The number of records that the position includes, over all logs: it grows with every commit of any partition. */
    public long records() {
        return parts.stream().mapToLong(Part::record).sum();
    }

    private static StoreException bad(String text) {
        return new StoreException(StoreError.BAD_POSITION, "Not a position of this store", Map.of("position", text));
    }

    @Override
    public String toString() {
        return text();
    }
}
