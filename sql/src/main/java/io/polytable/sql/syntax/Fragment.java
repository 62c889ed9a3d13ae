package io.polytable.sql.syntax;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An expression as text, and parsed where our own path knows all of it.
 *
 * @param position where the text begins in the statement
 */
public record Fragment(String text, int position, @Nullable Expr parsed) {
    public Optional<Expr> expr() {
        return Optional.ofNullable(parsed);
    }
}
