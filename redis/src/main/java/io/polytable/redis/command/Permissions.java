package io.polytable.redis.command;

import org.jspecify.annotations.Nullable;

/** What a user may run. Immutable. */
public interface Permissions {
    Permissions ALL = new Permissions() {
        @Override
        public boolean isUnrestricted() {
            return true;
        }

        @Override
        public @Nullable Denial denial(Call call) {
            return null;
        }

        @Override
        public boolean readsEveryKey(Call call) {
            return true;
        }
    };

    /** Whether everything is allowed: the common case, which needs no check per call. */
    boolean isUnrestricted();

    /** Why the call, whose command was looked up, is not allowed; null if it is. */
    @Nullable
    Denial denial(Call call);

    /** Whether the call is allowed and may read any key, as for those that SORT derives from values. */
    boolean readsEveryKey(Call call);
}
