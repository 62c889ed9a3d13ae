package io.polytable.hbase.admin;

import java.util.EnumMap;
import java.util.Map;

/** The features that an administrator can switch on and off in HBase. Kept in memory; only SPLIT
 * and MERGE have an effect. */
final class Switches {
    /** The switches with their defaults. */
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

    /** Returns the previous state. */
    synchronized boolean set(Name name, boolean on) {
        boolean before = isOn(name);
        states.put(name, on);
        return before;
    }
}
