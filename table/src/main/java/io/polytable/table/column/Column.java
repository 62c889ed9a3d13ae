package io.polytable.table.column;

/** A column's name and type. Key columns are never absent; the others may be. */
public record Column(String name, ColumnType type) {}
