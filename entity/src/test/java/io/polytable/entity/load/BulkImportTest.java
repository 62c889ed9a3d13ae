package io.polytable.entity.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.ddl.DdlSession;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of every format into a table of the embedded store. */
class BulkImportTest {
    private static final String TABLE = """
            CREATE INSTANCE demo;
            CREATE TABLE people ROW KEY FORMAT (name STRING, year INT) PROPERTIES (VALIDATION = STRICT)
            WITH LOCALITY GROUP main (MAXVERSIONS = 3,
              FAMILY info (mail "string", size "double", visits COUNTER, photo RAW BYTES, extra JSON,
                home {"type": "record", "name": "Home", "fields": [
                  {"name": "zip", "type": "int"}, {"name": "street", "type": ["null", "string"], "default": null}]}),
              MAP TYPE FAMILY tags "string");
            """;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private Instance instance;

    @BeforeEach
    void create() {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        try (DdlSession session = new DdlSession(uri, new PrintWriter(new StringWriter()))) {
            session.run(TABLE);
        }
        instance = Entities.open(uri);
    }

    @AfterEach
    void close() {
        instance.close();
    }

    private EntityTable people() {
        return instance.table("people");
    }

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return file;
    }

    private static ImportPlan plan(Map<String, ColumnName> columns) {
        return new ImportPlan(List.of("name", "year"), columns, Optional.empty());
    }

    private ImportReport load(Path file, ImportPlan plan) throws IOException {
        try (RecordSource source = ImportFormat.of(file).open(file)) {
            return new BulkImport(people(), plan).run(source);
        }
    }

    private EntityRow row(Object... id) {
        return people().reader().get(people().id(id), DataRequest.of("info", "tags"));
    }

    @Test
    void csvWithQuotesAndLineEnds() throws IOException {
        Path file = file("people.csv", """
                name,year,at,e-mail,info:size,tags:a,ignored
                ada,1815,7,ada@x,1.5,"first, ""the"" one
                and more",x
                bob,,8,,2,"",y\r

                "eve",1990,,e@x,3,,
                """);
        ImportReport report = load(
                file,
                new ImportPlan(
                        List.of("name", "year"), Map.of("e-mail", ColumnName.parse("info:mail")), Optional.of("at")));
        assertThat(report).isEqualTo(new ImportReport(3, 3, 0, List.of()));
        EntityRow ada = row("ada", 1815);
        assertThat(ada.value("info:mail", String.class)).contains("ada@x");
        assertThat(ada.value("info:size", Double.class)).contains(1.5);
        assertThat(ada.value("tags:a", String.class)).contains("first, \"the\" one\nand more");
        assertThat(ada.timestamps("info:mail")).containsExactly(7L);
        EntityRow bob = row("bob");
        assertThat(bob.has("info:mail")).isFalse();
        assertThat(bob.value("tags:a", String.class)).contains("");
        assertThat(row("eve", 1990).value("info:size", Double.class)).contains(3.0);
    }

    @Test
    void jsonLinesWithTreesOfEveryKind() throws IOException {
        Path file = directory.resolve("people.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("""
                    {"name": "ada", "year": 1815, "info:home": {"zip": 12}, "info:visits": 9, "info:photo": "00ff"}

                    {"name": "bob", "year": "7", "info:home": {"zip": 1, "street": "s"}, "info:extra": {"a": [1, null]},
                    """.replace(",\n", ", \"info:size\": 2}\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        assertThat(load(file, plan(Map.of())).rejected()).isZero();
        EntityRow ada = row("ada", 1815);
        assertThat(ada.cell("info:home").orElseThrow().value()).hasToString("{\"zip\": 12, \"street\": null}");
        assertThat(ada.value("info:visits", Long.class)).contains(9L);
        assertThat(ada.value("info:photo", byte[].class).orElseThrow()).containsExactly(0, 0xff);
        EntityRow bob = row("bob", 7);
        assertThat(bob.cell("info:home").orElseThrow().value()).hasToString("{\"zip\": 1, \"street\": \"s\"}");
        assertThat(bob.cell("info:extra").orElseThrow().value()).hasToString("{\"a\":[1,null]}");
    }

    @Test
    void avroFiles() throws IOException {
        Schema schema = new Schema.Parser().parse("""
                {"type": "record", "name": "P", "fields": [{"name": "name", "type": "string"},
                  {"name": "year", "type": ["null", "int"]}, {"name": "size", "type": "double"},
                  {"name": "home", "type": {"type": "record", "name": "Home", "fields": [
                    {"name": "zip", "type": "int"}, {"name": "street", "type": ["null", "string"], "default": null}]}}]}""");
        Path file = directory.resolve("people.avro");
        try (DataFileWriter<GenericRecord> out = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            out.create(schema, file.toFile());
            for (int i = 0; i < 3000; i++) {
                GenericRecord home =
                        new GenericData.Record(schema.getField("home").schema());
                home.put("zip", i);
                GenericRecord record = new GenericData.Record(schema);
                record.put("name", "n" + i);
                record.put("year", i % 2 == 0 ? null : i);
                record.put("size", i / 2.0);
                record.put("home", home);
                out.append(record);
            }
        }
        List<Long> progress = new ArrayList<>();
        ImportPlan plan = plan(Map.of("size", ColumnName.parse("info:size"), "home", ColumnName.parse("info:home")));
        try (RecordSource source = ImportFormat.of(file).open(file)) {
            new BulkImport(people(), plan)
                    .onProgress(report -> progress.add(report.written()))
                    .run(source);
            assertThat(source.bytesRead()).isEqualTo(Files.size(file));
        }
        assertThat(progress).startsWith(1000L, 2000L, 3000L);
        assertThat(row("n2999", 2999).value("info:size", Double.class)).contains(1499.5);
        assertThat(row("n2").cell("info:home").orElseThrow().value()).hasToString("{\"zip\": 2, \"street\": null}");
        try (RowScanner rows = people().reader().scan(DataRequest.of("info:size"))) {
            int count = 0;
            for (EntityRow row : rows.rows()) {
                count += row.has("info:size") ? 1 : 0;
            }
            assertThat(count).isEqualTo(3000);
        }
    }

    @Test
    void wrongRecordsAreRejectedWholeAndReported() throws IOException {
        Path file = file("people.csv", """
                name,year,info:mail,info:size,info:visits
                ok,1,m,1,1
                bad size,2,m,large,1
                ,3,m,1,1
                bad year,3.5,m,1,1
                few,4
                stray,5,"m"x,1,1
                none,6,,,
                fine,7,m,1,1
                open,8,"m,1,1
                """);
        List<ImportReport.Rejected> rejected = new ArrayList<>();
        ImportPlan plan = new ImportPlan(List.of("name", "year"), Map.of(), Optional.empty());
        ImportReport report;
        try (RecordSource source = ImportFormat.CSV.open(file)) {
            report = new BulkImport(people(), plan).onRejected(rejected::add).run(source);
        }
        assertThat(report.read()).isEqualTo(9);
        assertThat(report.written()).isEqualTo(2);
        assertThat(report.rejected()).isEqualTo(7);
        assertThat(report.first()).isEqualTo(rejected);
        assertThat(rejected).extracting(ImportReport.Rejected::number).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 10L);
        assertThat(rejected.get(0).reason()).contains("info:size");
        assertThat(rejected.get(0).original()).isEqualTo("bad size,2,m,large,1");
        assertThat(rejected.get(2).reason()).contains("whole number");
        assertThat(rejected.get(3).reason()).contains("has 2 fields");
        assertThat(rejected.get(4).reason()).contains("closing quote");
        assertThat(rejected.get(6).reason()).contains("not closed");
        // Nothing of a rejected record is written, though its first column was fine.
        assertThat(row("bad size", 2).isEmpty()).isTrue();
        assertThat(row("fine", 7).value("info:visits", Long.class)).contains(1L);
    }

    @Test
    void anImportStopsAtTooManyAndGoesOnBehindWhatItHas() throws IOException {
        Path file = file("people.jsonl", """
                {"name": "a", "year": 1, "tags:t": "1"}
                [1]
                {"name": "b", "year": 1, "tags:t": 5}
                {"name": "c", "year": 1, "tags:t": "3"}
                """);
        ImportPlan plan = plan(Map.of());
        BulkImport first = new BulkImport(people(), plan).rejectingAtMost(1);
        try (RecordSource source = ImportFormat.of(file).open(file)) {
            assertThatThrownBy(() -> first.run(source))
                    .isInstanceOf(EntityException.class)
                    .hasMessageContaining("Too many");
        }
        assertThat(row("a", 1).has("tags:t")).isTrue();
        assertThat(row("c", 1).isEmpty()).isTrue();
        try (RecordSource source = ImportFormat.of(file).open(file)) {
            ImportReport report = new BulkImport(people(), plan)
                    .skipping(first.report().read())
                    .run(source);
            assertThat(report).isEqualTo(new ImportReport(4, 1, 0, List.of()));
        }
        assertThat(row("c", 1).has("tags:t")).isTrue();
    }

    /** An import that resumes after the records read must not miss any that were not written. */
    @Test
    void whatIsNotWrittenIsNotReadEither() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            lines.append("{\"name\": \"n").append(i).append("\", \"year\": 1, \"tags:t\": \"1\"}\n");
        }
        Path file = file("many.jsonl", lines.toString());
        EntityTable table = people();
        BulkImport load = new BulkImport(table, plan(Map.of()))
                .onProgress(report -> table.instance().dropTable(table.name()));
        try (RecordSource source = ImportFormat.of(file).open(file)) {
            assertThatThrownBy(() -> load.run(source)).isInstanceOf(EntityException.class);
        }
        assertThat(load.report().written()).isEqualTo(1000);
        assertThat(load.report().read()).isEqualTo(1000);
    }

    @Test
    void wrongPlansAndFilesAreRefusedAtOnce() throws IOException {
        Path csv = file("people.csv", "name,year,x\na,1,2\n");
        assertThatThrownBy(() -> load(csv, plan(Map.of("x", ColumnName.parse("info:nothing")))))
                .isInstanceOf(EntityException.class)
                .hasMessageContaining("nothing");
        assertThatThrownBy(() -> new ImportPlan(List.of(), Map.of(), Optional.empty()))
                .isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> ImportFormat.of(Path.of("people.txt"))).hasMessageContaining("people.txt");
        Path avro = file("people.avro", "no Avro at all");
        assertThatThrownBy(() -> ImportFormat.AVRO.open(avro)).isInstanceOf(IOException.class);
    }

    @Test
    void quotesOfATextAreItsOwn() throws IOException {
        Path file = file("quotes.csv", """
                name,year,tags:a
                ada,1,\"\"\"hello\"\"\"
                """);
        load(file, plan(Map.of()));
        assertThat(row("ada", 1).value("tags:a", String.class)).contains("\"hello\"");
    }

    @Test
    void aFieldThatNoRecordHasIsMisspelt() throws IOException {
        Path csv = file("people.csv", "name,year,info:mail\nada,1,a\n");
        Path lines = file("people.jsonl", """
                {"name": "bob", "year": 1, "info:mail": "b", "at": null}
                {"name": "eve", "year": 1, "info:mail": "b"}
                """);
        ImportPlan id = new ImportPlan(List.of("name", "yeer"), Map.of(), Optional.empty());
        ImportPlan time = new ImportPlan(List.of("name", "year"), Map.of(), Optional.of("when"));
        ImportPlan column = plan(Map.of("mial", ColumnName.parse("info:mail")));
        for (ImportPlan wrong : List.of(id, time, column)) {
            for (Path file : List.of(csv, lines)) {
                assertThatThrownBy(() -> load(file, wrong))
                        .isInstanceOf(EntityException.class)
                        .hasMessageContaining("no such field");
            }
        }
        assertThat(row("ada", 1).isEmpty())
                .as("a file with a head is refused before its first record")
                .isTrue();
        ImportPlan nulls = new ImportPlan(List.of("name", "year"), Map.of(), Optional.of("at"));
        assertThat(load(lines, nulls).written()).isEqualTo(2);
    }

    @Test
    void avroValuesBecomeTheJsonThatTheyAre() throws IOException {
        Schema schema = new Schema.Parser().parse("""
                {"type": "record", "name": "P", "fields": [{"name": "name", "type": "string"},
                  {"name": "year", "type": "int"}, {"name": "extra", "type": ["int", "boolean",
                    {"type": "array", "items": "int"}]}]}""");
        Path file = directory.resolve("extra.avro");
        try (DataFileWriter<GenericRecord> out = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            out.create(schema, file.toFile());
            int year = 0;
            for (Object extra : List.of(42, true, List.of(1, 2))) {
                GenericRecord record = new GenericData.Record(schema);
                record.put("name", "n");
                record.put("year", year++);
                record.put("extra", extra);
                out.append(record);
            }
        }
        load(file, plan(Map.of("extra", ColumnName.parse("info:extra"))));
        List<String> shown = new ArrayList<>();
        for (int year = 0; year < 3; year++) {
            shown.add(row("n", year).cell("info:extra").orElseThrow().value().toString());
        }
        assertThat(shown).containsExactly("42", "true", "[1,2]");
    }

    @Test
    void textThatIsNotUtf8IsNotReadAsQuestionMarks() throws IOException {
        for (String name : List.of("latin.csv", "latin.jsonl")) {
            Path file = directory.resolve(name);
            String text =
                    name.endsWith("csv") ? "name,year,info:mail\nm\u00fcller,1,x\n" : "{\"name\": \"m\u00fcller\"}\n";
            Files.write(file, text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> load(file, plan(Map.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not in UTF-8");
        }
    }

    @Test
    void aHeaderWithTwoFieldsOfOneNameIsRefused() throws IOException {
        Path file = file("twice.csv", "name,year,info:mail,info:mail\nada,1,a,b\n");
        assertThatThrownBy(() -> load(file, plan(Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("twice");
    }
}
