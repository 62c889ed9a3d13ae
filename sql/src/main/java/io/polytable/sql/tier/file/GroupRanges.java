package io.polytable.sql.tier.file;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Selects the row groups of a file that may hold keys of given ranges, by the statistics of the first key column. */
final class GroupRanges {
    private final SqlTable table;
    private final MessageType projection;

    GroupRanges(SqlTable table, MessageType projection) {
        this.table = table;
        this.projection = projection;
    }

    List<Integer> within(ParquetMetadata footer, List<KeyRange> ranges) {
        List<Integer> groups = new ArrayList<>();
        for (int i = 0; i < footer.getBlocks().size(); i++) {
            BlockMetaData block = footer.getBlocks().get(i);
            Optional<KeyRange> keys = keys(block);
            boolean wanted = keys.isEmpty() || ranges.stream().anyMatch(range -> meets(keys.get(), range));
            if (wanted) {
                groups.add(i);
            }
        }
        return groups;
    }

    private static boolean meets(KeyRange a, KeyRange b) {
        boolean before = !a.to().isEmpty() && a.to().compareTo(b.from()) <= 0;
        boolean after = !b.to().isEmpty() && b.to().compareTo(a.from()) <= 0;
        return !before && !after;
    }

    private Optional<KeyRange> keys(BlockMetaData block) {
        TableDef def = table.def();
        boolean ofUsers = def.kind() == TableKind.USER;
        Optional<Statistics<?>> user = ofUsers ? statistics(block, FileTypes.USER_ID) : Optional.empty();
        boolean oneUser = !ofUsers
                || user.map(found -> found.genericGetMin().equals(found.genericGetMax()))
                        .orElse(false);
        String name = def.hasRowId() ? TableDef.ROW_ID : firstKeyName();
        Optional<Statistics<?>> first = statistics(block, name);
        if (first.isEmpty() || !oneUser) {
            return Optional.empty();
        }
        String owner = user.map(found -> ((Binary) found.genericGetMin()).toStringUsingUTF8())
                .orElse("");
        Optional<Object> min = value(first.get().genericGetMin());
        Optional<Object> max = value(first.get().genericGetMax());
        if (min.isEmpty() || max.isEmpty()) {
            return Optional.empty();
        }
        Bytes from = table.keyStart(owner, min.get());
        Bytes to = table.keyStart(owner, max.get()).successorOfPrefix();
        return Optional.of(KeyRange.between(from, to));
    }

    private String firstKeyName() {
        TableDef def = table.def();
        ColumnDef column = def.columns().get(def.indexOfId(def.key().get(0)));
        return projection.getFields().stream()
                .filter(field -> RowMaterializer.isColumn(field, column))
                .map(Type::getName)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<Statistics<?>> statistics(BlockMetaData block, String name) {
        for (ColumnChunkMetaData chunk : block.getColumns()) {
            String[] path = chunk.getPath().toArray();
            Statistics<?> found = chunk.getStatistics();
            if (path.length == 1 && path[0].equals(name) && found != null && found.hasNonNullValue()) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** The statistic as a key value; empty for types that Parquet orders differently from our keys. */
    private Optional<Object> value(Object statistic) {
        TableDef def = table.def();
        if (def.hasRowId()) {
            return Optional.of(statistic);
        }
        SqlType type = def.columns().get(def.indexOfId(def.key().get(0))).type();
        return switch (type.kind()) {
            case SMALLINT, INT, DATE -> Optional.of(FileValues.ofInt(type, (Integer) statistic));
            case BIGINT, TIME, TIMESTAMP -> Optional.of(FileValues.ofLong(type, (Long) statistic));
            case TEXT, BYTES -> Optional.of(FileValues.ofBinary(type, (Binary) statistic));
            case BOOLEAN, FLOAT, DOUBLE, DECIMAL, UUID, JSON, UNKNOWN -> Optional.empty();
        };
    }
}
