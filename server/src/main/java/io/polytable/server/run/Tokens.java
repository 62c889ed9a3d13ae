package io.polytable.server.run;

import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.server.auth.Authentication;
import io.polytable.server.auth.Issuer;
import io.polytable.server.config.AuthSettings;
import io.polytable.server.http.AdminToken;
import io.polytable.table.TableStore;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
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
        String keys = settings.get(AuthSettings.ISSUER_KEYS);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        String name = settings.get(AuthSettings.ISSUER_NAME);
        String audience = settings.get(AuthSettings.ISSUER_AUDIENCE);
        if (name.isEmpty() || audience.isEmpty()) {
            throw new SettingException("auth.issuer.keys needs auth.issuer.name and auth.issuer.audience: without them"
                    + " tokens for other services would be accepted");
        }
        return Optional.of(new Issuer(url(keys), name, audience, settings.get(AuthSettings.ISSUER_USER)));
    }

    /** Keys that arrive unencrypted from another machine may be anybody's. */
    private static URL url(String text) {
        try {
            URL url = URI.create(text).toURL();
            boolean own = url.getProtocol().equals("http")
                    && InetAddress.getByName(url.getHost()).isLoopbackAddress();
            if (own || url.getProtocol().equals("https")) {
                return url;
            }
        } catch (MalformedURLException | IllegalArgumentException | java.net.UnknownHostException malformed) {
            throw new SettingException("auth.issuer.keys is not a URL: " + malformed.getMessage());
        }
        throw new SettingException("auth.issuer.keys must be an https URL");
    }
}
