package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.testkit.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table whose rows are partly in files answers as one table. */
class TieredTableTest {
    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private TierFixture sql = new TierFixture(store, Path.of(System.getProperty("java.io.tmpdir")));

    @BeforeEach
    void open() {
        sql.close();
        sql = new TierFixture(store, directory);
        sql.run("CREATE NAMESPACE shop");
        sql.run("CREATE TABLE shop.item (id BIGINT PRIMARY KEY, name TEXT UNIQUE, price DECIMAL(10,2))");
        for (int i = 1; i <= 6; i++) {
            sql.run("INSERT INTO shop.item VALUES (" + i + ", 'n" + i + "', " + i + ".50)");
        }
    }

    @AfterEach
    void close() {
        sql.close();
        store.close();
    }

    private int hotRows(String name) {
        Table table = store.find(new TableName("shop", name)).orElseThrow();
        return Rows.all(store, table).size();
    }

    private List<String> files() throws IOException {
        Path tables = directory.resolve("tables");
        try (Stream<Path> files = Files.walk(tables)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> tables.relativize(file).toString().replaceAll("\\d{19}", "N"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void flushedRowsStayRowsOfTheTable() throws IOException {
        assertThat(sql.run("FLUSH TABLE shop.item")).isEqualTo(6);
        assertThat(hotRows("item")).isZero();
        assertThat(files())
                .contains(
                        "shop/shared/item/batch-N.parquet",
                        "shop/shared/item/manifest.json",
                        "shop/shared/item/schema_v1.json");
        sql.run("INSERT INTO shop.item VALUES (7, 'n7', 7.50)");
        assertThat(sql.ask("SELECT count(*), sum(price) FROM shop.item")).containsExactly("7 | 31.50");
        assertThat(sql.ask("SELECT name, price FROM shop.item WHERE id = 3")).containsExactly("n3 | 3.50");
        assertThat(sql.ask("SELECT id FROM shop.item WHERE name = 'n2'")).containsExactly("2");
        assertThat(sql.ask("SELECT id FROM shop.item ORDER BY id DESC LIMIT 3")).containsExactly("7", "6", "5");
        assertThat(sql.ask("SELECT id FROM shop.item WHERE id BETWEEN 2 AND 4")).containsExactly("2", "3", "4");
        assertThat(sql.ask("SELECT table_name, rows, files FROM system.manifests"))
                .containsExactly("item | 6 | 1");
    }

    /** A follower of the change feed must not take a flushed row for a deleted one. */
    @Test
    void theChangeFeedTellsAFlushFromADelete() {
        Table table = store.find(new TableName("shop", "item")).orElseThrow();
        Position from = store.position();
        sql.run("DELETE FROM shop.item WHERE id = 6");
        sql.run("FLUSH TABLE shop.item");
        try (ChangeFeed feed = store.changes(Set.of(table), from)) {
            List<Change> changes = feed.poll(100, Duration.ZERO);
            assertThat(changes.get(0).origin()).isEqualTo(Origin.CLIENT);
            assertThat(changes.subList(1, changes.size()))
                    .isNotEmpty()
                    .allMatch(change -> change.origin() == Origin.FLUSH);
        }
    }

    @Test
    void coldRowsAreUpdatedDeletedAndRefused() {
        sql.run("FLUSH TABLE shop.item");
        assertThat(sql.run("UPDATE shop.item SET price = price + 1 WHERE id = 1"))
                .isEqualTo(1);
        assertThat(sql.run("UPDATE shop.item SET price = price + 1 WHERE length(name || 'x') = 3 AND id > 4"))
                .isEqualTo(2);
        assertThat(sql.run("DELETE FROM shop.item WHERE id = 2")).isEqualTo(1);
        assertThatThrownBy(() -> sql.run("INSERT INTO shop.item VALUES (3, 'other', 1)"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("item_pkey");
        assertThatThrownBy(() -> sql.run("INSERT INTO shop.item VALUES (30, 'n3', 1)"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("unique");
        sql.run(
                "INSERT INTO shop.item VALUES (4, 'x', 0) ON CONFLICT (id) DO UPDATE SET price = excluded.price + item.price");
        sql.run("INSERT INTO shop.item VALUES (2, 'n2', 9)");
        List<String> expected = List.of("1 | 2.50", "2 | 9.00", "3 | 3.50", "4 | 4.50", "5 | 6.50", "6 | 7.50");
        assertThat(sql.ask("SELECT id, price FROM shop.item ORDER BY id")).isEqualTo(expected);
        assertThat(sql.ask("SELECT id, max(price) FROM shop.item GROUP BY id ORDER BY id"))
                .isEqualTo(expected);
        sql.run("DELETE FROM shop.item WHERE id = 6");
        sql.run("FLUSH TABLE shop.item");
        assertThat(hotRows("item")).isZero();
        List<String> left = expected.subList(0, 5);
        assertThat(sql.ask("SELECT id, price FROM shop.item ORDER BY id")).isEqualTo(left);
        assertThat(sql.ask("SELECT id, max(price) FROM shop.item GROUP BY id ORDER BY id"))
                .isEqualTo(left);
        sql.run("COMPACT TABLE shop.item");
        assertThat(sql.ask("SELECT files FROM system.manifests")).containsExactly("1");
        assertThat(sql.ask("SELECT id, max(price) FROM shop.item GROUP BY id ORDER BY id"))
                .isEqualTo(left);
        assertThat(sql.ask("SELECT id, price FROM shop.item ORDER BY id")).isEqualTo(left);
    }

    @Test
    void deletedRowsAreSeenAndNotChangedWhereverTheyAre() {
        sql.run("DELETE FROM shop.item WHERE id IN (1, 2)");
        sql.run("FLUSH TABLE shop.item");
        sql.run("DELETE FROM shop.item WHERE id = 3");
        sql.run("INSERT INTO shop.item VALUES (8, 'n3', 8)");
        String deleted = "SELECT id FROM shop.item WHERE _deleted";
        List<String> before = sql.ask(deleted + " ORDER BY id");
        assertThat(before).contains("3");
        assertThat(sql.ask("SELECT id, _deleted FROM shop.item WHERE name = 'n3' ORDER BY id"))
                .containsExactly("3 | true", "8 | false");
        assertThat(sql.run("DELETE FROM shop.item WHERE id IN (" + deleted + ")"))
                .isZero();
        assertThat(sql.run("UPDATE shop.item SET price = 0 WHERE id IN (" + deleted + ")"))
                .isZero();
        assertThat(sql.ask("SELECT id FROM shop.item WHERE name = 'n3'")).containsExactly("8");
        assertThat(sql.ask(deleted + " ORDER BY id")).isEqualTo(before);
        assertThat(sql.ask("SELECT * FROM shop.item WHERE NOT _deleted ORDER BY price LIMIT 1"))
                .containsExactly("4 | n4 | 4.50");
    }

    @Test
    void usersHaveFilesOfTheirOwn() throws IOException {
        List<String> users = List.of("alice", "..", "a/b", "C:\\x", "nul\u0000l", "ü", "x".repeat(256), "'", "*?[a]");
        sql.run("CREATE USER TABLE shop.basket (item BIGINT PRIMARY KEY, pieces INT)");
        sql.run("CREATE USER TABLE shop.packed (item BIGINT PRIMARY KEY, pieces INT) WITH (packed = true)");
        for (String table : List.of("basket", "packed")) {
            for (int i = 0; i < users.size(); i++) {
                try (Session user = sql.face.session(users.get(i))) {
                    TierFixture.run(user, "INSERT INTO shop." + table + " VALUES (1, " + i + "), (2, 0)");
                }
            }
            assertThat(sql.run("FLUSH TABLE shop." + table)).isEqualTo(2L * users.size());
            for (int i = 0; i < users.size(); i++) {
                try (Session user = sql.face.session(users.get(i))) {
                    assertThat(TierFixture.ask(user, "SELECT * FROM shop." + table + " ORDER BY item"))
                            .containsExactly("1 | " + i, "2 | 0");
                    assertThat(TierFixture.ask(user, "SELECT sum(pieces), count(*) FROM shop." + table))
                            .containsExactly(i + " | 2");
                    assertThat(TierFixture.ask(user, "SELECT pieces FROM shop." + table + " WHERE item = 1"))
                            .containsExactly(Integer.toString(i));
                }
            }
        }
        assertThat(files()).filteredOn(file -> file.endsWith(".parquet")).hasSize(users.size() + 1);
        try (Stream<Path> outside = Files.walk(directory.getParent(), 2)) {
            assertThat(outside.filter(path -> path.toString().endsWith(".parquet")))
                    .isEmpty();
        }
        sql.run("DROP TABLE shop.basket");
        sql.run("DROP TABLE shop.packed");
        awaitJobs();
        assertThat(files()).noneMatch(file -> file.contains("basket") || file.contains("packed"));
    }

    private void awaitJobs() {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!sql.ask("SELECT 1 FROM system.jobs WHERE finished_at IS NULL").isEmpty()) {
            assertThat(System.nanoTime()).as("jobs end").isLessThan(deadline);
        }
    }

    @Test
    void filesOfOlderSchemasStayReadable() {
        sql.run("FLUSH TABLE shop.item");
        sql.run("ALTER TABLE shop.item ADD COLUMN stock INT NOT NULL DEFAULT 7");
        sql.run("ALTER TABLE shop.item RENAME COLUMN name TO title");
        sql.run("INSERT INTO shop.item VALUES (7, 'n7', 1, 1)");
        sql.run("FLUSH TABLE shop.item");
        sql.run("ALTER TABLE shop.item DROP COLUMN price");
        sql.run("ALTER TABLE shop.item ADD COLUMN price TEXT DEFAULT 'it''s'");
        sql.run("UPDATE shop.item SET stock = 2 WHERE id = 2");
        List<String> expected = List.of("1 | n1 | 7 | it's", "2 | n2 | 2 | it's", "7 | n7 | 1 | it's");
        String where = " FROM shop.item WHERE id IN (1, 2, 7) ORDER BY id";
        assertThat(sql.ask("SELECT *" + where)).isEqualTo(expected);
        assertThat(sql.ask("SELECT DISTINCT *" + where)).isEqualTo(expected);
        assertThatThrownBy(() -> sql.run("ALTER TABLE shop.item ADD COLUMN must INT NOT NULL"))
                .isInstanceOf(SqlError.class);
        sql.run("CREATE INDEX by_stock ON shop.item (stock)");
        assertThat(sql.ask("SELECT id FROM shop.item WHERE stock = 2")).containsExactly("2");
        assertThat(sql.ask("SELECT id FROM shop.item WHERE stock = 1")).containsExactly("7");
    }

    /** The store is not scanned within the key range of a large file if it has no rows there. */
    @Test
    void rowsAroundAndWithinALargeFileAreFound() {
        sql.run("CREATE TABLE shop.big (id INT PRIMARY KEY, v INT)");
        sql.run("INSERT INTO shop.big SELECT i, 1 FROM range(10, 12010) AS r(i)");
        sql.run("FLUSH TABLE shop.big");
        String all = "SELECT count(*), sum(v), min(id), max(id) FROM shop.big";
        assertThat(sql.ask(all)).containsExactly("12000 | 12000 | 10 | 12009");
        sql.run("INSERT INTO shop.big VALUES (9, 1), (12010, 1), (20000, 1)");
        assertThat(sql.ask(all)).containsExactly("12003 | 12003 | 9 | 20000");
        sql.run("FLUSH TABLE shop.big");
        sql.run("INSERT INTO shop.big VALUES (1, 1), (15000, 1)");
        assertThat(sql.ask(all)).containsExactly("12005 | 12005 | 1 | 20000");
        sql.run("UPDATE shop.big SET v = 3 WHERE id = 500");
        sql.run("DELETE FROM shop.big WHERE id = 12009");
        assertThat(sql.ask(all)).containsExactly("12004 | 12006 | 1 | 20000");
        assertThat(sql.ask("SELECT count(*) FROM shop.big WHERE id >= 12000")).containsExactly("12");
    }

    @Test
    void truncatedRowsDoNotComeBack() {
        sql.run("FLUSH TABLE shop.item");
        sql.run("TRUNCATE TABLE shop.item");
        assertThat(sql.ask("SELECT count(*) FROM shop.item")).containsExactly("0");
        sql.run("INSERT INTO shop.item VALUES (1, 'n1', 5)");
        sql.run("FLUSH TABLE shop.item");
        assertThat(sql.ask("SELECT * FROM shop.item")).containsExactly("1 | n1 | 5.00");
        assertThat(sql.ask("SELECT version FROM system.manifests"))
                .as("the second is the one without files")
                .containsExactly("3");
    }

    @Test
    void aTransactionSeesOneMomentOfRowsAndFiles() {
        try (Session other = sql.face.session("root")) {
            TierFixture.run(other, "BEGIN");
            assertThat(TierFixture.ask(other, "SELECT count(*) FROM shop.item")).containsExactly("6");
            sql.run("FLUSH TABLE shop.item");
            sql.run("DELETE FROM shop.item WHERE id = 1");
            sql.run("UPDATE shop.item SET price = 0 WHERE id = 2");
            sql.run("FLUSH TABLE shop.item");
            sql.run("COMPACT TABLE shop.item");
            assertThat(TierFixture.ask(other, "SELECT count(*), sum(price) FROM shop.item"))
                    .containsExactly("6 | 24.00");
            TierFixture.run(other, "UPDATE shop.item SET price = price + 1 WHERE id = 3");
            TierFixture.run(other, "COMMIT");
            assertThat(sql.ask("SELECT price FROM shop.item WHERE id = 3")).containsExactly("4.50");
            TierFixture.run(other, "BEGIN");
            TierFixture.run(other, "UPDATE shop.item SET price = price + 1 WHERE id = 4");
            sql.run("UPDATE shop.item SET price = 100 WHERE id = 4");
            sql.run("FLUSH TABLE shop.item");
            assertThatThrownBy(() -> TierFixture.run(other, "COMMIT"))
                    .as("the row was changed and flushed again, so it is absent from the store as before")
                    .isInstanceOf(SqlError.class)
                    .hasMessageContaining("serialize");
        }
        assertThat(sql.ask("SELECT price FROM shop.item WHERE id = 4")).containsExactly("100.00");
    }

    @Test
    void everyTypeComesBackAsItWas() {
        String columns = "b BOOLEAN, s SMALLINT, i INT, l BIGINT, f REAL, d DOUBLE, d9 DECIMAL(9,2), d18 DECIMAL(18,3),"
                + " d38 DECIMAL(38,10), t TEXT, y BYTES, j JSON, da DATE, ti TIME, ts TIMESTAMP, u UUID";
        sql.run("CREATE TABLE shop.types (k TEXT PRIMARY KEY, " + columns + ")");
        sql.run("INSERT INTO shop.types VALUES ('full', true, -3, 2147483647, -9223372036854775808, 1.5, -0.1,"
                + " -1234567.89, 123456789012345.678, -1234567890123456789012345678.0123456789, 'äö''\"', '\\x00ff',"
                + " '{\"a\": [1, 2]}', '1969-07-20', '23:59:59.999999', '1969-12-31 23:59:59.999999+00',"
                + " '123e4567-e89b-12d3-a456-426614174000')");
        sql.run("INSERT INTO shop.types (k) VALUES ('empty'), (''), ('ü')");
        List<String> before = sql.ask("SELECT * FROM shop.types ORDER BY k");
        sql.run("FLUSH TABLE shop.types");
        assertThat(hotRows("types")).isZero();
        assertThat(sql.ask("SELECT * FROM shop.types ORDER BY k")).isEqualTo(before);
        assertThat(sql.ask("SELECT DISTINCT * FROM shop.types ORDER BY k")).isEqualTo(before);
        assertThat(sql.ask("SELECT * FROM shop.types WHERE k = 'full'")).containsExactly(before.get(2));
        assertThat(sql.ask("SELECT k FROM shop.types WHERE k = ''")).containsExactly("");
        assertThat(sql.ask("SELECT k FROM shop.types WHERE k = 'none'")).isEmpty();
    }

    @Test
    void keysOfEveryTypeAreFound() {
        String[][] keys = {
            {"SMALLINT", "-3"},
            {"INT", "7"},
            {"BIGINT", "-9000000000"},
            {"DOUBLE", "-0.5"},
            {"REAL", "0"},
            {"DECIMAL(9,2)", "1.25"},
            {"DECIMAL(38,5)", "-12345678901234567890.5"},
            {"TEXT", "'a.b'"},
            {"BYTES", "'\\x0001'"},
            {"DATE", "'2024-02-29'"},
            {"TIME", "'01:02:03.000004'"},
            {"TIMESTAMP", "'2024-02-29 01:02:03+00'"},
            {"UUID", "'123e4567-e89b-12d3-a456-426614174000'"},
            {"BOOLEAN", "true"}
        };
        for (int i = 0; i < keys.length; i++) {
            String table = "shop.k" + i;
            sql.run("CREATE TABLE " + table + " (\"k.y\" " + keys[i][0] + ", n INT, v INT, PRIMARY KEY (\"k.y\", n))");
            sql.run("INSERT INTO " + table + " VALUES (" + keys[i][1] + ", 1, 1), (" + keys[i][1] + ", 2, 2)");
            sql.run("FLUSH TABLE " + table);
            String one = " WHERE \"k.y\" = " + keys[i][1] + " AND n = 2";
            assertThat(sql.ask("SELECT v FROM " + table + one)).as(keys[i][0]).containsExactly("2");
            sql.run("UPDATE " + table + " SET v = 3" + one);
            assertThat(sql.ask("SELECT n, max(v) FROM " + table + " GROUP BY n ORDER BY n"))
                    .as(keys[i][0])
                    .containsExactly("1 | 1", "2 | 3");
            sql.run("FLUSH TABLE " + table);
            assertThat(sql.ask("SELECT v FROM " + table + " WHERE \"k.y\" = " + keys[i][1] + " ORDER BY n DESC"))
                    .as(keys[i][0])
                    .containsExactly("3", "1");
            assertThat(sql.ask("SELECT sum(v) FROM " + table)).as(keys[i][0]).containsExactly("4");
        }
    }
}
