package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.AtomicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Two programs on one ordered table, each with its own session and caches. */
@SuppressWarnings("NullAway.Init") // before all tests
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoProgramsTest {
    private static final String NAME = "Two_" + ProcessHandle.current().pid();

    private final EntityUri uri = CassandraNode.instance(NAME);
    private Instance first;
    private Instance second;
    private EntityTable ours;
    private EntityTable theirs;

    @BeforeAll
    void install() {
        Entities.install(uri);
        first = Entities.open(uri);
        // Another option, lest the two share a session.
        second = Entities.open(uri.withOption("layout.lease.millis", "101"));
        ours = first.createTable(TableLayout.of(
                "t",
                new KeyFormat.Raw(),
                LocalityGroup.of(
                        "g",
                        FamilyLayout.group(
                                "f",
                                ColumnLayout.of("n", CellSchema.counter()),
                                ColumnLayout.of("v", CellSchema.avro("string")),
                                ColumnLayout.of("w", CellSchema.avro("string"))))));
        first.createTable(TableLayout.of(
                        "sorted",
                        new KeyFormat.Raw(),
                        LocalityGroup.of("g", FamilyLayout.group("f", ColumnLayout.of("v", CellSchema.avro("string")))))
                .withOption("ordered", "true"));
        theirs = second.table("t");
    }

    @AfterAll
    void uninstall() {
        second.close();
        first.close();
        Entities.uninstall(uri);
    }

    /** A program's cached counter is a guess, which other writers invalidate. */
    @Test
    void aCounterIsExactWhateverOthersDoToIt() {
        EntityId id = ours.id("guessed");
        assertThat(ours.writer().increment(id, "f:n", 1)).isEqualTo(1);
        assertThat(ours.writer().increment(id, "f:n", 1)).isEqualTo(2);
        assertThat(theirs.writer().increment(id, "f:n", 10)).isEqualTo(12);
        assertThat(ours.writer().increment(id, "f:n", 1)).isEqualTo(13);
        theirs.writer().put(id, "f:n", 100L);
        assertThat(ours.writer().increment(id, "f:n", 1)).isEqualTo(101);
        theirs.writer().deleteColumn(id, "f:n");
        assertThat(ours.writer().increment(id, "f:n", 1)).isEqualTo(1);
        theirs.writer().deleteRow(id);
        assertThat(ours.writer().increment(id, "f:n", 5)).isEqualTo(5);
        assertThat(theirs.reader().get(id, DataRequest.of("f:n")).value("f:n", Long.class))
                .contains(5L);
    }

    /** A delete that came after its check would let another hold meanwhile. */
    @Test
    void ofADeleteAndAPutUnderTheSameCheckOneIsMade() {
        for (int round = 0; round < 50; round++) {
            EntityId id = ours.id("raced" + round);
            ours.writer().put(id, "f:v", "start");
            AtomicWriter deleting = ours.atomicWriter().begin(id).deleteColumn("f:v");
            AtomicWriter putting = theirs.atomicWriter().begin(id).put("f:v", "theirs");
            CompletableFuture<Boolean> deleted = deleting.checkAndCommitAsync("f:v", "start");
            CompletableFuture<Boolean> put = putting.checkAndCommitAsync("f:v", "start");
            assertThat(deleted.join()).as("round %d", round).isNotEqualTo(put.join());
            assertThat(ours.reader().get(id, DataRequest.of("f:v")).has("f:v")).isEqualTo(put.join());
        }
    }

    @Test
    void aCheckSeesWhatOthersWrote() {
        EntityId id = ours.id("checked");
        assertThat(check(ours, id, "f:v", null, "f:v", "a")).isTrue();
        assertThat(check(ours, id, "f:v", "a", "f:w", "beside")).isTrue();
        assertThat(check(theirs, id, "f:v", null, "f:v", "x")).isFalse();
        assertThat(check(theirs, id, "f:v", "a", "f:v", "b")).isTrue();
        assertThat(check(ours, id, "f:v", "a", "f:v", "x")).isFalse();
        theirs.writer().put(id, "f:v", "c");
        assertThat(check(ours, id, "f:v", "b", "f:v", "x")).isFalse();
        assertThat(check(ours, id, "f:v", "c", "f:v", "d")).isTrue();
        theirs.writer().deleteColumn(id, "f:v");
        assertThat(check(ours, id, "f:v", "d", "f:v", "x")).isFalse();
        assertThat(check(ours, id, "f:v", null, "f:v", "e")).isTrue();
        EntityRow row = theirs.reader().get(id, DataRequest.of("f"));
        assertThat(row.value("f:v", String.class)).contains("e");
        assertThat(row.value("f:w", String.class)).contains("beside");
    }

    private static boolean check(
            EntityTable table, EntityId id, String column, @Nullable String expected, String put, String value) {
        return table.atomicWriter().begin(id).put(put, value).checkAndCommit(column, expected);
    }

    @Test
    void aCheckDoesNotHideBehindACellOfTheFuture() {
        EntityId id = ours.id("future");
        theirs.writer().put(id, "f:v", System.currentTimeMillis() + 3_600_000, "later");
        assertThatThrownBy(() -> check(ours, id, "f:v", "later", "f:v", "now"))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_REQUEST));
        assertThat(check(ours, id, "f:v", "other", "f:v", "now")).isFalse();
    }

    @Test
    void bothCountAtOnce() throws Exception {
        EntityId id = ours.id("contended");
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> running = new ArrayList<>();
        for (EntityTable table : List.of(ours, theirs, ours, theirs)) {
            running.add(started(failures, () -> {
                for (int i = 0; i < 15; i++) {
                    table.writer().increment(id, "f:n", 1);
                }
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(ours.reader().get(id, DataRequest.of("f:n")).value("f:n", Long.class))
                .contains(60L);
    }

    private static Thread started(Queue<Throwable> failures, Runnable work) {
        Thread thread = new Thread(work);
        thread.setUncaughtExceptionHandler((failed, e) -> failures.add(e));
        thread.start();
        return thread;
    }

    /** Also while others write: whatever was acknowledged before the scan began, once, in the order of keys. */
    @Test
    void anOrderedScanIsWholeBesideWriters() throws Exception {
        EntityTable mine = first.table("sorted");
        EntityTable other = second.table("sorted");
        Set<String> acknowledged = new TreeSet<>();
        AtomicBoolean stop = new AtomicBoolean();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> writers = new ArrayList<>();
        int number = 0;
        for (EntityTable table : List.of(mine, other)) {
            String mark = "p" + number++;
            writers.add(started(failures, () -> {
                for (int i = 0; !stop.get() && i < 5000; i++) {
                    // Spread over first bytes, and back and forth.
                    String name = (char) ('a' + i * 7 % 26) + mark + (1_000_000 - i);
                    table.writer().put(table.id(name), "f:v", name);
                    synchronized (acknowledged) {
                        acknowledged.add(name);
                    }
                }
            }));
        }
        for (int round = 0; round < 5; round++) {
            Set<String> before;
            synchronized (acknowledged) {
                before = new TreeSet<>(acknowledged);
            }
            List<String> found = names(round % 2 == 0 ? mine : other);
            assertThat(found).isSorted().doesNotHaveDuplicates().containsAll(before);
        }
        stop.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(failures).isEmpty();
        assertThat(names(mine)).containsExactlyElementsOf(acknowledged);
    }

    /** A writer that dies behind the key's entry and before the cell leaves an entry of nothing. */
    @Test
    void anEntryWithoutCellsIsNoEntity() {
        EntityTable table = first.table("sorted");
        CassandraNode.cql()
                .execute("INSERT INTO \"" + Names.keyspace(NAME) + "\".\"" + Names.keys("sorted")
                        + "\" (part, key) VALUES (122, 0x7a7a7a)");
        assertThat(names(table)).doesNotContain("zzz");
        table.writer().put(table.id("zzz"), "f:v", "now");
        assertThat(names(second.table("sorted"))).contains("zzz");
        table.writer().deleteRow(table.id("zzz"));
        assertThat(names(table)).doesNotContain("zzz");
    }

    private static List<String> names(EntityTable table) {
        List<String> names = new ArrayList<>();
        try (RowScanner scanner = table.reader().scan(DataRequest.of("f:v"))) {
            scanner.rows().forEach(row -> names.add(row.id().toString()));
        }
        return names;
    }

    /** An instance or a table that another program dropped is reported as missing, not as a store failure. */
    @Test
    void whatTheOtherDroppedIsGone() {
        EntityUri brief = uri.withInstance(NAME + "x");
        Entities.install(brief);
        try (Instance left = Entities.open(brief)) {
            EntityTable table = left.createTable(TableLayout.of(
                    "t", new KeyFormat.Raw(), LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.avro("string")))));
            table.writer().put(table.id("a"), "f:x", "v");
            try (Instance dropper = Entities.open(brief.withOption("layout.lease.millis", "101"))) {
                dropper.dropTable("t");
            }
            assertThatThrownBy(() -> table.writer().put(table.id("a"), "f:x", "v"))
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.NO_SUCH_TABLE));
            Entities.uninstall(brief.withOption("layout.lease.millis", "101"));
            assertThatThrownBy(left::tables)
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.NO_SUCH_INSTANCE));
        }
    }
}
