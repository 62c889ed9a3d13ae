package io.polytable.entity.store;

/** The position of a version within a family, at which a page ended. */
public record CellPlace(String qualifier, long timestamp) {}
