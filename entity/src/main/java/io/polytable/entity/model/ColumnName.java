package io.polytable.entity.model;

import java.util.Map;
import java.util.Optional;

/**
 * A column, {@code family:qualifier}, or a whole family. Only the first colon separates: qualifiers of map-type families
 * are any text.
 */
public record ColumnName(String family, Optional<String> qualifier) implements Comparable<ColumnName> {
    public static final int QUALIFIER_LENGTH_MAX = 16 << 10;

    public ColumnName {
        Names.identifier("family", family);
        if (qualifier.isPresent() && qualifier.get().length() > QUALIFIER_LENGTH_MAX) {
            throw new EntityException(
                    EntityError.TOO_LARGE,
                    "A qualifier is too long",
                    Map.of("length", qualifier.get().length()));
        }
        if (qualifier.isPresent() && !Names.isWhole(qualifier.get())) {
            throw new EntityException(
                    EntityError.BAD_NAME,
                    "A qualifier has half of a character",
                    Map.of("length", qualifier.get().length()));
        }
    }

    public static ColumnName of(String family, String qualifier) {
        return new ColumnName(family, Optional.of(qualifier));
    }

    public static ColumnName family(String family) {
        return new ColumnName(family, Optional.empty());
    }

    public static ColumnName parse(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? family(text) : of(text.substring(0, colon), text.substring(colon + 1));
    }

    public boolean isFamily() {
        return qualifier.isEmpty();
    }

    /** The qualifier, or {@link EntityError#BAD_REQUEST} of a whole family. */
    public String column() {
        return qualifier.orElseThrow(() -> new EntityException(
                EntityError.BAD_REQUEST, "A column is wanted, not a family", Map.of("name", family)));
    }

    @Override
    public int compareTo(ColumnName other) {
        int order = family.compareTo(other.family);
        return order != 0 ? order : qualifier.orElse("").compareTo(other.qualifier.orElse(""));
    }

    @Override
    public String toString() {
        return qualifier.map(column -> family + ":" + column).orElse(family);
    }
}
