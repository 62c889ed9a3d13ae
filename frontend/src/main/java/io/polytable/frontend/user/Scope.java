package io.polytable.frontend.user;

import io.polytable.table.TableName;

/** What a grant is for. */
public sealed interface Scope {
    /** All tables of all namespaces but {@code system}, also later ones. */
    record Everything() implements Scope {
        @Override
        public boolean contains(TableName table) {
            return isOfUsers(table.namespace());
        }
    }

    /** All tables of a namespace, also later ones. */
    record OfNamespace(String namespace) implements Scope {
        @Override
        public boolean contains(TableName table) {
            return table.namespace().equals(namespace);
        }
    }

    /** One table or view. */
    record OfTable(TableName table) implements Scope {
        @Override
        public boolean contains(TableName other) {
            return other.equals(table);
        }
    }

    boolean contains(TableName table);

    /** For people. */
    default String text() {
        if (this instanceof OfTable one) {
            return one.table().toString();
        }
        return this instanceof OfNamespace all ? "namespace " + all.namespace() : "everything";
    }

    private static boolean isOfUsers(String namespace) {
        return !namespace.equals(TableName.SYSTEM_NAMESPACE);
    }
}
