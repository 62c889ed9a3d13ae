package io.polytable.sql.tier;

import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.ColdRows;
import io.polytable.sql.model.table.ColdTier;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.file.Footers;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.tier.job.JobQueue;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.storage.LocalFiles;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.tier.storage.StorageLimits;
import io.polytable.sql.tier.storage.StoragePaths;
import io.polytable.sql.tier.storage.Storages;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tiering: owns manifests, storages and the job queue, and runs the jobs that flush, compact and delete files. */
public final class Tiering implements ColdTier, AutoCloseable {
    private final TableStore store;
    private final InstantSource clock;
    private final Manifests manifests;
    private final Storages storages;
    private final ColdFiles files;
    private final JobQueue jobs;
    private final FileHold hold = new FileHold();
    private final Step.Listener steps;
    private final Set<Integer> everUsed;

    /** Tables for which a job failed or was interrupted before the last restart. */
    private final Set<String> everUnclean;

    private final Map<Job.Type, JobQueue.Work> others = new ConcurrentHashMap<>();
    private final Map<Integer, ColdTable> tables = new ConcurrentHashMap<>();
    private @Nullable Catalog catalog;

    /**
     * The settings of tiering.
     *
     * @param local the directory of the storage {@code local}
     * @param cache the directory for copies of remote files, and for links to local ones
     * @param cacheBytes limit of the copies, beyond files that are being read
     */
    public record Options(Path local, Path cache, long cacheBytes, StorageLimits limits, Step.Listener steps) {}

    public Tiering(TableStore store, Options options, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        steps = options.steps();
        manifests = new Manifests(store);
        storages = new Storages(store, options.local(), staging(options.cache()), options.limits(), clock);
        files = new ColdFiles(new LocalFiles(options.cache(), storages, options.cacheBytes()), new Footers());
        jobs = new JobQueue(store, clock, this::run);
        everUsed = manifests.tables(store);
        everUnclean = jobs.all().stream()
                .filter(job -> job.type() == Job.Type.FLUSH || job.type() == Job.Type.COMPACT)
                // Includes interrupted jobs, which may be killed before they run again.
                .filter(job -> job.status() != Job.Status.COMPLETED)
                .map(job -> job.parameter("table_id"))
                .collect(Collectors.toSet());
    }

    /** The directory for files to be uploaded. */
    static Path staging(Path cache) {
        return cache.resolve("staging");
    }

    /** The files that the manifests name, for backups and checks while jobs run. */
    public StoredFiles storedFiles() {
        return new StoredFiles(store, manifests, storages, hold);
    }

    FileHold hold() {
        return hold;
    }

    /** Starts the jobs, with the catalog that was opened over this tier. */
    public void start(Catalog opened) {
        catalog = opened;
        storages.guardedBy(opened::isHeldByCaller);
        jobs.start();
    }

    /** Sets the handler for jobs that do not concern a table's own segments. Call before {@link #start}. */
    public void handle(Job.Type type, JobQueue.Work work) {
        others.put(type, work);
    }

    /** An exported file to read; call {@link #releaseFetched} afterwards. */
    public Path fetched(ExportPath path) {
        try {
            return files.local().fetched(path.storage(), path.path());
        } catch (StorageFailure failure) {
            // A retry would not help.
            throw failure.isAbsent()
                    ? new SqlError(SqlCode.UNDEFINED_OBJECT, String.valueOf(failure.getMessage()))
                    : failure;
        }
    }

    public void releaseFetched(Path file) {
        files.local().releaseFetched(file);
    }

    Catalog catalog() {
        Catalog known = catalog;
        if (known == null) {
            throw new IllegalStateException("Tiering was not started");
        }
        return known;
    }

    TableStore store() {
        return store;
    }

    public Manifests manifests() {
        return manifests;
    }

    public Storages storages() {
        return storages;
    }

    public JobQueue jobs() {
        return jobs;
    }

    ColdFiles files() {
        return files;
    }

    /** The directories that DuckDB must be allowed to read. */
    public List<Path> readable() {
        return files.local().readable();
    }

    Instant now() {
        return clock.instant();
    }

    void reached(Step step) {
        steps.reached(step);
    }

    // --- called by the catalog ---------------------------------------------------------------------------------------

    @Override
    public ColdRows of(TableDef def, Table table) {
        if (def.kind() != TableKind.USER && def.kind() != TableKind.SHARED) {
            return ColdRows.NONE;
        }
        return tables.computeIfAbsent(table.id(), id -> {
            ColdTable cold = new ColdTable(id, files, manifests, clock, everUsed.contains(id));
            cold.unclean = everUnclean.contains(Integer.toString(id));
            return cold;
        });
    }

