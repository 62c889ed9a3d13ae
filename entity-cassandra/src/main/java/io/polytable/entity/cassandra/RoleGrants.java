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
 * Permissions as GRANTs to Cassandra's roles. READ is SELECT and WRITE is MODIFY; both also grant reading the records,
 * which hold the layouts. Conditional writes read, so counters and checks need both.
 *
 * <p>The records of an instance are one table, so changing a layout or a permission needs permissions for the instance:
 * WRITE for the instance is MODIFY, CREATE, ALTER and DROP of its keyspace, GRANT is AUTHORIZE.
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

    /** Sets the role's permissions for the keyspace. */
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

    /** Sets the role's permissions for tables. */
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
     * Grants or revokes read access to the records.
     *
     * @param changes whether the role may also change them
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

    /** Grants before revokes: a role never loses a permission that it keeps. */
    private void set(String role, String resource, List<String> known, Set<String> wanted) {
        String quoted = Names.quoted(role);
        known.stream()
                .filter(wanted::contains)
                .forEach(name -> cluster.permit("GRANT " + name + " ON " + resource + " TO " + quoted));
        try {
            known.stream()
                    .filter(name -> !wanted.contains(name))
                    .forEach(name -> cluster.permit("REVOKE " + name + " ON " + resource + " FROM " + quoted));
        } catch (EntityException e) {
            // A dropped role has nothing to revoke.
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
