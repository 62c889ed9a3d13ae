package io.polytable.sql.tier;

import io.polytable.sql.tier.file.FileCheck;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.ManifestJson;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.FileStatus;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.tier.storage.StorageLimits;
import io.polytable.sql.tier.storage.Storages;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The files that the manifests of a store name, for backups and checks. Files of dropped tables do not count. */
public final class StoredFiles implements AutoCloseable {
    private final TableStore store;
    private final Manifests manifests;
    private final Storages storages;
    private final FileHold hold;
    private final Runnable closing;

    /**
     * A file, with the newest version of a manifest that names it.
     *
     * @param isCurrent false if only older versions name it: such a file may be missing after an interrupted cleanup
     * @param local the file itself if the storage is a local directory
     */
    public record Named(Manifest manifest, Segment segment, boolean isCurrent, Optional<Path> local) {}

    /** A {@code manifest.json} as it belongs to the captured store. */
    public record Listing(String storage, String path, String text) {}

    StoredFiles(TableStore store, Manifests manifests, Storages storages, FileHold hold) {
        this(store, manifests, storages, hold, () -> {});
    }

    private StoredFiles(TableStore store, Manifests manifests, Storages storages, FileHold hold, Runnable closing) {
        this.store = store;
        this.manifests = manifests;
        this.storages = storages;
        this.hold = hold;
        this.closing = closing;
    }

    /**
     * The files of a store on which no SQL runs; empty if none was ever flushed.
     *
     * @param directory the directory of SQL in the data directory
     */
    public static Optional<StoredFiles> atRest(TableStore store, Path directory) {
        if (store.find(Manifests.TABLE).isEmpty()) {
            return Optional.empty();
        }
        Storages storages = new Storages(
                store,
                tables(directory),
                Tiering.staging(directory.resolve("cold")),
                StorageLimits.NONE,
                InstantSource.system());
        return Optional.of(new StoredFiles(store, new Manifests(store), storages, new FileHold(), storages::close));
    }

    /** The directory of the storage {@code local}. */
    public static Path tables(Path directory) {
        return directory.resolve("tables");
    }

    /** Where a deleted file of a storage in the directory is, if it is kept for a point-in-time restore. */
    public static Path deleted(Path base, String path) {
        return Storages.deleted(base, path);
    }

    /** Files that are held until this is closed, and the manifests that belong to them. */
    public final class Captured implements AutoCloseable {
        private final List<Named> files;
        private final List<Listing> listings;
        private final AtomicBoolean released = new AtomicBoolean();

        private Captured(List<Named> files, List<Listing> listings) {
            this.files = List.copyOf(files);
            this.listings = List.copyOf(listings);
        }

        public List<Named> files() {
            return files;
        }

        public List<Listing> listings() {
            return listings;
        }

        /** The directories of the local storages that have some of the files. */
        public Map<String, Path> bases() {
            Map<String, Path> bases = new TreeMap<>();
            files.stream().map(file -> file.segment().storage()).distinct().forEach(id -> {
                StorageDef def = storages.require(id);
                if (def.type() == StorageDef.Type.FILESYSTEM) {
                    bases.put(id, Path.of(def.base()));
                }
            });
            return bases;
        }

        @Override
        public void close() {
            if (released.compareAndSet(false, true)) {
                hold.release();
            }
        }
    }

    /** Runs the capture of the store, and holds the files that the captured store names. */
    public Captured capture(Runnable capture) {
        hold.hold();
        boolean done = false;
        try {
            Captured captured = hold.withoutPublishing(() -> {
                // From before the capture: a table that is dropped after it still has its files, which are held.
                Set<Integer> tables = present();
                capture.run();
                List<Listing> listings = new ArrayList<>();
                try (Snapshot moment = store.snapshot()) {
                    return new Captured(withoutExpired(named(moment, tables, listings)), listings);
                }
            });
            done = true;
            return captured;
        } finally {
            if (!done) {
                hold.release();
            }
        }
    }

    private Set<Integer> present() {
        return store.tables().stream().map(Table::id).collect(Collectors.toSet());
    }

    private static List<Named> withoutExpired(List<Named> files) {
        return files.stream()
                .filter(file ->
                        file.isCurrent() || file.local().map(Files::exists).orElse(true))
                .toList();
    }

