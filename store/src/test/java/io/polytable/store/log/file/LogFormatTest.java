package io.polytable.store.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatches;
import io.polytable.store.log.disk.LogFile;
import io.polytable.table.Origin;
import io.polytable.table.write.EncodedRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of the log are still those of docs/formats/log.md and of the golden directory. Run with
 * {@code -Dpolytable.golden=rewrite} to write what the code produces now; never do that for a released format.
 */
class LogFormatTest {
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("polytable.golden"));
    private static final Path GOLDEN = golden(Stamp.VERSION);
    private static final Path PAGE = Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", "log.md");
    /** The first version whose batches have times and origins. */
    private static final int TIMED = 3;

    private static final long SECRET = 0x0123456789abcdefL;
    private static final Instant TIME = Instant.parse("2026-11-18T19:00:00.123Z");
    private static final int GROUP_AT = Segment.HEADER_BYTES;

    /** Put of key "k1", partition "k", value "abc", in table 5. */
    private static final byte[] ROW = {1, 5, 1, 2, 3, 'k', '1', 'a', 'b', 'c', 0, 0};

    private static final byte[] FILLING = new byte[4000];

    /** Two segments, the second reached by a record that did not fit into the first; closed cleanly. */
    private static MemoryFiles write() throws IOException {
        MemoryFiles files = new MemoryFiles();
        ControlFile.create(files, SECRET, 0, 0).close();
        FileLog log = FileLog.open(files, LogImage.OPTIONS.withClock(InstantSource.fixed(TIME)));
        log.append(RecordBatches.of(1, 9, List.of(ROW, new byte[0])));
        log.sync();
        log.append(RecordBatches.of(3, 10, Origin.FLUSH, List.of(ROW)));
        log.append(RecordBatches.of(4, 10, List.of(FILLING)));
        log.close();
        return files;
    }

    private static List<byte[]> records() {
        return List.of(ROW, new byte[0], ROW, FILLING);
    }

    @Test
    void theBytesAreTheGoldenOnes() throws IOException {
        MemoryFiles files = write();
        List<String> names = new ArrayList<>(files.list());
        for (String name : names) {
            Path file = GOLDEN.resolve(name);
            if (REWRITE) {
                Files.write(file, files.bytes(name));
            }
            assertThat(files.bytes(name)).as("%s", file).isEqualTo(Files.readAllBytes(file));
        }
        assertThat(names).containsExactly(Segment.name(1), Segment.name(2), ControlFile.NAME);
    }

    private static Path golden(int version) {
        return Path.of("src", "test", "resources", "golden", "log-v" + version);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theGoldenBytesOfEveryVersionAreALog(int version, @TempDir Path directory) throws IOException {
        for (String name : List.of(Segment.name(1), Segment.name(2), ControlFile.NAME)) {
            Files.copy(golden(version).resolve(name), directory.resolve(name));
        }
        try (FileLog log = FileLog.open(directory, LogImage.OPTIONS)) {
            assertThat(log.incarnation()).isEqualTo(0x55c53f5d49029790L);
            assertThat(log.end()).isEqualTo(4);
            assertThat(log.ticket()).isEqualTo(10);
            assertThat(log.cut()).isEmpty();
            RecordBatches.requireSame("golden", RecordBatches.read(log, 1), records());
            // An older segment keeps its version and its bytes; the log continues in a new one.
            log.append(RecordBatches.after(log, List.of(ROW)));
            log.append(RecordBatches.after(log, List.of(FILLING)));
        }
        try (FileLog log = FileLog.open(directory, LogImage.OPTIONS)) {
            List<byte[]> continued = new ArrayList<>(records());
            continued.addAll(List.of(ROW, FILLING));
            assertThat(log.cut()).isEmpty();
            RecordBatches.requireSame("continued", RecordBatches.read(log, 1), continued);
            assertThat(origins(log))
                    .containsExactly(
                            Origin.CLIENT,
                            Origin.CLIENT,
                            version < TIMED ? Origin.CLIENT : Origin.FLUSH,
                            Origin.CLIENT,
                            Origin.CLIENT,
                            Origin.CLIENT);
            assertThat(millis(log).subList(0, 4))
                    .containsOnly(version < TIMED ? OptionalLong.empty() : OptionalLong.of(TIME.toEpochMilli()));
            assertThat(millis(log).subList(4, 6)).allMatch(OptionalLong::isPresent);
        }
    }

    /** A crash right after the upgrade finds the new segment without a batch. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anOlderLogContinuesAlsoAfterACrash(int version) throws IOException {
        MemoryFiles files = new MemoryFiles();
        for (String name : List.of(Segment.name(1), Segment.name(2), ControlFile.NAME)) {
            try (LogFile file = files.create(name)) {
                file.writeAll(ByteBuffer.wrap(Files.readAllBytes(golden(version).resolve(name))), 0);
                file.force();
            }
        }
        MemoryFiles crashed = files.copy();
        FileLog unclosed = FileLog.open(crashed, LogImage.OPTIONS);
        assertThat(unclosed.end()).isEqualTo(4);
        FileLog log = FileLog.open(crashed.copy(), LogImage.OPTIONS);
        log.append(RecordBatches.after(log, List.of(ROW)));
        RecordBatches.requireSame("after the crash", RecordBatches.read(log, 5), List.of(ROW));
        log.close();
    }

    @Test
    void timesNeverGoBack() {
        MemoryFiles files = new MemoryFiles();
        FileLogOptions options = LogImage.OPTIONS;
        FileLog log = FileLog.open(files, options.withClock(InstantSource.fixed(TIME)));
        log.append(RecordBatches.after(log, "before"));
        log.close();
        FileLog later = FileLog.open(files, options.withClock(InstantSource.fixed(TIME.minusSeconds(60))));
        later.append(RecordBatches.after(later, "clock set back"));
        assertThat(millis(later)).containsOnly(OptionalLong.of(TIME.toEpochMilli()));
        later.close();
    }

    private static List<Origin> origins(FileLog log) {
        List<Origin> origins = new ArrayList<>();
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {
                origins.add(reader.origin());
            }
        }
        return origins;
    }

    private static List<OptionalLong> millis(FileLog log) {
        List<OptionalLong> millis = new ArrayList<>();
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {
                millis.add(reader.writtenMillis());
            }
        }
        return millis;
    }

    @Test
    void theRowIsARow() {
        EncodedRow row = new EncodedRow().moveTo(ROW, 0);
        assertThat(row.op()).isEqualTo(EncodedRow.PUT);
        assertThat(row.table()).isEqualTo(5);
        assertThat(row.partitionLength()).isEqualTo(1);
        assertThat(row.keyLength()).isEqualTo(2);
        assertThat(row.valueLength()).isEqualTo(3);
        assertThat(row.end()).isEqualTo(ROW.length);
    }

    @Test
    void thePageShowsTheState() throws IOException {
        byte[] control = Files.readAllBytes(GOLDEN.resolve(ControlFile.NAME));
        Dump dump = new Dump(control, ControlFile.PAGE);
        stamp(dump);
        dump.number("secret", Long::toHexString);
        dump.number("sequence", Long::toString).number("oldest segment", Long::toString);
        dump.number("newest segment", Long::toString).number("first position of the oldest", Long::toString);
        dump.number("ticket before the oldest", Long::toString);
        requireDump("state", dump);
    }

    @Test
    void thePageShowsTheMark() throws IOException {
        byte[] control = Files.readAllBytes(GOLDEN.resolve(ControlFile.NAME));
        int newer = ByteBuffer.wrap(control).order(ByteOrder.LITTLE_ENDIAN).getLong(2 * ControlFile.PAGE + 24)
                        > ByteBuffer.wrap(control)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong(3 * ControlFile.PAGE + 24)
                ? 2
                : 3;
        Dump dump = new Dump(control, newer * ControlFile.PAGE);
        stamp(dump);
        dump.number("secret", Long::toHexString);
        dump.number("sequence", Long::toString).number("synced position", Long::toString);
        dump.number("clean", Long::toString).number("", ignored -> "").number("", ignored -> "");
        requireDump("mark", dump);
    }

    @Test
    void thePageShowsASegment() throws IOException {
        Dump dump = new Dump(Files.readAllBytes(GOLDEN.resolve(Segment.name(2))), 0);
        stamp(dump);
        dump.number("secret", Long::toHexString);
        dump.number("segment", Long::toString).number("recycled", Long::toString);
        dump.number("", ignored -> "").number("", ignored -> "").number("", ignored -> "");
        requireDump("segment", dump);
    }

    @Test
    void thePageShowsABatch() throws IOException {
        Dump dump = new Dump(Files.readAllBytes(GOLDEN.resolve(Segment.name(1))), GROUP_AT);
        dump.bytes(4, "magic of segment 1")
                .bytes(4, "length 68")
                .bytes(4, "crc")
                .bytes(4, "records 2");
        dump.number("first position", Long::toString).number("ticket", Long::toString);
        dump.number("synced position", Long::toString);
        dump.number("time", millis -> Instant.ofEpochMilli(millis).toString());
        dump.bytes(4, "record: length 12, origin 0").bytes(5, "  put, table 5, partition 1, key 2, value 3");
        dump.bytes(2, "  key \"k1\"").bytes(3, "  value \"abc\"").bytes(2, "  up to a multiple of 4");
        dump.bytes(4, "record: length 0, origin 0");
        requireDump("batch", dump);
    }

    private static void stamp(Dump dump) {
        dump.bytes(8, "magic").bytes(4, "version").bytes(4, "crc");
    }

    private static void requireDump(String name, Dump dump) throws IOException {
        String page = Files.readString(PAGE);
        String mark = "<!-- dump: " + name + " -->\n```\n";
        int start = page.indexOf(mark) + mark.length();
        int end = page.indexOf("```", start);
        if (REWRITE) {
            Files.writeString(PAGE, page.substring(0, start) + dump.text() + page.substring(end));
        } else {
            assertThat(page.substring(start, end)).as("%s, dump %s", PAGE, name).isEqualTo(dump.text());
        }
    }

    /** Bytes cut into pieces, a line each: offset, bytes, what they are. */
    private static final class Dump {
        private final byte[] array;
        private final StringBuilder lines = new StringBuilder();
        private int at;

        Dump(byte[] array, int at) {
            this.array = array;
            this.at = at;
        }

        Dump bytes(int count, String note) {
            String hex = HexFormat.ofDelimiter(" ").formatHex(array, at, at + count);
            lines.append("%04x  %-23s  %s".formatted(at, hex, note).stripTrailing())
                    .append('\n');
            at += count;
            return this;
        }

        Dump number(String name, LongFunction<String> shown) {
            long value = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
            return bytes(8, name + " " + shown.apply(value));
        }

        String text() {
            return lines.toString();
        }
    }
}
