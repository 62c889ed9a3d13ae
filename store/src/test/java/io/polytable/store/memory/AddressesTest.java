package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.memory.RowMemory.Known;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses near their limits and beyond: with small units and few of them, they come round within a test. */
class AddressesTest {
    private static final Table TABLE = TestTable.numbered(3);

    /** Units of 4 KiB, 64 of them. */
    private static final Addresses FEW = new Addresses(12, 6);

    private long position;

    @Test
    void aServerWith64GigabytesMayUseThem() {
        assertThat(Addresses.DEFAULT.budgetBytesMax()).isGreaterThanOrEqualTo(64L << 30);
        assertThat(new RowMemory(64L << 30).budgetBytes()).isEqualTo(64L << 30);
    }

    /** No two rows that live at the same time share a place, and each place leads back to its address. */
    @ParameterizedTest
    @ValueSource(longs = {0, 6L << 30, (16L << 30) - 4096, 16L << 30, (96L << 30) + 8, (256L << 30) - 4, 300L << 30})
    void aPlaceLeadsBackToItsAddress(long address) {
        Addresses all = Addresses.DEFAULT;
        long place = all.placeOf(address);
        assertThat(place).isBetween(0L, (1L << 36) - 1);
        assertThat(all.unitOfPlace(place)).isEqualTo(all.unitOf(address));
        long chunk = address & -all.unitBytes();
        assertThat(all.distance(chunk, place)).isEqualTo(address - chunk);
        assertThat(all.placeOf(address + all.bytes())).isEqualTo(place);
        assertThat(all.placeOf(address + (16L << 30))).isNotEqualTo(place);
    }

    @Test
    void rowsBeyondSixteenGigabytesOfAddressesAreFound() {
        Addresses many = new Addresses(30, 8);
        RowIndex index = new RowIndex(new Arena(many), 1L << 30);
        Map<Long, Long> places = new HashMap<>();
        Random random = new Random(36);
        for (int i = 0; i < 100_000; i++) {
            long hash = random.nextLong();
            long place = many.placeOf((random.nextLong() & (many.bytes() - 1)) | 64);
            assertThat(index.put(hash, place, new EncodedRow())).isEqualTo(RowIndex.NONE);
            places.put(hash, place);
        }
        assertThat(index.size()).isEqualTo(places.size());
        places.forEach((hash, place) -> assertThat(index.holds(hash, place)).isTrue());
        places.forEach((hash, place) ->
                assertThat(index.holds(hash, place ^ (1L << 33))).isFalse());
        long full = index.bytes();
        places.forEach((hash, place) -> assertThat(index.remove(hash, place)).isTrue());
        assertThat(index.size()).isZero();
        assertThat(full).isBetween(100_000L * 8, 100_000L * 64);
        assertThat(index.bytes()).as("it shrinks again").isLessThan(full / 2);
    }

