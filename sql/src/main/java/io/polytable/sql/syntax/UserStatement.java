package io.polytable.sql.syntax;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Privilege;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A parsed statement about users and grants. */
public sealed interface UserStatement {
    /** Attributes of a user that a statement sets. */
    record Attributes(
            Optional<Password> password, Optional<Role> role, Optional<Boolean> login, Optional<String> email) {}

    /** A password; its text is empty for {@code PASSWORD NULL}, which removes it. */
    record Password(Optional<String> text) {
        /** Without the password: it may be in logs and errors. */
        @Override
        public String toString() {
            return "***";
        }
    }

    record CreateUser(String name, boolean ifNotExists, Attributes attributes) implements UserStatement {}

    record AlterUser(String name, boolean ifExists, Attributes attributes) implements UserStatement {}

    record DropUsers(List<String> names, boolean ifExists) implements UserStatement {}

    /** What privileges are on. */
    sealed interface Target {
        record Tables(List<Name> names) implements Target {
            public Tables {
                names = List.copyOf(names);
            }
        }

        /** Those that exist now, and for {@code later} also those to come. */
        record Namespaces(List<String> names, boolean later) implements Target {
            public Namespaces {
                names = List.copyOf(names);
            }
        }
    }

    /** GRANT, or REVOKE if {@code revokes}. */
    record Granting(boolean revokes, Set<Privilege> privileges, Target target, List<String> users)
            implements UserStatement {
        public Granting {
            privileges = Set.copyOf(privileges);
            users = List.copyOf(users);
        }
    }

    /** SHOW GRANTS, of one user or of all. */
    record ShowGrants(Optional<String> user) implements UserStatement {}
}
