package io.polytable.entity.key;

/** The type of a component of a formatted key. */
public enum ComponentType {
    STRING,
    INTEGER,
    LONG
}
