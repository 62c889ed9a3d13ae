package io.polytable.entity.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.layout.Validation;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements against the embedded store. */
class DdlSessionTest {
    private static final String USERS = """
            -- Every clause of CREATE TABLE once.
            CREATE TABLE users WITH DESCRIPTION 'people''s data'
            ROW KEY FORMAT (name STRING NOT NULL, year INT, number LONG, HASH(THROUGH name, SIZE = 3))
            PROPERTIES (MAX FILE SIZE = 1000, MEMSTORE FLUSH SIZE = 2000, NUMREGIONS = 4, VALIDATION = STRICT)
            WITH LOCALITY GROUP main WITH DESCRIPTION 'hot' (
              MAXVERSIONS = INFINITY, TTL = 3600, INMEMORY = true, COMPRESSED WITH GZIP, BLOOM FILTER = ROW,
              BLOCK SIZE = 4096,
              FAMILY info WITH DESCRIPTION 'about' (
                name "string" WITH DESCRIPTION 'first; last',
                address {"type": "record", "name": "Address", "fields": [{"name": "zip", "type": "int"}]},
                age AVRO int,
                visits COUNTER,
                photo RAW BYTES TTL = 60,
                profile JSON,
                open),
              MAP TYPE FAMILY tags "string"),
            LOCALITY GROUP cold (MAXVERSIONS = 1, GROUP TYPE FAMILY old (last "long"));
            """;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private EntityUri uri = EntityUri.embedded(Path.of("."));
    private DdlSession session = new DdlSession(uri, new PrintWriter(out));

    @BeforeEach
    void open() {
        uri = EntityUri.embedded(directory.resolve("data"));
        session = new DdlSession(uri.withInstance("demo"), new PrintWriter(out));
        session.run("CREATE INSTANCE demo;");
    }

    @AfterEach
    void close() {
        session.close();
    }

    private String run(String script) {
        out.getBuffer().setLength(0);
        session.run(script);
        return out.toString();
    }

    private EntityException refused(String script) {
        EntityException e = catchThrowableOfType(EntityException.class, () -> session.run(script));
        assertThat(e).as(script).isNotNull();
        return e;
    }

    private TableLayout layout(String table) {
        try (Instance instance = Entities.open(uri.withInstance("demo"))) {
            return instance.table(table).layout();
        }
    }

    @Test
    void aTableHasWhatTheStatementSays() {
        assertThat(run(USERS)).isEqualTo("created table users\n");
        TableLayout users = layout("users");
        assertThat(users.description()).isEqualTo("people's data");
        assertThat(users.keys())
                .isEqualTo(new FormattedKeys(
                        List.of(
                                new KeyComponent("name", ComponentType.STRING),
                                new KeyComponent("year", ComponentType.INTEGER),
                                new KeyComponent("number", ComponentType.LONG)),
                        3,
                        false,
                        1,
                        1));
        assertThat(users.options())
                .containsEntry("max_filesize", "1000")
                .containsEntry("memstore_flushsize", "2000")
                .containsEntry("regions", "4");
        LocalityGroup main = users.group("main").orElseThrow();
        assertThat(main.maxVersions()).isEqualTo(LocalityGroup.ALL_VERSIONS);
        assertThat(main.ttlSeconds()).isEqualTo(3600);
        assertThat(main.inMemory()).isTrue();
        assertThat(main.compression()).isEqualTo(CompressionType.GZ);
        assertThat(main.bloom()).isEqualTo(BloomType.ROW);
        assertThat(main.blockBytes()).isEqualTo(4096);
        LayoutColumns columns = new LayoutColumns(users);
        assertThat(columns.schema(ColumnName.parse("info:name")).validation()).isEqualTo(Validation.STRICT);
        assertThat(columns.schema(ColumnName.parse("info:visits")).type()).isEqualTo(CellType.COUNTER);
        assertThat(columns.schema(ColumnName.parse("info:photo")).ttlSeconds()).hasValue(60);
        assertThat(columns.schema(ColumnName.parse("info:open")).writers()).isEmpty();
        assertThat(columns.schema(ColumnName.parse("tags:any")).writers()).hasSize(1);
    }

