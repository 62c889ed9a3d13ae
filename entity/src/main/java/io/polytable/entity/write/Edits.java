package io.polytable.entity.write;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.store.CellEdit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Edits by name and value, encoded under the layout at the time of the write. */
final class Edits {
    private Edits() {}

    static Function<LayoutState, CellEdit> put(ColumnName column, long timestamp, Object value) {
        return state -> new CellEdit.Put(
                state.place(column), checked(timestamp), state.codec(column).encode(value), ttlMillis(state, column));
    }

    static Function<LayoutState, CellEdit> increment(ColumnName column, long amount) {
        return state -> {
            if (state.schema(column).type() != CellType.COUNTER) {
                throw new EntityException(
                        EntityError.BAD_VALUE, "The column is no counter", Map.of("column", column.toString()));
            }
            return new CellEdit.Increment(state.place(column), amount, ttlMillis(state, column));
        };
    }

    static Function<LayoutState, CellEdit> deleteRow(long upTo) {
        return state -> new CellEdit.DeleteRow(checked(upTo));
    }

    static Function<LayoutState, CellEdit> deleteFamily(String name, long upTo) {
        return state -> {
            LayoutColumns.Family family = state.columns().family(name);
            return new CellEdit.DeleteFamily(
                    family.group().id(), family.layout().id(), checked(upTo));
        };
    }

    static Function<LayoutState, CellEdit> deleteColumn(ColumnName column, long upTo) {
        return state -> new CellEdit.DeleteColumn(state.place(column), checked(upTo));
    }

    static Function<LayoutState, CellEdit> deleteCell(ColumnName column, long timestamp) {
        return state -> new CellEdit.DeleteCell(state.place(column), checked(timestamp));
    }

    private static long ttlMillis(LayoutState state, ColumnName column) {
        CellSchema schema = state.schema(column);
        return schema.ttlSeconds().isPresent()
                ? TimeUnit.SECONDS.toMillis(schema.ttlSeconds().getAsLong())
                : CellEdit.NO_TTL;
    }

    private static long checked(long timestamp) {
        if (timestamp < 0) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "A timestamp is negative", Map.of("timestamp", timestamp));
        }
        return timestamp;
    }
}
