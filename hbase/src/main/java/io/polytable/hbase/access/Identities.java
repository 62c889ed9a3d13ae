package io.polytable.hbase.access;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Decides which user a connection acts as. */
public final class Identities {
    /** What a connection's user is taken from. */
    public enum Source {
        /** Nothing: every client acts as the administrator. */
        NONE,
        /** The name that the client states, as with HBase's SIMPLE. It proves nothing. */
        SIMPLE,
        /** The common name of the client's certificate, which TLS has verified. */
        CERTIFICATE
    }

    private final Source source;
    private final Set<String> allowed;
    private final Optional<Users> users;

    private Identities(Source source, Set<String> allowed, Optional<Users> users) {
        this.source = source;
        this.allowed = allowed;
        this.users = users;
    }

    /** Everyone acts as the administrator, if the stated name is among these; an empty set allows all. */
    public static Identities trusting(Set<String> allowed) {
        return new Identities(Source.NONE, allowed, Optional.empty());
    }

    public static Identities of(Source source, Users users) {
        return new Identities(source, Set.of(), Optional.of(users));
    }

    /**
     * Who a client acts as.
     *
     * @param stated the name in its connection header
     * @param certified the common name of its certificate, if it has shown one
     */
    public Principal principal(String stated, Optional<String> certified) throws AccessDeniedException {
        return switch (source) {
            case NONE -> trusted(stated);
            case SIMPLE -> known(stated);
            case CERTIFICATE ->
                known(certified.orElseThrow(() -> new AccessDeniedException(
                        "The certificate of a client must name its user, and there is none")));
        };
    }

    private Principal trusted(String stated) throws AccessDeniedException {
        if (!allowed.isEmpty() && !allowed.contains(stated)) {
            throw new AccessDeniedException("User '" + stated + "' is not among hbase.auth.users");
        }
        return Principal.ROOT;
    }

    private Principal known(String name) throws AccessDeniedException {
        String stored = name.equals(Principal.ROOT.name()) ? User.DEFAULT : name;
        return users.orElseThrow()
                .find(stored)
                .filter(User::enabled)
                .map(User::principal)
                .orElseThrow(() -> new AccessDeniedException("User '" + name + "' is unknown or locked"));
    }
}