    private List<Named> named(Reader reader, Set<Integer> tables, List<Listing> listings) {
        Map<String, Named> files = new LinkedHashMap<>();
        for (int table : manifests.tables(reader)) {
            if (tables.contains(table)) {
                manifests.forEach(reader, table, manifest -> {
                    add(files, manifest, true);
                    listing(manifest).ifPresent(listings::add);
                });
                try (Manifests.Walk history = manifests.historyWalk(reader, table)) {
                    while (history.next()) {
                        add(files, history.manifest(), false);
                    }
                }
            }
        }
        return List.copyOf(files.values());
    }

    private void add(Map<String, Named> files, Manifest manifest, boolean isCurrent) {
        for (Segment segment : manifest.segments()) {
            Optional<Path> local = storages.open(segment.storage()).local(segment.path());
            files.putIfAbsent(segment.storage() + "/" + segment.path(), new Named(manifest, segment, isCurrent, local));
        }
    }

    /** The {@code manifest.json} is beside the newest segment; that of another storage stays as it was. */
    private Optional<Listing> listing(Manifest manifest) {
        return manifest.segments().stream()
                .max((a, b) -> Long.compare(a.id(), b.id()))
                .filter(newest ->
                        storages.open(newest.storage()).local(newest.path()).isPresent())
                .map(newest -> new Listing(
                        newest.storage(),
                        newest.path().substring(0, newest.path().lastIndexOf('/')) + "/manifest.json",
                        ManifestJson.text(manifest)));
    }

    /** The state of a file in its storage; empty if it is absent. */
    public Optional<FileStatus> status(Named file) {
        return storages.open(file.segment().storage()).status(file.segment().path());
    }

    /** The result of a check: the number of files and a line for each problem. */
    public record Checked(long files, List<String> problems) {}

    /**
     * Verifies that all files are there, with their length and a footer that matches the manifest.
     *
     * @param deep reads all of each file and verifies its checksum and pages
     */
    public Checked check(boolean deep) {
        List<Named> files;
        try (Snapshot moment = store.snapshot()) {
            files = named(moment, present(), new ArrayList<>());
        }
        List<String> problems = new ArrayList<>();
        for (Named file : files) {
            // A file may be replaced and deleted meanwhile.
            problem(file, deep).filter(problem -> isNamed(file)).ifPresent(problem -> problems.add(problem));
        }
        return new Checked(files.size(), problems);
    }

    private boolean isNamed(Named file) {
        Manifest manifest = file.manifest();
        return present().contains(manifest.tableId())
                && manifests
                        .version(store, manifest.tableId(), manifest.scope(), manifest.version())
                        .isPresent();
    }

    private Optional<String> problem(Named file, boolean deep) {
        Segment segment = file.segment();
        String what = "Table " + file.manifest().table() + ": the file " + segment.path() + " of storage "
                + segment.storage() + " ";
        try {
            Optional<FileStatus> status = status(file);
            if (status.isEmpty()) {
                return file.isCurrent() ? Optional.of(what + "is missing") : Optional.empty();
            }
            if (status.get().bytes() != segment.bytes()) {
                return Optional.of(what + "has " + status.get().bytes() + " bytes instead of " + segment.bytes());
            }
            return content(file, deep).map(problem -> what + problem);
        } catch (StorageFailure | SqlError unreachable) {
            return Optional.of(what + "cannot be checked: " + unreachable.getMessage());
        }
    }

    private Optional<String> content(Named file, boolean deep) {
        Segment segment = file.segment();
        if (file.local().isPresent()) {
            return FileCheck.problem(file.local().get(), segment, deep);
        }
        if (!deep) {
            return Optional.empty();
        }
        Storage storage = storages.open(segment.storage());
        Path copy = storage.temporary(segment.path());
        try {
            // A download creates its file itself.
            deleteQuietly(copy);
            storage.fetch(segment.path(), copy);
            return FileCheck.problem(copy, segment, true);
        } finally {
            deleteQuietly(copy);
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // The next start deletes it.
            return;
        }
    }

    @Override
    public void close() {
        closing.run();
    }
}
