package io.polytable.benchmarks.entity;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.uri.EntityUri;
import java.util.List;

/** The entity library on any store. */
final class EntitySide implements Side {
    private static final DataRequest VALUE = DataRequest.of("f:v");

    private final Instance instance;
    private final EntityTable table;

    EntitySide(EntityUri uri) {
        Entities.install(uri);
        instance = Entities.open(uri);
        table = instance.createTable(TableLayout.of(
                        "t",
                        new KeyFormat.Raw(),
                        LocalityGroup.of(
                                "g",
                                FamilyLayout.group(
                                        "f",
                                        ColumnLayout.of("v", CellSchema.bytes()),
                                        ColumnLayout.of("n", CellSchema.counter()))))
                .withOption("ordered", "true"));
    }

    @Override
    public void put(int row, byte[] value) {
        table.writer().put(table.id(Side.key(row)), "f:v", value);
    }

    @Override
    public int get(int row) {
        return length(table.reader().get(table.id(Side.key(row)), VALUE));
    }

    private static int length(EntityRow row) {
        return row.value("f:v", byte[].class).map(value -> value.length).orElse(0);
    }

    @Override
    public int getAll(List<Integer> rows) {
        return table
                .reader()
                .getAll(rows.stream().map(row -> table.id(Side.key(row))).toList(), VALUE)
                .stream()
                .mapToInt(EntitySide::length)
                .sum();
    }

    @Override
    public int scan(int from, int rows) {
        ScanOptions options = ScanOptions.ALL
                .range(EntityRange.from(table.id(Side.key(from))))
                .limit(rows)
                .batch(rows);
        int found = 0;
        try (RowScanner scanner = table.reader().scan(VALUE, options)) {
            for (EntityRow row : scanner.rows()) {
                found += length(row) > 0 ? 1 : 0;
            }
        }
        return found;
    }

    @Override
    public long increment(int row) {
        return table.writer().increment(table.id(Side.key(row)), "f:n", 1);
    }

    @Override
    public boolean check(int row, byte[] expected, byte[] value) {
        return table.atomicWriter()
                .begin(table.id(Side.key(row)))
                .put("f:v", value)
                .checkAndCommit("f:v", expected);
    }

    @Override
    public void close() {
        instance.close();
    }
}
