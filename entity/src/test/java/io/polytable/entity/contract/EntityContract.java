package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cell.ReadAs;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.Change;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.store.EntityStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** The whole suite: rows, changes and scans, changes of layouts and schemas, and metadata of instances. */
public abstract class EntityContract extends ScanContract {
    private static LocalityGroup group(FamilyLayout... families) {
        return LocalityGroup.of("main", families).withMaxVersions(3);
    }

    private static TableLayout changing(String name) {
        return TableLayout.of(
                name,
                new KeyFormat.Raw(),
                group(
                        FamilyLayout.group(
                                "info",
                                ColumnLayout.of("name", CellSchema.avro("string")),
                                ColumnLayout.of("old", CellSchema.avro("string"))),
                        FamilyLayout.map("tags", CellSchema.avro("string"))),
                LocalityGroup.of("spare", FamilyLayout.group("extra", ColumnLayout.of("x", CellSchema.counter()))));
    }

    @Test
    void aLayoutIsChangedWhileTheTableLives() {
        EntityTable table = instance.createTable(changing("changing"));
        EntityId id = table.id("row");
        table.writer().put(id, "info:name", "kept");
        table.writer().put(id, "info:old", "goes");
        table.writer().put(id, "tags:a", "kept too");
        table.writer().increment(id, "extra:x", 1);
        TableLayout wanted = table.layout()
                .toUpdate()
                .withGroups(List.of(
                        group(
                                FamilyLayout.group(
                                                "data",
                                                ColumnLayout.of("title", CellSchema.avro("string"))
                                                        .with(Change.renamedFrom("name")),
                                                ColumnLayout.of("old", CellSchema.avro("string"))
                                                        .with(Change.DELETE),
                                                ColumnLayout.of("fresh", CellSchema.json()))
                                        .with(Change.renamedFrom("info")),
                                FamilyLayout.map("tags", CellSchema.avro("string")),
                                FamilyLayout.map("more", CellSchema.counter())),
                        LocalityGroup.of("spare").with(Change.DELETE),
                        LocalityGroup.of("late", FamilyLayout.group("l", ColumnLayout.of("c", CellSchema.bytes())))));
        assertThat(instance.tryLayout(wanted).difference())
                .contains(
                        "~ group-type family data: name info -> data",
                        "~ column data:title: name name -> title",
                        "- column data:old",
                        "+ column data:fresh",
                        "+ map-type family more",
                        "- locality group spare",
                        "+ locality group late");
        assertThat(table.layout().layoutId()).as("a dry run changes nothing").isEqualTo("1");

        instance.updateLayout(wanted);
        assertThat(table.layout().layoutId()).isEqualTo("2");
        EntityRow row = table.reader().get(id, DataRequest.of("data", "tags", "more", "l"));
        assertThat(row.value("data:title", String.class)).contains("kept");
        assertThat(row.qualifiers("data")).containsExactly("title");
        assertThat(row.value("tags:a", String.class)).contains("kept too");
        assertRefused(EntityError.NO_SUCH_COLUMN, () -> table.writer().put(id, "info:name", "x"));
        assertRefused(EntityError.NO_SUCH_COLUMN, () -> table.writer().increment(id, "extra:x", 1));
        table.writer().put(id, "l:c", new byte[] {1});
        assertThat(table.writer().increment(id, "more:n", 4)).isEqualTo(4);

        assertRefused(EntityError.LAYOUT_CONFLICT, () -> instance.updateLayout(wanted));
        assertThat(instance.layouts().history("changing", 9))
                .extracting(version -> version.layout().layoutId())
                .containsExactly("2", "1");
        readdedPartsAreNew(table, id);
    }

    /** A recreated part under an old name has none of the old cells. */
    private void readdedPartsAreNew(EntityTable table, EntityId id) {
        TableLayout now = table.layout();
        LocalityGroup main = now.groups().get(0);
        FamilyLayout data = main.families().get(0);
        List<ColumnLayout> columns = new java.util.ArrayList<>(data.columns());
        columns.add(ColumnLayout.of("old", CellSchema.avro("string")));
        List<FamilyLayout> families = new java.util.ArrayList<>(main.families());
        families.set(0, data.withColumns(columns));
        instance.updateLayout(now.toUpdate()
                .withGroups(List.of(
                        main.withFamilies(families),
                        now.groups().get(1),
                        LocalityGroup.of(
                                "spare", FamilyLayout.group("extra", ColumnLayout.of("x", CellSchema.counter()))))));
        EntityRow row = table.reader().get(id, DataRequest.of("data", "extra"));
        assertThat(row.has("data:old")).isFalse();
        assertThat(row.has("extra:x")).isFalse();
        assertThat(table.writer().increment(id, "extra:x", 7)).isEqualTo(7);
    }

