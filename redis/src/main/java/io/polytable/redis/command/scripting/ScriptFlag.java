package io.polytable.redis.command.scripting;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What a script or function declares about itself. */
public enum ScriptFlag {
    NO_WRITES,
    ALLOW_OOM,
    ALLOW_STALE,
    NO_CLUSTER,
    ALLOW_CROSS_SLOT_KEYS;

    /** As scripts spell it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<ScriptFlag> of(String text) {
        for (ScriptFlag flag : values()) {
            if (flag.text().equals(text)) {
                return Optional.of(flag);
            }
        }
        return Optional.empty();
    }

    static Set<ScriptFlag> none() {
        return EnumSet.noneOf(ScriptFlag.class);
    }
}
