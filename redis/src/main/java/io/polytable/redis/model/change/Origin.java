package io.polytable.redis.model.change;

import java.util.Optional;

/**
 * The source of a change: a client's session or the background. Client tracking uses it to skip a client's own
 * changes.
 */
public interface Origin {
    /** No client's command: expiry, and units outside a server. */
    Origin BACKGROUND = new Origin() {
        @Override
        public boolean marksUse() {
            return false;
        }
    };

    /** Whether its reads count as uses of the key, which OBJECT IDLETIME reports. */
    default boolean marksUse() {
        return true;
    }

    /**
     * The place in a primary's stream that the changes come from, which is stored with them. Such changes are made as
     * notified, whatever has expired by this server's clock: the primary says what expires.
     */
    default Optional<PrimaryPosition> primary() {
        return Optional.empty();
    }
}
