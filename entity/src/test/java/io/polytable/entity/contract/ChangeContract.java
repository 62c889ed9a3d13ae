package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.write.AtomicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Deletes of every kind, and atomic changes. */
abstract class ChangeContract extends PageContract {
    private EntityRow all(EntityId id) {
        return users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("info").allVersions(),
                                ColumnRequest.of("tags").allVersions(),
                                ColumnRequest.of("state").allVersions()));
    }

    @Test
    void aRowIsDeletedWhole() {
        EntityId id = filled();
        users.writer().increment(id, "stats:logins", 1);
        users.writer().deleteRow(id);
        assertThat(all(id).isEmpty()).isTrue();
        assertThat(get(id, "stats").isEmpty()).isTrue();
    }

    @Test
    void aRowIsDeletedUpToATime() {
        EntityId id = filled();
        users.writer().deleteRow(id, 2);
        EntityRow row = all(id);
        assertThat(row.timestamps("info:name")).containsExactly(3L);
        assertThat(row.timestamps("tags:b")).containsExactly(3L);
        assertThat(row.has("state:now")).isFalse();
    }

    @Test
    void aFamilyIsDeletedWholeAndUpToATime() {
        EntityId id = filled();
        users.writer().deleteFamily(id, "tags", 2);
        assertThat(all(id).timestamps("tags:a")).containsExactly(3L);
        assertThat(all(id).timestamps("info:name")).hasSize(3);
        users.writer().deleteFamily(id, "tags");
        assertThat(all(id).has("tags")).isFalse();
        users.writer().deleteFamily(id, "info", 1);
        assertThat(all(id).timestamps("info:email")).containsExactly(3L, 2L);
        users.writer().deleteFamily(id, "info");
        assertThat(all(id).qualifiers("info")).isEmpty();
        assertThat(all(id).has("state:now")).isTrue();
    }

    @Test
    void aColumnIsDeletedWholeAndUpToATime() {
        EntityId id = filled();
        users.writer().deleteColumn(id, "tags:a", 2);
        assertThat(all(id).timestamps("tags:a")).containsExactly(3L);
        users.writer().deleteColumn(id, "tags:a");
        assertThat(all(id).qualifiers("tags")).containsExactly("b");
        users.writer().deleteColumn(id, "info:name");
        assertThat(all(id).qualifiers("info")).containsExactly("email");
    }

    @Test
    void aCellIsDeletedExactlyOrTheNewest() {
        EntityId id = filled();
        users.writer().deleteCell(id, "info:name", 2);
        assertThat(all(id).timestamps("info:name")).containsExactly(3L, 1L);
        users.writer().deleteCell(id, "info:name");
        assertThat(all(id).timestamps("info:name")).containsExactly(1L);
        users.writer().deleteCell(id, "state:now");
        assertThat(all(id).has("state:now")).isFalse();
        users.writer().deleteCell(id, "state:now");
        users.writer().deleteCell(id, "tags:nothing", 7);
        assertThat(all(id).has("state:now")).isFalse();
    }

    @Test
    void whatIsPutAfterADeleteIsThere() {
        EntityId id = someone();
        for (int round = 0; round < 5; round++) {
            users.writer().put(id, "info:name", "before");
            users.writer().deleteColumn(id, "info:name");
            assertThat(get(id, "info").has("info:name")).isFalse();
            users.writer().put(id, "info:name", "round " + round);
            assertThat(get(id, "info").value("info:name", String.class)).contains("round " + round);
            users.writer().deleteRow(id);
            users.writer().put(id, "tags:x", "after " + round);
            assertThat(get(id, "tags", "info").value("tags:x", String.class)).contains("after " + round);
        }
    }

    @Test
    void deletesMaskLaterPutsWhereTheStoreSaysSo() {
        EntityId id = someone();
        users.writer().put(id, "info:name", 5, "first");
        users.writer().deleteColumn(id, "info:name", 10);
        users.writer().put(id, "info:name", 7, "late");
        boolean masks = instance.capabilities().contains(StoreCapability.DELETES_MASK_LATER_PUTS);
        assertThat(get(id, "info").has("info:name")).isEqualTo(!masks);
    }

    @Test
    void cellsOfAnEntityAreWrittenTogether() {
        EntityId id = someone();
        AtomicWriter writer = users.atomicWriter();
        writer.begin(id).put("info:name", "Ada").put("state:now", "in").put("tags:x", 9, "y");
        assertThat(get(id, "info", "state").isEmpty()).isTrue();
        writer.commit();
        EntityRow row = get(id, "info", "state", "tags");
        assertThat(row.value("info:name", String.class)).contains("Ada");
        assertThat(row.value("state:now", String.class)).contains("in");
        assertThat(row.timestamps("tags:x")).containsExactly(9L);
        assertThat(writer.entity()).isEmpty();
    }

    @Test
    void aRolledBackChangeLeavesNothing() {
        EntityId id = someone();
        AtomicWriter writer = users.atomicWriter();
        writer.begin(id).put("info:name", "Ada");
        writer.rollback();
        assertRefused(EntityError.BAD_REQUEST, writer::commit);
        assertRefused(EntityError.BAD_REQUEST, () -> writer.put("info:name", "Eve"));
        writer.begin(id);
        assertRefused(EntityError.BAD_REQUEST, () -> writer.begin(id));
        assertThat(get(id, "info").isEmpty()).isTrue();
    }

    @Test
    void aCheckedChangeIsMadeOnlyWhenTheColumnIsAsExpected() {
        EntityId id = someone();
        AtomicWriter writer = users.atomicWriter();
        writer.begin(id).put("info:name", "Ada").put("state:now", "one");
        assertThat(writer.checkAndCommit("info:name", "Bob")).isFalse();
        assertThat(get(id, "info", "state").isEmpty()).isTrue();
        assertThat(writer.checkAndCommit("info:name", null)).isTrue();
        writer.begin(id).put("info:name", "Bob").put("state:now", "two");
        assertThat(writer.checkAndCommit("info:name", null)).isFalse();
        assertThat(writer.checkAndCommit("state:now", "zero")).isFalse();
        assertThat(writer.checkAndCommit("state:now", "one")).isTrue();
        EntityRow row = get(id, "info", "state");
        assertThat(row.value("info:name", String.class)).contains("Bob");
        assertThat(row.value("state:now", String.class)).contains("two");
    }

    @Test
    void ofRacingCheckedChangesOneWins() {
        EntityId id = someone();
        users.writer().put(id, "state:now", "start");
        List<CompletableFuture<Boolean>> racing = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            AtomicWriter writer = users.atomicWriter();
            writer.begin(id).put("state:now", "racer " + i);
            racing.add(CompletableFuture.supplyAsync(() -> writer.checkAndCommit("state:now", "start")));
        }
        assertThat(racing.stream().map(CompletableFuture::join).filter(won -> won))
                .hasSize(1);
    }

    /** A delete is under the condition as a put is: also of a column that has several versions. */
    @Test
    void ofRacingCheckedPutsAndDeletesOneWins() {
        for (String column : List.of("state:now", "info:name")) {
            EntityId id = someone();
            for (int round = 0; round < 5; round++) {
                users.writer().put(id, column, "start");
                List<CompletableFuture<Boolean>> racing = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    AtomicWriter writer = users.atomicWriter().begin(id);
                    if (i % 2 == 0) {
                        writer.put(column, "racer " + i);
                    } else {
                        writer.deleteColumn(column).put("info:email", "deleted by " + i);
                    }
                    racing.add(CompletableFuture.supplyAsync(() -> writer.checkAndCommit(column, "start")));
                }
                List<Boolean> won = racing.stream().map(CompletableFuture::join).toList();
                assertThat(won).as(column).containsOnlyOnce(true);
                boolean isDeleted = won.indexOf(true) % 2 == 1;
                assertThat(get(id, "state", "info").has(column)).as(column).isEqualTo(!isDeleted);
            }
        }
    }

    @Test
    void aCheckedDeleteLeavesNothingAndHidesNothingLater() {
        for (String column : List.of("state:now", "info:name")) {
            EntityId id = filled();
            String present =
                    get(id, "state", "info").value(column, String.class).orElseThrow();
            AtomicWriter writer = users.atomicWriter().begin(id).deleteColumn(column);
            assertThat(writer.checkAndCommit(column, "other")).isFalse();
            assertThat(writer.checkAndCommit(column, present)).isTrue();
            assertThat(all(id).has(column)).isFalse();
            assertThat(all(id).has("tags:a")).isTrue();
            users.writer().put(id, column, "later");
            assertThat(get(id, "state", "info").value(column, String.class)).contains("later");
        }
    }

    @Test
    void ofTwoPutsOfACellInOneChangeTheLastCounts() {
        for (String column : List.of("state:now", "info:name")) {
            EntityId id = someone();
            users.atomicWriter()
                    .begin(id)
                    .put(column, 7, "z")
                    .put(column, 7, "a")
                    .checkAndCommit(column, null);
            assertThat(get(id, "state", "info").value(column, String.class)).contains("a");
            users.atomicWriter().begin(id).put(column, "y").put(column, "b").checkAndCommit(column, "a");
            assertThat(get(id, "state", "info").value(column, String.class)).contains("b");
        }
    }

    @Test
    void aCheckedPutOfAnOlderTimeHidesNothingNewer() {
        EntityId id = someone();
        long now = System.currentTimeMillis();
        for (String column : List.of("state:now", "info:name")) {
            users.writer().put(id, column, now - 1000, "newer");
            AtomicWriter writer = users.atomicWriter();
            writer.begin(id).put(column, now - 2000, "older");
            assertThat(writer.checkAndCommit(column, "newer")).isTrue();
            assertThat(get(id, "state", "info").value(column, String.class)).contains("newer");
        }
    }

    @Test
    void countersAndCheckedCellsAreDeletedAsOthersAre() {
        for (int kind = 0; kind < 4; kind++) {
            EntityId id = someone();
            users.writer().increment(id, "stats:logins", 1);
            users.atomicWriter().begin(id).put("state:now", "in").checkAndCommit("state:now", null);
            EntityRow row = get(id, "stats", "state");
            long counted = row.timestamps("stats:logins").first();
            long stated = row.timestamps("state:now").first();
            switch (kind) {
                case 0 -> {
                    users.writer().deleteCell(id, "stats:logins", counted);
                    users.writer().deleteCell(id, "state:now", stated);
                }
                case 1 -> {
                    users.writer().deleteColumn(id, "stats:logins", counted);
                    users.writer().deleteColumn(id, "state:now", stated);
                }
                case 2 -> {
                    users.writer().deleteFamily(id, "stats", counted);
                    users.writer().deleteFamily(id, "state", stated);
                }
                default -> users.writer().deleteRow(id, Math.max(counted, stated));
            }
            assertThat(get(id, "stats", "state").isEmpty())
                    .as("delete %d", kind)
                    .isTrue();
        }
    }

    @Test
    void oneChangeEitherPutsOrDeletesAColumn() {
        EntityId id = someone();
        AtomicWriter writer = users.atomicWriter();
        writer.begin(id).put("info:name", "x");
        assertRefused(EntityError.BAD_REQUEST, () -> writer.deleteColumn("info:name"));
        writer.deleteColumn("info:email").commit();
        writer.begin(id).deleteColumn("info:name");
        assertRefused(EntityError.BAD_REQUEST, () -> writer.put("info:name", "y"));
        writer.commit();
        assertThat(get(id, "info").isEmpty()).isTrue();
    }
}
