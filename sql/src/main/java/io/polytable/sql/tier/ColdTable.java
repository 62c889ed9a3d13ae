package io.polytable.sql.tier;

import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.ColdRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.TableKind;
import io.polytable.table.write.Batch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The flushed rows of one table, and the state of the jobs on its files. There is one per table of the store. */
final class ColdTable implements ColdRows {
    private final int id;
    private final ColdFiles files;
    private final Manifests manifests;
    private final InstantSource clock;

    /** Held by the job that changes the manifests of the table, and by a sweep of its tombstones. */
    final ReentrantLock changing = new ReentrantLock();

    /** Approximate number of rows written since the last flush. */
    final AtomicLong written = new AtomicLong();

    /** Number of TRUNCATEs: a flush that began before one of them must not bring rows back. */
    final AtomicLong emptied = new AtomicLong();

    /** Open scans of rows in the files. */
    final AtomicInteger scans = new AtomicInteger();

    /** Held shared by commits to the table, exclusively by a flush that deletes the rows it moved. */
    private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

    private @Nullable ChangedKeys changed;

    /** Set when a job failed midway: the storage may hold files that no manifest references. */
    volatile boolean unclean;

    /** Whether the storage may still show outside readers manifests from before a TRUNCATE. */
    final AtomicBoolean mayShowTruncated = new AtomicBoolean();

    /** Set by TRUNCATE until a retention job is submitted for the files. */
    volatile boolean expiryDue;

    private volatile boolean used;

    ColdTable(int id, ColdFiles files, Manifests manifests, InstantSource clock, boolean used) {
        this.id = id;
        this.files = files;
        this.manifests = manifests;
        this.clock = clock;
        this.used = used;
        mayShowTruncated.set(used);
        // The count does not survive a restart, so the first check counts the rows.
        written.set(Integer.MAX_VALUE);
    }

    /** Called before the first manifest is committed, so that no reader overlooks it. */
    void markUsed() {
        used = true;
    }

    @Override
    public boolean isUsed() {
        return used;
    }

    /** The manifests that may hold rows of the user: its own, and the one shared by all users. */
    List<Manifest> manifests(Reader reader, SqlTable table, String user) {
        List<Manifest> found = new ArrayList<>(2);
        if (table.def().kind() == TableKind.USER && !user.isEmpty()) {
            manifests.current(reader, id, user).ifPresent(found::add);
        }
        manifests.current(reader, id, "").ifPresent(found::add);
        return found;
    }

    private static List<Segment> segments(List<Manifest> manifests) {
        return manifests.size() == 1
                ? manifests.get(0).segments()
                : manifests.stream()
                        .flatMap(manifest -> manifest.segments().stream())
                        .toList();
    }

    private static <T> T reading(Supplier<T> read) {
        try {
            return read.get();
        } catch (StorageFailure failure) {
            throw unavailable(failure);
        }
    }

    static SqlError unavailable(StorageFailure failure) {
        return new SqlError(
                failure.isDamaged() ? SqlCode.DATA_CORRUPTED : SqlCode.UNAVAILABLE,
                "flushed rows cannot be read: " + failure.getMessage());
    }

    @Override
    public Optional<StoredRow> find(Reader reader, SqlTable table, Bytes key) {
        List<Manifest> present = manifests(reader, table, table.userOf(key));
        return present.isEmpty() ? Optional.empty() : reading(() -> files.find(table, segments(present), key));
    }

    @Override
    public StoredRows scan(
            Reader reader, SqlTable table, Optional<String> user, List<KeyRange> ranges, Direction direction) {
        if (user.isPresent() || table.def().kind() != TableKind.USER) {
            List<Segment> segments = segments(manifests(reader, table, user.orElse("")));
            return new CheckedRows(files.merged(table, segments, ranges, direction, false), scans);
        }
        List<ColdMerge.Source> sources = new ArrayList<>();
        sources.add(new ScopeChain(files, table, manifests, reader, ranges));
        manifests
                .current(reader, id, "")
                .ifPresent(packed ->
                        sources.addAll(files.sources(table, packed.segments(), ranges, Direction.FORWARD, false)));
        return new CheckedRows(new ColdMerge(sources, Direction.FORWARD), scans);
    }

    /** Turns a storage failure into an error of the statement, and counts the open scan. */
    private static final class CheckedRows implements StoredRows {
        private final StoredRows rows;
        private final AtomicInteger scans;
        private boolean closed;

        CheckedRows(StoredRows rows, AtomicInteger scans) {
            this.rows = rows;
            this.scans = scans;
            scans.incrementAndGet();
        }

        @Override
        public boolean next() {
            return reading(rows::next);
        }

        @Override
        public StoredRow row() {
            return rows.row();
        }

        @Override
        public void close() {
            rows.close();
            if (!closed) {
                closed = true;
                scans.decrementAndGet();
            }
        }
    }

    @Override
    public Object version(Reader reader, SqlTable table, Bytes key) {
        return manifests(reader, table, table.userOf(key)).stream()
                .map(Manifest::version)
                .toList();
    }

    @Override
    public Object version(Reader reader) {
        Map<String, Long> versions = new HashMap<>();
        manifests.forEach(reader, id, manifest -> versions.put(manifest.scope(), manifest.version()));
        return versions;
    }

    @Override
    public FileScan files(Reader reader, SqlTable table, Relation.Request request) {
        return reading(() -> new FileScanPlanner(table, files.local())
                .of(reader, manifests(reader, table, request.user()), request));
    }

    @Override
    public void wrote(long rows) {
        written.addAndGet(rows);
    }

    @Override
    public Runnable committing(Supplier<List<Bytes>> keys) {
        commits.readLock().lock();
        boolean isTracked = false;
        try {
            ChangedKeys tracked = changed;
            if (tracked != null) {
                tracked.add(keys.get());
            }
            isTracked = true;
        } finally {
            // Collecting the keys may run out of memory. The commit then fails, and must not block later flushes.
            if (!isTracked) {
                commits.readLock().unlock();
            }
        }
        return () -> commits.readLock().unlock();
    }

    /** Records the keys of all commits from now on, until {@link #untrack}. */
    ChangedKeys track() {
        ChangedKeys tracked = new ChangedKeys();
        changed(tracked);
        return tracked;
    }

    void untrack() {
        changed(null);
    }

    private void changed(@Nullable ChangedKeys tracked) {
        commits.writeLock().lock();
        try {
            changed = tracked;
        } finally {
            commits.writeLock().unlock();
        }
    }

    /** Runs the action while no commit to the table is in progress. */
    boolean withoutCommits(BooleanSupplier action) {
        commits.writeLock().lock();
        try {
            return action.getAsBoolean();
        } finally {
            commits.writeLock().unlock();
        }
    }

    @Override
    public boolean unlessChanging(Runnable action) {
        if (!changing.tryLock()) {
            return false;
        }
        try {
            action.run();
            return true;
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void truncate(Batch batch) {
        emptied.incrementAndGet();
        if (used) {
            mayShowTruncated.set(true);
            expiryDue = true;
            manifests.empty(batch, id, clock.instant());
        }
    }
}
