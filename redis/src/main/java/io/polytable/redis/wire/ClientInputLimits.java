package io.polytable.redis.wire;

import io.polytable.frontend.user.Users;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.wire.request.InputLimits;

/** The limits on one client's input: the configured ones, and stricter ones before authentication. */
record ClientInputLimits(Session session, RedisConfig settings, Users users) implements InputLimits {
    @Override
    public boolean authenticated() {
        return session.authenticated() || !users.isPasswordRequired(session.origin());
    }

    @Override
    public long wordBytesMax() {
        return settings.wordBytesMax();
    }

    @Override
    public long requestBytesMax() {
        return settings.queryBytesMax();
    }
}
