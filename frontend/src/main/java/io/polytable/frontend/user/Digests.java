package io.polytable.frontend.user;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The algorithms of secrets, from primitives that every JDK has. */
final class Digests {
    private static final String HMAC = "HmacSHA256";

    /** The number of the first block of PBKDF2, and of the only one: the key is as long as the digest. */
    private static final byte[] FIRST_BLOCK = {0, 0, 0, 1};

    private Digests() {}

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static byte[] hmac(byte[] key, String text) {
        return mac(key).doFinal(text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * {@code Hi} of RFC 5802, which is PBKDF2 with HMAC-SHA-256. The JDK's own takes a password as text only; ours may be any
     * bytes.
     */
    static byte[] iterated(byte[] password, byte[] salt, int iterations) {
        Mac mac = mac(password);
        mac.update(salt);
        byte[] last = mac.doFinal(FIRST_BLOCK);
        byte[] sum = last.clone();
        for (int i = 1; i < iterations; i++) {
            last = mac.doFinal(last);
            for (int j = 0; j < sum.length; j++) {
                sum[j] ^= last[j];
            }
        }
        return sum;
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            // HMAC pads keys with zeros, so this is the empty key, which the JDK refuses.
            mac.init(new SecretKeySpec(key.length == 0 ? Arrays.copyOf(key, 1) : key, HMAC));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
