package io.polytable.frontend.user;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * Privileges of one user in one scope, immutable.
 *
 * @param grantee the user, or {@link #PUBLIC}
 * @param grantor who granted last
 */
public record Grant(String grantee, Scope scope, Set<Privilege> privileges, String grantor, Instant since) {
    /** Every user, also later ones. No user can have this name. */
    public static final String PUBLIC = "public";

    public Grant {
        privileges = Set.copyOf(privileges);
    }

    Grant with(Set<Privilege> more, String by, Instant now) {
        EnumSet<Privilege> all = EnumSet.copyOf(more);
        all.addAll(privileges);
        return new Grant(grantee, scope, all, by, now);
    }

    /** The rest of a revocation, which may be empty. */
    Grant without(Set<Privilege> fewer) {
        EnumSet<Privilege> left = EnumSet.noneOf(Privilege.class);
        left.addAll(privileges);
        left.removeAll(fewer);
        return new Grant(grantee, scope, left, grantor, since);
    }
}
