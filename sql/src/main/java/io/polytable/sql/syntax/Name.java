package io.polytable.sql.syntax;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The name of a table, view or index as a statement spells it, optionally qualified by a namespace. */
public record Name(@Nullable String qualifier, String name, int position) {
    public Optional<String> namespace() {
        return Optional.ofNullable(qualifier);
    }

    @Override
    public String toString() {
        return qualifier == null ? name : qualifier + "." + name;
    }
}
