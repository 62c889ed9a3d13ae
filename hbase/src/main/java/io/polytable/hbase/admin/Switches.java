package io.polytable.hbase.admin;

import java.util.EnumMap;
import java.util.Map;

/** What an administrator may turn on and off in HBase. Remembered while the server runs; only splits depend on it. */
final class Switches {
    /** What is switched, and how it is at the start. */
    enum Name {
        BALANCER(true),
        NORMALIZER(false),
        CATALOG_JANITOR(true),
        CLEANER(true),
        SNAPSHOT_CLEANUP(true),
        SPLIT(true),
        MERGE(true),
        COMPACTION(true),
        RPC_THROTTLE(true),
        EXCEED_THROTTLE_QUOTA(false);

        private final boolean atStart;

        Name(boolean atStart) {
            this.atStart = atStart;
        }
    }

    private final Map<Name, Boolean> states = new EnumMap<>(Name.class);

    synchronized boolean isOn(Name name) {
        return states.getOrDefault(name, name.atStart);
    }

    /** Answers how it was before. */
    synchronized boolean set(Name name, boolean on) {
        boolean before = isOn(name);
        states.put(name, on);
        return before;
    }
}
