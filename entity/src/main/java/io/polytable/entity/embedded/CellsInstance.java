package io.polytable.entity.embedded;

import io.polytable.cells.BloomKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.Compression;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellTable;
import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** An instance whose tables are cell tables of one namespace. */
final class CellsInstance implements InstanceStore {
    private final CellStore cells;
    private final String namespace;
    private final StoreRecords records;
    private final LayoutBoard board = LayoutBoard.exclusive();

    CellsInstance(CellStore cells, String namespace, StoreRecords records) {
        this.cells = cells;
        this.namespace = namespace;
        this.records = records;
    }

    @Override
    public StoreRecords records() {
        return records;
    }

    @Override
    public LayoutBoard layouts() {
        return board;
    }

    private TableName name(TableLayout layout) {
        return new TableName(namespace, layout.name());
    }

    @Override
    public void prepare(TableLayout layout) {
        Failures.translated(() -> {
            List<FamilySpec> families = families(layout);
            Optional<CellTable> present = cells.find(name(layout));
            if (present.isEmpty()) {
                return cells.create(CellTableSpec.of(name(layout), families.toArray(FamilySpec[]::new)));
            }
            Set<Bytes> wanted = new HashSet<>();
            families.forEach(family -> wanted.add(family.name()));
            CellTableSpec spec = present.get().spec();
            spec.families().stream()
                    .filter(family -> !wanted.contains(family.name()))
                    .forEach(families::add);
            CellTableSpec next = spec.withFamilies(families);
            return next.equals(spec) ? present.get() : cells.alter(next);
        });
    }

    @Override
    public void trim(TableLayout layout) {
        Failures.translated(() -> {
            CellTableSpec spec = cells.table(name(layout)).spec();
            Set<String> retired = layout.retiredFamilies();
            List<FamilySpec> kept = spec.families().stream()
                    .filter(family -> !retired.contains(family.name().utf8()))
                    .toList();
            boolean isTrimmed = kept.size() == spec.families().size();
            return isTrimmed ? spec : cells.alter(spec.withFamilies(kept)).spec();
        });
    }

    @Override
    public void drop(TableLayout layout) {
        Failures.translated(() -> {
            if (cells.find(name(layout)).isPresent()) {
                cells.drop(name(layout));
            }
            return layout;
        });
    }

    @Override
    public StoredTable table(TableLayout layout) {
        return new CellsTable(Failures.translated(() -> cells.table(name(layout))));
    }

    private static List<FamilySpec> families(TableLayout layout) {
        List<FamilySpec> families = new ArrayList<>();
        for (LocalityGroup group : layout.groups()) {
            for (FamilyLayout family : group.families()) {
                boolean forever = group.ttlSeconds() == LocalityGroup.FOREVER;
                families.add(FamilySpec.of(Bytes.utf8(family.id()))
                        .withVersions(0, group.maxVersions())
                        .withTtlMillis(forever ? FamilySpec.FOREVER : TimeUnit.SECONDS.toMillis(group.ttlSeconds()))
                        .withStorage(compression(group.compression()), bloom(group.bloom()), group.inMemory()));
            }
        }
        if (families.isEmpty()) {
            // A cell table needs a family; no id of a layout has a dash.
            families.add(FamilySpec.of("no-family"));
        }
        return families;
    }

    private static Compression compression(CompressionType type) {
        return Compression.valueOf(type.name());
    }

    private static BloomKind bloom(BloomType type) {
        return switch (type) {
            case NONE -> BloomKind.NONE;
            case ROW -> BloomKind.ROW;
            case ROWCOL -> BloomKind.ROW_AND_COLUMN;
        };
    }
}
