package io.polytable.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.polytable.store.log.CommitLog;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.memory.PausedMemory;
import io.polytable.store.state.Family;
import io.polytable.store.state.State;
import io.polytable.store.state.StateWriter;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.TableSpec;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Point reads over a real state: what they keep in memory of it, and how much they bring onto the heap at once. */
class PointReadsTest {
    private static final int ID = 5;
    private static final RowKey KEY = RowKey.whole(Bytes.utf8("k"));
    private static final TableSpec SPEC = EngineFixture.spec("rows");

    @TempDir
    private Path directory = Path.of(".");

    private final PausedMemory paused = new PausedMemory();
    private State state;
    private CommitLog log;
    private Appender appender;
    private EngineTable table;
    private PointReads reads;

    @BeforeEach
    void open() {
        state = State.open(directory.resolve("state"), 64 << 20, 1);
        Family family = Family.of(SPEC);
        state.create(family);
        table = new EngineTable(ID, SPEC, state.table(family.name()));
        log = FileLog.open(directory.resolve("log"), EngineFixture.LOG);
        appender = new Appender(paused.memory(), log, new Failure(), new Tickets(), 1 << 30, () -> {});
        reads = new PointReads(paused.memory(), state, appender);
    }

    @AfterEach
    void close() {
        state.close();
        log.close();
    }

    private void inState(RowKey key, Bytes value) {
        StateWriter writer = new StateWriter(state);
        EncodedRow row = new Batch().put(table, key, value).row(new EncodedRow(), 0);
        writer.redo(row, id -> Optional.of(table.state()));
        writer.finish(new State.Applied(1, 0));
    }

    /** The state still has the row when it is asked; kept in memory, it would look newer than the delete. */
    @Test
    void aRangeDeleteBetweenTheLookIntoMemoryAndTheStateIsNotUndoneByTheAnswer() {
        inState(KEY, Bytes.utf8("old"));
        paused.afterNextFind(this::deleteAll);
        Optional<Bytes> unusedConcurrent = reads.read(table, KEY.bytes());
        assertThat(reads.read(table, KEY.bytes())).isEmpty();
    }

    @Test
    void norByTheAnswerToSeveralKeys() {
        inState(KEY, Bytes.utf8("old"));
        paused.afterNextFind(this::deleteAll);
        List<Optional<Bytes>> unusedConcurrent = reads.readMany(table, List.of(KEY, key(1)));
        assertThat(reads.readMany(table, List.of(KEY, key(1)))).containsOnly(Optional.empty());
    }

    /** Besides the answer there is what memory tells of it: no view, no copy. */
    @Test
    void aReadFromMemoryAllocatesLittleMoreThanItsAnswer() {
        appender.commit(new Batch().put(table, KEY, Bytes.of(new byte[1000])), () -> {});
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int times = 10_000;
        int found = readTimes(times);
        long before = threads.getCurrentThreadAllocatedBytes();
        found += readTimes(times);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(found).isEqualTo(2 * times);
        assertThat(bytes / times).isLessThan(100);
    }

    private int readTimes(int times) {
        int found = 0;
        for (int i = 0; i < times; i++) {
            found += reads.read(table, KEY.bytes()).isPresent() ? 1 : 0;
        }
        return found;
    }

    private void deleteAll() {
        appender.commit(new Batch().deleteRange(table, KeyRange.ALL), () -> {});
    }

    private static RowKey key(int number) {
        return RowKey.whole(Bytes.utf8("n" + number));
    }

    @Test
    void answersOnlyAsManyKeysAsThereIsRoomFor() {
        List<RowKey> keys = IntStream.range(0, 10).mapToObj(PointReadsTest::key).toList();
        for (int i = 0; i < 8; i++) {
            inState(key(i), Bytes.of(new byte[i < 4 ? 100 : 1 << 20]));
        }
        assertThat(reads.readMany(table, keys, 1)).hasSize(1);
        assertThat(reads.readMany(table, keys, 3 << 20)).hasSize(6);
        assertThat(reads.readMany(table, keys.subList(6, 10), 1)).hasSize(1);
        List<Optional<Bytes>> all = reads.readMany(table, keys);
        assertThat(all).hasSize(10);
        assertThat(all.subList(0, 8)).allMatch(Optional::isPresent);
        assertThat(all.subList(8, 10)).containsOnly(Optional.empty());
    }
}
