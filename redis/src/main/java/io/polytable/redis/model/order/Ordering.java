package io.polytable.redis.model.order;

import io.polytable.redis.model.row.ElementKind;
import io.polytable.table.Bytes;

/** What an index orders: which rows are its elements, which its fences, and what of an element stays in memory. */
public enum Ordering {
    /** Members of a sorted set by score. The row's value is a byte at most and stays in memory with the place. */
    SCORES(ElementKind.ZSET_ORDER, ElementKind.ZSET_FENCE) {
        @Override
        Bytes cached(Bytes value) {
            return value;
        }
    },

    /** Elements of a list by position. The row's value is the element itself, of any length, and stays in its row. */
    POSITIONS(ElementKind.LIST_ELEMENT, ElementKind.LIST_FENCE) {
        @Override
        Bytes cached(Bytes value) {
            return Bytes.EMPTY;
        }
    };

    private final ElementKind element;
    private final ElementKind fence;

    Ordering(ElementKind element, ElementKind fence) {
        this.element = element;
        this.fence = fence;
    }

    /** The kind of its elements' rows. */
    public ElementKind element() {
        return element;
    }

    /** The kind of its fences' rows. */
    public ElementKind fence() {
        return fence;
    }

    /** What is kept in memory of a row's value. */
    abstract Bytes cached(Bytes value);
}
