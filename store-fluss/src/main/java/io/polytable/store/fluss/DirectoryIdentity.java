package io.polytable.store.fluss;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Distinguishes a directory from its copies: the running system's boot id, and the device and inode. Equal identities mean the
 * same directory on the same running machine, so a lock on it excludes every process that ever worked in it. A copy, a
 * cloned disk and a disk in another machine have another identity; so has the same directory after a reboot.
 */
final class DirectoryIdentity {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private DirectoryIdentity() {}

    /** Empty where the operating system does not report it: then nothing can be concluded. */
    static Optional<String> of(Path directory) {
        try {
            Object key =
                    Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
            if (key == null || !Files.isReadable(BOOT_ID)) {
                return Optional.empty();
            }
            return Optional.of(
                    Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip() + " " + key);
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
