package io.polytable.sql.syntax;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An expression as text, and also parsed if it is within the subset that we evaluate ourselves.
 *
 * @param position the offset of the text in the statement
 */
public record Fragment(String text, int position, @Nullable Expr parsed) {
    public Optional<Expr> expr() {
        return Optional.ofNullable(parsed);
    }
}
