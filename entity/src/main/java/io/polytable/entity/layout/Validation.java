package io.polytable.entity.layout;

/** How strictly the schemas of a column are held to each other. */
public enum Validation {
    /** Only registered schemas are written; every reader can read every writer. */
    STRICT,
    /** As strict, and writing with a new schema registers it. */
    DEVELOPER,
    /** Anything goes. */
    NONE
}
