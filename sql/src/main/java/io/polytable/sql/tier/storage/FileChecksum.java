package io.polytable.sql.tier.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 checksums of files, in hexadecimal digits. */
public final class FileChecksum {
    private static final int PIECE = 1 << 16;

    private FileChecksum() {}

    public static MessageDigest begun() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    public static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    public static String of(byte[] content) {
        return HexFormat.of().formatHex(begun().digest(content));
    }

    public static String of(Path file) throws IOException {
        MessageDigest digest = begun();
        byte[] piece = new byte[PIECE];
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                digest.update(piece, 0, length);
            }
        }
        return text(digest);
    }
}
