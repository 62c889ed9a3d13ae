package io.polytable.entity.store;

/** A column, by its ids in the layout. */
public record ColumnPlace(String groupId, String familyId, String qualifier) {}
