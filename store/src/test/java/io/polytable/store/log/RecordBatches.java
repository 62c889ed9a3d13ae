package io.polytable.store.log;

import io.polytable.table.Origin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Batches for tests, built as an engine would build them. */
public final class RecordBatches {
    private RecordBatches() {}

    /** A batch that follows on the log's end, its ticket the position of its last record. */
    public static RecordBatch after(CommitLog log, List<byte[]> records) {
        return of(log.end() + 1, log.end() + records.size(), records);
    }

    public static RecordBatch after(CommitLog log, String... records) {
        List<byte[]> bytes = new ArrayList<>();
        for (String record : records) {
            bytes.add(padded(record));
        }
        return after(log, bytes);
    }

    public static RecordBatch of(long first, long ticket, List<byte[]> records) {
        return of(first, ticket, Origin.CLIENT, records);
    }

    public static RecordBatch of(long first, long ticket, Origin origin, List<byte[]> records) {
        int length = RecordBatchFormat.HEADER_BYTES;
        for (byte[] record : records) {
            length += RecordBatchFormat.RECORD_HEADER_BYTES + record.length;
        }
        // Not at the start of the array, as in an engine's buffer.
        int offset = 8;
        byte[] array = new byte[offset + length];
        int at = offset + RecordBatchFormat.HEADER_BYTES;
        for (byte[] record : records) {
            RecordBatchFormat.putRecordHeader(array, at, record.length, origin);
            System.arraycopy(record, 0, array, at + RecordBatchFormat.RECORD_HEADER_BYTES, record.length);
            at += RecordBatchFormat.RECORD_HEADER_BYTES + record.length;
        }
        return new RecordBatch(array, offset, length, first, records.size(), ticket);
    }

    /** The letters, and spaces up to a multiple of four. */
    public static byte[] padded(String text) {
        StringBuilder padded = new StringBuilder(text);
        while (padded.length() % 4 != 0) {
            padded.append(' ');
        }
        return padded.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** From one to {@code countMax} records, each of up to {@code bytesMax} bytes. */
    public static List<byte[]> random(Random random, int countMax, int bytesMax) {
        List<byte[]> records = new ArrayList<>();
        int count = 1 + random.nextInt(countMax);
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[4 * random.nextInt(bytesMax / 4 + 1)];
            random.nextBytes(record);
            records.add(record);
        }
        return records;
    }

    /** The record a reader stands at. */
    public static byte[] record(LogReader reader) {
        byte[] record = new byte[reader.length()];
        System.arraycopy(reader.array(), reader.offset(), record, 0, record.length);
        return record;
    }

    /** All records from the position to the acknowledged end. */
    public static List<byte[]> read(CommitLog log, long from) {
        List<byte[]> records = new ArrayList<>();
        try (LogReader reader = log.read(from)) {
            while (reader.next()) {
                if (reader.position() != from + records.size()) {
                    throw new AssertionError("position " + reader.position() + " after " + records.size() + " records");
                }
                records.add(record(reader));
            }
        }
        return records;
    }

    /** Compares histories of thousands of records, which a general assertion library takes its time for. */
    public static void requireSame(String place, List<byte[]> actual, List<byte[]> expected) {
        if (actual.size() != expected.size()) {
            throw new AssertionError(place + ": " + actual.size() + " records instead of " + expected.size());
        }
        for (int i = 0; i < actual.size(); i++) {
            if (!Arrays.equals(actual.get(i), expected.get(i))) {
                throw new AssertionError(place + ": record " + i + " differs");
            }
        }
    }
}
