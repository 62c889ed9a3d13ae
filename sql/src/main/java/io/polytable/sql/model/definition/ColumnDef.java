package io.polytable.sql.model.definition;

import io.polytable.sql.type.SqlType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param id never changes, not even by a rename, and is never reused
 * @param place the index among the stored values; {@link #IN_KEY} for a column of the primary key
 * @param defaultText the default expression, if any
 * @param initialText the value, as text, of rows older than the column; null for NULL
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
