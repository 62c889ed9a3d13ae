package io.polytable.entity.wire;

import io.polytable.entity.layout.TableLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The fingerprint of a layout. Calls carry it, so that a server can refuse those under a replaced layout. The layout's
 * own id is no substitute: ids start over when a table is dropped and recreated.
 */
public final class LayoutFingerprint {
    private LayoutFingerprint() {}

    public static String of(TableLayout layout) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(layout.toJson().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
