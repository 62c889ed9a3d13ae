package io.polytable.redis.command.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.Settings;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import java.security.MessageDigest;

/** Authentication: the one user, {@code default}, with the password of {@code requirepass} or none. */
final class Passwords {
    private static final Bytes DEFAULT_USER = Bytes.utf8("default");

    private final Settings settings;

    Passwords(Settings settings) {
        this.settings = settings;
    }

    void authenticate(Session session, Bytes user, Bytes password) {
        if (!user.equals(DEFAULT_USER) || !isRight(password)) {
            throw new RedisError(Code.WRONGPASS, "invalid username-password pair or user is disabled.");
        }
        session.authenticate();
    }

    void authenticate(Session session, Bytes password) {
        if (!settings.needsPassword()) {
            throw new RedisError("AUTH <password> called without any password configured for the default user. "
                    + "Are you sure your configuration is correct?");
        }
        authenticate(session, DEFAULT_USER, password);
    }

    /** Compares in constant time. */
    private boolean isRight(Bytes password) {
        return !settings.needsPassword()
                || MessageDigest.isEqual(settings.requirePass().getBytes(ISO_8859_1), password.toByteArray());
    }
}
