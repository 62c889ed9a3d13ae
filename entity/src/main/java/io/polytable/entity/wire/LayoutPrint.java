package io.polytable.entity.wire;

import io.polytable.entity.layout.TableLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A short name of a layout that no other layout has. Calls carry it, so that a server can refuse those under a layout that was
 * replaced; a layout's own id would not do, since a table that is dropped and made again starts anew with it.
 */
public final class LayoutPrint {
    private LayoutPrint() {}

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
