package io.polytable.entity.read;

import io.polytable.entity.filter.Qualifiers;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.Schema;

/**
 * The result of a read of one entity. Columns are written {@code family:qualifier}. Accessing a column that was not
 * requested is an error, so that a missing cell always means that it does not exist.
 */
public final class EntityRow implements RowView {
    private final EntityId id;
    private final ReadPlan plan;
    private final TableReader reader;
    private final Map<String, NavigableMap<String, NavigableMap<Long, EntityCell>>> families = new TreeMap<>();

    EntityRow(EntityId id, ReadPlan plan, TableReader reader, List<EntityCell> cells) {
        this.id = id;
        this.plan = plan;
        this.reader = reader;
        for (EntityCell cell : cells) {
            families.computeIfAbsent(cell.column().family(), family -> new TreeMap<>(Qualifiers.ORDER))
                    .computeIfAbsent(cell.column().column(), column -> new TreeMap<>(Comparator.reverseOrder()))
                    .put(cell.timestamp(), cell);
        }
    }

    @Override
    public EntityId id() {
        return id;
    }

    public DataRequest request() {
        return plan.request();
    }

    /** Whether none of the requested cells exist; for paged columns use the pagers. */
    public boolean isEmpty() {
        return families.isEmpty();
    }

    public boolean has(String column) {
        return has(ColumnName.parse(column));
    }

    @Override
    public boolean has(ColumnName column) {
        return column.isFamily() ? !family(column).isEmpty() : !versions(column).isEmpty();
    }

    public boolean has(String column, long timestamp) {
        return versions(ColumnName.parse(column)).containsKey(timestamp);
    }

    /** The columns of a family that have a cell. */
    public NavigableSet<String> qualifiers(String family) {
        return Collections.unmodifiableNavigableSet(
                new TreeSet<>(family(ColumnName.family(family)).navigableKeySet()));
    }

    /** The timestamps of a column's versions, newest first. */
    public NavigableSet<Long> timestamps(String column) {
        return Collections.unmodifiableNavigableSet(
                versions(ColumnName.parse(column)).navigableKeySet());
    }

    public Optional<EntityCell> cell(String column) {
        return newestCell(ColumnName.parse(column));
    }

    public Optional<EntityCell> cell(String column, long timestamp) {
        return Optional.ofNullable(versions(ColumnName.parse(column)).get(timestamp));
    }

    /** The versions of a column, newest first. */
    public NavigableMap<Long, EntityCell> cells(String column) {
        return Collections.unmodifiableNavigableMap(versions(ColumnName.parse(column)));
    }

    /** The newest cell of each column of a family. */
    public NavigableMap<String, EntityCell> newestCells(String family) {
        NavigableMap<String, EntityCell> newest = new TreeMap<>(Qualifiers.ORDER);
        family(ColumnName.family(family))
                .forEach((qualifier, cells) ->
                        newest.put(qualifier, cells.firstEntry().getValue()));
        return newest;
    }

    /** Every version of every column of a family. */
    public NavigableMap<String, NavigableMap<Long, EntityCell>> familyCells(String family) {
        return Collections.unmodifiableNavigableMap(family(ColumnName.family(family)));
    }

    /** All cells, by column, newest first. */
    public List<EntityCell> allCells() {
        List<EntityCell> all = new ArrayList<>();
        families.values().forEach(columns -> columns.values().forEach(cells -> all.addAll(cells.values())));
        return all;
    }

    public <T> Optional<T> value(String column, Class<T> type) {
        return cell(column).map(cell -> cell.value(type));
    }

    public <T> Optional<T> value(String column, long timestamp, Class<T> type) {
        return cell(column, timestamp).map(cell -> cell.value(type));
    }

    /** The values of a column, newest first. */
    public <T> NavigableMap<Long, T> values(String column, Class<T> type) {
        NavigableMap<Long, T> values = new TreeMap<>(Comparator.reverseOrder());
        cells(column).forEach((timestamp, cell) -> values.put(timestamp, cell.value(type)));
        return values;
    }

    /** The newest value of each column of a family. */
    public <T> NavigableMap<String, T> newestValues(String family, Class<T> type) {
        NavigableMap<String, T> values = new TreeMap<>(Qualifiers.ORDER);
        newestCells(family).forEach((qualifier, cell) -> values.put(qualifier, cell.value(type)));
        return values;
    }

    @Override
    public Optional<Object> newest(ColumnName column) {
        return newestCell(column).map(EntityCell::value);
    }

    /** The schema that the Avro values of a column, or of a map-type family, are read with by default. */
    public Optional<Schema> readerSchema(String column) {
        ColumnName name = ColumnName.parse(column);
        return name.isFamily()
                ? plan.state()
                        .columns()
                        .family(name.family())
                        .layout()
                        .mapSchema()
                        .flatMap(CellSchema::defaultReader)
                : plan.state().schema(name).defaultReader();
    }

    /** Iterates over the cells of a column or family in pages of the requested size. */
    public ColumnPager pager(String column) {
        ColumnName name = ColumnName.parse(column);
        ColumnRequest wanted = requested(name);
        if (!name.isFamily() && wanted.column().isFamily()) {
            wanted = wanted.ofColumn(name);
        }
        if (!wanted.isPaged()) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "The column was not requested in pages", Map.of("column", column));
        }
        return new ColumnPager(reader, id, plan, wanted);
    }

    /** All cells of a paged column or family, read on demand. */
    public Iterable<EntityCell> iterate(String column) {
        ColumnPager first = pager(column);
        return () -> first.restarted().cells();
    }

    private Optional<EntityCell> newestCell(ColumnName column) {
        NavigableMap<Long, EntityCell> cells = versions(column);
        return cells.isEmpty()
                ? Optional.empty()
                : Optional.of(cells.firstEntry().getValue());
    }

    private NavigableMap<Long, EntityCell> versions(ColumnName column) {
        ColumnName shown = shown(column);
        requested(column);
        return families.getOrDefault(shown.family(), Collections.emptyNavigableMap())
                .getOrDefault(shown.column(), Collections.emptyNavigableMap());
    }

    private NavigableMap<String, NavigableMap<Long, EntityCell>> family(ColumnName family) {
        boolean isAsked = plan.request().columns().keySet().stream()
                .anyMatch(column -> column.family().equals(family.family()));
        if (!isAsked) {
            requested(family);
        }
        String name = plan.state().columns().family(family.family()).layout().name();
        return families.getOrDefault(name, Collections.emptyNavigableMap());
    }

    /** Resolves an alias to the column's name. */
    private ColumnName shown(ColumnName column) {
        return plan.column(column, plan.state().columns().storedQualifier(column))
                .orElse(column);
    }

    private ColumnRequest requested(ColumnName column) {
        return plan.request()
                .of(column)
                .orElseThrow(() -> new EntityException(
                        EntityError.BAD_REQUEST,
                        "The request did not want this column",
                        Map.of("column", column.toString())));
    }
}
