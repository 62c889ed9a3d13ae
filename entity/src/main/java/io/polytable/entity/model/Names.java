package io.polytable.entity.model;

import java.util.Map;
import java.util.regex.Pattern;

/** Which names instances, tables, families and columns may have. */
public final class Names {
    public static final int LENGTH_MAX = 100;

    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Pattern INSTANCE = Pattern.compile("[a-zA-Z0-9_]+");

    private Names() {}

    public static boolean isIdentifier(String name) {
        return name.length() <= LENGTH_MAX && IDENTIFIER.matcher(name).matches();
    }

    public static String instance(String name) {
        if (name.length() > LENGTH_MAX || !INSTANCE.matcher(name).matches()) {
            throw new EntityException(EntityError.BAD_NAME, "Not a name of an instance", Map.of("name", name));
        }
        return name;
    }

    /** A table's, locality group's, family's or column's name. */
    public static String identifier(String what, String name) {
        if (!isIdentifier(name)) {
            throw new EntityException(
                    EntityError.BAD_NAME,
                    "A name starts with a letter or underscore and has letters, digits and underscores only",
                    Map.of("what", what, "name", name));
        }
        return name;
    }
}
