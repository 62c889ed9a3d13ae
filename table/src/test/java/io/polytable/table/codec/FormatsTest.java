package io.polytable.table.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes in docs/formats and in the golden files are those that the code writes and reads. */
class FormatsTest {
    private static final TableSpec ORDERS = new TableSpec(
            new TableName("shop", "orders"),
            TableKind.SHARED,
            List.of(
                    new Column("customer", ColumnType.STRING),
                    new Column("placed", ColumnType.TIMESTAMP),
                    new Column("line", ColumnType.INT),
                    new Column("price", ColumnType.DOUBLE)),
            List.of(KeyColumn.ascending("customer")),
            List.of(KeyColumn.descending("placed"), KeyColumn.ascending("line")),
            new TableOptions(Optional.of(Duration.ofDays(1)), true, true, false));

    @Test
    void thePageOfKeysShowsTheEdgesOfEachType() {
        StringBuilder lines = new StringBuilder();
        for (ColumnType type : ColumnType.values()) {
            for (Value value : Samples.edges(type)) {
                String ascending = FormatPage.hex(encode(type, SortOrder.ASCENDING, value));
                lines.append("%-9s %-24s %s".formatted(type, show(value), ascending))
                        .append('\n');
            }
        }
        FormatPage.named("keys.md").requireDump("types", lines.toString());
    }

    @Test
    void thePageOfKeysShowsAKey() {
        Bytes key = KeyCodec.of(ORDERS)
                .encode(List.of(
                        new Value.OfString("max"), new Value.OfTimestamp(1_700_000_000_000_000L), new Value.OfInt(2)))
                .bytes();
        FormatPage.named("keys.md")
                .requireDump(
                        "key",
                        new FormatPage.Dump(key)
                                .next(3, "customer \"max\"")
                                .next(2, "its end")
                                .next(8, "placed 1700000000000000, turned")
                                .next(4, "line 2")
                                .end());
    }

    @Test
    void thePageOfRowsShowsARow() {
        TableSpec spec = new TableSpec(
                new TableName("n", "t"),
                TableKind.SHARED,
                List.of(
                        new Column("id", ColumnType.INT),
                        new Column("name", ColumnType.STRING),
                        new Column("score", ColumnType.DOUBLE),
                        new Column("seen", ColumnType.TIMESTAMP),
                        new Column("tags", ColumnType.BYTES),
                        new Column("ok", ColumnType.BOOLEAN)),
                List.of(KeyColumn.ascending("id")),
                List.of(),
                TableOptions.DEFAULT);
        Bytes value = RowCodec.of(spec)
                .value(List.of(
                        new Value.OfInt(7),
                        new Value.OfString("ada"),
                        new Value.Absent(),
                        new Value.OfTimestamp(1_700_000_000_000_000L),
                        new Value.OfBytes(Bytes.of(new byte[] {1, 2})),
                        new Value.Absent()));
        FormatPage.named("rows.md")
                .requireDump(
                        "row",
                        new FormatPage.Dump(value)
                                .next(1, "version")
                                .next(1, "count: name, score, seen, tags")
                                .next(1, "presence: all of them but score")
                                .next(4, "name \"ada\"")
                                .next(8, "seen 1700000000000000")
                                .next(3, "tags 01 02")
                                .end());
    }

    @Test
    void thePageOfRowsShowsASpec() {
        FormatPage.named("rows.md")
                .requireDump(
                        "spec",
                        new FormatPage.Dump(SpecCodec.encode(ORDERS))
                                .next(1, "version")
                                .next(5, "namespace \"shop\"")
                                .next(7, "name \"orders\"")
                                .next(1, "kind SHARED")
                                .next(1, "4 columns")
                                .next(10, "customer STRING")
                                .next(8, "placed TIMESTAMP")
                                .next(6, "line INT")
                                .next(7, "price DOUBLE")
                                .next(3, "partition key: customer ascending")
                                .next(5, "sort key: placed descending, line ascending")
                                .next(1, "options: compression, bloom, ttl")
                                .next(12, "ttl 86400 s")
                                .end());
    }

    @Test
    void goldenKeysAreWrittenAndReadAsEver() {
        StringBuilder lines = new StringBuilder();
        for (ColumnType type : ColumnType.values()) {
            for (SortOrder order : SortOrder.values()) {
                for (Value value : Samples.edges(type)) {
                    String hex = FormatPage.hex(encode(type, order, value));
                    lines.append(type + " " + order + " " + show(value) + " = " + hex)
                            .append('\n');
                }
            }
        }
        FormatPage.golden("keys-v1.txt").requireAll(lines.toString());
        requireGoldenKeysDecode();
    }

    private static void requireGoldenKeysDecode() {
        FormatPage.golden("keys-v1.txt").read().lines().forEach(line -> {
            String[] words = line.substring(0, line.lastIndexOf(" = ")).split(" ", 3);
            ColumnType type = ColumnType.valueOf(words[0]);
            SortOrder order = SortOrder.valueOf(words[1]);
            Bytes bytes = FormatPage.bytes(line.substring(line.lastIndexOf(" = ") + 3));
            Value decoded = ColumnBytes.readKey(new KeyReader(bytes), new Column("c", type), order);
            assertThat(show(decoded)).as(line).isEqualTo(words[2]);
        });
    }

    @Test
    void goldenValuesAreWrittenAndReadAsEver() {
        StringBuilder lines = new StringBuilder();
        for (ColumnType type : ColumnType.values()) {
            ValueCodec codec = ValueCodec.of(new TableSpec(
                    new TableName("n", "t"),
                    TableKind.SHARED,
                    List.of(new Column("k", ColumnType.INT), new Column("v", type)),
                    List.of(KeyColumn.ascending("k")),
                    List.of(),
                    TableOptions.DEFAULT));
            for (Value value : Samples.edges(type)) {
                Bytes encoded = codec.encode(List.of(value));
                lines.append(type + " " + show(value) + " = " + FormatPage.hex(encoded))
                        .append('\n');
                assertThat(codec.decode(encoded)).containsExactly(value);
            }
        }
        FormatPage.golden("rows-v1.txt").requireAll(lines.toString());
    }

    private static Bytes encode(ColumnType type, SortOrder order, Value value) {
        KeyWriter out = new KeyWriter();
        ColumnBytes.writeKey(out, new Column("c", type), order, value);
        return out.toBytes();
    }

    /** A value in printable ASCII. */
    private static String show(Value value) {
        if (value instanceof Value.OfString string) {
            return Bytes.utf8(string.value()).toString();
        }
        String text = value.toString();
        return text.substring(text.indexOf('=') + 1, text.length() - 1);
    }
}
