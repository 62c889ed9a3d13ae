package io.polytable.cells.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of cells are those of docs/formats/cells.md. {@code -Dpolytable.golden=rewrite} writes them again. */
class CellFormatTest {
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("polytable.golden"));
    private static final HexFormat SPACED = HexFormat.ofDelimiter(" ");
    private static final Path PAGE = Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", "cells.md");

    private static final List<CellKind> KINDS = List.of(CellKind.values());

    private final TableStore store = new MemoryStore();

    private static Bytes b(String text) {
        return Bytes.utf8(text);
    }

    private static String hex(Bytes bytes) {
        return SPACED.formatHex(bytes.toByteArray());
    }

    private Table table(String... families) {
        List<FamilySpec> specs = new ArrayList<>();
        for (String family : families) {
            specs.add(FamilySpec.of(family));
        }
        TableName name = new TableName("cells", "t");
        CellTableSpec spec = CellTableSpec.of(name, specs.toArray(FamilySpec[]::new));
        return store.create(CellRows.tableSpec(name, spec));
    }

    private void write(Table table, List<Cell> cells) {
        WriteSet set = new WriteSet(store);
        Bytes row = cells.get(0).row();
        RowEditor editor = new RowEditor(set, table, CellRows.partition(row));
        cells.forEach(editor::put);
        set.commit();
    }

    @Test
    void cellsAreRows() throws IOException {
        Table table = table("info");
        Bytes row = b("alice");
        write(
                table,
                List.of(
                        new Cell(row, b("info"), b("name"), 5, CellKind.PUT, b("Al")),
                        new Cell(row, b("info"), b("tmp"), 5, CellKind.PUT, b("Al"), 1000),
                        new Cell(row, b("info"), Bytes.EMPTY, 7, CellKind.DELETE_FAMILY, Bytes.EMPTY)));
        StringBuilder dump = new StringBuilder();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                dump.append(hex(cursor.key()))
                        .append("\n  -> ")
                        .append(hex(cursor.value()))
                        .append('\n');
            }
        }
        requireDump("cell", dump.toString());
    }

    private static void requireDump(String name, String actual) throws IOException {
        String page = Files.readString(PAGE);
        String mark = "<!-- dump: " + name + " -->\n```\n";
        int start = page.indexOf(mark) + mark.length();
        assertThat(start).as("the page has a dump %s", name).isGreaterThanOrEqualTo(mark.length());
        int end = page.indexOf("```", start);
        if (REWRITE) {
            Files.writeString(PAGE, page.substring(0, start) + actual + page.substring(end));
        } else {
            assertThat(page.substring(start, end)).as("dump %s", name).isEqualTo(actual);
        }
    }

    @Test
    void randomCellsComeBackInTheirOrder() {
        Table table = table("a", "ab");
        Random random = new Random(7);
        List<Cell> all = new ArrayList<>();
        for (Bytes row :
                List.of(b("r"), b("r\0"), b("r\0\1"), Bytes.of(new byte[] {0}), Bytes.of(new byte[] {-1, -1}))) {
            List<Cell> cells = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] qualifier = new byte[random.nextInt(4)];
                for (int j = 0; j < qualifier.length; j++) {
                    qualifier[j] = (byte) (random.nextInt(3) - 1);
                }
                long timestamp = random.nextBoolean() ? random.nextInt(3) : Long.MAX_VALUE - 1 - random.nextInt(3);
                CellKind kind = KINDS.get(random.nextInt(KINDS.size()));
                Bytes name = kind.isOfFamily() ? Bytes.EMPTY : Bytes.of(qualifier);
                Bytes value = kind.isDelete() ? Bytes.EMPTY : b("v" + i);
                long ttl = kind.isDelete() || random.nextBoolean() ? Cell.NO_TTL : random.nextLong(1, Long.MAX_VALUE);
                cells.add(new Cell(row, b(random.nextBoolean() ? "a" : "ab"), name, timestamp, kind, value, ttl));
            }
            write(table, cells);
            Map<CellPosition, Cell> last = new TreeMap<>();
            cells.forEach(cell -> last.put(cell.position(), cell));
            all.addAll(last.values());
        }
        all.sort(null);
        List<Cell> read = new ArrayList<>();
        try (StoredCursor cursor = CellRows.rows(store, table, RowRange.ALL)) {
            while (cursor.next()) {
                read.add(cursor.cell());
            }
        }
        assertThat(read).isEqualTo(all);
    }
}
