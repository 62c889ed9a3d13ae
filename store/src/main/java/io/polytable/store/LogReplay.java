package io.polytable.store;

import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Copies the records that follow a backup from the log of its data directory into the log of a restored one, up to a
 * position or a time. The next start applies them as it does after a crash.
 */
public final class LogReplay {
    /** A batch is closed when it reaches this size; a larger record has a batch of its own. */
    private static final int BATCH_BYTES = 1 << 20;

    /**
     * Where the replay ends: behind the last record that is neither beyond the position nor written after the time.
     *
     * @param millis the time, in milliseconds since 1970
     */
    public record Until(long position, long millis) {
        public static final Until END = new Until(Long.MAX_VALUE, Long.MAX_VALUE);

        public static Until position(long position) {
            return new Until(position, Long.MAX_VALUE);
        }

        public static Until time(Instant time) {
            return new Until(Long.MAX_VALUE, time.toEpochMilli());
        }

        boolean isTimed() {
            return millis != Long.MAX_VALUE;
        }
    }

    /**
     * Which log to replay.
     *
     * @param directory the directory of the store that the backup was made of; no process may have it open
     */
    public record Source(Path directory, Until until) {}

    /**
     * How far a replay came.
     *
     * @param position the last record of the restored store
     * @param records how many records were added to those of the backup
     * @param millis when the last of them was written
     */
    public record Reached(long position, long records, OptionalLong millis) {}

    private final FileLog from;
    private final FileLog to;
    private final Until until;
    private final ReplayClock clock;
    private byte[] batch = new byte[BATCH_BYTES];
    private int length = RecordBatchFormat.HEADER_BYTES;
    private int count;
    private long ticket;
    private long records;
    private OptionalLong last = OptionalLong.empty();

    private LogReplay(FileLog from, FileLog to, Until until, ReplayClock clock) {
        this.from = from;
        this.to = to;
        this.until = until;
        this.clock = clock;
    }

    /** Creates a log in the directory that continues the backup with the source's records. */
    static Reached into(Path logDirectory, Backup.Contents contents, Backup.Lineage lineage, Source source) {
        requireCovered(contents, lineage, source.until());
        Path log = StoreDirectory.presentLogOf(source.directory());
        if (!FileLog.isIn(log)) {
            throw new StoreException(StoreError.IO, "No log in local files is there", Map.of("path", log));
        }
        ReplayClock clock = new ReplayClock();
        FileLogOptions reading = FileLogOptions.defaults().withBackground(false);
        FileLogOptions writing =
                reading.withStartAfter(contents.position(), contents.ticket()).withClock(clock);
        try (StoreDirectory held = StoreDirectory.lock(source.directory());
                FileLog from = FileLog.open(held.log(), reading);
                FileLog to = FileLog.open(logDirectory, writing)) {
            requireContinued(contents, lineage, from, held.path());
            return new LogReplay(from, to, source.until(), clock).run();
        }
    }

    private static void requireCovered(Backup.Contents contents, Backup.Lineage lineage, Until until) {
        if (until.position() < contents.position()) {
            throw new StoreException(
                    StoreError.BAD_POSITION,
                    "The backup was taken after that position: restore an earlier one",
                    Map.of("position", until.position(), "backup", contents.position()));
        }
        if (until.millis() < lineage.millis()) {
            throw new StoreException(
                    StoreError.BAD_POSITION,
                    "The backup was taken after that time: restore an earlier one",
                    Map.of(
                            "time",
                            Instant.ofEpochMilli(until.millis()),
                            "backup",
                            Instant.ofEpochMilli(lineage.millis())));
        }
    }

    private static void requireContinued(Backup.Contents contents, Backup.Lineage lineage, FileLog from, Path path) {
        if (from.incarnation() != lineage.incarnation()) {
            throw new StoreException(
                    StoreError.BAD_POSITION, "The backup was made of another log", Map.of("path", path));
        }
        if (from.first() > contents.position() + 1 || from.end() < contents.position()) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED,
                    "The log no longer holds what follows the backup",
                    Map.of("backup", contents.position(), "first", from.first(), "end", from.end()));
        }
    }

    private Reached run() {
        try (LogReader reader = from.read(to.end() + 1)) {
            while (reader.next() && !isBeyond(reader)) {
                add(reader);
            }
        }
        append();
        to.sync();
        return new Reached(to.end(), records, last);
    }

    private boolean isBeyond(LogReader reader) {
        if (until.isTimed() && reader.writtenMillis().isEmpty()) {
            throw new StoreException(
                    StoreError.BAD_POSITION,
                    "Records of this log were written by a version that recorded no times: restore to a position",
                    Map.of("position", reader.position()));
        }
        return reader.position() > until.position() || reader.writtenMillis().orElse(Long.MIN_VALUE) > until.millis();
    }

    private void add(LogReader reader) {
        int bytes = RecordBatchFormat.RECORD_HEADER_BYTES + reader.length();
        boolean isAnother = reader.ticket() != ticket || !reader.writtenMillis().equals(last);
        if (count > 0 && (isAnother || (long) length + bytes > BATCH_BYTES)) {
            append();
        }
        if (length + bytes > batch.length) {
            batch = Arrays.copyOf(batch, length + bytes);
        }
        RecordBatchFormat.putRecordHeader(batch, length, reader.length(), reader.origin());
        System.arraycopy(
                reader.array(),
                reader.offset(),
                batch,
                length + RecordBatchFormat.RECORD_HEADER_BYTES,
                reader.length());
        length += bytes;
        count++;
        records++;
        ticket = reader.ticket();
        last = reader.writtenMillis();
    }

    /** Records keep the time at which they were first written, so that a restored log can be replayed to a time again. */
    private void append() {
        if (count == 0) {
            return;
        }
        clock.millis = last.orElse(0);
        to.reserve(length);
        to.append(new RecordBatch(batch, 0, length, to.end() + 1, count, ticket));
        length = RecordBatchFormat.HEADER_BYTES;
        count = 0;
    }

    /** The clock of the log that is written: the time of the records that are copied. */
    private static final class ReplayClock implements InstantSource {
        private long millis;

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }
    }
}
