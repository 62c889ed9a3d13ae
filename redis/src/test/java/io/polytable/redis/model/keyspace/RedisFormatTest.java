package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.bitmap.Bitmaps;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.NewId;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes on the page about them are the bytes that are written. */
class RedisFormatTest {
    private static final Path PAGES = Path.of(System.getProperty("polytable.root", ".."), "docs", "formats");
    private static final Path PAGE = PAGES.resolve("redis.md");
    private static final Path SORTED_SETS = PAGES.resolve("redis-zset.md");
    private static final Path LISTS = PAGES.resolve("redis-list.md");
    private static final Path STRINGS = PAGES.resolve("redis-string.md");
    private static final Path STREAMS = PAGES.resolve("redis-stream.md");
    private static final int NOTES_COLUMN = 37;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.open(store, 0, Bytes.utf8("0123456789abcdef"));
    private final UnitOfWork unit = keyspace.newUnit();

    @Test
    void aString() throws IOException {
        unit.begin(0, true);
        unit.space(3).putString(Bytes.utf8("greeting"), Bytes.utf8("hello"), Header.NEVER);
        unit.commit();

        requireRows("string", "keys");
    }

    @Test
    void aStringWithADeadline() throws IOException {
        unit.begin(0, true);
        unit.space(0).putString(Bytes.utf8("session"), Bytes.utf8("on"), 1_700_000_000_000L);
        unit.commit();

        requireRows("string with a deadline", "keys");
        requireRows("deadline", "expiries");
    }

    @Test
    void aStringInSegments() throws IOException {
        unit.begin(0, true);
        assertThat(new Bitmaps().set(unit.space(0), Bytes.utf8("seen"), 3_999_989_767L, 1))
                .isZero();
        unit.commit();

        requireRows(STRINGS, "segmented header", "keys");
        requireRows(STRINGS, "segments", "elements");
    }

    @Test
    void aHash() throws IOException {
        unit.begin(0, true);
        new Hashes().put(unit.space(0), Bytes.utf8("user"), List.of(Bytes.utf8("name"), Bytes.utf8("Ada")));
        unit.commit();

        requireRows("hash", "keys");
        requireRows("field", "elements");
    }

    @Test
    void aHashThatIsGone() throws IOException {
        unit.begin(0, true);
        new Hashes().put(unit.space(0), Bytes.utf8("user"), List.of(Bytes.utf8("name"), Bytes.utf8("Ada")));
        unit.space(0).remove(Bytes.utf8("user"));
        unit.commit();

        requireRows("garbage", "garbage");
    }

    @Test
    void aSortedSet() throws IOException {
        add("race", List.of(new Element(1.5, Bytes.utf8("ada")), new Element(-0.0, Bytes.utf8("bob"))));

        requireRows(SORTED_SETS, "header", "keys");
        requireRows(SORTED_SETS, "elements", "elements");
    }

    @Test
    void theFencesOfALargeSortedSet() throws IOException {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < 129; i++) {
            elements.add(new Element(i, Bytes.of(new byte[] {(byte) i})));
        }
        add("large", elements);