    ColdTable cold(SqlTable table) {
        return (ColdTable) table.cold();
    }

    /** Whether a scan of the table's segments is open, which may not have opened all of them yet. */
    boolean isScanned(int table) {
        ColdTable known = tables.get(table);
        return known != null && known.scans.get() > 0;
    }

    @Override
    public void check(Map<String, String> options) {
        String storage = options.get(StorageOptions.STORAGE_ID);
        if (storage != null) {
            storages.require(storage);
        }
    }

    @Override
    public boolean isTaken(TableName physical) {
        return jobs.isWaiting(Job.Type.CLEANUP, "physical", physical.toString());
    }

    @Override
    public void dropped(Batch batch, SqlTable table) {
        if (table.cold() == ColdRows.NONE) {
            return;
        }
        String id = Integer.toString(table.table().id());
        if (!table.cold().isUsed() && !cold(table).unclean && !jobs.isWaiting(Job.Type.FLUSH, "table_id", id)) {
            tables.remove(table.table().id());
            return;
        }
        StorageDef storage = storages.require(SegmentPublisher.storageOf(table.def()));
        Job job = jobs.prepared(
                batch,
                Job.Type.CLEANUP,
                Map.of(
                        "table", table.name().toString(),
                        "physical", table.def().physical().toString(),
                        "table_id", id,
                        "users", Boolean.toString(table.def().kind() == TableKind.USER),
                        "storage", storage.id(),
                        "directory", StoragePaths.tableDirectory(storage, table.def())));
        // The job waits for the catalog's change, which holds the lock that the job takes.
        jobs.enqueue(job);
    }

    /** Whether the table still exists, under any name and schema, with the same {@code packed} setting. */
    boolean isThere(SqlTable table) {
        return catalog().state().tables().stream()
                .anyMatch(present -> present.table().id() == table.table().id()
                        && StorageOptions.isPacked(present.def().options())
                                == StorageOptions.isPacked(table.def().options()));
    }

    /** The rows that the segments of one manifest version hold. */
    public Relation version(SqlTable table, long version) {
        if (table.cold() == ColdRows.NONE) {
            throw new SqlError(SqlCode.WRONG_OBJECT_TYPE, "table " + table.name() + " has no files");
        }
        return new VersionRelation(this, table, version);
    }

    /** Whether tables use the storage or files are on it. */
    public boolean isUsed(String storage) {
        return usage(storage) > 0 || jobs.isWaiting(Job.Type.CLEANUP, "storage", storage) || hasFiles(storage);
    }

    public long usage(String storage) {
        return catalog().state().tables().stream()
                .filter(table -> table.cold() != ColdRows.NONE)
                .filter(table -> SegmentPublisher.storageOf(table.def()).equals(storage))
                .count();
    }

