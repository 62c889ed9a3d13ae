package io.polytable.sql.model.definition;

import io.polytable.sql.type.SqlType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param id stays the column's own when it is renamed, and is never given to another
 * @param place which of the stored values it is; {@link #IN_KEY} for a column of the primary key
 * @param defaultText the default as an expression, if it has one
 * @param initialText the value, as text, that rows from before the column have; null where that is NULL
 */
public record ColumnDef(
        int id,
        String name,
        SqlType type,
        boolean notNull,
        int place,
        @Nullable String defaultText,
        @Nullable String initialText,
        @Nullable String comment) {
    public static final int IN_KEY = -1;

    public Optional<String> defaultExpression() {
        return Optional.ofNullable(defaultText);
    }

    ColumnDef at(int newPlace) {
        return new ColumnDef(id, name, type, notNull, newPlace, defaultText, initialText, comment);
    }

    public ColumnDef renamed(String to) {
        return new ColumnDef(id, to, type, notNull, place, defaultText, initialText, comment);
    }

    public ColumnDef withDefault(@Nullable String text) {
        return new ColumnDef(id, name, type, notNull, place, text, initialText, comment);
    }

    public ColumnDef withNotNull(boolean required) {
        return new ColumnDef(id, name, type, required, place, defaultText, initialText, comment);
    }

    public ColumnDef withComment(@Nullable String text) {
        return new ColumnDef(id, name, type, notNull, place, defaultText, initialText, text);
    }
}
