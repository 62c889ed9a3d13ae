package io.polytable.entity.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which updates of a layout are made, and which refused and why. */
class LayoutUpdateTest {
    private static final String LAYOUT = """
            { "name": "users", "keys_format": {"encoding": "HASH_PREFIX", "hash_size": 2},
              "locality_groups": [
                {"name": "main", "max_versions": 3, "families": [
                  {"name": "info", "columns": [
                    {"name": "name", "column_schema": {"type": "AVRO", "value": "string"}},
                    {"name": "fixed", "column_schema": {"type": "AVRO", "value": "string", "storage": "FINAL"}}]},
                  {"name": "tags", "map_schema": {"type": "COUNTER"}}]},
                {"name": "other", "families": [{"name": "spare", "columns": []}]}]}""";

    private static TableLayout current() {
        return LayoutUpdate.create(TableLayout.parse(LAYOUT));
    }

    /** The current layout's JSON with one text replaced, as an update. */
    private static TableLayout wanted(String from, String to) {
        String json = current().toUpdate().toJson().replaceAll("\\s+", " ");
        assertThat(json).contains(from);
        return TableLayout.parse(json.replace(from, to));
    }

    static Stream<Arguments> updates() {
        return Stream.of(
                made("a description", "\"name\" : \"users\",", "\"name\" : \"users\", \"description\": \"d\","),
                made("more versions", "\"max_versions\" : 3", "\"max_versions\" : 9"),
                made("a renamed group", "\"name\" : \"main\",", "\"name\" : \"prime\", \"renamed_from\": \"main\","),
                made("a renamed family", "\"name\" : \"tags\",", "\"name\" : \"labels\", \"renamed_from\": \"tags\","),
                made("a deleted family", "\"name\" : \"tags\",", "\"name\" : \"tags\", \"delete\": true,"),
                made("a deleted group", "\"name\" : \"other\",", "\"name\" : \"other\", \"delete\": true,"),
                made("an alias", "\"name\" : \"info\",", "\"name\" : \"info\", \"aliases\": [\"i\"],"),
                refused("another name", "\"name\" : \"users\"", "\"name\" : \"people\""),
                refused("other keys", "\"hash_size\" : 2", "\"hash_size\" : 3"),
                refused("other ids", "\"IDENTITY\"", "\"SHORT\""),
                refused("no versions", "\"max_versions\" : 3", "\"max_versions\" : 0"),
                refused("no life", "\"ttl_seconds\" : 2147483647", "\"ttl_seconds\" : 0"),
                refused("a group left out", "{ \"name\" : \"other\"", "{ \"name\" : \"another\""),
                refused("a family left out", "\"name\" : \"tags\"", "\"name\" : \"tagged\""),
                refused("a column left out", "\"name\" : \"fixed\"", "\"name\" : \"broken\""),
                refused("a rename of nothing", "\"name\" : \"tags\",", "\"name\" : \"x\", \"renamed_from\": \"y\","),
                refused("a deletion of nothing", "\"name\" : \"spare\"", "\"delete\": true, \"name\" : \"sparse\""),
                refused("two families of a name", "\"name\" : \"spare\"", "\"name\" : \"info\""),
                refused("another cell type", "\"type\" : \"COUNTER\"", "\"type\" : \"JSON\""),
                refused("another storage", "\"storage\" : \"FINAL\"", "\"storage\" : \"UID\""),
                refused("a moved family", "\"name\" : \"spare\",", "\"name\" : \"tags\","),
                refused("a name of a digit", "\"name\" : \"users\"", "\"name\" : \"users\", \"name\": \"9\""));
    }

    private static Arguments made(String what, String from, String to) {
        return Arguments.of(what, from, to, true);
    }

