package io.polytable.hbase.access;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
    private final Predicate<ClientAddress> believes;

    private Identities(Source source, Set<String> allowed, Optional<Users> users, Predicate<ClientAddress> believes) {
        this.source = source;
        this.allowed = allowed;
        this.users = users;
        this.believes = believes;
    }

    /** Everyone acts as the administrator, if the stated name is among these; an empty set allows all. */
    public static Identities trusting(Set<String> allowed) {
        return new Identities(Source.NONE, allowed, Optional.empty(), client -> true);
    }

    /**
     * The identities of a server's users.
     *
     * @param allowed the names that may call if names are not taken from anything, empty for all
     * @param trustsNetwork whether names that nobody can check are believed wherever the client comes from
     */
    public static Identities of(Source source, Set<String> allowed, Users users, boolean trustsNetwork) {
        return new Identities(source, allowed, Optional.of(users), client -> trustsNetwork || users.trusts(client));
    }

    /**
     * Who a client acts as.
     *
     * @param stated the name in its connection header
     * @param certified the common name of its certificate, if it has shown one
     */
    public Principal principal(String stated, Optional<String> certified, ClientAddress client)
            throws AccessDeniedException {
        if (source != Source.CERTIFICATE && !believes.test(client)) {
            throw new AccessDeniedException("Users have passwords, and HBase's clients send none: set"
                    + " hbase.auth=certificate, network.trusted=true or auth.loopback=trust");
        }
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