    @Test
    void aDumpMakesTheSameTableAgain() {
        run(USERS);
        run("ALTER TABLE users ADD WRITER SCHEMA \"int\" FOR COLUMN old:last; SHOW TABLES;");
        run("CREATE TABLE 'Group' ROW KEY FORMAT RAW PROPERTIES (NAMING = SHORT, OPTION 'ordered' = 'true')"
                + " WITH LOCALITY GROUP 'with' (FAMILY 'map' ('column' \"string\" STORAGE = HASH));");
        String dump = run("DUMP DDL;");
        TableLayout users = layout("users");
        TableLayout group = layout("Group");
        run("DROP TABLE users; DROP TABLE 'Group';");
        run(dump);
        assertThat(layout("users").groups()).isEqualTo(users.groups());
        assertThat(layout("users").keys()).isEqualTo(users.keys());
        assertThat(layout("users").options()).isEqualTo(users.options());
        assertThat(layout("Group")).isEqualTo(group);
        assertThat(run("DUMP DDL;")).isEqualTo(dump);
    }

    @Test
    void aTableIsAltered() {
        run(USERS);
        assertThat(run("ALTER TABLE users ADD COLUMN info:email WITH SCHEMA \"string\" WITH DESCRIPTION 'mail';"))
                .isEqualTo("+ column info:email\naltered table users, now layout 2\n");
        run("ALTER TABLE users ADD MAP TYPE FAMILY scores COUNTER TO LOCALITY GROUP cold;"
                + "ALTER TABLE users ADD FAMILY extra (x \"int\") TO cold;"
                + "ALTER TABLE users CREATE LOCALITY GROUP third (FAMILY deep (y \"int\"));");
        run("ALTER TABLE users RENAME COLUMN info:age AS info:years; ALTER TABLE users RENAME FAMILY tags labels;"
                + "ALTER TABLE users RENAME LOCALITY GROUP third AS fourth;");
        run("ALTER TABLE users DROP COLUMN info:open; ALTER TABLE users DROP FAMILY extra;"
                + "ALTER TABLE users DROP LOCALITY GROUP fourth;");
        run(
                "ALTER TABLE users SET DESCRIPTION = 'new'; ALTER TABLE users SET DESCRIPTION = 'g' FOR LOCALITY GROUP cold;"
                        + "ALTER TABLE users SET DESCRIPTION = 'f' FOR FAMILY scores;"
                        + "ALTER TABLE users SET DESCRIPTION = 'c' FOR COLUMN info:years;"
                        + "ALTER TABLE users SET MAXVERSIONS = 7 FOR LOCALITY GROUP main;"
                        + "ALTER TABLE users SET COMPRESSED WITH ZSTD FOR LOCALITY GROUP main;"
                        + "ALTER TABLE users SET OPTION 'consistency' = 'ONE' FOR LOCALITY GROUP main;"
                        + "ALTER TABLE users SET OPTION 'ordered' = 'true'; ALTER TABLE users SET MAX FILE SIZE = 9;");
        TableLayout users = layout("users");
        assertThat(users.description()).isEqualTo("new");
        assertThat(users.groups()).extracting(LocalityGroup::name).containsExactly("main", "cold");
        LocalityGroup main = users.group("main").orElseThrow();
        assertThat(main.maxVersions()).isEqualTo(7);
        assertThat(main.compression()).isEqualTo(CompressionType.ZSTD);
        assertThat(main.options()).containsEntry("consistency", "ONE");
        assertThat(users.options()).containsEntry("ordered", "true").containsEntry("max_filesize", "9");
        assertThat(users.group("cold").orElseThrow().description()).isEqualTo("g");
        assertThat(users.family("scores").orElseThrow().description()).isEqualTo("f");
        assertThat(users.family("labels")).isPresent();
        LayoutColumns columns = new LayoutColumns(users);
        assertThat(columns.family("info").byName())
                .containsKeys("email", "years")
                .doesNotContainKeys("open", "age");
        // A renamed column keeps its id, and with it its cells.
        assertThat(columns.family("info").byId())
                .hasEntrySatisfying(
                        "age", years -> assertThat(years.description()).isEqualTo("c"));
    }