    @Test
    void schemasOfAColumnEvolve() {
        Schema two = SchemaText.parse("""
                {"type":"record","name":"P","fields":[{"name":"a","type":"string"}]}""");
        Schema three = SchemaText.parse("""
                {"type":"record","name":"P","fields":[{"name":"a","type":"string"},
                 {"name":"b","type":"int","default":9}]}""");
        Schema broken = SchemaText.parse("""
                {"type":"record","name":"P","fields":[{"name":"a","type":"string"},{"name":"c","type":"int"}]}""");
        CellSchema strict = CellSchema.avro(two);
        EntityTable table = instance.createTable(TableLayout.of(
                "evolving",
                new KeyFormat.Raw(),
                LocalityGroup.of(
                        "g",
                        FamilyLayout.group(
                                "f",
                                ColumnLayout.of("strict", strict),
                                ColumnLayout.of("open", strict.withValidation(Validation.DEVELOPER)),
                                ColumnLayout.of("free", strict.withValidation(Validation.NONE))))));
        EntityId id = table.id("row");
        GenericRecord first = record(two, "one");
        GenericRecord second = record(three, "two");
        second.put("b", 2);
        table.writer().put(id, "f:strict", first);
        assertRefused(EntityError.BAD_VALUE, () -> table.writer().put(id, "f:strict", second));
        table.writer().put(id, "f:open", second);
        assertThat(table.layout()
                        .family("f")
                        .orElseThrow()
                        .columns()
                        .get(1)
                        .schema()
                        .writers())
                .as("writing registered the schema")
                .containsExactly(two, three);
        assertRefused(EntityError.INCOMPATIBLE_SCHEMA, () -> table.writer().put(id, "f:open", record(broken, "no")));
        GenericRecord odd = record(broken, "odd");
        odd.put("c", 3);
        table.writer().put(id, "f:free", odd);
        DataRequest request = DataRequest.of(
                ColumnRequest.of("f:strict").as(three),
                ColumnRequest.of("f:open"),
                ColumnRequest.of("f:free").as(ReadAs.WRITTEN));
        EntityRow row = table.reader().get(id, request);
        assertThat(row.value("f:strict", GenericRecord.class).orElseThrow().get("b"))
                .isEqualTo(9);
        assertThat(row.value("f:open", GenericRecord.class).orElseThrow().getSchema())
                .isEqualTo(two);
        assertThat(row.value("f:free", GenericRecord.class)).contains(odd);
        assertThat(row.readerSchema("f:open")).contains(two);
        long known = instance.schemas().register(two).id();
        assertThat(instance.schemas().byId(known)).isEqualTo(two);
        assertThat(instance.schemas().list())
                .extracting(entry -> entry.schema())
                .contains(two, three, broken);
    }

    private static GenericRecord record(Schema schema, String a) {
        GenericRecord record = new org.apache.avro.generic.GenericData.Record(schema);
        record.put("a", a);
        if (schema.getField("c") != null) {
            record.put("c", 0);
        }
        return record;
    }

    @Test
    void anotherHandleSeesANewLayout() {
        EntityTable here = instance.createTable(changing("seen"));
        try (Instance other = Entities.open(uri())) {
            EntityTable there = other.table("seen");
            EntityId id = there.id("row");
            there.writer().put(id, "info:name", "x");
            TableLayout now = here.layout();
            List<FamilyLayout> families =
                    new java.util.ArrayList<>(now.groups().get(0).families());
            families.set(1, families.get(1).with(Change.DELETE));
            instance.updateLayout(now.toUpdate()
                    .withGroups(List.of(
                            now.groups().get(0).withFamilies(families),
                            now.groups().get(1))));
            assertThat(there.layout().layoutId()).isEqualTo("2");
            assertRefused(EntityError.NO_SUCH_COLUMN, () -> there.writer().put(id, "tags:a", "x"));
            there.writer().put(id, "info:name", "y");
            assertThat(here.reader().get(id, DataRequest.of("info")).value("info:name", String.class))
                    .contains("y");
        }
    }

