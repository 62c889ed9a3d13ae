package io.polytable.frontend.session;

import io.polytable.frontend.setting.LiveValue;
import io.polytable.table.Bytes;
import java.security.MessageDigest;
import java.util.function.Supplier;

/**
 * The password of the one user, for all protocols: changed through any of them, it holds for all at once. Compared as
 * bytes, since not every protocol has an encoding for text. Clients that gave an old password keep their connections.
 * Thread safe.
 */
public final class Credentials {
    private final Supplier<Bytes> password;

    private Credentials(Supplier<Bytes> password) {
        this.password = password;
    }

    /** @param password empty if none is required */
    public Credentials(String password) {
        this(() -> Bytes.utf8(password));
    }

    /** Without a password. */
    public Credentials() {
        this("");
    }

    /** The present password of a setting; an empty one is not required. */
    public static Credentials of(LiveValue<Bytes> password) {
        return new Credentials(password::get);
    }

    /** Whether clients must give a password. */
    public boolean isRequired() {
        return !password.get().isEmpty();
    }

    /** Whether a client may enter with this password; any will do if none is required. Takes constant time. */
    public boolean accepts(byte[] given) {
        Bytes current = password.get();
        return current.isEmpty() || MessageDigest.isEqual(current.toByteArray(), given);
    }
}
