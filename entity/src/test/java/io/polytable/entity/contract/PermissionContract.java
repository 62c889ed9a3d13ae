package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.BufferedWriter;
import io.polytable.table.Bytes;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permissions of users, checked by the library or by a server. */
public abstract class PermissionContract {
    private static final Optional<String> PEOPLE = Optional.of("people");
    private static final Optional<String> INSTANCE = Optional.empty();

    private static final AtomicInteger NEXT = new AtomicInteger();

    /** Where instances can be made. */
    protected abstract EntityUri uri();

    @SuppressWarnings("NullAway.Init") // before each test
    private EntityUri uri;

    @SuppressWarnings("NullAway.Init") // before each test
    private String name;

    @SuppressWarnings("NullAway.Init") // before each test
    private Instance root;

    private static TableLayout layout(String name) {
        return TableLayout.of(
                name,
                new KeyFormat.Raw(),
                LocalityGroup.of(
                        "main",
                        FamilyLayout.group(
                                "info",
                                ColumnLayout.of("name", CellSchema.avro("string")),
                                ColumnLayout.of("count", CellSchema.counter()))));
    }

    @BeforeEach
    void open() {
        name = "permitted" + NEXT.incrementAndGet();
        uri = uri().withInstance(name);
        Entities.install(uri);
        root = Entities.open(uri);
        EntityTable people = root.createTable(layout("people"));
        root.createTable(layout("other"));
        people.writer().put(people.id("ada"), "info:name", "Ada");
    }

    @AfterEach
    void close() {
        root.close();
        Entities.uninstall(uri);
    }

    private Instance as(String user) {
        return Entities.open(uri.withOption("user", user));
    }

    private static void read(Instance instance, String table) {
        EntityTable opened = instance.table(table);
        opened.reader().get(opened.id("ada"), DataRequest.of("info"));
        opened.reader().scan(DataRequest.of("info")).close();
        opened.reader().partitions(2);
    }

    private static void write(Instance instance, String table) {
        EntityTable opened = instance.table(table);
        opened.writer().put(opened.id("eve"), "info:name", "Eve");
        opened.writer().increment(opened.id("eve"), "info:count", 1);
        opened.writer().deleteRow(opened.id("eve"));
    }

