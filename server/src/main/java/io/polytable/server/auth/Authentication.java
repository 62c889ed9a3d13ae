package io.polytable.server.auth;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.AuditEntry.Event;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which user a bearer token is, and issues tokens. Every decision looks at the user as it is at that moment: one who
 * was removed or locked is nobody, whatever the token says.
 */
public final class Authentication implements RequestGuard.Credentials {
    /** Longer ones are nobody's, and are not even decoded. */
    static final int TOKEN_CHARS_MAX = 8192;

    private final TableStore store;
    private final Users users;
    private final Predicate<String> isAdminToken;
    private final Lifetimes lifetimes;
    private final Logins logins;
    private final OwnTokens own;
    private final Optional<OutsideTokens> outside;

    /**
     * How long tokens are valid.
     *
     * @param access of an access token
     * @param refresh of a login that is not refreshed
     * @param key how long a secret signs
     */
    public record Lifetimes(Duration access, Duration refresh, Duration key) {}

    /** The answer to a login or a refresh. */
    record Issued(String access, String refresh, Duration lasts) {
        @Override
        public String toString() {
            return "tokens";
        }
    }

    /**
     * Reads the logins of the store.
     *
     * @param isAdminToken whether this is the token of commands on this machine
     */
    public Authentication(
            TableStore store,
            Users users,
            Predicate<String> isAdminToken,
            Lifetimes lifetimes,
            Optional<Issuer> issuer,
            InstantSource clock) {
        this.store = store;
        this.users = users;
        this.isAdminToken = isAdminToken;
        this.lifetimes = lifetimes;
        logins = new Logins(store, users, clock);
        own = new OwnTokens(new SigningKeys(store, clock, lifetimes.key(), lifetimes.refresh()), clock);
        outside = issuer.map(known -> new OutsideTokens(known, clock));
    }

    @Override
    public Optional<Principal> principal(String bearer) {
        if (isAdminToken.test(bearer)) {
            return Optional.of(Principal.ROOT);
        }
        if (bearer.isEmpty() || bearer.length() > TOKEN_CHARS_MAX) {
            return Optional.empty();
        }
        return user(bearer).filter(this::isAllowed).map(User::principal);
    }

    /** A token that was issued without a password is as good as the trust in this machine. */
    private boolean isAllowed(User user) {
        return user.enabled() && (!user.open() || users.trustsThisMachine());
    }

    private Optional<User> user(String bearer) {
        if (Logins.isToken(bearer)) {
            return logins.token(bearer).flatMap(token -> users.find(token.user()));
        }
        return login(bearer)
                .flatMap(login -> users.find(login.user()))
                // An issuer's subject of that name is somebody else.
                .or(() -> outside.flatMap(issuer -> issuer.user(bearer))
                        .flatMap(users::find)
                        .filter(user -> !user.isDefault()));
    }

    /** The login of an access token. */
    private Optional<Login> login(String access) {
        return own.read(OwnTokens.Use.ACCESS, access)
                .flatMap(claims ->
                        logins.find(claims.login()).filter(login -> login.user().equals(claims.user())));
    }

    /** Empty if the user has changed since it gave its password. */
    Optional<Issued> login(User user) {
        return logins.login(user, lifetimes.refresh()).map(this::issued);
    }

    /** Empty unless this is the refresh token of a login that lasts. */
    Optional<Issued> refresh(String token, String address) {
        if (token.length() > TOKEN_CHARS_MAX) {
            return Optional.empty();
        }
        Optional<Login> refreshed = own.read(OwnTokens.Use.REFRESH, token)
                .filter(claims ->
                        users.find(claims.user()).filter(this::isAllowed).isPresent())
                .flatMap(claims -> refresh(claims, address));
        settle();
        return refreshed.map(this::issued);
    }

    private Optional<Login> refresh(OwnTokens.Claims claims, String address) {
        Optional<Login> known = logins.find(claims.login());
        Optional<Login> refreshed = logins.refresh(claims.login(), claims.generation(), lifetimes.refresh());
        if (known.isPresent() && refreshed.isEmpty()) {
            users.audit()
                    .record(new Actor("", "http", address), Event.TOKEN_REPLAYED, claims.user(), false, "login ended");
        }
        return refreshed;
    }

    private Issued issued(Login login) {
        Issued issued = new Issued(
                own.issue(OwnTokens.Use.ACCESS, login, lifetimes.access()),
                own.issue(OwnTokens.Use.REFRESH, login, lifetimes.refresh()),
                lifetimes.access());
        settle();
        return issued;
    }

    /** Ends the login of an access token; false if there is none, as for a service token. */
    boolean logout(Actor actor, String access) {
        Optional<Login> login = login(access);
        login.ifPresent(known -> {
            logins.end(known);
            users.audit().record(actor, Event.LOGOUT, known.user(), true, "");
        });
        settle();
        return login.isPresent();
    }

    Logins.IssuedToken issueToken(Actor actor, String user, String label) {
        Logins.IssuedToken issued = logins.token(user, label);
        users.audit()
                .record(actor, Event.TOKEN_ISSUED, user, true, issued.login().id());
        settle();
        return issued;
    }

    List<Login> tokens(String user) {
        return logins.tokens(user);
    }

    boolean revokeToken(Actor actor, String user, String id) {
        Optional<Login> token = logins.tokens(user).stream()
                .filter(known -> known.id().equals(id))
                .findFirst();
        token.ifPresent(known -> {
            logins.end(known);
            users.audit().record(actor, Event.TOKEN_REVOKED, user, true, known.id());
        });
        settle();
        return token.isPresent();
    }

    /** What a client has learned must survive a crash. */
    private void settle() {
        AnswerGate.settle(store.latest());
    }
}