    @Test
    void aDroppedTableIsGoneAndItsNameIsFree() {
        EntityTable table = instance.createTable(changing("dropped"));
        table.writer().put(table.id("row"), "info:name", "x");
        assertRefused(EntityError.TABLE_EXISTS, () -> instance.createTable(changing("dropped")));
        assertThat(instance.tables()).contains("dropped", "Users");
        instance.dropTable("dropped");
        assertThat(instance.tables()).doesNotContain("dropped");
        assertRefused(EntityError.NO_SUCH_TABLE, () -> instance.table("dropped"));
        assertRefused(EntityError.NO_SUCH_TABLE, () -> table.writer().put(table.id("row"), "info:name", "x"));
        EntityTable again = instance.createTable(changing("dropped"));
        assertThat(again.reader().get(again.id("row"), DataRequest.of("info")).isEmpty())
                .isTrue();
    }

    @Test
    void instancesRememberNotesAndProperties() {
        assertThat(instance.system().get("purpose")).contains("contract");
        instance.system().put("owner", "me");
        assertThat(instance.system().all()).containsEntry("owner", "me").containsKey("data-version");
        ColumnName name = ColumnName.parse("info:name");
        users.notes().set("about", "people");
        users.notes().set(name, "source", "form");
        users.notes().set(name, "strict", "no");
        users.notes().set(ColumnName.parse("info"), "all", "yes");
        assertThat(users.notes().get("about")).contains("people");
        assertThat(users.notes().find(name, key -> key.startsWith("s"))).hasSize(2);
        assertThat(users.notes().findInFamily("info", key -> true)).containsOnlyKeys(name, ColumnName.family("info"));
        users.notes().remove(name, "strict");
        assertThat(users.notes().get(name, "strict")).isEmpty();
        assertRefused(EntityError.BAD_NAME, () -> users.notes().set("a b", "x"));
    }

    @Test
    void anInstanceIsThereOnce() {
        assertThat(Entities.instances(uri())).contains(uri().instanceName());
        assertRefused(EntityError.INSTANCE_EXISTS, () -> Entities.install(uri()));
        assertRefused(EntityError.NO_SUCH_INSTANCE, () -> Entities.open(uri().withInstance("nobody_here")));
        assertRefused(EntityError.NO_SUCH_INSTANCE, () -> Entities.uninstall(uri().withInstance("nobody_here")));
    }

    /** Users of one store share its connection: closing a handle twice must release one share only. */
    @Test
    void aHandleClosedTwiceLeavesTheStoreToItsOtherUsers() {
        EntityStore store = Entities.connect(uri());
        assertThat(store.instances()).contains(uri().instanceName());
        Instance other = Entities.open(uri());
        store.close();
        store.close();
        other.close();
        other.close();
        assertRefused(EntityError.CLOSED, store::instances);
        assertRefused(EntityError.CLOSED, other::capabilities);
        assertThat(instance.tables()).contains("Users");
    }

    @Test
    void badLayoutsAreRefusedBeforeAnythingIsMade() {
        TableLayout twice = TableLayout.of(
                "bad",
                new KeyFormat.Raw(),
                group(FamilyLayout.map("f", CellSchema.json()), FamilyLayout.map("f", CellSchema.json())));
        assertRefused(EntityError.BAD_LAYOUT, () -> instance.createTable(twice));
        TableLayout clash = TableLayout.of(
                "bad",
                new KeyFormat.Raw(),
                group(FamilyLayout.map(
                        "f",
                        CellSchema.avro("string")
                                .withSchemas(
                                        List.of(SchemaText.parse("int")),
                                        List.of(SchemaText.parse("string")),
                                        List.of()))));
        assertRefused(EntityError.INCOMPATIBLE_SCHEMA, () -> instance.createTable(clash));
        assertThat(instance.tables()).doesNotContain("bad");
        assertThat(Optional.of(users.layout().toJson()).map(TableLayout::parse)).contains(users.layout());
        assertThat(users.layout().options()).isEqualTo(Map.of());
    }
}
