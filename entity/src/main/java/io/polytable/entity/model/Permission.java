package io.polytable.entity.model;

/** A user's permission for a table, or for all tables of an instance. */
public enum Permission {
    /** Read cells. */
    READ,
    /** Write and delete cells, change the layout, drop the table; of an instance also create tables. */
    WRITE,
    /** Grant and revoke permissions. */
    GRANT
}
