package io.polytable.store.state;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.merge.Source;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RocksDB database behind the engine: column families by name, concurrent reads, writes by the applier only. */
public final class State implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(State.class);

    static final byte[] POSITION_KEY = "position".getBytes(StandardCharsets.UTF_8);
    private static final int POSITION_BYTES = 16;

    /** A snapshot can stay open for hours; other readers must not wait for that. */
    private static final Duration REOPEN_WAIT_MAX = Duration.ofMillis(100);

    /** For calls in progress; cursors and snapshots are not waited for. */
    private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(30);

    private final Path directory;
    private final Tuning tuning;
    private final int backgroundJobs;
    private final UseCount uses = new UseCount();
    private final OpenHandles handles = new OpenHandles();
    private final MultiGet multiGet = new MultiGet();
    private final ReadOptions pointReads = new ReadOptions();
    private final ReadOptions persistedReads = new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER);
    private final WriteOptions writes = new WriteOptions().setDisableWAL(true);

    /** Changed under the monitor, which a flush holds for long; looked up without it. */
    private final Map<String, StateTable> tables = new ConcurrentHashMap<>();

    private final DroppedTables dropped = new DroppedTables(uses);
    private final Map<String, Family> families = new HashMap<>();
    private final AtomicBoolean anyDamaged = new AtomicBoolean();

    /** Why nothing can be written, if the database is open for reads only; changed where {@link #database} is. */
    private volatile @Nullable StoreException readOnly;

    private volatile RocksDB database;

    /** The last commit that the state includes, and its ticket. */
    public record Applied(long position, long ticket) {
        public static final Applied NOTHING = new Applied(0, 0);

        static Applied decode(byte[] bytes) {
            ByteBuffer value = ByteBuffer.wrap(bytes);
            return new Applied(value.getLong(), value.getLong());
        }
    }

    /** A call into RocksDB. */
    interface Call {
        void run() throws RocksDBException;
    }

    private State(Path directory, Tuning tuning, int backgroundJobs) throws RocksDBException {
        this.directory = directory;
        this.backgroundJobs = backgroundJobs;
        this.tuning = tuning;
        for (byte[] name : existing(directory)) {
            Family family = Family.named(name);
            families.put(family.name(), family);
        }
        database = openDatabase();
    }

    /** Opens or creates the state; families get the default options of their kind. */
    public static State open(Path directory, long memoryBytes, int backgroundJobs) {
        return open(directory, memoryBytes, backgroundJobs, DiskSync.FSYNC);
    }

    static State open(Path directory, long memoryBytes, int backgroundJobs, DiskSync disk) {
        try {
            // RocksDB syncs what is in its directory, not the directory's own name.
            disk.create(directory);
            NativeLibrary.load(directory);
            return open(directory, new Tuning(memoryBytes), backgroundJobs);
        } catch (RocksDBException e) {
            throw RocksFault.of(e);
        } catch (IOException e) {
            throw new StoreException(StoreError.IO, "Cannot use the state's directory", Map.of("path", directory), e);
        }
    }

    /** Owns the tuning, also if it fails: each attempt to open a damaged state would leave a block cache behind. */
    static State open(Path directory, Tuning tuning, int backgroundJobs) throws RocksDBException {
        boolean opened = false;
        try {
            State state = new State(directory, tuning, backgroundJobs);
            opened = true;
            return state;
        } finally {
            if (!opened) {
                tuning.close();
            }
        }
    }

    private static List<byte[]> existing(Path directory) throws RocksDBException {
        try (Options options = new Options()) {
            return Files.exists(directory.resolve("CURRENT"))
                    ? RocksDB.listColumnFamilies(options, directory.toString())
                    : List.of();
        }
    }

    private RocksDB openDatabase() throws RocksDBException {
        families.computeIfAbsent("default", name -> Family.named(RocksDB.DEFAULT_COLUMN_FAMILY));
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        for (Family family : families.values()) {
            // A compaction that meets damage would end all writes, also those to other tables.
            ColumnFamilyOptions options =
                    tuning.family(family.kind(), family.options()).setDisableAutoCompactions(isDamaged(family));
            descriptors.add(new ColumnFamilyDescriptor(family.rawName(), options));
        }
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        try (DBOptions options = tuning.database(backgroundJobs)) {
            RocksDB result = openDatabase(options, descriptors, opened);
            for (ColumnFamilyHandle handle : opened) {
                bind(new String(handle.getName(), StandardCharsets.UTF_8), handle);
            }
            return result;
        }
    }

    /** An open for writes creates files; without space for them, the database is opened for reads. */
    private RocksDB openDatabase(
            DBOptions options, List<ColumnFamilyDescriptor> descriptors, List<ColumnFamilyHandle> opened)
            throws RocksDBException {
        String path = directory.toString();
        try {
            RocksDB writable = RocksDB.open(options, path, descriptors, opened);
            readOnly = null;
            return writable;
        } catch (RocksDBException e) {
            StoreException reason = noRoom(e);
            opened.clear();
            RocksDB readable = RocksDB.openReadOnly(options, path, descriptors, opened);
            readOnly = reason;
            LOG.warn("There is no disk space to open {} for writes: it is read-only until there is", directory);
            return readable;
        }
    }

    /** Why the directory takes no files, if that is the reason for the failure; else the failure is thrown again. */
    private StoreException noRoom(RocksDBException failure) throws RocksDBException {
        if (Files.exists(directory.resolve("CURRENT"))) {
            try {
                DiskSpace.require(directory);
            } catch (StoreException reason) {
                return reason;
            }
        }
        throw failure;
    }

    /** Why nothing can be written, if the disk had no space when the state was opened; {@link #reopen} tries again. */
    public Optional<StoreException> readOnly() {
        return Optional.ofNullable(readOnly);
    }

    /** Refuses while the database is open for reads only. */
    public void requireWritable() {
        StoreException reason = readOnly;
        if (reason != null) {
            throw new StoreException(reason.error(), "The state is read-only", Map.of(), reason);
        }
    }

    private boolean isDamaged(Family family) {
        StateTable table = tables.get(family.name());
        return table != null && table.isDamaged();
    }

    /** Reads all files; remembers which tables are damaged. */
    public List<DamagedFile> findDamage() {
        // A file that a flush or compaction is still writing looks damaged. Files of the database never change.
        List<DamagedFile> found = DamagedFile.find(directory, liveFiles());
        found.forEach(file -> file.family().map(tables::get).ifPresent(StateTable::markDamaged));
        return found;
    }

    /** The files that the database consists of. */
    private Set<Path> liveFiles() {
        uses.enter();
        try {
            return database.getLiveFilesMetaData().stream()
                    .map(file -> directory.resolve(
                            String.valueOf(Path.of(file.fileName()).getFileName())))
                    .collect(Collectors.toUnmodifiableSet());
        } finally {
            uses.leave();
        }
    }

    /** Whether a table is known to be damaged. */
    public boolean isAnyDamaged() {
        return anyDamaged.get();
    }

    private void bind(String family, ColumnFamilyHandle handle) {
        StateTable present = tables.putIfAbsent(family, new StateTable(family, handle, anyDamaged));
        if (present != null) {
            present.rebind(handle);
        }
    }

    /**
     * Closes and reopens the database: with the families' options as now known, and without its background error. That
     * loses what only the write buffers held; {@code refill} writes it again before anyone else reads. If that fails,
     * reads are refused until a later call succeeds, because rows would be missing. Cursors and snapshots have a moment
     * to end. After that nothing happens ({@link StoreError#TOO_MANY}) and reads continue, or stay refused; the caller
     * tries again later.
     *
     * @param closesHandles closes cursors and snapshots that are still open instead; their users get {@link
     *     StoreError#POSITION_EXPIRED}
     */
    public synchronized void reopen(Map<String, Family> known, boolean closesHandles, Runnable refill) {
        if (uses.isEnded()) {
            throw new StoreException(StoreError.CLOSED, "The store is closed");
        }
        boolean wasOpen = uses.isOpen();
        boolean shut = uses.shut(REOPEN_WAIT_MAX);
        if (!shut || !(handles.awaitNone(REOPEN_WAIT_MAX) || closesHandles)) {
            if (wasOpen) {
                uses.open();
            }
            throw new StoreException(StoreError.TOO_MANY, "Open cursors keep the state from being opened again");
        }
        try {
            handles.giveUpAll();
            closeDatabase();
            families.replaceAll((name, family) -> known.getOrDefault(name, family));
            check(() -> database = openDatabase());
            uses.reopened();
            refill.run();
        } catch (RuntimeException | Error e) {
            // Callers waiting to enter would wait forever.
            uses.refuse(new StoreException(StoreError.IO, "The state could not be opened again", Map.of(), e));
            throw e;
        }
        uses.open();
    }

    public synchronized Set<String> familyNames() {
        return Set.copyOf(families.keySet());
    }

    /** Creates the family if it does not exist. */
    public synchronized void create(Family family) {
        if (tables.containsKey(family.name())) {
            return;
        }
        requireWritable();
        inside(() -> {
            ColumnFamilyDescriptor descriptor =
                    new ColumnFamilyDescriptor(family.rawName(), tuning.family(family.kind(), family.options()));
            bind(family.name(), database.createColumnFamily(descriptor));
        });
        families.put(family.name(), family);
    }

    /** Drops the family. Open cursors over it can still be read; its files are deleted after them. */
    public synchronized void drop(String name) {
        StateTable table = tables.get(name);
        if (table != null) {
            requireWritable();
            inside(() -> database.dropColumnFamily(table.handle()));
            dropped.add(table);
            tables.remove(name);
            families.remove(name);
            deleteDropped();
        }
    }

    /** Deletes the files of dropped families that are no longer read. Call periodically. */
    public void deleteDropped() {
        // Checked without the lock, which a flush holds for long: usually there is none.
        if (dropped.anyUnused()) {
            synchronized (this) {
                dropped.closeUnused();
            }
        }
    }

    /** The handle of a family. */
    public StateTable table(String family) {
        StateTable table = tables.get(family);
        if (table == null) {
            throw new StoreException(StoreError.CORRUPT, "The state has no such family", Map.of("family", family));
        }
        return table;
    }

    public Optional<Bytes> read(StateTable table, Bytes key) {
        return read(table, key, pointReads);
    }

    private Optional<Bytes> read(StateTable table, Bytes key, ReadOptions options) {
        return read(table, key, () -> options);
    }

    /** @param view asked inside the gate: a snapshot may have been closed before */
    Optional<Bytes> read(StateTable table, Bytes key, Supplier<ReadOptions> view) {
        uses.enter();
        try {
            byte @Nullable [] value = database.get(table.handle(), view.get(), key.array(), key.offset(), key.length());
            return value == null ? Optional.empty() : Optional.of(Bytes.of(value));
        } catch (RocksDBException e) {
            throw table.failure(e);
        } finally {
            uses.leave();
        }
    }

    /** One answer per key, in order. */
    List<Optional<Bytes>> readMany(StateTable table, List<Bytes> keys, Supplier<ReadOptions> view) {
        return readMany(table, keys, view, Long.MAX_VALUE);
    }

    /** The answers to the first keys, at least one, up to about {@code bytesMax} bytes. */
    public List<Optional<Bytes>> readMany(StateTable table, List<Bytes> keys, long bytesMax) {
        return readMany(table, keys, () -> pointReads, bytesMax);
    }

    private List<Optional<Bytes>> readMany(
            StateTable table, List<Bytes> keys, Supplier<ReadOptions> options, long bytesMax) {
        List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
        inside(() -> table.check(() -> {
            MultiGet.View view = new MultiGet.View(database, table.handle(), options.get());
            long left = bytesMax;
            while (answers.size() < keys.size() && left > 0) {
                int from = answers.size();
                List<Bytes> some = keys.subList(from, Math.min(keys.size(), from + MultiGet.KEYS_MAX));
                List<Optional<Bytes>> found = multiGet.read(view, some, left);
                answers.addAll(found);
                left -= found.size() < some.size() ? left : bytes(found);
            }
        }));
        return answers;
    }

    private static long bytes(List<Optional<Bytes>> values) {
        return values.stream()
                .mapToLong(value -> value.map(Bytes::length).orElse(0))
                .sum();
    }

    public Source scan(StateTable table, KeyRange range, Direction direction) {
        return scan(table, range, direction, null);
    }

    Source scan(StateTable table, KeyRange range, Direction direction, @Nullable StateSnapshot view) {
        uses.enter();
        try {
            Snapshot snapshot = view == null ? null : view.snapshot();
            StateSource source = new StateSource(database, table, handles, snapshot, range, direction);
            handles.add(source);
            return source;
        } finally {
            uses.leave();
        }
    }

    public StateSnapshot snapshot() {
        uses.enter();
        try {
            StateSnapshot snapshot = new StateSnapshot(this, database, handles);
            handles.add(snapshot);
            return snapshot;
        } finally {
            uses.leave();
        }
    }

    /** Writes and empties the batch. */
    void write(StateBatch rows) {
        requireWritable();
        inside(() -> {
            try (WriteBatch batch = rows.build()) {
                database.write(writes, batch);
            }
        });
    }

    /** Adds the row with the applied position. */
    void putPosition(StateBatch batch, Applied applied) {
        ByteBuffer value =
                ByteBuffer.allocate(POSITION_BYTES).putLong(applied.position()).putLong(applied.ticket());
        batch.put(0, Bytes.of(POSITION_KEY), Bytes.of(value.array()));
    }

    /** The position up to which commits are applied, flushed or not. */
    public Applied applied() {
        return position(pointReads);
    }

    /** The position up to which commits are flushed to disk: where recovery would start now. */
    public Applied flushed() {
        return position(persistedReads);
    }

    private Applied position(ReadOptions options) {
        StateTable defaults = table("default");
        return read(defaults, Bytes.of(POSITION_KEY), options)
                .map(value -> Applied.decode(value.toByteArray()))
                .orElse(Applied.NOTHING);
    }

    /** Flushes all families at once: otherwise a crash could leave one ahead of another. Nothing else flushes. */
    public void flush() {
        flush(true);
    }

    /** Switches the write buffers; the full ones are flushed in the background. */
    void startFlush() {
        flush(false);
    }

    private synchronized void flush(boolean awaited) {
        requireWritable();
        inside(() -> {
            try (FlushOptions options = new FlushOptions().setWaitForFlush(awaited)) {
                database.flush(
                        options,
                        tables.values().stream().map(StateTable::handle).toList());
            }
        });
    }

    /** Approximate number of the range's rows in the table's write buffer. */
    long bufferedRows(StateTable table, Bytes from, Bytes to) {
        long[] count = new long[1];
        inside(() -> {
            try (Slice first = new Slice(from.toByteArray());
                    Slice end = new Slice(to.toByteArray())) {
                count[0] = database.getApproximateMemTableStats(table.handle(), new Range(first, end)).count;
            }
        });
        return count[0];
    }

    /** Hard-links all files into a directory that does not exist yet. */
    public void checkpoint(Path target) {
        inside(() -> {
            try (Checkpoint checkpoint = Checkpoint.create(database)) {
                checkpoint.createCheckpoint(target.toString());
            }
        });
    }

    /** A property of RocksDB, summed over all families; 0 if it is unknown. */
    public long property(String name) {
        uses.enter();
        try {
            return StateStatistics.property(database, name);
        } finally {
            uses.leave();
        }
    }

    /** Its metrics by name; none while the database is closed or being reopened, since a scrape must not wait for that. */
    public Map<String, Long> statistics() {
        if (!uses.tryEnter()) {
            return Map.of();
        }
        try {
            byte @Nullable [] flushed = database.get(table("default").handle(), persistedReads, POSITION_KEY);
            Applied position = flushed == null ? Applied.NOTHING : Applied.decode(flushed);
            return StateStatistics.of(database, tuning, position.position());
        } catch (RocksDBException e) {
            // Whatever is wrong, other metrics must be reported.
            return Map.of();
        } finally {
            uses.leave();
        }
    }

    /** Free disk space; empty if the file system does not report it. */
    public OptionalLong freeBytes() {
        return DiskSpace.freeBytes(directory);
    }

    /** Whether the directory has space for the files that {@link #reopen} creates; tries it. */
    public void requireRoom() {
        DiskSpace.require(directory);
    }

    private void inside(Call call) {
        uses.enter();
        try {
            check(call);
        } finally {
            uses.leave();
        }
    }

    static void check(Call call) {
        try {
            call.run();
        } catch (RocksDBException e) {
            throw RocksFault.of(e);
        }
    }

    /** May be called on a closed database. */
    private void closeDatabase() {
        tables.values().forEach(table -> table.handle().close());
        dropped.closeAll();
        database.close();
    }

    /** Whether RocksDB has release the directory. */
    public boolean isClosed() {
        return !database.isOwningHandle();
    }

    /**
     * Refuses all calls from now on. If those in progress do not end, RocksDB cannot be closed beneath them: it stays
     * open, and this fails with {@link StoreError#IO}.
     */
    @Override
    public void close() {
        close(CLOSE_WAIT_MAX);
    }

    synchronized void close(Duration most) {
        uses.end(new StoreException(StoreError.CLOSED, "The store is closed"));
        if (!uses.shut(most)) {
            throw new StoreException(StoreError.IO, "Calls into RocksDB do not end: it stays open");
        }
        handles.closeAll();
        closeDatabase();
        pointReads.close();
        persistedReads.close();
        writes.close();
        tuning.close();
    }
}
