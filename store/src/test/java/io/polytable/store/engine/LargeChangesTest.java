package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.key;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks for many changes gets few where their values are large: a hundred of those may be more than the heap. */
class LargeChangesTest {
    private static final int VALUE_BYTES = 300 << 10;
    private static final int VALUES = 40;
    private static final long POLL_BYTES = (1 << 20) + VALUE_BYTES;

    @TempDir
    Path directory;

    /** In the tail, and behind it. */
    @ParameterizedTest
    @ValueSource(ints = {64 << 20, 2 << 20})
    void aPollAnswersAboutAMegabyte(int feedBytes) {
        try (Engine engine = open(feedBytes)) {
            Table table = engine.create(spec("t"));
            Position start = engine.position();
            try (ChangeFeed feed = engine.changes(Set.of(table), start)) {
                for (int i = 0; i < VALUES; i++) {
                    engine.commit(new Batch().put(table, key("k" + i), Bytes.of(new byte[VALUE_BYTES])));
                }
                engine.flush();
                try (ChangeFeed other = engine.changes(Set.of(table), engine.position())) {
                    assertThat(other.poll(1, Duration.ZERO)).isEmpty();
                }
                assertAllCome(feed);
            }
        }
    }

    @Test
    void aLargeCommitComesInParts() {
        try (Engine engine = open(64 << 20)) {
            Table table = engine.create(spec("t"));
            try (ChangeFeed feed = engine.changes(Set.of(table), engine.position())) {
                Batch batch = new Batch();
                for (int i = 0; i < VALUES; i++) {
                    batch.put(table, key("k" + i), Bytes.of(new byte[VALUE_BYTES]));
                }
                engine.commit(batch);
                engine.flush();
                assertAllCome(feed);
            }
        }
    }

    private Engine open(int feedBytes) {
        return new EngineFixture(directory)
                .open(EngineOptions.DEFAULT.withMemory(64 << 20, 64 << 20).withFeedMemory(feedBytes));
    }

    private static void assertAllCome(ChangeFeed feed) {
        List<Bytes> keys = new ArrayList<>();
        for (List<Change> some = feed.poll(1000, Duration.ZERO);
                !some.isEmpty();
                some = feed.poll(1000, Duration.ZERO)) {
            long bytes = some.stream()
                    .mapToLong(change -> change.value().orElseThrow().length())
                    .sum();
            assertThat(bytes).isBetween(1L, POLL_BYTES);
            some.forEach(change -> keys.add(change.key()));
        }
        List<Bytes> expected = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            expected.add(key("k" + i).bytes());
        }
        assertThat(keys).isEqualTo(expected);
    }
}
