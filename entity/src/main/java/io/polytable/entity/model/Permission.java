package io.polytable.entity.model;

/** What a user may do with a table, or with all tables of an instance. */
public enum Permission {
    /** Read cells. */
    READ,
    /** Write and delete cells, change the layout, drop the table; of an instance also create tables. */
    WRITE,
    /** Give permissions to others, and take them. */
    GRANT
}
