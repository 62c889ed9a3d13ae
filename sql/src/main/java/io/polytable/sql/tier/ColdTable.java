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
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.TableKind;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The files of one table, and what is being done with them. There is one for each table of the store. */
final class ColdTable implements ColdRows {
    private final int id;
    private final ColdFiles files;
    private final Manifests manifests;
    private final InstantSource clock;

    /** Held by whoever changes the table's manifests. */
    final ReentrantLock changing = new ReentrantLock();

    /** Rows written since the last flush, about. */
    final AtomicLong written = new AtomicLong();

    /** How often the table was emptied: a flush that began before one of them must not bring its rows back. */
    final AtomicLong emptied = new AtomicLong();

    final AtomicInteger flushing = new AtomicInteger();

    /** Open walks over rows of its files. */
    final AtomicInteger scans = new AtomicInteger();

    /** Held shared by commits that write the table, alone by a flush that deletes what it moved. */
    private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

    private @Nullable ChangedKeys changed;

    /** Whether a job ended half done, so that the storage may have files that no manifest knows. */
    volatile boolean unclean;

    /** Whether the storage may show outside readers manifests of a table that was emptied since. */
    final AtomicBoolean mayShowTruncated = new AtomicBoolean();

    /** Whether the table was emptied and nobody has looked after its files yet. */
    volatile boolean expiryDue;

    private volatile boolean used;

    ColdTable(int id, ColdFiles files, Manifests manifests, InstantSource clock, boolean used) {
        this.id = id;
        this.files = files;
        this.manifests = manifests;
        this.clock = clock;
        this.used = used;
        mayShowTruncated.set(used);
        // Nobody counted what was written before: the first look decides.
        written.set(Integer.MAX_VALUE);
    }

    /** Before the first manifest is committed, so that no reader overlooks it. */
    void markUsed() {
        used = true;
    }

    @Override
    public boolean isUsed() {
        return used;
    }

    /** The manifests that may have rows of the user: its own, and that of all users together. */
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
        return new SqlError(SqlCode.UNAVAILABLE, "flushed rows cannot be read: " + failure.getMessage());
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

    /** A failing storage is the statement's error, not ours. */
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
    public FileScan files(Reader reader, SqlTable table, Relation.Request request) {
        return reading(() ->
                new FileScanPlanner(table, files.local()).of(reader, manifests(reader, table, request.user()), request));
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
            // There may be no memory for the keys: the commit fails then, and flushes must go on.
            if (!isTracked) {
                commits.readLock().unlock();
            }
        }
        return () -> commits.readLock().unlock();
    }

    /** From now on the keys of all commits are remembered, until {@link #untrack}. */
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

    /** Does something while nobody commits to the table. */
    boolean withoutCommits(BooleanSupplier action) {
        commits.writeLock().lock();
        try {
            return action.getAsBoolean();
        } finally {
            commits.writeLock().unlock();
        }
    }

    @Override
    public boolean isFlushing() {
        return flushing.get() > 0;
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
