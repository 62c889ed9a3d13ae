package io.polytable.store.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
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
        try (InputStream in = Files.newInputStream(file)) {
            return copied(in, OutputStream.nullOutputStream());
        }
    }

    /**
     * Copies a file to a new one, which only its owner can read, and returns the checksum of what was copied.
     *
     * @throws java.nio.file.NoSuchFileException if there is nothing to copy; then nothing is created
     */
    static String copied(Path from, Path to) throws IOException {
        try (InputStream in = Files.newInputStream(from)) {
            Files.createFile(to, ownerOnly(to));
            try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.WRITE)) {
                return copied(in, out);
            }
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private static String copied(InputStream from, OutputStream to) throws IOException {
        MessageDigest digest = begun();
        byte[] piece = new byte[PIECE];
        for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
            digest.update(piece, 0, length);
            to.write(piece, 0, length);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