    @Test
    void schemasComeAndGo() {
        run(USERS);
        assertThat(refused("ALTER TABLE users ADD WRITER SCHEMA \"string\" FOR COLUMN old:last;")
                        .error())
                .isEqualTo(EntityError.INCOMPATIBLE_SCHEMA);
        run("ALTER TABLE users ADD WRITER SCHEMA \"int\" FOR COLUMN old:last;"
                + "ALTER TABLE users ADD DEFAULT READER SCHEMA \"double\" FOR COLUMN old:last;");
        assertThat(run("DESCRIBE users COLUMN old:last SHOW READER SCHEMAS;"))
                .isEqualTo("\"long\"\n\"double\" (default reader)\n");
        assertThat(run("DESCRIBE users COLUMN old:last SHOW 1 WRITER SCHEMAS;")).isEqualTo("\"int\"\n");
        run("ALTER TABLE users DROP WRITER SCHEMA \"long\" FOR COLUMN old:last;");
        assertThat(run("DESCRIBE users COLUMN old:last SHOW RECORDED SCHEMAS;")).isEqualTo("\"int\"\n\"long\"\n");
        run("ALTER TABLE users SET VALIDATION = NONE FOR COLUMN old:last;"
                + "ALTER TABLE users SET SCHEMA = \"string\" FOR COLUMN old:last;"
                + "ALTER TABLE users SET VALIDATION = DEVELOPER FOR FAMILY tags;");
        assertThat(run("DESCRIBE users COLUMN old:last SHOW WRITER SCHEMAS;"))
                .isEqualTo("\"string\" (default reader)\n");
        assertThat(run("DESCRIBE users COLUMN tags SHOW WRITER SCHEMAS;")).isEqualTo("\"string\" (default reader)\n");
        assertThat(new LayoutColumns(layout("users"))
                        .schema(ColumnName.parse("tags:x"))
                        .validation())
                .isEqualTo(Validation.DEVELOPER);
    }

    @Test
    void schemasAreNamedByNumberAndClass() {
        run("CREATE TABLE first ROW KEY FORMAT RAW WITH LOCALITY GROUP g (FAMILY f (q \"string\"));");
        long id;
        try (Instance instance = Entities.open(uri.withInstance("demo"))) {
            id = instance.schemas()
                    .register(new org.apache.avro.Schema.Parser().parse("\"double\""))
                    .id();
        }
        run("ALTER TABLE first ADD COLUMN f:byId ID " + id + ";");
        assertThat(run("DESCRIBE first;")).contains("f:byId avro double");
        assertThat(refused("ALTER TABLE first ADD COLUMN f:other ID 999;").error())
                .isEqualTo(EntityError.UNKNOWN_SCHEMA);
        assertThat(refused("ALTER TABLE first ADD COLUMN f:other CLASS no.such.Thing;"))
                .hasMessageContaining("no.such.Thing");
        assertThat(refused("USE JAR INFILE 'nowhere.jar';")).hasMessageContaining("nowhere.jar");
    }

    @Test
    void instancesAreMadeUsedAndDropped() {
        assertThat(run("CREATE INSTANCE other PROPERTIES ('owner' = 'me'); USE INSTANCE other; SHOW INSTANCES;"))
                .isEqualTo("created instance other\nusing instance other\ndemo\nother\n");
        run("CREATE TABLE t ROW KEY FORMAT HASHED WITH LOCALITY GROUP g (FAMILY f (q));");
        assertThat(run("SHOW TABLES;")).isEqualTo("t\n");
        assertThat(run("USE DEFAULT INSTANCE; SHOW TABLES;")).isEqualTo("using instance demo\n");
        run("DROP INSTANCE other;");
        assertThat(run("SHOW INSTANCES;")).isEqualTo("demo\n");
        assertThat(refused("USE INSTANCE other;").error()).isEqualTo(EntityError.NO_SUCH_INSTANCE);
        assertThat(run("SHOW MODULES; HELP;")).contains("no modules").contains("CREATE TABLE");
    }

