package io.polytable.entity.wire;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.regex.Pattern;

/** Validates numbers in a message. */
final class Words {
    private static final int FLAGS = Pattern.CASE_INSENSITIVE
            | Pattern.MULTILINE
            | Pattern.DOTALL
            | Pattern.UNICODE_CASE
            | Pattern.COMMENTS
            | Pattern.LITERAL
            | Pattern.UNIX_LINES
            | Pattern.CANON_EQ
            | Pattern.UNICODE_CHARACTER_CLASS;

    private Words() {}

    static EntityException malformed() {
        return new EntityException(EntityError.BAD_REQUEST, "A message to the store is malformed");
    }

    static int positive(long value) {
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw malformed();
        }
        return (int) value;
    }

    static int flags(long value) {
        if ((value & ~FLAGS) != 0) {
            throw malformed();
        }
        return (int) value;
    }
}
