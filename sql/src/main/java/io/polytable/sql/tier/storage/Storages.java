package io.polytable.sql.tier.storage;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.model.catalog.DefinitionRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** All storages, in the store and in memory; {@code local} always exists. */
public final class Storages implements AutoCloseable {
    public static final int STORAGES_MAX = 1000;

    private final TableStore store;
    private final DefinitionRows rows;
    private final InstantSource clock;
    private final Path staging;
    private final StorageLimits limits;
    private final Map<String, StorageDef> defs = new TreeMap<>();
    private final Map<String, Storage> open = new TreeMap<>();
    private volatile BooleanSupplier locked = () -> false;

    /**
     * Loads the defined storages.
     *
     * @param local the directory of the storage {@code local}
     * @param staging the directory for files to be uploaded
     * @param limits of new and changed storages; those that were defined before stay
     */
    public Storages(TableStore store, Path local, Path staging, StorageLimits limits, InstantSource clock) {
        this.limits = limits;
        this.store = store;
        this.clock = clock;
        this.staging = staging;
        rows = new DefinitionRows(store, "storages");
        StorageDef own = new StorageDef(
                StorageDef.LOCAL,
                StorageDef.Type.FILESYSTEM,
                local.toAbsolutePath().normalize().toString(),
                Map.of(),
                StoragePaths.USER_TEMPLATE,
                StoragePaths.SHARED_TEMPLATE,
                Instant.EPOCH);
        defs.put(own.id(), own);
        clear(staging);
        rows.all().stream().map(StorageJson::parse).forEach(def -> defs.put(def.id(), def));
    }

    /** Deletes unfinished uploads that a crash left behind. */
    private static void clear(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "*.tmp")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("The directory for uploads cannot be cleared", failure);
        }
    }

    public synchronized Collection<StorageDef> all() {
        return List.copyOf(defs.values());
    }

    public synchronized Optional<StorageDef> find(String id) {
        return Optional.ofNullable(defs.get(id));
    }

    public StorageDef require(String id) {
        return find(id).orElseThrow(
                        () -> new SqlError(SqlCode.UNDEFINED_OBJECT, "storage \"" + id + "\" does not exist"));
    }

    /** Sets how to find out whether the calling thread holds a lock that writers need. */
    public void guardedBy(BooleanSupplier held) {
        locked = held;
    }

    /**
     * Whether the calling thread may wait for a storage. Asserted where files are read and written: a wait under a lock
     * of rows or of definitions would let one slow storage delay all writers.
     */
    public boolean mayWait() {
        return !locked.getAsBoolean() && store.stripes().isFree();
    }

    /** The storage, opened on first use. */
    public synchronized Storage open(String id) {
        Storage known = open.get(id);
        if (known == null) {
            StorageDef def = require(id);
            known = switch (def.type()) {
                case FILESYSTEM -> new FileStorage(Path.of(def.base()), limits.keptDeleted(), clock);
                case S3 -> S3Storage.open(def, staging);
            };
            open.put(id, known);
        }
        return known;
    }

    /** Where a deleted file of a storage in the directory is, if it is kept. */
    public static Path deleted(Path base, String path) {
        return FileStorage.deleted(base, path);
    }

    /** Removes files of directories that were deleted long enough ago. */
    public void removeDeleted() {
        all().stream()
                .filter(def -> def.type() == StorageDef.Type.FILESYSTEM)
                .forEach(def -> open(def.id()).removeDeleted());
    }

    public synchronized void create(String id, String type, Map<String, String> options) {
        if (defs.containsKey(id)) {
            throw new SqlError(SqlCode.DUPLICATE_OBJECT, "storage \"" + id + "\" already exists");
        }
        if (!id.matches("[A-Za-z0-9_-]{1,100}")) {
            throw new SqlError(
                    SqlCode.INVALID_DEFINITION,
                    "storage names have up to 100 ASCII letters, digits, '_' and '-', not \"" + id + "\"");
        }
        if (defs.size() >= STORAGES_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "there are " + STORAGES_MAX + " storages already");
        }
        StorageDef.Type kind = StorageDef.type(type);
        StorageDef blank = new StorageDef(
                id, kind, "", Map.of(), StoragePaths.USER_TEMPLATE, StoragePaths.SHARED_TEMPLATE, clock.instant());
        put(StorageDef.of(id, kind, options, blank, clock.instant()));
    }

    /** Changes the options of a storage. Its base and templates can only change while it has no files. */
    public synchronized void alter(String id, Map<String, String> options, boolean used) {
        StorageDef before = require(id);
        StorageDef after = StorageDef.of(id, before.type(), options, before, before.createdAt());
        boolean moves = !after.base().equals(before.base())
                || !after.userTemplate().equals(before.userTemplate())
                || !after.sharedTemplate().equals(before.sharedTemplate())
                || !after.options()
                        .getOrDefault("prefix", "")
                        .equals(before.options().getOrDefault("prefix", ""));
        if (used && moves) {
            throw new SqlError(
                    SqlCode.DEPENDENT_OBJECTS, "storage \"" + id + "\" is in use: its files cannot move elsewhere");
        }
        if (id.equals(StorageDef.LOCAL)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "storage \"local\" is the server's own");
        }
        put(after);
    }

    private void put(StorageDef def) {
        limits.check(def);
        Batch batch = new Batch();
        rows.put(batch, def.id(), StorageJson.text(def));
        AnswerGate.settle(store.commit(batch));
        defs.put(def.id(), def);
        close(def.id());
    }

    public synchronized void drop(String id, boolean used) {
        require(id);
        if (id.equals(StorageDef.LOCAL)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "storage \"local\" is the server's own");
        }
        if (used) {
            throw new SqlError(SqlCode.DEPENDENT_OBJECTS, "storage \"" + id + "\" is in use by tables or their files");
        }
        Batch batch = new Batch();
        rows.delete(batch, id);
        AnswerGate.settle(store.commit(batch));
        defs.remove(id);
        close(id);
    }

    private void close(String id) {
        Storage gone = open.remove(id);
        if (gone != null) {
            gone.close();
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(Storage::close);
        open.clear();
    }
}
