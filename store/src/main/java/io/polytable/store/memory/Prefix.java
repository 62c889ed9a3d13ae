package io.polytable.store.memory;

/**
 * The rows that a generation had at a moment: its first {@code size}, all at spots below {@code end}. More may have come
 * since.
 */
record Prefix(Generation generation, int size, int end) {}
