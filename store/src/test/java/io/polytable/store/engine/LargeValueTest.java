package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that get chunks, batches and buffers of their own, among small ones: in memory, replayed, and in the state. */
class LargeValueTest {
    private static final int[] BYTES = {10, (4 << 20) - 40, 7, 4 << 20, (9 << 20) + 3, 100, 1 << 20, 12 << 20};

    @TempDir
    private Path directory;

    @Test
    void areReplayedAndReachTheStateAsTheyWere() {
        EngineFixture fixture = new EngineFixture(directory.resolve("data"));
        Engine first = fixture.open(EngineFixture.lazy());
        Table table = first.create(EngineFixture.spec("t"));
        for (int i = 0; i < BYTES.length; i++) {
            first.commit(new Batch().put(table, name(i), value(i)));
        }
        first.flush();
        verify(first);
        first.abandon();
        try (Engine replayed = fixture.open(EngineFixture.lazy().withMemory(8 << 20, 64 << 20))) {
            verify(replayed);
            replayed.settle();
            verify(replayed);
        }
        try (Engine reopened = fixture.open(EngineFixture.lazy().withMemory(0, 64 << 20))) {
            verify(reopened);
        }
    }

    private static void verify(Engine engine) {
        Table table = engine.find(EngineFixture.spec("t").name()).orElseThrow();
        List<RowKey> names =
                IntStream.range(0, BYTES.length).mapToObj(LargeValueTest::name).toList();
        List<Optional<Bytes>> values = engine.readMany(table, names);
        for (int i = 0; i < BYTES.length; i++) {
            assertThat(values.get(i).orElseThrow().equals(value(i)))
                    .as("value %d", i)
                    .isTrue();
            assertThat(engine.read(table, name(i))).isEqualTo(values.get(i));
        }
    }

    private static RowKey name(int number) {
        return key(String.format(Locale.ROOT, "k%02d", number));
    }

    private static Bytes value(int number) {
        byte[] bytes = new byte[BYTES[number]];
        new Random(number).nextBytes(bytes);
        return Bytes.of(bytes);
    }
}