        List<String> fences = new ArrayList<>();
        try (Cursor rows = store.scan(find("elements"), KeyRange.ALL)) {
            while (rows.next()) {
                if (rows.key().at(8) == 4) {
                    fences.add(hex(rows.key()) + hex(rows.value()));
                }
            }
        }
        assertThat(dumped(SORTED_SETS, "fences")).isEqualTo(String.join("", fences));
    }

    @Test
    void aStreamWithAGroup() throws IOException {
        unit.begin(1_700_000_000_000L, true);
        Space space = unit.space(0);
        Bytes log = Bytes.utf8("log");
        Streams streams = new Streams(() -> new NodeLimits(2, 4096));
        for (int i = 1; i <= 3; i++) {
            Object unusedId = streams.add(
                    space,
                    log,
                    new NewId.Given(new StreamId(1_700_000_000_000L, i)),
                    List.of(Bytes.utf8("at"), Bytes.utf8("home")),
                    true,
                    null);
        }
        new Groups().create(space, log, Bytes.utf8("g"), new Groups.Start(Optional.of(StreamId.MIN), 0), false);
        Object unusedEntries = new GroupReads()
                .deliver(space, log, new GroupReads.Reader(Bytes.utf8("g"), Bytes.utf8("ada"), 1, false));
        unit.commit();

        requireRows(STREAMS, "header", "keys");
        requireRows(STREAMS, "elements", "elements");
    }

    private void add(String key, List<Element> elements) {
        unit.begin(0, true);
        new SortedSets().add(unit.space(0), Bytes.utf8(key), AddRules.ANY, elements);
        unit.commit();
    }

    @Test
    void aList() throws IOException {
        Lists lists = new Lists();
        Bytes key = Bytes.utf8("todo");
        unit.begin(0, true);
        lists.push(unit.space(0), key, ListEnd.RIGHT, List.of(Bytes.utf8("a"), Bytes.utf8("b")));
        unit.commit();

        requireRows(LISTS, "dense header", "keys");
        requireRows(LISTS, "dense elements", "elements");

        unit.begin(0, true);
        lists.insert(unit.space(0), key, true, Bytes.utf8("b"), Bytes.utf8("n"));
        unit.commit();

        requireRows(LISTS, "sparse header", "keys");
        requireRows(LISTS, "sparse elements", "elements");
    }

    @Test
    void aFunctionLibrary() throws IOException {
        unit.begin(0, true);
        unit.changeLibraries(Libraries.none().with("mylib", Bytes.utf8("#!lua name=mylib\n...")));
        unit.commit();

        requireRows("library", "functions");
    }

    @Test
    void settings() throws IOException {
        unit.begin(0, true);
        new Flushes().swap(unit.space(0), 0, 1);
        unit.changeDatabases(unit.databases().flush(15));
        unit.commit();

        requireRows("settings", "settings");
    }

    @Test
    void thePlaceInAPrimarysStream() throws IOException {
        PrimaryPosition position = new PrimaryPosition("db1", 6379, "abcde", 1000, 2, false);
        unit.follow(Optional.of(position));
        unit.commit();

        assertThat(unit.tables().primary()).contains(position);
        assertThat(dumped(PAGE, "primary")).isEqualTo(hex(position.row()));
    }

    @Test
    void aLargeSize() {
        CollectionHeader header =
                new CollectionHeader(Type.SET, Header.NEVER, 1, 0, Long.MAX_VALUE, Bytes.utf8("fields"));

        assertThat(Header.decode(header.rowHead().concat(header.rowTail()))).isEqualTo(header);
        assertThat(Header.decode(header.withSize(128).rowHead()))
                .isEqualTo(header.withSize(128).withFields(Bytes.EMPTY));
        assertThat(header.withSize(127).rowHead().length() + 1)
                .isEqualTo(header.withSize(128).rowHead().length());
    }

    /** The page's dump of this name, its notes left out, is what the table's rows are: key and value in turn. */
    private void requireRows(String dump, String table) throws IOException {
        requireRows(PAGE, dump, table);
    }

    private void requireRows(Path page, String dump, String table) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Cursor rows = store.scan(find(table), KeyRange.ALL)) {
            while (rows.next()) {
                lines.add(hex(rows.key()) + hex(rows.value()));
            }
        }
        assertThat(dumped(page, dump)).as("%s, dump %s", page, dump).isEqualTo(String.join("", lines));
    }

    private Table find(String name) {
        return store.find(new TableName(RedisTables.NAMESPACE, name)).orElseThrow();
    }

    private static String dumped(Path file, String name) throws IOException {
        List<String> page = Files.readAllLines(file);
        int start = page.indexOf("<!-- dump: " + name + " -->");
        assertThat(start).as("%s has a dump %s", file, name).isGreaterThanOrEqualTo(0);
        StringBuilder hex = new StringBuilder();
        for (String line : page.subList(start + 2, page.size())) {
            if (line.startsWith("```")) {
                break;
            }
            hex.append(line, 0, Math.min(line.length(), NOTES_COLUMN));
        }
        return hex.toString().replace(" ", "");
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
    }
}
