package io.polytable.entity.cassandra.scan;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.Partition;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A token range from {@code after}, exclusive, to {@code last}, inclusive, both as signed numbers. */
record Tokens(long after, long last) {
    static final Tokens ALL = new Tokens(Long.MIN_VALUE, Long.MAX_VALUE);

    /** As a partition's token. */
    String text() {
        return after + ":" + last;
    }

    static Tokens of(Optional<Partition> partition) {
        if (partition.isEmpty() || partition.get().token().isEmpty()) {
            return ALL;
        }
        String text = partition.get().token();
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw notAPartition(text, null);
        }
        try {
            return new Tokens(Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw notAPartition(text, e);
        }
    }

    private static EntityException notAPartition(String token, @Nullable Throwable cause) {
        return new EntityException(
                EntityError.BAD_REQUEST, "Not a partition of this table", Map.of("token", token), cause);
    }
}
