package io.polytable.sql.tree;

import io.polytable.sql.type.SqlError;
import org.jspecify.annotations.Nullable;

/** The offset of a node in the statement. All places are equal, so that trees are compared by their meaning. */
public record At(int offset) {
    /** The place of a node that the client did not write. */
    public static final At NOWHERE = new At(SqlError.NOWHERE);

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof At;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
