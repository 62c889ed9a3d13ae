package io.polytable.redis.command.node;

import io.polytable.redis.command.Call;
import io.polytable.table.Bytes;
import java.util.Set;

/** Decides which words of a call MONITOR and the slow log must not show: passwords, and arguments about users. */
final class Redaction {
    private static final Set<String> SECRET_PARAMETERS =
            Set.of("requirepass", "masterauth", "masteruser", "tls-key-file-pass", "tls-client-key-file-pass");

    /** The replacement for such a word. */
    static final Bytes HIDDEN = Bytes.utf8("(redacted)");

    /** The position of MIGRATE's first option. */
    private static final int MIGRATE_OPTIONS = 6;

    private Redaction() {}

    static boolean hides(Call call, int index) {
        return switch (call.command().fullName()) {
            case "auth" -> index > 0;
            case "hello" -> isCredential(call, index);
            case "config|set" -> index > 2 && index % 2 == 1 && isSecretParameter(call, index - 1);
            case "acl|setuser", "acl|getuser", "acl|deluser" -> index > 1;
            case "migrate" -> index > MIGRATE_OPTIONS && isMigrateCredential(call, index);
            default -> false;
        };
    }

    private static boolean isMigrateCredential(Call call, int index) {
        return call.is(index - 1, "auth")
                || call.is(index - 1, "auth2")
                || (index - 1 > MIGRATE_OPTIONS && call.is(index - 2, "auth2"));
    }

    /** The two words behind AUTH: user name and password. */
    private static boolean isCredential(Call call, int index) {
        return (index > 2 && call.is(index - 1, "auth")) || (index > 3 && call.is(index - 2, "auth"));
    }

    private static boolean isSecretParameter(Call call, int index) {
        return SECRET_PARAMETERS.stream().anyMatch(name -> call.is(index, name));
    }
}
