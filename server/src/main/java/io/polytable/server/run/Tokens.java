package io.polytable.server.run;

import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.server.auth.Authentication;
import io.polytable.server.auth.Issuer;
import io.polytable.server.config.AuthSettings;
import io.polytable.server.http.AdminToken;
import io.polytable.table.TableStore;
import java.time.InstantSource;
import java.util.Optional;

/** The authentication of the HTTP port, as the settings want it. */
final class Tokens {
    private Tokens() {}

    static Authentication open(TableStore store, Users users, AdminToken token, Settings settings) {
        return new Authentication(
                store,
                users,
                token::isToken,
                new Authentication.Lifetimes(
                        settings.get(AuthSettings.ACCESS_TIME),
                        settings.get(AuthSettings.REFRESH_TIME),
                        settings.get(AuthSettings.KEY_TIME)),
                issuer(settings),
                InstantSource.system());
    }

    private static Optional<Issuer> issuer(Settings settings) {
        return AuthSettings.issuerKeys(settings)
                .map(keys -> new Issuer(
                        keys,
                        settings.get(AuthSettings.ISSUER_NAME),
                        settings.get(AuthSettings.ISSUER_AUDIENCE),
                        settings.get(AuthSettings.ISSUER_USER)));
    }
}
