package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.Change;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Two stores that share nothing but the cluster, as two processes would: other leases make other sessions. One withdraws a
 * family while the other writes to it.
 */
class LayoutLeaseTest {
    private static final String NAME = "Lease_" + ProcessHandle.current().pid();

    private static EntityUri uri(int leaseMillis) {
        return CassandraNode.uri().withInstance(NAME).withOption("layout.lease.millis", String.valueOf(leaseMillis));
    }

    @Test
    void nothingIsWrittenUnderAWithdrawnLayout() throws Exception {
        Entities.install(uri(300));
        try (Instance here = Entities.open(uri(300));
                Instance there = Entities.open(uri(299))) {
            FamilyLayout stays = FamilyLayout.map("stays", CellSchema.avro("string"));
            FamilyLayout goes = FamilyLayout.map("goes", CellSchema.avro("string"));
            EntityTable mine =
                    here.createTable(TableLayout.of("t", new KeyFormat.Raw(), LocalityGroup.of("g", stays, goes)));
            EntityTable theirs = there.table("t");
            theirs.writer().put(theirs.id("row"), "goes:x", "before");

            AtomicBoolean withdrawn = new AtomicBoolean();
            AtomicLong writtenLate = new AtomicLong();
            AtomicLong written = new AtomicLong();
            CompletableFuture<EntityError> refusal =
                    CompletableFuture.supplyAsync(() -> writeUntilRefused(theirs, withdrawn, written, writtenLate));
            Await.until("there are puts before the update", () -> written.get() >= 3 || refusal.isDone());
            assertThat(refusal).as("puts before the update").isNotDone();
            TableLayout now = mine.layout();
            here.updateLayout(now.toUpdate()
                    .withGroups(List.of(now.groups().get(0).withFamilies(List.of(stays, goes.with(Change.DELETE))))));
            withdrawn.set(true);

            assertThat(refusal.get(2, TimeUnit.MINUTES)).isEqualTo(EntityError.NO_SUCH_COLUMN);
            assertThat(writtenLate.get())
                    .as("puts begun after the update was complete")
                    .isZero();
            theirs.writer().put(theirs.id("row"), "stays:x", "after");
            assertThat(mine.reader()
                            .get(mine.id("row"), DataRequest.of("stays"))
                            .value("stays:x", String.class))
                    .contains("after");
        }
        Entities.uninstall(uri(300));
    }

    private static EntityError writeUntilRefused(
            EntityTable table, AtomicBoolean withdrawn, AtomicLong written, AtomicLong writtenLate) {
        while (true) {
            boolean late = withdrawn.get();
            try {
                table.writer().put(table.id("row"), "goes:x", "during");
                written.incrementAndGet();
                if (late) {
                    writtenLate.incrementAndGet();
                }
            } catch (EntityException e) {
                return e.error();
            }
        }
    }
}
