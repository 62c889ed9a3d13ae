package io.polytable.server.config;

import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.oneOf;
import static io.polytable.frontend.setting.ValueTypes.positiveDuration;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.LoopbackTrust;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who is let in, by what. */
public final class AuthSettings {
    private static final Set<String> OWN_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<LoopbackTrust> LOOPBACK = SETTINGS.add(
            setting(
                    "auth.loopback",
                    oneOf(LoopbackTrust.class),
                    "auto",
                    "Whether clients of this machine need a password: trust, password, or auto, which is trust until a user has a password."));
    public static final Setting<Boolean> LOGIN_ENABLED = SETTINGS.add(
            setting("auth.login.enabled", bool(), "true", "Whether the HTTP port issues tokens for passwords."));
    public static final Setting<Duration> ACCESS_TIME =
            SETTINGS.add(setting("auth.access.time", positiveDuration(), "15m", "How long an access token is valid."));
    public static final Setting<Duration> REFRESH_TIME = SETTINGS.add(
            setting("auth.refresh.time", positiveDuration(), "7d", "How long a login lasts that is not refreshed."));
    public static final Setting<Duration> KEY_TIME = SETTINGS.add(setting(
            "auth.key.time", positiveDuration(), "30d", "How long a secret signs tokens before another replaces it."));
    public static final Setting<String> ISSUER_KEYS = SETTINGS.add(
            setting(
                    "auth.issuer.keys",
                    text(),
                    "",
                    "URL of the JSON Web Key Set of an outside issuer whose tokens (RS256, ES256) are accepted; empty for none."));
    public static final Setting<String> ISSUER_NAME =
            SETTINGS.add(setting("auth.issuer.name", text(), "", "The claim iss of the outside issuer's tokens."));
    public static final Setting<String> ISSUER_AUDIENCE = SETTINGS.add(setting(
            "auth.issuer.audience", text(), "", "What the claim aud of the outside issuer's tokens must name."));
    public static final Setting<String> ISSUER_USER = SETTINGS.add(setting(
            "auth.issuer.user.claim", text(), "sub", "The claim of the outside issuer's tokens that names the user."));

    public static final Setting<Integer> AUDIT_ROWS_MAX = SETTINGS.add(setting(
            "auth.audit.max.rows",
            integer(1, 1_000_000),
            "10000",
            "Rows of system.audit_logs; the oldest are removed when there are more."));
    public static final Setting<Duration> AUDIT_AGE_MAX = SETTINGS.add(setting(
            "auth.audit.max.age", positiveDuration(), "90d", "Rows of system.audit_logs older than this are removed."));

    private AuthSettings() {}

    /**
     * Where the keys of the outside issuer are, if there is one.
     *
     * @throws SettingException when its settings would let in tokens that are not meant for this server
     */
    public static Optional<URL> issuerKeys(Settings settings) {
        String keys = settings.get(ISSUER_KEYS);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        if (settings.get(ISSUER_NAME).isEmpty() || settings.get(ISSUER_AUDIENCE).isEmpty()) {
            throw new SettingException("auth.issuer.keys needs auth.issuer.name and auth.issuer.audience: without them"
                    + " tokens for other services would be accepted");
        }
        try {
            URI uri = URI.create(keys);
            // Keys that arrive unencrypted from another machine may be anybody's.
            boolean own = "http".equals(uri.getScheme()) && OWN_HOSTS.contains(String.valueOf(uri.getHost()));
            if (own || "https".equals(uri.getScheme())) {
                return Optional.of(uri.toURL());
            }
        } catch (IllegalArgumentException | MalformedURLException malformed) {
            throw new SettingException("auth.issuer.keys is not a URL: " + malformed.getMessage());
        }
        throw new SettingException("auth.issuer.keys must be an https URL");
    }

    static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
