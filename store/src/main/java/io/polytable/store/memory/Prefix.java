package io.polytable.store.memory;

/**
 * A point-in-time extent of a generation: its first {@code size} rows, all at spots below {@code end}. Rows may have
 * been added since.
 */
record Prefix(Generation generation, int size, int end) {}
