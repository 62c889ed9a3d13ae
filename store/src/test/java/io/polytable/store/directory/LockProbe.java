package io.polytable.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that tries to lock files, and prints for each whether it could. */
final class LockProbe {
    private LockProbe() {}

    public static void main(String[] files) throws IOException {
        for (String file : files) {
            try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                System.out.println(lock == null ? "refused" : "locked");
            }
        }
    }
}
