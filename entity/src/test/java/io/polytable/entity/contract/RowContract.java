package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.BufferedWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Cells of single entities: puts, gets, counters, buffers. Every test has its own entities, since creating tables is
 * slow.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RowContract {
    /** A Java record as a value of the column info:address. */
    record Address(String street, int zip) {}

    private static final AtomicInteger NEXT = new AtomicInteger();

    protected Instance instance;
    protected EntityTable users;

    /** Where an instance can be made. */
    protected abstract EntityUri uri();

    @BeforeAll
    void install() {
        Entities.install(uri(), Map.of("purpose", "contract"));
        instance = Entities.open(uri());
        users = instance.createTable(ContractTables.users());
    }

    @AfterAll
    void uninstall() {
        instance.close();
        Entities.uninstall(uri());
        assertThat(Entities.instances(uri())).doesNotContain(uri().instanceName());
    }

    protected EntityId someone() {
        return users.id("someone-" + NEXT.incrementAndGet());
    }

    protected EntityRow get(EntityId id, String... columns) {
        return users.reader().get(id, DataRequest.of(columns));
    }

    @Test
    void everyKindOfCellComesBack() {
        EntityId id = someone();
        Schema schema = SchemaText.parse(ContractTables.ADDRESS);
        GenericRecord address = new GenericRecordBuilder(schema)
                .set("street", "Main")
                .set("zip", 7)
                .build();
        users.writer().put(id, "info:name", "Ada");
        users.writer().put(id, "info:age", 36);
        users.writer().put(id, "info:address", address);
        users.writer().put(id, "info:profile", Map.of("likes", List.of("tea")));
        users.writer().put(id, "info:photo", new byte[] {0, 1, -1});
        users.writer().put(id, "tags:a:b c/ü", "odd");
        users.writer().put(id, "stats:logins", 5L);

        EntityRow row = get(id, "info", "tags", "stats");
        assertThat(row.value("info:name", String.class)).contains("Ada");
        assertThat(row.value("info:age", Integer.class)).contains(36);
        assertThat(row.value("info:address", GenericRecord.class)).contains(address);
        assertThat(row.value("info:address", Address.class)).contains(new Address("Main", 7));
        assertThat(row.value("info:profile", JsonNode.class))
                .hasValueSatisfying(
                        tree -> assertThat(tree.at("/likes/0").asText()).isEqualTo("tea"));
        assertThat(row.value("info:photo", byte[].class))
                .hasValueSatisfying(bytes -> assertThat(bytes).containsExactly(0, 1, -1));
        assertThat(row.newestValues("tags", String.class)).isEqualTo(Map.of("a:b c/ü", "odd"));
        assertThat(row.value("stats:logins", Long.class)).contains(5L);
        assertThat(row.has("info:email")).isFalse();
    }

    @Test
    void aRowTellsOfItsCellsInEveryWay() {
        EntityId id = someone();
        for (long time = 1; time <= 3; time++) {
            users.writer().put(id, "info:name", time, "n" + time);
            users.writer().put(id, "tags:a", time, "a" + time);
        }
        users.writer().put(id, "tags:b", 2, "b2");
        EntityRow row = users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("info:name").allVersions(),
                                ColumnRequest.of("tags").allVersions()));
        assertThat(row.has("info:name", 2)).isTrue();
        assertThat(row.has("info:name", 4)).isFalse();
        assertThat(row.has("tags")).isTrue();
        assertThat(row.qualifiers("tags")).containsExactly("a", "b");
        assertThat(row.timestamps("info:name")).containsExactly(3L, 2L, 1L);
        assertThat(row.value("info:name", 2, String.class)).contains("n2");
        assertThat(row.values("info:name", String.class)).isEqualTo(Map.of(3L, "n3", 2L, "n2", 1L, "n1"));
        assertThat(row.newestValues("tags", String.class)).isEqualTo(Map.of("a", "a3", "b", "b2"));
        assertThat(row.newestCells("tags")).containsOnlyKeys("a", "b");
        assertThat(row.cells("tags:a")).containsOnlyKeys(3L, 2L, 1L);
        assertThat(row.familyCells("tags")).containsOnlyKeys("a", "b");
        assertThat(row.allCells()).hasSize(7);
        assertThat(row.readerSchema("info:name")).contains(SchemaText.parse("string"));
        assertThat(row.readerSchema("tags")).contains(SchemaText.parse("string"));
        assertThat(row.readerSchema("info")).isEmpty();
    }

    @Test
    void aColumnIsReadAsTheRequestSays() {
        EntityId id = someone();
        Schema schema = SchemaText.parse(ContractTables.ADDRESS);
        users.writer()
                .put(
                        id,
                        "info:address",
                        new GenericRecordBuilder(schema)
                                .set("street", "Main")
                                .set("zip", 7)
                                .build());
        users.writer().put(id, "info:age", 36);
        Schema narrow = SchemaText.parse("""
                {"type":"record","name":"Address","namespace":"test","fields":[{"name":"zip","type":"long"}]}""");
        EntityRow row = users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("info:address").as(narrow),
                                ColumnRequest.of("info:age").as(SchemaText.parse("double"))));
        assertThat(row.cell("info:address").orElseThrow().value()).hasToString("{\"zip\": 7}");
        assertThat(row.cell("info:age").orElseThrow().value()).isEqualTo(36.0);
        // Avro calls these two equal.
        assertThat(code(id, "")).isEqualTo(0);
        assertThat(code(id, ",\"aliases\":[\"zip\"]")).isEqualTo(7);
    }

    private Object code(EntityId id, String aliases) {
        Schema schema = SchemaText.parse("""
                {"type":"record","name":"Address","namespace":"test","fields":[
                {"name":"code","type":"int","default":0""" + aliases + "}]}");
        DataRequest request = DataRequest.of(ColumnRequest.of("info:address").as(schema));
        return users.reader()
                .get(id, request)
                .value("info:address", GenericRecord.class)
                .orElseThrow()
                .get("code");
    }

    @Test
    void caseOfNamesIsKept() {
        EntityId id = someone();
        users.writer().put(id, "INFO:Name", "UPPER");
        users.writer().put(id, "info:name", "lower");
        EntityRow row = get(id, "INFO", "info");
        assertThat(row.value("INFO:Name", String.class)).contains("UPPER");
        assertThat(row.value("info:name", String.class)).contains("lower");
    }

    @Test
    void anAbsentEntityIsAnEmptyRow() {
        EntityRow row = get(someone(), "info", "tags");
        assertThat(row.isEmpty()).isTrue();
        assertThat(row.value("info:name", String.class)).isEmpty();
        assertThat(row.qualifiers("tags")).isEmpty();
    }

    @Test
    void versionsComeNewestFirstAndAreCutToTheRequest() {
        EntityId id = someone();
        for (long time = 1; time <= 4; time++) {
            users.writer().put(id, "info:name", time, "v" + time);
            users.writer().put(id, "tags:x", time * 10, "t" + time);
        }
        EntityRow row = users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("info:name").versions(2),
                                ColumnRequest.of("tags").allVersions()));
        assertThat(row.values("info:name", String.class)).isEqualTo(Map.of(4L, "v4", 3L, "v3"));
        assertThat(row.timestamps("tags:x")).containsExactly(40L, 30L, 20L, 10L);
        assertThat(row.value("tags:x", 20L, String.class)).contains("t2");
        assertThat(row.cell("tags:x").map(EntityCell::timestamp)).contains(40L);
        assertThat(row.has("info:name", 3)).isTrue();
        assertThat(row.has("info:name", 2)).isFalse();
    }

    @Test
    void timesAreFromIncludedToExcluded() {
        EntityId id = someone();
        for (long time = 1; time <= 5; time++) {
            users.writer().put(id, "info:name", time, "v" + time);
        }
        DataRequest request =
                DataRequest.of(ColumnRequest.of("info:name").allVersions()).between(2, 4);
        assertThat(users.reader().get(id, request).timestamps("info:name")).containsExactly(3L, 2L);
        DataRequest newest = DataRequest.of("info:name").between(2, 4);
        assertThat(users.reader().get(id, newest).timestamps("info:name")).containsExactly(3L);
    }

    @Test
    void aGroupKeepsNoMoreVersionsThanItsMaximum() {
        EntityId id = someone();
        for (long time = 1; time <= 9; time++) {
            users.writer().put(id, "info:name", time, "v" + time);
            users.writer().put(id, "state:now", time, "s" + time);
        }
        DataRequest all = DataRequest.of(
                ColumnRequest.of("info:name").allVersions(),
                ColumnRequest.of("state").allVersions());
        EntityRow row = users.reader().get(id, all);
        assertThat(row.timestamps("info:name")).containsExactly(9L, 8L, 7L, 6L, 5L);
        assertThat(row.timestamps("state:now")).containsExactly(9L);
    }

    @Test
    void anOlderPutDoesNotHideANewerOne() {
        EntityId id = someone();
        users.writer().put(id, "state:now", 20, "newer");
        users.writer().put(id, "state:now", 10, "older");
        users.writer().put(id, "info:name", 20, "newer");
        users.writer().put(id, "info:name", 10, "older");
        EntityRow row = get(id, "state", "info");
        assertThat(row.value("state:now", String.class)).contains("newer");
        assertThat(row.value("info:name", String.class)).contains("newer");
    }

    @Test
    void puttingAgainAtATimestampReplaces() {
        EntityId id = someone();
        users.writer().put(id, "info:name", 10, "first");
        users.writer().put(id, "info:name", 10, "second");
        EntityRow row = users.reader()
                .get(id, DataRequest.of(ColumnRequest.of("info:name").allVersions()));
        assertThat(row.values("info:name", String.class)).isEqualTo(Map.of(10L, "second"));
    }

    @Test
    void countersAddUpAndAnswerTheirNewValue() {
        EntityId id = someone();
        assertThat(users.writer().increment(id, "stats:logins", 3)).isEqualTo(3);
        assertThat(users.writer().increment(id, "stats:logins", -5)).isEqualTo(-2);
        assertThat(users.writer().increment(id, "hits:any page", 1)).isEqualTo(1);
        assertThat(get(id, "stats").value("stats:logins", Long.class)).contains(-2L);
        users.writer().put(id, "stats:logins", 40L);
        assertThat(users.writer().increment(id, "stats:logins", 2)).isEqualTo(42);
    }

    @Test
    void concurrentIncrementsLoseNothing() {
        EntityId id = someone();
        List<CompletableFuture<Long>> running = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            running.add(users.writer().incrementAsync(id, "stats:logins", 1));
        }
        List<Long> answers = running.stream().map(CompletableFuture::join).toList();
        assertThat(answers).doesNotHaveDuplicates().contains(40L);
        assertThat(get(id, "stats").value("stats:logins", Long.class)).contains(40L);
    }

    @Test
    void bulkGetAnswersInTheOrderAsked() {
        List<EntityId> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            EntityId id = someone();
            ids.add(id);
            if (i % 3 != 0) {
                users.writer().put(id, "info:age", i);
            }
        }
        List<EntityRow> rows = users.reader().getAll(ids, DataRequest.of("info:age"));
        assertThat(rows).extracting(EntityRow::id).isEqualTo(ids);
        for (int i = 0; i < ids.size(); i++) {
            assertThat(rows.get(i).value("info:age", Integer.class).orElse(-1)).isEqualTo(i % 3 != 0 ? i : -1);
        }
    }

    @Test
    void aBufferedWriterWritesWhatItCollectedInOrder() {
        EntityId one = someone();
        EntityId two = someone();
        try (BufferedWriter writer = users.bufferedWriter()) {
            writer.put(one, "info:name", 1, "gone");
            writer.put(two, "tags:a", "A");
            writer.deleteRow(one);
            writer.put(one, "info:email", "stays");
            assertThat(get(two, "tags").isEmpty()).as("nothing is written yet").isTrue();
            writer.flush();
            assertThat(get(two, "tags").value("tags:a", String.class)).contains("A");
            writer.put(two, "tags:b", "B");
            writer.setBufferBytes(1);
            assertThat(get(two, "tags").qualifiers("tags")).containsExactly("a", "b");
            writer.put(two, "tags:c", "C");
        }
        assertThat(get(two, "tags").qualifiers("tags")).containsExactly("a", "b", "c");
        EntityRow row = get(one, "info");
        assertThat(row.qualifiers("info")).containsExactly("email");
    }

    @Test
    void manyBufferedEntitiesAreAllThere() {
        Map<EntityId, Integer> ages = new HashMap<>();
        try (BufferedWriter writer = users.bufferedWriter()) {
            for (int i = 0; i < 300; i++) {
                EntityId id = someone();
                ages.put(id, i);
                writer.put(id, "info:age", i);
            }
        }
        List<EntityId> ids = List.copyOf(ages.keySet());
        List<EntityRow> rows = users.reader().getAll(ids, DataRequest.of("info:age"));
        for (EntityRow row : rows) {
            assertThat(row.value("info:age", Integer.class)).contains(ages.get(row.id()));
        }
    }

    @Test
    void mistakesAreRefused() {
        EntityId id = someone();
        assertRefused(EntityError.NO_SUCH_COLUMN, () -> users.writer().put(id, "info:nobody", "x"));
        assertRefused(EntityError.NO_SUCH_COLUMN, () -> users.writer().put(id, "nobody:x", "x"));
        assertRefused(EntityError.NO_SUCH_COLUMN, () -> get(id, "nobody"));
        assertRefused(EntityError.BAD_VALUE, () -> users.writer().put(id, "info:age", "old"));
        assertRefused(EntityError.BAD_VALUE, () -> users.writer().put(id, "info:name", 1.5));
        assertRefused(EntityError.BAD_VALUE, () -> users.writer().increment(id, "info:age", 1));
        assertRefused(EntityError.BAD_REQUEST, () -> users.writer().put(id, "info:name", -1, "x"));
        assertRefused(EntityError.BAD_REQUEST, () -> get(id, "info:name").has("info:email"));
        assertRefused(EntityError.BAD_REQUEST, () -> DataRequest.of("info", "info:name"));
        assertRefused(EntityError.NO_SUCH_TABLE, () -> instance.table("nobody"));
        assertThat(get(id, "info").isEmpty()).isTrue();
    }

    protected static void assertRefused(EntityError error, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
