package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.FreePort;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three nodes, three replicas, one node killed under load: acknowledged writes survive. */
@Tag("peers")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class KilledNodeTest {
    private static final int WRITERS = 4;
    private static final int PHASE_WRITES = 300;

    /** The errors that a caller may get while a node dies; each says whether a retry can help. */
    private static final Set<EntityError> CLEAR =
            EnumSet.of(EntityError.UNREACHABLE, EntityError.STORE_FAILED, EntityError.UNKNOWN_OUTCOME);

    private final List<NodeProcess> nodes = new ArrayList<>();
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<EntityException> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong counted = new AtomicLong();
    private final AtomicLong doubtful = new AtomicLong();
    private final AtomicLong names = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();

    @AfterEach
    void stop() {
        stop.set(true);
        nodes.forEach(NodeProcess::close);
    }

    private EntityUri cluster() {
        int port = FreePort.find();
        int storagePort = FreePort.find();
        for (int i = 1; i <= 3; i++) {
            // One after the other: nodes that join at the same moment may refuse each other.
            nodes.add(NodeProcess.start(new NodeProcess.Place(
                    "127.0.0." + i,
                    "127.0.0.1",
                    port,
                    storagePort,
                    // There is nothing yet to be copied to a node that joins.
                    NodeProcess.OPEN_TO_ALL + "auto_bootstrap: false\n",
                    false)));
        }
        return EntityUri.parse("polytable-cassandra://127.0.0.1,127.0.0.2,127.0.0.3:" + port + "/killed");
    }

    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        EntityUri uri = cluster();
        Entities.install(uri, Map.of("replication", "3"));
        try (Instance instance = Entities.open(uri)) {
            EntityTable table = instance.createTable(TableLayout.of(
                    "t",
                    new KeyFormat.Raw(),
                    LocalityGroup.of(
                            "g",
                            FamilyLayout.group(
                                    "f",
                                    ColumnLayout.of("v", CellSchema.avro("string")),
                                    ColumnLayout.of("n", CellSchema.counter())))));
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Thread writer = new Thread(() -> write(table));
                writer.start();
                writers.add(writer);
            }
            awaitWrites(PHASE_WRITES);
            nodes.get(2).kill();
            awaitWrites(acknowledged.size() + PHASE_WRITES);
            check(table);
            nodes.get(2).restart();
            awaitWrites(acknowledged.size() + PHASE_WRITES);
            stop.set(true);
            for (Thread writer : writers) {
                writer.join(TimeUnit.MINUTES.toMillis(2));
            }
            check(table);
            // A counter is exact: each acknowledged increment once, each doubtful one at most once.
            long value = table.reader()
                    .get(table.id("counter"), DataRequest.of("f:n"))
                    .value("f:n", Long.class)
                    .orElse(0L);
            assertThat(value).isBetween(counted.get(), counted.get() + doubtful.get());
        }
        assertThat(failures).allSatisfy(e -> assertThat(CLEAR).contains(e.error()));
    }

    private void write(EntityTable table) {
        while (!stop.get()) {
            String name = "e" + names.incrementAndGet();
            try {
                table.writer().put(table.id(name), "f:v", name);
                acknowledged.add(name);
            } catch (EntityException e) {
                failures.add(e);
            }
            try {
                table.writer().increment(table.id("counter"), "f:n", 1);
                counted.incrementAndGet();
            } catch (EntityException e) {
                failures.add(e);
                // Any other refusal promises that nothing was counted.
                doubtful.addAndGet(e.error() == EntityError.UNKNOWN_OUTCOME ? 1 : 0);
            }
        }
    }

    private void awaitWrites(int wanted) {
        Await.until(() -> "writes continue: " + failures.peek(), () -> acknowledged.size() >= wanted);
    }

    private void check(EntityTable table) {
        for (String name : List.copyOf(acknowledged)) {
            Optional<String> found =
                    table.reader().get(table.id(name), DataRequest.of("f:v")).value("f:v", String.class);
            assertThat(found).contains(name);
        }
    }
}
