package io.polytable.entity.key;

import io.polytable.table.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Distributes keys evenly; not used for security. */
final class Md5 {
    static final int BYTES = 16;

    private Md5() {}

    static Bytes of(Bytes input) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(input.array(), input.offset(), input.length());
            return Bytes.of(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has MD5", e);
        }
    }
}
