package io.polytable.sql.tier.manifest;

/**
 * A column as the files of one schema version have it.
 *
 * @param id the column's own, whatever it is called later
 */
public record FileColumn(int id, String name, String type) {}