    private static void assertDenied(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.DENIED));
    }

    @Test
    void aUserWithoutPermissionsSeesNothing() {
        assertDenied(() -> as("eve").close());
        assertThat(Entities.instances(uri.withOption("user", "eve"))).isEmpty();
        assertDenied(() -> Entities.install(uri.withInstance("mine").withOption("user", "eve")));
        assertDenied(() -> Entities.uninstall(uri.withOption("user", "eve")));
    }

    /** Every cell of the instance is read by its schema's record. */
    @Test
    void nobodyChangesTheSchemasOfOthers() {
        root.permissions().grant("ann", PEOPLE, Set.of(Permission.READ));
        root.permissions().grant("will", PEOPLE, Set.of(Permission.WRITE));
        Bytes forged = Bytes.utf8("\"long\"");
        for (String user : List.of("ann", "will")) {
            try (EntityStore store = Entities.connect(uri.withOption("user", user))) {
                StoreRecords records = store.instance(name).records();
                assertDenied(() -> records.put("schema/id/0", forged));
                assertDenied(() -> records.remove("schema/id/0"));
                assertDenied(() -> records.replace("schema/id/0", records.get("schema/id/0"), forged));
                assertDenied(() -> records.replace("schema/next", records.get("schema/next"), Bytes.utf8("0")));
                assertDenied(() -> records.put("schema/next", Bytes.utf8("0")));
                assertDenied(() -> records.put("table", forged));
                assertDenied(() -> records.put("grant", forged));
            }
        }
        try (Instance ann = as("ann");
                Instance will = as("will")) {
            assertDenied(() -> ann.schemas().register(SchemaText.parse("[\"null\",\"int\"]")));
            assertThat(will.schemas()
                            .register(SchemaText.parse("[\"null\",\"long\"]"))
                            .id())
                    .isPositive();
        }
    }

    /** A hash leads to a number, and a writer of one table may bring both. */
    @Test
    void nobodyTakesTheNumberOrTheHashOfAnothersSchema() {
        root.permissions().grant("will", PEOPLE, Set.of(Permission.WRITE));
        Schema wanted = SchemaText.parse("[\"null\",\"double\"]");
        String hash = HexFormat.of().formatHex(SchemaTable.hashOf(wanted).toByteArray());
        try (EntityStore store = Entities.connect(uri.withOption("user", "will"))) {
            StoreRecords records = store.instance(name).records();
            assertDenied(() -> records.put("schema/id/1000", Bytes.utf8("\"long\"")));
            records.put("schema/hash/" + hash, Bytes.utf8("0"));
        }
        long id = root.schemas().register(wanted).id();
        assertThat(root.schemas().byId(id)).isEqualTo(wanted);
    }

    @Test
    void aReaderReadsItsTableAndWritesNothing() {
        root.permissions().grant("ann", PEOPLE, Set.of(Permission.READ));
        try (Instance ann = as("ann")) {
            read(ann, "people");
            assertDenied(() -> write(ann, "people"));
            assertDenied(() -> read(ann, "other"));
            assertDenied(() -> ann.table("people").flush());
            assertDenied(() -> ann.table("people").notes().set("a", "b"));
            assertDenied(() -> ann.system().put("a", "b"));
            assertDenied(() -> ann.createTable(layout("new")));
            assertDenied(() -> ann.dropTable("people"));
            assertDenied(() ->
                    ann.updateLayout(ann.table("people").layout().toUpdate().withDescription("x")));
            assertDenied(() -> ann.permissions().grant("ann", PEOPLE, Set.of(Permission.WRITE)));
            assertThat(Entities.instances(uri.withOption("user", "ann"))).containsExactly(name);
        }
        assertThat(root.table("people").layout().description()).isEmpty();
        assertThat(root.tables()).containsExactly("other", "people");
    }

    @Test
    void aWriterWritesChangesAndDropsItsTableOnly() {
        root.permissions().grant("bob", PEOPLE, Set.of(Permission.WRITE));
        try (Instance bob = as("bob")) {
            write(bob, "people");
            assertDenied(() -> read(bob, "people"));
            EntityTable people = bob.table("people");
            // A check says whether a value is there.
            assertDenied(() -> people.atomicWriter()
                    .begin(people.id("ada"))
                    .put("info:name", "x")
                    .checkAndCommit("info:name", "Ada"));
            bob.updateLayout(people.layout().toUpdate().withDescription("by bob"));
            people.notes().set("by", "bob");
            assertDenied(() -> bob.createTable(layout("new")));
            assertDenied(() -> bob.dropTable("other"));
            bob.dropTable("people");
        }
        // A new table of the name has none of the old one's permissions.
        root.createTable(layout("people"));
        assertThat(root.permissions().users(PEOPLE)).isEmpty();
        assertDenied(() -> as("bob").close());
    }

    @Test
    void permissionsOfTheInstanceHoldForAllTables() {
        root.permissions().grant("cat", INSTANCE, EnumSet.of(Permission.READ, Permission.WRITE));
        try (Instance cat = as("cat")) {
            cat.createTable(layout("new"));
            write(cat, "new");
            read(cat, "other");
            root.permissions().revoke("cat", INSTANCE, Set.of(Permission.READ));
            assertDenied(() -> read(cat, "other"));
            assertThat(root.permissions().users(INSTANCE)).containsOnlyKeys("cat");
        }
    }

    @Test
    void whoMayGrantGrants() {
        root.permissions().grant("dan", PEOPLE, Set.of(Permission.GRANT));
        try (Instance dan = as("dan")) {
            dan.permissions().grant("eve", PEOPLE, Set.of(Permission.READ));
            assertDenied(() -> dan.permissions().grant("eve", INSTANCE, Set.of(Permission.READ)));
            assertDenied(() -> read(dan, "people"));
            try (Instance eve = as("eve")) {
                read(eve, "people");
                dan.permissions().revoke("eve", PEOPLE, Set.of(Permission.READ));
                assertDenied(() -> read(eve, "people"));
            }
        }
        assertThatThrownBy(() -> as("people/dan")).hasMessageContaining("people/dan");
        assertThatThrownBy(() -> root.permissions().grant("a/b", INSTANCE, Set.of(Permission.READ)))
                .hasMessageContaining("a/b");
    }

    @Test
    void aBufferThatCannotBeWrittenDoesNotGrow() {
        root.permissions().grant("fay", PEOPLE, Set.of(Permission.READ));
        try (Instance fay = as("fay")) {
            EntityTable people = fay.table("people");
            BufferedWriter writer = people.bufferedWriter();
            writer.setBufferBytes(2000);
            for (int i = 0; i < 300; i++) {
                EntityId id = people.id("buffered" + i);
                try {
                    writer.put(id, "info:name", "x");
                } catch (EntityException e) {
                    assertThat(e.error()).isEqualTo(EntityError.DENIED);
                }
            }
            root.permissions().grant("fay", PEOPLE, Set.of(Permission.WRITE));
            writer.close();
            int written = 0;
            try (RowScanner scanner = people.reader().scan(DataRequest.of("info:name"))) {
                for (EntityRow row : scanner.rows()) {
                    written += row.id().toString().startsWith("buffered") ? 1 : 0;
                }
            }
            assertThat(written).isBetween(1, 60);
        }
    }
}