    private static Arguments refused(String what, String from, String to) {
        return Arguments.of(what, from, to, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("updates")
    void updatesAreMadeOrRefused(String what, String from, String to, boolean made) {
        TableLayout update = wanted(from, to);
        if (made) {
            TableLayout next = LayoutUpdate.apply(current(), update);
            assertThat(next.layoutId()).as(what).isEqualTo("2");
            assertThat(LayoutDifference.between(current(), next)).as(what).hasSizeBetween(0, 2);
            assertThat(TableLayout.parse(next.toJson())).isEqualTo(next);
        } else {
            assertThatThrownBy(() -> LayoutUpdate.apply(current(), update))
                    .as(what)
                    .isInstanceOfSatisfying(
                            EntityException.class,
                            e -> assertThat(e.error()).isIn(EntityError.BAD_LAYOUT, EntityError.BAD_NAME));
        }
    }

    @Test
    void anUpdateIsForOneLayout() {
        TableLayout two = LayoutUpdate.apply(current(), current().toUpdate());
        assertThatThrownBy(() -> LayoutUpdate.apply(two, current().toUpdate()))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.LAYOUT_CONFLICT));
        assertThatThrownBy(() -> LayoutUpdate.apply(two, TableLayout.parse(LAYOUT)))
                .hasMessageContaining("another layout");
    }

    @Test
    void idsOutliveNamesAndAreNeverUsedAgain() {
        TableLayout renamed = LayoutUpdate.apply(
                current(), wanted("\"name\" : \"tags\",", "\"name\" : \"labels\", \"renamed_from\": \"tags\","));
        assertThat(renamed.family("labels").orElseThrow().id()).isEqualTo("tags");
        TableLayout deleted =
                LayoutUpdate.apply(current(), wanted("\"name\" : \"tags\",", "\"name\" : \"tags\", \"delete\": true,"));
        TableLayout update = deleted.toUpdate();
        LocalityGroup main = update.groups().get(0);
        List<FamilyLayout> families = new java.util.ArrayList<>(main.families());
        families.add(FamilyLayout.map("tags", CellSchema.json()));
        TableLayout again = LayoutUpdate.apply(
                deleted,
                update.withGroups(
                        List.of(main.withFamilies(families), update.groups().get(1))));
        assertThat(again.family("tags").orElseThrow().id()).isEqualTo("tags_2");
        TableLayout brief = LayoutUpdate.create(TableLayout.parse(LAYOUT).withNaming(IdNaming.SHORT));
        assertThat(brief.groups()).extracting(LocalityGroup::id).containsExactly("B", "C");
        assertThat(brief.family("tags").orElseThrow().id()).isEqualTo("C");
    }

    private static final Map<String, String> SCHEMAS = Map.of(
            "int", "\"int\"",
            "long", "\"long\"",
            "string", "\"string\"",
            "bytes", "\"bytes\"",
            "maybe", "[\"null\",\"int\"]",
            "r1", "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}",
            "r2",
                    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"},"
                            + "{\"name\":\"b\",\"type\":\"int\",\"default\":0}]}",
            "r3",
                    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"},"
                            + "{\"name\":\"c\",\"type\":\"int\"}]}");

    private static Schema schema(String name) {
        return SchemaText.parse(SCHEMAS.getOrDefault(name, name));
    }

    /** A column of one reader and writer gets another one of either; the table says whether the two fit. */
    @ParameterizedTest
    @CsvSource({
        // present, new writer fits, new reader fits
        "int, long, false, true",
        "long, int, true, false",
        "int, maybe, false, true",
        "string, bytes, true, true",
        "string, int, false, false",
        "r1, r2, true, true",
        "r2, r1, true, true",
        "r1, r3, true, false",
        "r3, r1, false, true"
    })
    void readersMustReadWriters(String present, String added, boolean writerFits, boolean readerFits) {
        for (Validation validation : Validation.values()) {
            boolean lax = validation == Validation.NONE;
            check(
                    present,
                    validation,
                    lax || writerFits,
                    old -> old.withSchemas(old.readers(), List.of(schema(present), schema(added)), old.written()));
            check(
                    present,
                    validation,
                    lax || readerFits,
                    old -> old.withSchemas(List.of(schema(present), schema(added)), old.writers(), old.written()));
            // Replacing both still must fit those that are in use until everybody knows.
            check(
                    present,
                    validation,
                    lax || (writerFits && readerFits),
                    old -> old.withSchemas(List.of(schema(added)), List.of(schema(added)), List.of())
                            .withDefaultReader(schema(added)));
        }
    }

