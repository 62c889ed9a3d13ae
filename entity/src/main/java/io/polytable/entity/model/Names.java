package io.polytable.entity.model;

import java.util.Map;
import java.util.regex.Pattern;

/** The rules for names of instances, tables, families and columns. */
public final class Names {
    public static final int LENGTH_MAX = 100;

    private static final Pattern INSTANCE = Pattern.compile("[a-zA-Z0-9_]+");

    private Names() {}

    public static boolean isIdentifier(String name) {
        if (name.isEmpty() || name.length() > LENGTH_MAX || isDigit(name.charAt(0))) {
            return false;
        }
        // By hand instead of a regular expression, since every column name of every call is checked.
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!isLetter && c != '_' && !isDigit(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
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

    /** Whether the text has no unpaired surrogate: those cannot be encoded, so two names would become one. */
    public static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
