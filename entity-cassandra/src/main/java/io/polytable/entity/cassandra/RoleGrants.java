package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Permissions as GRANTs to Cassandra's roles. READ is SELECT and WRITE is MODIFY; whoever has one also reads the records, where
 * the layouts are. Conditional writes read, so counters and checks take both.
 *
 * <p>Records are one table for the whole instance, so what changes them, a layout or a permission, takes permissions for the
 * instance: WRITE for the instance is MODIFY, CREATE, ALTER and DROP of its keyspace, GRANT is AUTHORIZE.
 */
final class RoleGrants {
    private static final List<String> ALL = List.of("SELECT", "MODIFY", "CREATE", "ALTER", "DROP", "AUTHORIZE");
    private static final List<String> OF_TABLES = List.of("SELECT", "MODIFY", "ALTER", "DROP", "AUTHORIZE");

    private final Cluster cluster;
    private final String keyspace;

    RoleGrants(Cluster cluster, String keyspace) {
        this.cluster = cluster;
        this.keyspace = keyspace;
    }

    /** Makes these the role's permissions for the keyspace. */
    void setForInstance(String role, Set<Permission> permissions) {
        Set<String> wanted = new LinkedHashSet<>();
        if (permissions.contains(Permission.READ)) {
            wanted.add("SELECT");
        }
        if (permissions.contains(Permission.WRITE)) {
            wanted.addAll(List.of("MODIFY", "CREATE", "ALTER", "DROP"));
        }
        if (permissions.contains(Permission.GRANT)) {
            wanted.add("AUTHORIZE");
        }
        set(role, "KEYSPACE " + Names.quoted(keyspace), ALL, wanted);
    }

    /** Makes these the role's permissions for tables. */
    void setForTables(String role, List<String> tables, Set<Permission> permissions) {
        if (permissions.contains(Permission.GRANT)) {
            throw new EntityException(
                    EntityError.NOT_CAPABLE,
                    "On Cassandra the permission to grant is given for the instance",
                    Map.of("user", role));
        }
        Map<Permission, String> names = new LinkedHashMap<>();
        names.put(Permission.READ, "SELECT");
        names.put(Permission.WRITE, "MODIFY");
        Set<String> wanted = new LinkedHashSet<>();
        names.forEach((permission, name) -> {
            if (permissions.contains(permission)) {
                wanted.add(name);
            }
        });
        tables.forEach(table -> set(role, table(table), OF_TABLES, wanted));
    }

    /**
     * Lets the role read the records, or no more.
     *
     * @param changes whether it may also change them
     */
    void setForRecords(String role, boolean reads, boolean changes) {
        Set<String> wanted = new LinkedHashSet<>();
        if (reads) {
            wanted.add("SELECT");
        }
        if (changes) {
            wanted.add("MODIFY");
        }
        set(role, table(CassandraRecords.TABLE), OF_TABLES, wanted);
    }

    private String table(String name) {
        return "TABLE " + Names.quoted(keyspace) + "." + Names.quoted(name);
    }

    /** New ones first: a role that keeps a permission is never without it. */
    private void set(String role, String resource, List<String> known, Set<String> wanted) {
        String quoted = Names.quoted(role);
        known.stream()
                .filter(wanted::contains)
                .forEach(name -> cluster.define("GRANT " + name + " ON " + resource + " TO " + quoted));
        try {
            known.stream()
                    .filter(name -> !wanted.contains(name))
                    .forEach(name -> cluster.define("REVOKE " + name + " ON " + resource + " FROM " + quoted));
        } catch (EntityException e) {
            // A role that was dropped has nothing that could be taken from it.
            if (!wanted.isEmpty() || !isOfNoRole(e)) {
                throw e;
            }
        }
    }

    private static boolean isOfNoRole(EntityException failure) {
        Throwable cause = failure.getCause();
        String reason = cause == null ? "" : String.valueOf(cause.getMessage());
        return cause instanceof InvalidQueryException && reason.matches("Role .* doesn't exist");
    }
}
