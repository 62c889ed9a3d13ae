package io.polytable.server.config;

import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.oneOf;
import static io.polytable.frontend.setting.ValueTypes.positiveDuration;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.user.LoopbackTrust;
import java.time.Duration;
import java.util.List;

/** Who is let in, by what. */
public final class AuthSettings {
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

    static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
