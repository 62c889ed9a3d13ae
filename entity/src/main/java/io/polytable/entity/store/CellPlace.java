package io.polytable.entity.store;

/** A version's place within a family: where a page ended. */
public record CellPlace(String qualifier, long timestamp) {}
