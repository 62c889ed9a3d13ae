package io.polytable.table;

/** A table's full name. */
public record TableName(String namespace, String name) {
    /** The namespace of the server's own tables. */
    public static final String SYSTEM_NAMESPACE = "system";

    @Override
    public String toString() {
        return namespace + "." + name;
    }
}
