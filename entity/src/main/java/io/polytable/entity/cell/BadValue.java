package io.polytable.entity.cell;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The errors of codecs. */
final class BadValue {
    private BadValue() {}

    static EntityException of(String column, String text, String found, @Nullable Throwable cause) {
        return new EntityException(EntityError.BAD_VALUE, text, Map.of("column", column, "found", found), cause);
    }

    static EntityException of(String column, String text, Object value) {
        return of(column, text, value.getClass().getName(), null);
    }
}
