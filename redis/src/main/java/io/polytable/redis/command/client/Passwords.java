package io.polytable.redis.command.client;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.AclLog;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;

/** Authentication: the one user, {@code default}, with the password of {@code requirepass} or none. */
final class Passwords {
    private static final Bytes DEFAULT_USER = Bytes.utf8("default");

    private final RedisConfig settings;
    private final AclLog log;

    Passwords(Node node) {
        this.settings = node.settings();
        this.log = node.aclLog();
    }

    void authenticate(Call call, Bytes user, Bytes password) {
        if (!user.equals(DEFAULT_USER) || !settings.credentials().accepts(password.toByteArray())) {
            log.denied(call, user, ClientLine.of(call.session(), call.nowMillis(), call));
            throw new RedisError(Code.WRONGPASS, "invalid username-password pair or user is disabled.");
        }
        call.session().authenticate();
    }

    void authenticate(Call call, Bytes password) {
        if (!settings.needsPassword()) {
            throw new RedisError("AUTH <password> called without any password configured for the default user. "
                    + "Are you sure your configuration is correct?");
        }
        authenticate(call, DEFAULT_USER, password);
    }
}