    /** A row that stays, cached or committed, is stepped over when the addresses come round to it. */
    @Test
    void writesOnWhenAllAddressesWereUsed() {
        RowMemory memory = new RowMemory(FEW.bytes() / 4, FEW, RowIndex::new);
        assertThat(memory.fill(memory.fillStamp(), TABLE, Bytes.utf8("cached"), Optional.of(Bytes.utf8("once"))))
                .isTrue();
        put(memory, "old", "old");
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            put(memory, "other", "x".repeat(100 + random.nextInt(3_000)));
            if (i % 5 == 0) {
                apply(memory);
            }
            assertThat(memory.bytes()).isLessThan(FEW.bytes());
        }
        assertThat(memory.find(TABLE.id(), Bytes.utf8("old")).value()).isEqualTo(Bytes.utf8("old"));
        assertThat(memory.find(TABLE.id(), Bytes.utf8("cached")).value()).isEqualTo(Bytes.utf8("once"));
    }

    /** A generation that cannot be applied for long, while reads fill the cache: its rows still have spots. */
    @Test
    void aGenerationEndsBeforeItsRowsAreTooFarApart() {
        RowMemory memory = new RowMemory(FEW.bytes() / 4, FEW, RowIndex::new);
        Map<String, String> written = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            String key = "k" + i;
            written.put(key, "v" + i);
            put(memory, key, "v" + i + "x".repeat(500));
            for (int j = 0; j < 50; j++) {
                boolean unusedKept = memory.fill(
                        memory.fillStamp(),
                        TABLE,
                        Bytes.utf8(String.format(Locale.ROOT, "c%d-%d", i, j)),
                        Optional.of(Bytes.of(new byte[200])));
                boolean unusedMore = memory.trimIfFull();
            }
        }
        assertThat(memory.sealedCount()).isPositive();
        written.forEach((key, value) -> {
            RowMemory.Found found = memory.find(TABLE.id(), Bytes.utf8(key));
            assertThat(found.known()).isEqualTo(Known.PRESENT);
            assertThat(found.value().utf8()).startsWith(value + "x");
        });
        Map<String, String> applied = new HashMap<>();
        memory.seal();
        while (memory.oldestSealed().isPresent()) {
            Generation oldest = memory.oldestSealed().get();
            oldest.forEachStep(step -> step.forEach(
                    TABLE.id(), row -> applied.put(row.key().utf8(), row.value().utf8())));
            memory.applied(oldest);
        }
        assertThat(applied.keySet()).isEqualTo(written.keySet());
        applied.forEach((key, value) -> assertThat(value).startsWith(written.get(key) + "x"));
    }

    @Test
    void refusesARecordThatNoFreeAddressesAreLeftFor() {
        RowMemory memory = new RowMemory(FEW.bytes(), FEW, RowIndex::new);
        put(memory, "fits", "x".repeat(100_000));
        assertThatThrownBy(() -> put(memory, "does not", "x".repeat(200_000))).isInstanceOf(StoreException.class);
        put(memory, "fits too", "x".repeat(50_000));
        assertThat(memory.find(TABLE.id(), Bytes.utf8("fits")).known()).isEqualTo(Known.PRESENT);
        assertThat(memory.find(TABLE.id(), Bytes.utf8("does not")).known()).isEqualTo(Known.NOTHING);
    }

    /** What lists and index take is counted: rows of a few bytes must not take several times the budget. */
    @Test
    void smallRowsStayWithinTheBudgetWithAllThatBelongsToThem() {
        RowMemory memory = new RowMemory(8 << 20);
        for (int i = 0; i < 400_000; i++) {
            put(memory, Integer.toString(i, Character.MAX_RADIX), "");
            if (i % 10_000 == 0) {
                apply(memory);
            }
        }
        apply(memory);
        assertThat(memory.bytes()).isLessThan(9 << 20);
        assertThat(memory.rows()).isBetween(50_000L, 250_000L);
    }

    private void put(RowMemory memory, String key, String value) {
        memory.append(new Batch().put(TABLE, RowKey.whole(Bytes.utf8(key)), Bytes.utf8(value)), ++position, 0);
    }

    private static void apply(RowMemory memory) {
        assertThat(memory.takeBatches()).isNotNull();
        memory.seal();
        while (memory.oldestSealed().isPresent()) {
            memory.applied(memory.oldestSealed().get());
        }
        boolean more = true;
        while (more) {
            more = memory.trim();
        }
    }

    /** To the index, the places 0 and 1 mean an empty and a deleted slot. */
    @Test
    void noRowOfAReplayLiesAtTheFirstPlacesOfAll() {
        Arena arena = new Arena(FEW);
        LogBuffer log = new LogBuffer(arena);
        Batch batch = new Batch().put(TABLE, RowKey.whole(Bytes.utf8("k")), Bytes.utf8("v"));
        byte[] record = new byte[(int) batch.sizeBytes()];
        batch.copyTo(record, 0);
        Chunk chunk = log.chunkFor(record.length);
        assertThat(arena.place(chunk, log.addLogged(chunk, record, 0, record.length)))
                .isGreaterThan(1);
    }
}
