package io.polytable.store.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.log.LogReader;
import io.polytable.store.log.RecordBatchFormat;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log whose files were damaged: at any byte, cut to any length, mixed up, gone. */
class DamageTest {
    /** A batch of one record with eight bytes. */
    private static final int SMALL_BATCH_BYTES =
            RecordBatchFormat.HEADER_BYTES + RecordBatchFormat.RECORD_HEADER_BYTES + 8;

    private static final long SEED = 7;

    private static FileLog open(MemoryFiles files) {
        return FileLog.open(files, LogImage.OPTIONS);
    }

    private static ThrowableAssertAlternative<StoreException> assertRefused(MemoryFiles files, StoreError error) {
        return assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(files))
                .satisfies(e -> assertThat(e.error()).isEqualTo(error));
    }

    private static void assertCorrupt(MemoryFiles files, String file, long offset) {
        assertRefused(files, StoreError.CORRUPT)
                .satisfies(e -> assertThat(e.facts())
                        .containsEntry("file", "memory/" + file)
                        .containsEntry("offset", offset));
    }

    private static void assertHolds(LogImage image, FileLog log, long end) {
        assertThat(log.end()).isEqualTo(end);
        List<byte[]> kept = image.records().subList((int) log.first() - 1, (int) end);
        RecordBatches.requireSame("damaged", RecordBatches.read(log, log.first()), kept);
    }

    private static void flip(MemoryFiles files, String name, int at) throws IOException {
        files.bytes(name)[at] ^= (byte) (1 << at % 8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theUndamagedImageIsWhole(boolean recycled) throws IOException {
        LogImage image = LogImage.of(SEED, recycled);
        FileLog log = open(image.files());
        assertThat(log.cut()).isEmpty();
        assertHolds(image, log, image.records().size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyByteOfEverySyncedBatchIsGuarded(boolean recycled) throws IOException {
        LogImage image = LogImage.of(SEED, recycled);
        for (LogImage.Place place : image.places()) {
            // Every byte where batches meet files' borders; elsewhere the batches are all alike.
            int step = image.atBorder(place) ? 1 : 11;
            for (int at = place.offset(); at < place.offset() + place.length(); at += step) {
                MemoryFiles files = image.files();
                flip(files, place.file(), at);
                if (place.first() <= image.synced()) {
                    assertCorrupt(files, place.file(), place.offset());
                } else {
                    assertCutBefore(image, place, files);
                }
            }
        }
    }

    @Test
    void afterACleanCloseEveryByteOfTheLastBatchIsGuardedToo() throws IOException {
        LogImage image = LogImage.of(SEED, true);
        MemoryFiles closed = image.closedFiles();
        for (LogImage.Place place : image.places()) {
            for (int at = place.offset(); at < place.offset() + place.length(); at++) {
                if (place.first() > image.synced()) {
                    MemoryFiles files = closed.copy();
                    flip(files, place.file(), at);
                    assertCorrupt(files, place.file(), place.offset());
                }
            }
        }
    }

    private static void assertCutBefore(LogImage image, LogImage.Place place, MemoryFiles files) {
        FileLog log = open(files);
        assertHolds(image, log, place.first() - 1);
        assertThat(log.cut()).hasValueSatisfying(cut -> {
            assertThat(cut.file()).isEqualTo("memory/" + place.file());
            assertThat(cut.offset()).isEqualTo(place.offset());
            assertThat(cut.position()).isEqualTo(place.first());
            assertThat(cut.bytes()).isPositive();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchTornAtEveryByteIsCut(boolean recycled) throws IOException {
        LogImage image = LogImage.of(SEED, recycled);
        LogImage.Place last = image.lastPlace();
        MemoryFiles before = image.files();
        FileLog shorter = open(before);
        for (int kept = 1; kept < last.length(); kept++) {
            MemoryFiles files = image.files();
            byte[] bytes = files.bytes(last.file());
            // The bytes that did not come are zeros, or what the file held before.
            for (int at = last.offset() + kept; at < last.offset() + last.length(); at++) {
                bytes[at] = (byte) (recycled ? ~bytes[at] : 0);
            }
            FileLog log = open(files);
            long whole = Arrays.equals(bytes, before.bytes(last.file())) ? last.last() : last.first() - 1;
            assertHolds(image, log, whole);
        }
        assertHolds(image, shorter, last.last());
    }

    @Test
    void whatWasCutNeverComesBack() throws IOException {
        LogImage image = LogImage.of(SEED, false);
        LogImage.Place torn = image.places().get(image.places().size() - 2);
        MemoryFiles files = image.files();
        flip(files, torn.file(), torn.offset() + 45);
        FileLog log = open(files);
        assertThat(log.end()).isEqualTo(torn.first() - 1);
        // As long as the torn one: the batch behind it, which was whole, would follow on exactly.
        int records = (int) (torn.last() - torn.first() + 1);
        byte[] first = new byte[torn.length() - RecordBatchFormat.HEADER_BYTES - 4 * records];
        List<byte[]> batch = new ArrayList<>(List.of(first));
        while (batch.size() < records) {
            batch.add(new byte[0]);
        }
        log.append(RecordBatches.after(log, batch));
        FileLog again = open(files.copy());
        assertThat(again.end()).isEqualTo(torn.last());
        assertThat(again.cut()).isEmpty();
    }

    @Test
    void theStampOfEverySegmentIsGuarded() throws IOException {
        LogImage image = LogImage.of(SEED, true);
        for (String name : image.files().list()) {
            if (Segment.idOf(name).isPresent()) {
                for (int at = 0; at < Stamp.BYTES; at++) {
                    MemoryFiles files = image.files();
                    flip(files, name, at);
                    assertCorrupt(files, name, 0);
                }
            }
        }
    }

    /** One of two stamps says the same or an older state; with it the log opens whole or is refused. */
    @Test
    void aDamagedControlFileLosesNothing() throws IOException {
        LogImage image = LogImage.of(SEED, true);
        int size = image.files().bytes(ControlFile.NAME).length;
        for (int at = 0; at < size; at += at % ControlFile.PAGE < Stamp.BYTES ? 1 : 37) {
            MemoryFiles files = image.files();
            flip(files, ControlFile.NAME, at);
            try (FileLog log = open(files)) {
                assertHolds(image, log, image.records().size());
            } catch (StoreException e) {
                assertThat(e.error()).isEqualTo(StoreError.CORRUPT);
            }
        }
        MemoryFiles files = image.files();
        flip(files, ControlFile.NAME, 20);
        flip(files, ControlFile.NAME, ControlFile.PAGE + 20);
        assertCorrupt(files, ControlFile.NAME, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileCutToAnyLengthIsFoundOrHarmless(boolean recycled) throws IOException {
        LogImage image = LogImage.of(SEED, recycled);
        for (String name : image.files().list()) {
            byte[] whole = image.files().bytes(name);
            // Every length where the last batches and pages begin and end; elsewhere one byte is like the next.
            for (int length = 0; length < whole.length; length += isAtBorder(image, name, length) ? 1 : LogImage.STEP) {
                MemoryFiles files = image.files();
                files.replace(name, Arrays.copyOf(whole, length));
                assertFoundOrHarmless(image, files, name, length);
            }
        }
    }

    private static boolean isAtBorder(LogImage image, String name, int length) {
        return length % 4096 < 64 || image.isNearBorder(name, length);
    }

    private static void assertFoundOrHarmless(LogImage image, MemoryFiles files, String name, int length) {
        long whole = image.places().stream()
                .filter(place -> !place.file().equals(name) || place.offset() + place.length() <= length)
                .count();
        try (FileLog log = open(files)) {
            assertThat(log.end()).as("%s cut to %d", name, length).isGreaterThanOrEqualTo(image.synced());
            assertHolds(image, log, log.end());
            if (!name.equals(ControlFile.NAME)) {
                assertThat(image.places().get((int) whole - 1).last()).isEqualTo(log.end());
            }
        } catch (StoreException e) {
            assertThat(e.error()).as("%s cut to %d", name, length).isEqualTo(StoreError.CORRUPT);
            assertThat(e.getMessage()).contains(name);
        }
    }

    @Test
    void everyFileIsMissed() throws IOException {
        LogImage image = LogImage.of(SEED, true);
        for (String name : image.files().list()) {
            MemoryFiles files = image.files();
            files.delete(name);
            assertRefused(files, StoreError.CORRUPT)
                    .withMessageContaining("missing")
                    .withMessageContaining(name);
        }
    }

    @Test
    void aSegmentOfAnotherLogOrPlaceIsRefused() throws IOException {
        LogImage image = LogImage.of(SEED, false);
        LogImage other = LogImage.of(SEED, false);
        String first = image.places().get(0).file();
        String last = image.lastPlace().file();
        MemoryFiles mixed = image.files();
        mixed.replace(first, other.files().bytes(first));
        assertCorrupt(mixed, first, 0);
        MemoryFiles swapped = image.files();
        byte[] moved = swapped.bytes(first);
        swapped.replace(first, swapped.bytes(last));
        swapped.replace(last, moved);
        assertCorrupt(swapped, first, 0);
    }

    /** As after a write that the disk put in the wrong place: the batch would follow on, but was not meant for here. */
    @Test
    void aBatchIsValidOnlyWhereItWasWritten() throws IOException {
        LogImage image = LogImage.of(SEED, false);
        MemoryFiles here = image.files();
        FileLog log = open(here);
        log.append(RecordBatches.after(log, "short"));
        int end = placeOf(here, image.lastPlace().file(), log.end()) + SMALL_BATCH_BYTES;
        MemoryFiles elsewhere = image.files();
        FileLog other = open(elsewhere);
        other.append(RecordBatches.after(other, "a longer one"));
        other.append(RecordBatches.after(other, "batch"));
        byte[] bytes = elsewhere.bytes(image.lastPlace().file());
        int from = placeOf(elsewhere, image.lastPlace().file(), other.end());
        System.arraycopy(bytes, from, here.bytes(image.lastPlace().file()), end, SMALL_BATCH_BYTES);
        assertThat(open(here.copy()).end()).isEqualTo(log.end());
    }

    private static int placeOf(MemoryFiles files, String name, long first) throws IOException {
        byte[] bytes = files.bytes(name);
        int at = Segment.HEADER_BYTES;
        while (!LogImage.isBatch(bytes, at, first)) {
            at += 4;
        }
        return at;
    }

    @Test
    void everyPlaceOfEveryLogHasItsOwnSalt() throws IOException {
        Set<Long> salts = new HashSet<>();
        for (int secret = 0; secret < 10; secret++) {
            for (int id = 0; id < 10; id++) {
                Segment segment = new Segment(secret, id, Stamp.VERSION, false, new MemoryFiles().create("file"), 0);
                for (int offset = 0; offset < 400; offset += 4) {
                    salts.add(segment.saltAt(offset));
                }
            }
        }
        assertThat(salts).hasSize(10 * 10 * 100);
    }

    /** It is checked in pieces, which move the window away from its start. */
    @Test
    void aTornBatchLargerThanTheReadWindowIsCut() throws IOException {
        FileLogOptions options = LogImage.OPTIONS.withSegmentBytes(1 << 20);
        MemoryFiles files = new MemoryFiles();
        FileLog log = FileLog.open(files, options);
        log.append(RecordBatches.after(log, "intact"));
        log.append(RecordBatches.after(log, List.of(new byte[2 * ReadWindow.WINDOW_BYTES])));
        flip(files, Segment.name(1), placeOf(files, Segment.name(1), 2) + 1000);
        FileLog again = FileLog.open(files.copy(), options);
        assertThat(again.end()).isEqualTo(1);
        assertThat(again.cut()).isPresent();
    }

    /** A client could fill a value with headers of batches; recovery would check each up to the segment's end. */
    @Test
    void valuesThatLookLikeBatchesDoNotSlowRecoveryDown() throws IOException {
        int segmentBytes = 1 << 20;
        byte[] value = new byte[segmentBytes - (16 << 10)];
        ByteBuffer headers = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 40 <= value.length; at += 40) {
            headers.putInt(at, RecordBatchFormat.MAGIC).putInt(at + 4, value.length - at);
            headers.putInt(at + 12, 1).putLong(at + 16, 1L << 40);
        }
        FileLogOptions options = LogImage.OPTIONS.withSegmentBytes(segmentBytes);
        MemoryFiles memory = new MemoryFiles();
        FileLog log = FileLog.open(memory, options);
        log.append(RecordBatches.after(log, "intact"));
        log.append(RecordBatches.after(log, List.of(value)));
        flip(memory, Segment.name(1), placeOf(memory, Segment.name(1), 2) + 9);
        FaultyFiles counting = new FaultyFiles(memory, (operation, name) -> {});
        assertThat(FileLog.open(counting, options).end()).isEqualTo(1);
        // The segment is read a few times, in windows.
        assertThat(counting.count(FaultyFiles.Operation.READ)).isLessThan(10 * segmentBytes / ReadWindow.WINDOW_BYTES);
    }

    @Test
    void aNewerFormatIsRefused() throws IOException {
        LogImage image = LogImage.of(SEED, false);
        String segment = image.places().get(0).file();
        MemoryFiles files = image.files();
        raiseVersion(files.bytes(segment), 0);
        assertRefused(files, StoreError.NEWER_FORMAT).withMessageContaining(segment);
        MemoryFiles control = image.files();
        raiseVersion(control.bytes(ControlFile.NAME), 0);
        raiseVersion(control.bytes(ControlFile.NAME), ControlFile.PAGE);
        assertRefused(control, StoreError.NEWER_FORMAT).withMessageContaining(ControlFile.NAME);
    }

    private static void raiseVersion(byte[] bytes, int at) {
        ByteBuffer stamp = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        stamp.putInt(at + 8, Stamp.VERSION + 1);
        CRC32C crc = new CRC32C();
        crc.update(bytes, at, 12);
        crc.update(bytes, at + 16, Stamp.BYTES - 16);
        stamp.putInt(at + 12, (int) crc.getValue());
    }

    @Test
    void aReaderMeetsDamageThatCameLater() throws IOException {
        LogImage image = LogImage.of(SEED, false);
        MemoryFiles files = image.files();
        FileLog log = open(files);
        LogImage.Place place = image.places().get(3);
        flip(files, place.file(), place.offset() + 50);
        try (LogReader reader = log.read(1)) {
            for (long position = 1; position < place.first(); position++) {
                assertThat(reader.next()).isTrue();
            }
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(reader::next)
                    .satisfies(e -> assertThat(e.error()).isEqualTo(StoreError.CORRUPT));
        }
    }
}
