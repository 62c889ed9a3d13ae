package io.polytable.store.engine;

/** What an acknowledged commit survives. */
public enum DurabilityMode {
    /** Synced to disk: survives power loss. */
    ALWAYS,
    /** Handed to the operating system: survives the death of the process. Synced within a second. */
    EVERYSEC,
    /** Handed to the operating system, which syncs at its own pace. */
    OS
}