    /** Includes files of dropped tables that are not deleted yet. */
    private boolean hasFiles(String storage) {
        for (int table : manifests.tables(store)) {
            try (Manifests.Walk history = manifests.historyWalk(store, table)) {
                while (history.next()) {
                    boolean there = history.manifest().segments().stream()
                            .anyMatch(segment -> segment.storage().equals(storage));
                    if (there) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    public void alterStorage(String id, Map<String, String> options) {
        changeStorage(id, () -> storages.alter(id, options, isUsed(id)));
    }

    public void dropStorage(String id) {
        changeStorage(id, () -> storages.drop(id, isUsed(id)));
    }

    /**
     * Tables are assigned to a storage under the same lock, so none is between the check of the usage and the change.
     */
    private void changeStorage(String id, Runnable change) {
        Lock writing = catalog().writing();
        writing.lock();
        try {
            change.run();
        } finally {
            writing.unlock();
        }
        files.local().forget(id);
    }

    // --- jobs ------------------------------------------------------------------------------------------------------

    private String run(Job job, boolean again, JobProgress progress) {
        return switch (job.type()) {
            case FLUSH -> changing(job, again, progress, this::flush);
            case COMPACT ->
                changing(job, again, progress, (table, at, emptied) -> {
                    int filesMin = Integer.parseInt(job.parameter("files"));
                    return new Compaction(this, table, emptied, filesMin, progress).run() + " files merged";
                });
            case RETENTION -> hold.deleting(() -> changing(job, again, progress, this::expire));
            case CLEANUP -> hold.deleting(() -> cleanUp(job, progress));
            case EXPORT, IMPORT ->
                Objects.requireNonNull(others.get(job.type())).run(job, again, progress);
        };
    }

    private String expire(SqlTable table, JobProgress progress, long emptied) {
        Duration retention = StorageOptions.fileRetention(table.def().options());
        return new Cleanup(this, progress).expire(table, retention) + " files removed";
    }

    private String cleanUp(Job job, JobProgress progress) {
        requireDropped(job);
        long removed = new Cleanup(this, progress).drop(job);
        tables.remove(Integer.valueOf(job.parameter("table_id")));
        return removed + " files removed";
    }

    /** Waits for a definition in progress: the DROP may have failed, and the table still exist. */
    private void requireDropped(Job job) {
        Lock writing = catalog().writing();
        writing.lock();
        try {
            boolean there = catalog().state().tables().stream()
                    .anyMatch(table -> Integer.toString(table.table().id()).equals(job.parameter("table_id")));
            if (there) {
                throw new SqlError(SqlCode.WRONG_OBJECT_TYPE, "the table was not dropped after all");
            }
        } finally {
            writing.unlock();
        }
    }

    private interface Change {
        String run(SqlTable table, JobProgress progress, long emptied);
    }

    private String changing(Job job, boolean again, JobProgress progress, Change change) {
        SqlTable table = table(job);
        ColdTable cold = cold(table);
        cold.changing.lock();
        try {
            if (again || cold.unclean) {
                new Cleanup(this, progress).reconcile(table);
                cold.unclean = false;
            }
            return change.run(table, progress, emptied(cold));
        } catch (RuntimeException | Error halfDone) {
            cold.unclean = true;
            throw halfDone;
        } finally {
            cold.changing.unlock();
        }
    }

    /** The number of TRUNCATEs. TRUNCATE counts before it commits; under the lock both are done, or neither. */
    private long emptied(ColdTable cold) {
        Lock writing = catalog().writing();
        writing.lock();
        try {
            return cold.emptied.get();
        } finally {
            writing.unlock();
        }
    }

    private SqlTable table(Job job) {
        return catalog().state().tables().stream()
                .filter(table -> Integer.toString(table.table().id()).equals(job.parameter("table_id")))
                .findFirst()
                .orElseThrow(() -> new SqlError(
                        SqlCode.UNDEFINED_TABLE, "table " + job.parameter("table") + " is not there any more"));
    }

    private String flush(SqlTable found, JobProgress progress, long unused) {
        ColdTable cold = cold(found);
        long written = cold.written.get();
        boolean done = false;
        try {
            // Tracks from before the snapshot: a row committed in between counts as changed, and merely stays in the
            // store.
            String message = flush(found, cold, cold.track(), progress);
            done = true;
            return message;
        } catch (JobProgress.Cancelled killed) {
            // Whoever killed the job does not want the policy to start it again at once.
            done = true;
            throw killed;
        } finally {
            cold.untrack();
            if (!done) {
                // The rows that made the policy flush are still in the store.
                cold.written.addAndGet(written);
            }
        }
    }

    private String flush(SqlTable found, ColdTable cold, ChangedKeys changed, JobProgress progress) {
        SqlTable table;
        long emptied;
        Snapshot snapshot;
        Lock writing = catalog().writing();
        writing.lock();
        try {
            // Under the lock, so that the rows of the snapshot have this schema version or an older one.
            table = catalog().state().tables().stream()
                    .filter(each -> each.table().id() == found.table().id())
                    .findFirst()
                    .orElse(found);
            emptied = cold.emptied.get();
            cold.written.set(0);
            snapshot = store.snapshot();
        } finally {
            writing.unlock();
        }
        try (snapshot) {
            FlushedRowDeleter deleter = new FlushedRowDeleter(this, table, snapshot, emptied, changed, progress);
            return new Flush(this, table, snapshot, new SegmentPublisher(this, table, emptied), deleter, progress).run()
                    + " rows flushed";
        }
    }

    /** Submits a job for a table. */
    public Job submit(Job.Type type, SqlTable table, Map<String, String> more) {
        if (table.cold() == ColdRows.NONE) {
            throw new SqlError(
                    SqlCode.WRONG_OBJECT_TYPE,
                    "table " + table.name() + " is a " + table.def().kind() + " table, which is never flushed");
        }
        Map<String, String> parameters = new TreeMap<>(more);
        parameters.put("table", table.name().toString());
        parameters.put("table_id", Integer.toString(table.table().id()));
        return jobs.submit(type, parameters);
    }

    @Override
    public void close() {
        jobs.close();
        storages.close();
    }
}
