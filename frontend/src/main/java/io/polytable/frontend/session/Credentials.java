package io.polytable.frontend.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The password of the one user, for all protocols: changed through any of them, it holds for all at once. Compared as
 * bytes, since not every protocol has an encoding for text. Thread safe.
 */
public final class Credentials {
    private volatile byte[] password;

    /** @param password empty if none is required */
    public Credentials(String password) {
        this.password = password.getBytes(StandardCharsets.UTF_8);
    }

    /** Without a password. */
    public Credentials() {
        this("");
    }

    /** Whether clients must give a password. */
    public boolean isRequired() {
        return password.length > 0;
    }

    /** Replaces the password; an empty one is not required. Clients that gave the old one keep their connections. */
    public void change(byte[] replacement) {
        password = replacement.clone();
    }

    /** Whether a client may enter with this password; any will do if none is required. Takes constant time. */
    public boolean accepts(byte[] given) {
        byte[] current = password;
        return current.length == 0 || MessageDigest.isEqual(current, given);
    }
}
