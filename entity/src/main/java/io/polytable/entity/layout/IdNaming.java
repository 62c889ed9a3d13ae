package io.polytable.entity.layout;

/** How ids are derived from names. */
public enum IdNaming {
    /** The name itself: readable in the store's own tools. */
    IDENTITY,
    /** One or two letters: smaller keys. */
    SHORT
}
