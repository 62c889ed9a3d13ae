package io.polytable.store.engine;

/** What a reply promises. */
public enum DurabilityMode {
    /** On the disk: survives the loss of power. */
    ALWAYS,
    /** With the operating system: survives the death of the process; the disk follows within a second. */
    EVERYSEC,
    /** With the operating system, which writes when it likes. */
    OS
}
