package io.polytable.frontend.user;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.user.AuditEntry.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Logins with a password, of all protocols: the only place that verifies one. A client that keeps failing waits, longer
 * after each failure: for one user after {@link #USER_FAILURES_FREE} of them, for any after {@link #CLIENT_FAILURES_FREE}.
 * Others may log in as that user meanwhile, so nobody can lock a user out from elsewhere. Thread safe.
 */
public final class PasswordLogins {
    static final int USER_FAILURES_FREE = 10;
    static final int CLIENT_FAILURES_FREE = 100;

    /** The oldest are forgotten: the memory of failures must not grow with the number of attackers. */
    static final int REMEMBERED_MAX = 10_000;

    private static final Duration WAIT_FIRST = Duration.ofSeconds(1);
    private static final Duration WAIT_MAX = Duration.ofMinutes(5);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(30);

    /** Verified for users that do not exist, so that the time of a refusal does not tell who does. */
    private static final Secret NOBODY = Secret.Scram.of(new byte[] {0});

    private final Users users;
    private final InstantSource clock;

    private final Map<String, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    private record Failures(int count, long lastMillis) {
        long waitMillis(int free, long nowMillis) {
            if (count < free) {
                return 0;
            }
            long delay = WAIT_FIRST.toMillis() << Math.min(count - free, 20);
            return lastMillis + Math.min(delay, WAIT_MAX.toMillis()) - nowMillis;
        }
    }

    /** How a login ended. */
    public sealed interface Result {
        record Accepted(User user) implements Result {}

        /** The user is unknown or locked, or the password is wrong; the client does not learn which. */
        record Refused() implements Result {}

        /** The password was not looked at: the client has failed too often. */
        record TooMany(Duration delay) implements Result {}
    }

    PasswordLogins(Users users, InstantSource clock) {
        this.users = users;
        this.clock = clock;
    }

    /**
     * Logs a user in, or refuses to.
     *
     * @param address {@code host:port} of the client
     */
    public Result login(String name, byte[] password, String protocol, String address) {
        Result result = login(name, password, ClientAddress.of(address));
        if (result instanceof Result.Accepted accepted) {
            Actor actor = new Actor(accepted.user().principal().name(), protocol, address);
            users.audit().record(actor, Event.LOGIN, name, true, "");
        } else if (result instanceof Result.Refused) {
            // People type passwords where a name belongs, so names of nobody are not recorded.
            String known = users.find(name).map(User::name).orElse("");
            users.audit().record(new Actor("", protocol, address), Event.LOGIN, known, false, reason(known));
        }
        return result;
    }

    private String reason(String name) {
        return users.find(name)
                .map(user -> user.enabled() ? "wrong password" : "locked")
                .orElse("unknown user");
    }

    private Result login(String name, byte[] password, ClientAddress client) {
        String pair = client.network() + " "
                + HexFormat.of().formatHex(Digests.sha256(name.getBytes(StandardCharsets.UTF_8)));
        long wait = waitMillis(pair, client.network());
        if (wait > 0) {
            return new Result.TooMany(Duration.ofMillis(wait));
        }
        Optional<User> user = users.find(name);
        boolean unusedAnswer = user.isEmpty() && NOBODY.accepts(password);
        boolean accepted =
                user.filter(known -> accepts(known, password, client)).isPresent();
        // The user may have been locked or got another password meanwhile.
        if (!accepted || !users.isStill(user.get())) {
            return failed(pair, client);
        }
        synchronized (failures) {
            failures.remove(pair);
        }
        return new Result.Accepted(user.get());
    }

    /** A user without a password is one for those whom the server trusts. */
    private boolean accepts(User user, byte[] password, ClientAddress client) {
        return user.accepts(password) && (!user.open() || users.trusts(client));
    }

    private long waitMillis(String pair, String network) {
        long now = clock.millis();
        synchronized (failures) {
            return Math.max(
                    remembered(pair, now).waitMillis(USER_FAILURES_FREE, now),
                    remembered(network, now).waitMillis(CLIENT_FAILURES_FREE, now));
        }
    }

    private Failures remembered(String key, long now) {
        Failures known = failures.get(key);
        return known == null || now - known.lastMillis() > FORGOTTEN_AFTER.toMillis() ? new Failures(0, now) : known;
    }

    private Result failed(String pair, ClientAddress client) {
        long now = clock.millis();
        synchronized (failures) {
            failures.put(pair, new Failures(remembered(pair, now).count() + 1, now));
            failures.put(
                    client.network(),
                    new Failures(remembered(client.network(), now).count() + 1, now));
        }
        return new Result.Refused();
    }
}
