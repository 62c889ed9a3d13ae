package io.polytable.entity.layout;

/** How strictly a column's schemas are checked. */
public enum Validation {
    /** Only registered schemas are written; every reader can read every writer. */
    STRICT,
    /** As strict, and writing with a new schema registers it. */
    DEVELOPER,
    /** No checks. */
    NONE
}
