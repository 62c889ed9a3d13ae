package io.polytable.redis.model.change;

/** Who made a change: a client's session, or the background. Client tracking leaves out its own changes by this. */
public interface Origin {
    /** Nobody's command: expiry, and units outside a server. */
    Origin BACKGROUND = new Origin() {
        @Override
        public boolean marksUse() {
            return false;
        }
    };

    /** Whether its looks at keys count as uses of them, of which OBJECT IDLETIME tells. */
    default boolean marksUse() {
        return true;
    }
}
