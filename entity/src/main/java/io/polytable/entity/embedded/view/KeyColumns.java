package io.polytable.entity.embedded.view;

import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.model.EntityException;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.column.Bound;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key columns of an entity view: the components as far as the key contains them, then the row key. Conditions on
 * leading components become a range of row keys.
 */
final class KeyColumns {
    static final String ROW_KEY = "row_key";

    private final KeyFormat keys;
    private final List<Column> components = new ArrayList<>();

    KeyColumns(KeyFormat keys) {
        this.keys = keys;
        if (keys instanceof FormattedKeys formatted && !formatted.hashOnly()) {
            for (KeyComponent component : formatted.components()) {
                String name = component.name().equals(ROW_KEY) ? "key_" + ROW_KEY : component.name();
                components.add(new Column(name, type(component.type())));
            }
        } else if (!(keys instanceof KeyFormat.Hashed) && !(keys instanceof FormattedKeys)) {
            components.add(new Column("id", ColumnType.STRING));
        }
    }

    private static ColumnType type(ComponentType type) {
        return switch (type) {
            case STRING -> ColumnType.STRING;
            case INTEGER -> ColumnType.INT;
            case LONG -> ColumnType.BIGINT;
        };
    }

    List<Column> columns() {
        List<Column> all = new ArrayList<>(components);
        all.add(new Column(ROW_KEY, ColumnType.BYTES));
        return all;
    }

    List<String> names() {
        return columns().stream().map(Column::name).toList();
    }

    EntityId id(Bytes rowKey) {
        return keys.ofRowKey(rowKey);
    }

    /** The key's value of one of the columns; bytes that are no text, and nulls, are absent components. */
    Value value(EntityId id, int column) {
        if (column == components.size()) {
            return new Value.OfBytes(id.rowKey());
        }
        Object component = column < id.components().size() ? id.components().get(column) : null;
        if (component instanceof String text) {
            return new Value.OfString(text);
        }
        if (component instanceof Number number) {
            return components.get(column).type() == ColumnType.INT
                    ? new Value.OfInt(number.intValue())
                    : new Value.OfBigint(number.longValue());
        }
        return new Value.Absent();
    }

    /** The range of row keys that the scan can match. */
    EntityRange range(ViewScan scan) {
        ColumnRange rows = scan.ranges().get(ROW_KEY);
        EntityRange range = rows == null ? EntityRange.ALL : new EntityRange(from(rows.lower()), to(rows.upper()));
        List<@Nullable Object> fixed = new ArrayList<>();
        for (Column component : components) {
            ColumnRange wanted = scan.ranges().get(component.name());
            Optional<Value> only = wanted == null ? Optional.empty() : wanted.onlyValue();
            if (only.isEmpty()) {
                break;
            }
            fixed.add(plain(only.get()));
        }
        if (fixed.isEmpty()) {
            return range;
        }
        try {
            // For a raw key, "starting with" is a text prefix; here only the one entity matches.
            EntityRange narrower = keys instanceof KeyFormat.Raw
                    ? EntityRange.only(keys.id(fixed.toArray()).rowKey())
                    : keys.startingWith(fixed.toArray());
            return range.intersection(narrower);
        } catch (EntityException e) {
            // Too few components for the salt, or an invalid key: each row is tested instead.
            return range;
        }
    }

    private static Object plain(Value value) {
        if (value instanceof Value.OfString text) {
            return text.value();
        }
        if (value instanceof Value.OfInt number) {
            return number.value();
        }
        return value instanceof Value.OfBigint number ? number.value() : value;
    }

    private static Bytes from(Bound bound) {
        if (bound instanceof Bound.Inclusive inclusive) {
            return bytes(inclusive.value());
        }
        return bound instanceof Bound.Exclusive exclusive
                ? EntityRange.only(bytes(exclusive.value())).to()
                : Bytes.EMPTY;
    }

    private static Bytes to(Bound bound) {
        if (bound instanceof Bound.Inclusive inclusive) {
            return EntityRange.only(bytes(inclusive.value())).to();
        }
        return bound instanceof Bound.Exclusive exclusive ? bytes(exclusive.value()) : Bytes.EMPTY;
    }

    private static Bytes bytes(Value value) {
        return value instanceof Value.OfBytes bytes ? bytes.value() : Bytes.EMPTY;
    }
}
