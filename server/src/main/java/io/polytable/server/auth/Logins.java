package io.polytable.server.auth;

import io.polytable.frontend.user.Secret;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.table.TableStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The logins that last and the service tokens, in memory and as rows. A user who is removed loses all of them, one who is
 * locked or gets another password its logins, and one who gets the first password also the tokens issued without it. Thread safe.
 */
final class Logins {
    /** The oldest of a user's logins ends when there are more. */
    static final int LOGINS_PER_USER_MAX = 1000;

    static final int TOKENS_PER_USER_MAX = 100;
    static final int LOGINS_MAX = 100_000;
    private static final String TOKEN_PREFIX = "pt_";
    private static final int ID_BYTES = 16;
    private static final int SECRET_BYTES = 32;

    /** No end that anybody lives to see, and that a timestamp still holds. */
    private static final Instant NEVER = Instant.parse("9999-12-31T00:00:00Z");

    private final LoginRows rows;
    private final Users users;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Login> byId = new ConcurrentHashMap<>();

    /** By user, then by id in the order of creation. */
    private final Map<String, LinkedHashMap<String, Login>> byUser = new HashMap<>();

    /** A service token; only its receiver ever has it whole. */
    record IssuedToken(Login login, String text) {
        @Override
        public String toString() {
            return login.id();
        }
    }

    /** There are too many logins. */
    static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyException(String text) {
            super(text, null, false, false);
        }
    }

    Logins(TableStore store, Users users, InstantSource clock) {
        this.users = users;
        this.clock = clock;
        rows = new LoginRows(store);
        Instant now = clock.instant();
        List<Login> stored = rows.all();
        Predicate<Login> ended =
                login -> login.isExpired(now) || users.find(login.user()).isEmpty();
        rows.delete(stored.stream().filter(ended).toList());
        stored.stream()
                .filter(ended.negate())
                .sorted(Comparator.comparing(Login::created))
                .forEach(this::remember);
        users.onChange(this::changed);
    }

    private void changed(String name, Optional<User> before, Optional<User> now) {
        boolean samePassword = before.map(User::secrets).equals(now.map(User::secrets));
        boolean wasOpen = before.filter(User::open).isPresent();
        if (now.isEmpty() || (wasOpen && !now.get().open())) {
            // Without a password anybody of this machine could have a token issued.
            end(name, login -> true);
        } else if (!now.get().enabled() || !samePassword) {
            end(name, login -> login.kind() == Login.Kind.LOGIN);
        }
    }

    private void remember(Login login) {
        byId.put(login.id(), login);
        byUser.computeIfAbsent(login.user(), user -> new LinkedHashMap<>()).put(login.id(), login);
    }

    private void forget(Login login) {
        byId.remove(login.id());
        LinkedHashMap<String, Login> others = byUser.get(login.user());
        if (others != null && others.remove(login.id()) != null && others.isEmpty()) {
            byUser.remove(login.user());
        }
    }

    /** Empty if it has ended. */
    Optional<Login> find(String id) {
        return Optional.ofNullable(byId.get(id)).filter(login -> !login.isExpired(clock.instant()));
    }

    /** The service tokens of a user, oldest first. */
    synchronized List<Login> tokens(String user) {
        return of(user).stream()
                .filter(login -> login.kind() == Login.Kind.TOKEN)
                .toList();
    }

    private Collection<Login> of(String user) {
        LinkedHashMap<String, Login> known = byUser.get(user);
        return known == null ? List.of() : known.values();
    }

    /**
     * Adds a login, or returns empty if the user has been locked, removed or given another password since it gave one: that
     * change has ended, or is about to end, the logins before it under the same lock.
     */
    synchronized Optional<Login> login(User proved, Duration lasts) {
        if (!users.isStill(proved)) {
            return Optional.empty();
        }
        String user = proved.name();
        Instant now = clock.instant();
        end(user, login -> login.isExpired(now));
        List<Login> all = of(user).stream()
                .filter(login -> login.kind() == Login.Kind.LOGIN)
                .toList();
        if (all.size() >= LOGINS_PER_USER_MAX) {
            end(user, all.get(0)::equals);
        }
        return Optional.of(add(new Login(hex(ID_BYTES), user, Login.Kind.LOGIN, "", "", 0, now, now.plus(lasts))));
    }

    /** @throws TooManyException when the user has too many tokens */
    synchronized IssuedToken token(String user, String label) {
        if (tokens(user).size() >= TOKENS_PER_USER_MAX) {
            throw new TooManyException("a user has at most " + TOKENS_PER_USER_MAX + " service tokens");
        }
        String id = hex(ID_BYTES);
        String text = TOKEN_PREFIX + id + "_" + hex(SECRET_BYTES);
        String digest = Secret.Sha256.of(text.getBytes(StandardCharsets.UTF_8)).hex();
        return new IssuedToken(
                add(new Login(id, user, Login.Kind.TOKEN, label, digest, 0, clock.instant(), NEVER)), text);
    }

    private Login add(Login login) {
        if (byId.size() >= LOGINS_MAX) {
            Instant now = clock.instant();
            List.copyOf(byUser.keySet()).forEach(user -> end(user, other -> other.isExpired(now)));
        }
        if (byId.size() >= LOGINS_MAX) {
            throw new TooManyException("there are " + LOGINS_MAX + " logins already");
        }
        rows.put(login);
        remember(login);
        return login;
    }

    static boolean isToken(String text) {
        return text.startsWith(TOKEN_PREFIX);
    }

    /** The service token of this text, unless it was revoked. */
    Optional<Login> token(String text) {
        int begin = TOKEN_PREFIX.length();
        int end = begin + 2 * ID_BYTES;
        if (text.length() != end + 1 + 2 * SECRET_BYTES) {
            return Optional.empty();
        }
        return find(text.substring(begin, end))
                .filter(login -> login.kind() == Login.Kind.TOKEN)
                .filter(login -> new Secret.Sha256(login.secret()).accepts(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Refreshes a login, unless it has ended. A refresh token that was used before has two owners, and nobody knows which one
     * is the thief: it ends the login.
     */
    synchronized Optional<Login> refresh(String id, long generation, Duration lasts) {
        Optional<Login> known = find(id).filter(login -> login.kind() == Login.Kind.LOGIN);
        if (known.isEmpty()) {
            return known;
        }
        if (known.get().generation() != generation) {
            end(known.get());
            return Optional.empty();
        }
        Login next = known.get().refreshed(clock.instant().plus(lasts));
        rows.put(next);
        remember(next);
        return Optional.of(next);
    }

    synchronized void end(Login login) {
        // From memory first: a store that refuses writes must not keep it alive.
        forget(login);
        rows.delete(List.of(login));
    }

    private synchronized void end(String user, Predicate<Login> which) {
        List<Login> ended = of(user).stream().filter(which).toList();
        ended.forEach(this::forget);
        rows.delete(ended);
    }

    private String hex(int bytes) {
        byte[] made = new byte[bytes];
        random.nextBytes(made);
        return HexFormat.of().formatHex(made);
    }
}
