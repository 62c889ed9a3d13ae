package io.polytable.entity.store;

/** A column, by the ids of the layout. */
public record ColumnPlace(String groupId, String familyId, String qualifier) {}