    private static void check(String present, Validation validation, boolean fits, UnaryOperator<CellSchema> change) {
        CellSchema old = CellSchema.avro(schema(present)).withValidation(validation);
        TableLayout first = LayoutUpdate.create(
                TableLayout.of("t", new KeyFormat.Raw(), LocalityGroup.of("g", FamilyLayout.map("f", old))));
        LocalityGroup group = first.groups().get(0);
        FamilyLayout family = group.families().get(0);
        TableLayout wanted = first.toUpdate()
                .withGroups(List.of(group.withFamilies(List.of(family.withMapSchema(change.apply(old))))));
        if (fits) {
            CellSchema now = LayoutUpdate.apply(first, wanted)
                    .family("f")
                    .orElseThrow()
                    .mapSchema()
                    .orElseThrow();
            assertThat(now.allWritten()).as("what was written is remembered").contains(schema(present));
        } else {
            assertThatThrownBy(() -> LayoutUpdate.apply(first, wanted))
                    .isInstanceOfSatisfying(
                            EntityException.class,
                            e -> assertThat(e.error()).isEqualTo(EntityError.INCOMPATIBLE_SCHEMA));
        }
    }

    @Test
    void layoutsOfKijiAreRead() {
        TableLayout layout = LayoutUpdate.create(LayoutJson.parse(
                """
                { /* comments too */
                  "name": "foo", "version": "layout-1.3", "description": {"string": "of another time"},
                  "keys_format": {"org.kiji.schema.avro.RowKeyFormat2": {
                    "encoding": "FORMATTED", "salt": {"hash_type": "MD5", "hash_size": 2,
                      "suppress_key_materialization": false},
                    "range_scan_start_index": 1, "nullable_start_index": {"int": 2},
                    "components": [{"name": "a", "type": "STRING"}, {"name": "b", "type": "INTEGER"}]}},
                  "locality_groups": [{"name": "default", "id": 1, "in_memory": false, "max_versions": 1,
                    "ttl_seconds": 2147483647, "compression_type": "GZ", "bloom_type": "ROW",
                    "families": [
                      {"name": "info", "columns": [
                        {"name": "user", "column_schema": {"storage": "UID", "type": "INLINE", "value": "\\"string\\""}},
                        {"name": "age", "column_schema": {"type": "AVRO", "avro_validation_policy": "DEVELOPER",
                          "default_reader": {"org.kiji.schema.avro.AvroSchema": {"json": {"string": "\\"int\\""}}},
                          "readers": {"array": [{"uid": {"long": 4}}]}, "writers": {"array": []}}}]},
                      {"name": "hits", "map_schema": {"type": "COUNTER"}}]}]}""", id -> id == 4 ? java.util.Optional.of(SchemaText.parse("int")) : java.util.Optional.empty()));
        assertThat(layout.description()).isEqualTo("of another time");
        assertThat(layout.keys()).isInstanceOfSatisfying(FormattedKeys.class, keys -> {
            assertThat(keys.saltBytes()).isEqualTo(2);
            assertThat(keys.nullableStart()).isEqualTo(2);
        });
        FamilyLayout info = layout.family("info").orElseThrow();
        assertThat(info.columns().get(0).schema().writers()).containsExactly(SchemaText.parse("string"));
        assertThat(info.columns().get(1).schema().readers()).containsExactly(SchemaText.parse("int"));
        assertThat(TableLayout.parse(layout.toJson())).isEqualTo(layout);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{",
                "[]",
                "{\"name\":\"t\"}",
                "{\"name\":\"t\",\"keys_format\":{\"encoding\":\"ROT13\"}}",
                "{\"name\":7.5,\"keys_format\":{\"encoding\":\"RAW\"}}",
                "{\"name\":\"t\",\"keys_format\":{\"encoding\":\"RAW\"},\"locality_groups\":{}}",
                "{\"name\":\"t\",\"keys_format\":{\"encoding\":\"RAW\"},\"locality_groups\":[{\"name\":\"g\",\"max_versions\":\"3\"}]}",
                "{\"name\":\"t\",\"keys_format\":{\"encoding\":\"RAW\"},\"locality_groups\":[{\"name\":\"g\",\"bloom_type\":\"BIG\"}]}",
                "{\"name\":\"t\",\"keys_format\":{\"encoding\":\"RAW\"},\"locality_groups\":[{\"name\":\"g\",\"families\":[{\"name\":\"f\",\"map_schema\":{\"type\":\"AVRO\",\"value\":\"strung\"}}]}]}",
            })
    void brokenLayoutsAreRefused(String json) {
        assertThatThrownBy(() -> TableLayout.parse(json))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_LAYOUT));
    }
}
