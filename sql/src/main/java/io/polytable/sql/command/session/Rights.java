package io.polytable.sql.command.session;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Grant;
import io.polytable.frontend.user.Grants;
import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.user.Scope;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the users of SQL may do: the only place in SQL that decides it. Every name of a statement passes here when it is
 * resolved, before any engine sees the statement. A frontend that was opened without the server's users, in a program of
 * its own, trusts the names that the program gives: every user may read and write all tables, and root may do everything.
 */
public final class Rights {
    private static final String INFORMATION_SCHEMA = "information_schema";

    /** Tables of {@code system} that show each user what it may see; the others need a role. */
    private static final Set<String> CATALOG = Set.of("namespaces", "tables", "columns");

    private final Optional<Users> users;

    Rights(Optional<Users> users) {
        this.users = users;
    }

    /** The directory of users, empty where no server manages any. */
    public Optional<Users> directory() {
        return users;
    }

    /** The directory of users, for statements about them. */
    public Users users() {
        return users.orElseThrow(
                () -> new SqlError(SqlCode.UNSUPPORTED, "users are managed by a server, and this program is none"));
    }

    /** Changes whenever an answer of this class may change. */
    long version() {
        return users.map(known -> known.version() + known.grants().version()).orElse(0L);
    }

    Principal principal(String user) {
        if (user.equals(SqlEngine.ROOT)) {
            return Principal.ROOT;
        }
        return users.isEmpty()
                ? new Principal(user, Role.USER)
                : users.get().find(user).map(User::principal).orElse(Principal.ANONYMOUS);
    }

    public boolean isAtLeast(String user, Role role) {
        return principal(user).role().compareTo(role) >= 0;
    }

    /**
     * Requires a role.
     *
     * @throws SqlError unless the user's role is this one or a higher one
     */
    public void require(String user, Role role, String text) {
        if (!isAtLeast(user, role)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, text);
        }
    }

    /** @param ownRows whether the table has rows of its own for each user, which need no grant */
    boolean allows(String user, Privilege privilege, TableName table, boolean ownRows) {
        Principal principal = principal(user);
        if (principal.isAnonymous()) {
            return false;
        }
        if (Grants.needsNoGrants(principal) || ownRows) {
            return true;
        }
        if (table.namespace().equals(Catalog.SYSTEM)) {
            return CATALOG.contains(table.name());
        }
        return users.isEmpty()
                || table.namespace().equals(INFORMATION_SCHEMA)
                || users.get().grants().allows(principal, privilege, table);
    }

    /** Whether the user may know that the table exists, and which columns it has. */
    boolean sees(String user, TableName table, boolean ownRows) {
        for (Privilege privilege : Privilege.values()) {
            if (allows(user, privilege, table, ownRows)) {
                return true;
            }
        }
        return false;
    }

    public boolean mayGrant(String user, Scope scope) {
        return users.isPresent() && users.get().grants().allows(principal(user), Privilege.ADMIN, scope);
    }

    /** Removes grants on tables and namespaces that no longer exist: a later one of the same name is another. */
    void forget(Predicate<Scope> dropped) {
        users.ifPresent(known -> known.grants().forget(dropped));
    }

    /**
     * Requires that a user exists. Without a server's users, any name may be one.
     *
     * @throws SqlError unless there is such a user, or the name stands for all
     */
    public void requireUser(String name) {
        boolean known =
                users.isEmpty() || name.equals(Grant.PUBLIC) || !principal(name).isAnonymous();
        if (!known) {
            throw new SqlError(SqlCode.UNDEFINED_OBJECT, "role \"" + name + "\" does not exist");
        }
    }

    /** @throws SqlError if one user does not exist or must not act as the other */
    void requireActingAs(String user, String other) {
        Principal actor = principal(user);
        if (!isAtLeast(user, Role.SERVICE)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied to execute as another user");
        }
        Principal target = principal(other);
        if (target.isAnonymous()) {
            throw new SqlError(SqlCode.UNDEFINED_OBJECT, "role \"" + other + "\" does not exist");
        }
        boolean lower = target.role().compareTo(actor.role()) < 0 || actor.role() == Role.SYSTEM;
        if (!lower && !target.equals(actor)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied to execute as role \"" + other + "\"");
        }
    }
}
