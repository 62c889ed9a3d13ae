package io.polytable.table;

/** A table's full name. */
public record TableName(String namespace, String name) {
    /** Of the tables that the server itself keeps. */
    public static final String SYSTEM_NAMESPACE = "system";

    @Override
    public String toString() {
        return namespace + "." + name;
    }
}
