package io.polytable.entity.key;

/** What a component of a formatted key is. */
public enum ComponentType {
    STRING,
    INTEGER,
    LONG
}
