package io.polytable.redis.model.order;

import io.polytable.redis.model.row.ElementKind;
import io.polytable.table.Bytes;

/** What an index orders: the kinds of its element and fence rows, and the part of an element that is cached. */
public enum Ordering {
    /** Members of a sorted set by score. The row's value is at most one byte and is cached with the place. */
    SCORES(ElementKind.ZSET_ORDER, ElementKind.ZSET_FENCE) {
        @Override
        Bytes cached(Bytes value) {
            return value;
        }
    },

    /** Elements of a list by position. The row's value is the element itself, of any length, and is not cached. */
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

    public ElementKind element() {
        return element;
    }

    public ElementKind fence() {
        return fence;
    }

    /** The part of a row's value that is cached. */
    abstract Bytes cached(Bytes value);
}
