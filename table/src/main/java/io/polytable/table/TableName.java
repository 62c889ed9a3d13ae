package io.polytable.table;

/** A table's full name. */
public record TableName(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "." + name;
    }
}
