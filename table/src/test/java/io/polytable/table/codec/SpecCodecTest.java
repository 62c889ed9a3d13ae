package io.polytable.table.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteBuffers;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpecCodecTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("shop", "orders"),
            TableKind.SHARED,
            List.of(
                    new Column("customer", ColumnType.STRING),
                    new Column("placed", ColumnType.TIMESTAMP),
                    new Column("größe", ColumnType.INT)),
            List.of(KeyColumn.ascending("customer")),
            List.of(KeyColumn.descending("placed")),
            new TableOptions(Optional.of(Duration.ofSeconds(5, 7)), true, false, true));

    @Test
    void aSpecComesBackEqual() {
        assertThat(SpecCodec.decode(SpecCodec.encode(SPEC))).isEqualTo(SPEC);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomSpecsComeBackEqual(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            TableSpec spec = randomSpec(random);
            assertThat(SpecCodec.decode(SpecCodec.encode(spec)))
                    .as("seed %d", seed)
                    .isEqualTo(spec);
        }
    }

    private static TableSpec randomSpec(Random random) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            columns.add(new Column("c" + i, Samples.pick(List.of(ColumnType.values()), random)));
        }
        List<KeyColumn> partitionKey = new ArrayList<>();
        List<KeyColumn> sortKey = new ArrayList<>();
        int keys = 1 + random.nextInt(columns.size());
        for (int i = 0; i < keys; i++) {
            KeyColumn key = new KeyColumn("c" + i, Samples.pick(List.of(SortOrder.values()), random));
            boolean inPartition = i == 0 || (random.nextBoolean() && sortKey.isEmpty());
            (inPartition ? partitionKey : sortKey).add(key);
        }
        Optional<Duration> ttl = Optional.of(Duration.ofNanos(random.nextLong(1L << 50)))
                .filter(nanos -> !nanos.isZero() && random.nextBoolean());
        return new TableSpec(
                new TableName("n", "t" + random.nextInt(100)),
                Samples.pick(List.of(TableKind.values()), random),
                columns,
                partitionKey,
                sortKey,
                new TableOptions(
                        ttl,
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        Optional.of(new WriteBuffers((1 + random.nextInt(9)) << 20, 16 << 20))
                                .filter(buffers -> random.nextBoolean())));
    }

    @Test
    void writeBuffersOutOfBoundsAreCorrupt() {
        TableSpec spec = new TableSpec(
                SPEC.name(),
                SPEC.kind(),
                SPEC.columns(),
                SPEC.partitionKey(),
                SPEC.sortKey(),
                TableOptions.DEFAULT.withBuffers(new WriteBuffers(1 << 20, 2 << 20)));
        byte[] bytes = SpecCodec.encode(spec).toByteArray();
        assertThat(SpecCodec.decode(Bytes.of(bytes))).isEqualTo(spec);
        bytes[bytes.length - 1] = 1;
        bytes[bytes.length - 3] = 0;
        assertThat(errorOf(Bytes.of(bytes))).isEqualTo(StoreError.CORRUPT);
    }

    @Test
    void aNewerFormatIsRefusedByName() {
        byte[] bytes = SpecCodec.encode(SPEC).toByteArray();
        bytes[0] = SpecCodec.VERSION + 1;
        assertThat(errorOf(Bytes.of(bytes))).isEqualTo(StoreError.NEWER_FORMAT);
    }

    @Test
    void everyTruncationIsCorrupt() {
        Bytes whole = SpecCodec.encode(SPEC);
        for (int length = 0; length < whole.length(); length++) {
            assertThat(errorOf(whole.slice(0, length))).as("length %d", length).isEqualTo(StoreError.CORRUPT);
        }
        assertThat(errorOf(whole.concat(Bytes.of(new byte[1])))).isEqualTo(StoreError.CORRUPT);
    }

    @Test
    void everyDamagedByteIsRefusedOrStillASpec() {
        Bytes whole = SpecCodec.encode(SPEC);
        for (int at = 1; at < whole.length(); at++) {
            for (int b = 0; b < 256; b++) {
                byte[] damaged = whole.toByteArray();
                damaged[at] = (byte) b;
                assertRefusedOrSpec(Bytes.of(damaged));
            }
        }
    }

    private static void assertRefusedOrSpec(Bytes damaged) {
        try {
            assertThat(SpecCodec.encode(SpecCodec.decode(damaged))).isEqualTo(damaged);
        } catch (StoreException e) {
            assertThat(e.error()).isEqualTo(StoreError.CORRUPT);
        }
    }

    private static StoreError errorOf(Bytes bytes) {
        return catchThrowableOfType(StoreException.class, () -> SpecCodec.decode(bytes))
                .error();
    }
}
