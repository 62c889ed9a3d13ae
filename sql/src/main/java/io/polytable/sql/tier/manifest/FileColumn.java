package io.polytable.sql.tier.manifest;

/**
 * A column in the segments of one schema version.
 *
 * @param id the column id, which a rename does not change
 */
public record FileColumn(int id, String name, String type) {}
