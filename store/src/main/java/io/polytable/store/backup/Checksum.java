package io.polytable.store.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hexadecimal digits. */
final class Checksum {
    private static final int PIECE = 1 << 16;

    private Checksum() {}

    private static MessageDigest begun() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    static String of(byte[] content) {
        return HexFormat.of().formatHex(begun().digest(content));
    }

    static String of(Path file) throws IOException {
        return copied(file, OutputStream.nullOutputStream());
    }

    /** Copies a file to a new one and returns the checksum of what was copied. */
    static String copied(Path from, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            return copied(from, out);
        }
    }

    private static String copied(Path from, OutputStream to) throws IOException {
        MessageDigest digest = begun();
        byte[] piece = new byte[PIECE];
        try (InputStream in = Files.newInputStream(from)) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                digest.update(piece, 0, length);
                to.write(piece, 0, length);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
