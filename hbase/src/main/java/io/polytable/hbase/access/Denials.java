package io.polytable.hbase.access;

import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Client;
import io.polytable.table.TableName;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/** Refusals in HBase's words. */
final class Denials {
    private Denials() {}

    static AccessDeniedException read(Client client, TableName table) {
        return new AccessDeniedException("Insufficient permissions for user '" + client.name() + "' (table="
                + HBaseTypes.hbaseName(table) + ", action=READ)");
    }

    static AccessDeniedException global(Client client, Action action) {
        return new AccessDeniedException(
                "Insufficient permissions for user '" + client.name() + "' (global, action=" + action + ")");
    }

    /** @param families those that the call names, as {@code f:q|g}; empty for none */
    static AccessDeniedException table(Client client, TableName table, String families, Action action) {
        String name = HBaseTypes.hbaseName(table).getNameWithNamespaceInclAsString();
        String named = families.isEmpty() ? "" : "family=" + families;
        return context(client, name, named, "table=" + name + (named.isEmpty() ? "" : "," + named), action);
    }

    static AccessDeniedException namespace(Client client, String namespace, String more, Action action) {
        return context(client, namespace, "", "namespace=" + namespace + more, action);
    }

    private static AccessDeniedException context(
            Client client, String scope, String families, String parameters, Action action) {
        return new AccessDeniedException("Insufficient permissions (user=" + client.name() + ", scope=" + scope + ", "
                + (families.isEmpty() ? "" : families + ", ") + "params=[" + parameters + "],action=" + action + ")");
    }
}