    @Test
    void filesAreLoadedAndWritten() throws IOException {
        Path dump = directory.resolve("dump.ddl");
        Path json = directory.resolve("kiji.json");
        Files.writeString(json, """
                {"name": "old", "version": "layout-1.0",
                 "keys_format": {"org.kiji.schema.avro.RowKeyFormat2":
                   {"encoding": "HASH_PREFIX", "salt": {"hash_size": 2}, "hash_size": 2}},
                 "locality_groups": [{"name": "g", "in_memory": false, "max_versions": 2147483647,
                   "ttl_seconds": 2147483647, "compression_type": "GZ",
                   "families": [{"name": "info", "columns": [
                     {"name": "name", "column_schema": {"type": "INLINE", "value": "\\"string\\""}}]}]}]}""".replace("GZ", "GZ"));
        assertThat(run("LOAD FROM FILE '" + json + "';")).isEqualTo("created table old\n");
        assertThat(layout("old").keys()).isEqualTo(new KeyFormat.HashPrefixed(2));
        run("DUMP DDL FOR TABLE old TO FILE '" + dump + "'; DROP TABLE old;");
        assertThat(run("LOAD FROM FILE '" + dump + "'; SHOW TABLES;")).isEqualTo("created table old\nold\n");
        Path loop = directory.resolve("loop.ddl");
        Files.writeString(loop, "LOAD FROM FILE '" + loop + "';");
        assertThat(refused("LOAD FROM FILE '" + loop + "';")).hasMessageContaining("too deeply");
        assertThat(refused("LOAD FROM FILE 'nowhere.ddl';")).hasMessageContaining("nowhere.ddl");
    }

    @Test
    void quitEndsAScript() {
        assertThat(session.run("QUIT; CREATE TABLE t ROW KEY FORMAT RAW WITH LOCALITY GROUP g (FAMILY f (q));"))
                .isFalse();
        assertThat(run("SHOW TABLES;")).isEmpty();
    }

    /** A line break stands as a bar. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "CREATE TABEL x; 1; 8",
                "SHOW TABLES %|DROP 5; 2; 6",
                "CREATE TABLE t ROW KEY FORMAT HASH PREFIXED(17); 1; 45",
                "CREATE TABLE t WITH LOCALITY GROUP g|(FAMILY f (q {\"type\": \"recrd\"})); 2; 14",
                "CREATE TABLE t WITH LOCALITY GROUP g (MAXVERSIONS = many); 1; 53",
                "CREATE TABLE t WITH DESCRIPTION 'open; 1; 33",
                "CREATE TABLE t WITH LOCALITY GROUP g (FAMILY f (q [\"null\"; 1; 51",
                "ALTER TABLE t SET ! = 3; 1; 19",
                "DESCRIBE; 1; 9"
            })
    void mistakesAreSaidWithTheirPlace(String script, int line, int column) {
        // Nothing of a script is executed when any of it cannot be parsed.
        String text = "CREATE TABLE early ROW KEY FORMAT RAW WITH LOCALITY GROUP g (FAMILY f (q)) %|"
                .replace('%', ';')
                .replace('|', '\n');
        EntityException e = refused(text + script.replace('%', ';').replace('|', '\n'));
        assertThat(e.error()).isEqualTo(EntityError.BAD_REQUEST);
        assertThat(e.facts()).containsEntry("line", line + 1).containsEntry("column", column);
        assertThat(run("SHOW TABLES;")).isEmpty();
    }

    @Test
    void refusalsOfTheLibrarySayWhichStatement() {
        EntityException e = refused("SHOW TABLES;\n\n  DROP TABLE nobody;");
        assertThat(e.error()).isEqualTo(EntityError.NO_SUCH_TABLE);
        assertThat(e.facts()).containsEntry("line", 3).containsEntry("column", 3);
        run(USERS);
        assertThat(refused("ALTER TABLE users DROP COLUMN info:nothing;")).hasMessageContaining("nothing");
        assertThat(refused("ALTER TABLE users ADD COLUMN info:name \"string\";"))
                .hasMessageContaining("of this name");
        assertThat(refused("ALTER TABLE users ADD COLUMN tags:x \"string\";")).hasMessageContaining("map-type");
        assertThat(refused("ALTER TABLE users SET SCHEMA = COUNTER FOR COLUMN info:name;"))
                .hasMessageContaining("cell type");
    }
}
