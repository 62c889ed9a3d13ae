package io.polytable.sql.tier.storage;

import io.polytable.sql.tier.manifest.Segment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local files of segments, with pins that keep them from being deleted while they are read. Segments of a directory
 * that was a storage at startup are read in place. DuckDB cannot be allowed more directories later, so segments of a
 * newer directory are hard-linked into the cache directory. Those of an object storage are downloaded there and cached,
 * up to a limit.
 */
public final class LocalFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LocalFiles.class);
    private static final String KEPT = "kept";

    /** No storage id contains a tilde, so the names of segments never begin like this. */
    private static final String IMPORTED = "~import-";

    private final Path root;
    private final Storages storages;
    private final long bytesMax;
    private final Set<String> direct = new HashSet<>();
    private final List<Path> readable = new ArrayList<>();
    private final LinkedHashMap<Path, Long> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Path, Pin> pins = new HashMap<>();

    /**
     * The pins of each segment. Its file is not enough to find them: a changed storage has other files for the same
     * segments.
     */
    private final Map<SegmentKey, Integer> pinned = new HashMap<>();

    private long bytes;

    private record SegmentKey(String storage, long id) {
        static SegmentKey of(Segment segment) {
            return new SegmentKey(segment.storage(), segment.id());
        }
    }

    private record Pin(SegmentKey segment, int count) {}

    public LocalFiles(Path root, Storages storages, long bytesMax) {
        this.root = root.toAbsolutePath().normalize();
        this.storages = storages;
        this.bytesMax = bytesMax;
        try {
            Files.createDirectories(this.root);
            if (Files.isDirectory(this.root.resolve(KEPT))) {
                try (DirectoryStream<Path> left = Files.newDirectoryStream(this.root.resolve(KEPT))) {
                    left.forEach(LocalFiles::deleteQuietly);
                }
            }
            readable.add(this.root);
            for (StorageDef storage : storages.all()) {
                if (storage.type() == StorageDef.Type.FILESYSTEM) {
                    direct.add(storage.id());
                    readable.add(Path.of(storage.base()));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("There is no space for files", failure);
        }
    }

    /** The directories that DuckDB must be allowed to read. */
    public List<Path> readable() {
        return List.copyOf(readable);
    }

    /** Pins the segment and returns its local file, fetched if necessary; {@link #release} it. */
    public Path pin(Segment segment) {
        assert storages.mayWait() : "A segment is read under a lock";
        Optional<Path> there = direct(segment.storage(), segment.path());
        Path file = there.orElseGet(() -> kept(segment));
        synchronized (this) {
            addPin(segment, file);
            if (there.isPresent()) {
                return file;
            }
            if (kept.get(file) != null) {
                return file;
            }
        }
        try {
            fetch(segment, file);
        } catch (RuntimeException failure) {
            release(file);
            throw failure;
        }
        return file;
    }

    /** Pins the segment without fetching it; {@link #release} it. */
    public Path pinWithoutFetch(Segment segment) {
        Path file = direct(segment.storage(), segment.path()).orElseGet(() -> kept(segment));
        synchronized (this) {
            addPin(segment, file);
        }
        return file;
    }

    private void addPin(Segment segment, Path file) {
        SegmentKey key = SegmentKey.of(segment);
        pins.merge(file, new Pin(key, 1), (had, one) -> new Pin(key, had.count() + 1));
        pinned.merge(key, 1, Integer::sum);
    }

    /**
     * Named after the content too. The number of a segment is used again if its commit was lost with the log's end, and
     * the copy of the lost file may still be here.
     */
    private Path kept(Segment segment) {
        String content = segment.sha256().orElseGet(() -> Long.toString(segment.bytes()));
        return root.resolve(KEPT).resolve(segment.storage() + "-" + segment.id() + "-" + content + ".parquet");
    }

    /** Whether the segment is being read or fetched. */
    public synchronized boolean isPinned(Segment segment) {
        return pinned.containsKey(SegmentKey.of(segment));
    }

    private synchronized Optional<Path> direct(String storage, String path) {
        return direct.contains(storage) ? storages.open(storage).local(path) : Optional.empty();
    }

    /** A local file of any path of a storage, downloaded if necessary; {@link #releaseFetched} it. */
    public Path fetched(String storage, String path) {
        assert storages.mayWait() : "A file is read under a lock";
        Optional<Path> direct = direct(storage, path);
        if (direct.isPresent()) {
            return direct.get();
        }
        Path file = root.resolve(KEPT).resolve(IMPORTED + UUID.randomUUID() + ".parquet");
        try {
            Files.createDirectories(file.getParent());
        } catch (IOException failure) {
            throw new StorageFailure("A file cannot be kept: " + path, failure);
        }
        try {
            storages.open(storage).fetch(path, file);
        } catch (StorageFailure failure) {
            deleteQuietly(file);
            throw failure;
        }
        return file;
    }

    /** Deletes a copy that {@link #fetched} made. It is not cached, since it may never be read again. */
    public void releaseFetched(Path file) {
        Path parent = file.getParent();
        Path name = file.getFileName();
        if (name != null && root.resolve(KEPT).equals(parent) && name.toString().startsWith(IMPORTED)) {
            deleteQuietly(file);
        }
    }

    /** A download that was damaged in transit is repeated once. A file that is damaged in the storage stays so. */
    private void fetch(Segment segment, Path file) {
        try {
            fetchOnce(segment, file);
        } catch (StorageFailure failure) {
            if (!failure.isDamaged()) {
                throw failure;
            }
            LOG.warn("A file is fetched again: {}", failure.getMessage());
            fetchOnce(segment, file);
        }
    }

    /** Concurrent fetches of a file are harmless: both get the same bytes, and one copy stays. */
    private void fetchOnce(Segment segment, Path file) {
        Path fresh = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            Files.createDirectories(file.getParent());
            verify(segment, bring(segment, fresh), fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new StorageFailure("A file cannot be kept: " + segment.path(), failure);
        } finally {
            deleteQuietly(fresh);
        }
        synchronized (this) {
            if (kept.put(file, segment.bytes()) == null) {
                bytes += segment.bytes();
            }
            evict();
        }
    }

    /** Reads a copy once more before it can be used; a link to a local file would be as damaged as the file itself. */
    private static void verify(Segment segment, boolean isCopy, Path file) throws IOException {
        if (Files.size(file) != segment.bytes()) {
            throw StorageFailure.damaged(segment.path(), Files.size(file) + " bytes instead of " + segment.bytes());
        }
        if (isCopy && segment.sha256().isPresent()) {
            String present = FileChecksum.of(file);
            if (!present.equals(segment.sha256().get())) {
                throw StorageFailure.damaged(
                        segment.path(),
                        "SHA-256 " + present + " instead of " + segment.sha256().get());
            }
        }
    }

    /** Returns whether the bytes were copied; otherwise the file has a second name. */
    private boolean bring(Segment segment, Path to) throws IOException {
        Optional<Path> there = storages.open(segment.storage()).local(segment.path());
        if (there.isPresent()) {
            try {
                Files.createLink(to, there.get());
                return false;
            } catch (FileSystemException otherDisk) {
                LOG.debug("A file is copied, since it cannot have a second name here", otherDisk);
            }
        }
        storages.open(segment.storage()).fetch(segment.path(), to);
        return true;
    }

    private void evict() {
        Iterator<Map.Entry<Path, Long>> eldest = kept.entrySet().iterator();
        while (bytes > bytesMax && eldest.hasNext()) {
            Map.Entry<Path, Long> entry = eldest.next();
            if (!pins.containsKey(entry.getKey())) {
                bytes -= entry.getValue();
                deleteQuietly(entry.getKey());
                eldest.remove();
            }
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // It is replaced when it is fetched again; the next start deletes it.
            return;
        }
    }

    public synchronized void release(Path file) {
        Pin pin = pins.get(file);
        if (pin != null) {
            pins.computeIfPresent(
                    file, (same, had) -> had.count() == 1 ? null : new Pin(had.segment(), had.count() - 1));
            pinned.computeIfPresent(pin.segment(), (same, count) -> count == 1 ? null : count - 1);
        }
        evict();
    }

    /** Stops reading files of the storage in place, since its definition changed. */
    public synchronized void forget(String storage) {
        direct.remove(storage);
    }
}
