package io.polytable.store.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.directory.DiskSync;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.state.ReadableRuns.Run;
import io.polytable.store.state.SalvagePlan.FamilyPart;
import io.polytable.store.state.SalvagePlan.LostRange;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.write.EncodedRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * Replaces the damaged families of a state that nobody has open by their readable rows.
 *
 * <p>A merged read of a family stops at the first damaged block, and the rows of a block that cannot be read may also
 * have hidden older ones: so the readable keys are taken from each file, and each is looked up in the database, which
 * refuses a key whose newest row may be in a damaged block. Those rows go to new files. When the new files are complete
 * and a plan says so, the family is dropped and created from them; a crash in between is continued by the next salvage.
 */
public final class StateSalvage implements AutoCloseable {
    private static final String NEW_FILES = "salvage.tmp";
    private static final String DAMAGED_FILES = "damaged";
    private static final String SUFFIX = ".sst";
    private static final long FILE_BYTES = 64L << 20;

    private final Path directory;
    private final Path state;
    private final DBOptions options =
            new DBOptions().setAtomicFlush(true).setParanoidChecks(false).setMaxOpenFiles(256);
    private final ColumnFamilyOptions familyOptions = new ColumnFamilyOptions().setDisableAutoCompactions(true);
    private final WriteOptions writes = new WriteOptions().setDisableWAL(true);
    private final RocksDB database;
    private final Map<String, ColumnFamilyHandle> handles = new HashMap<>();
    private List<FamilyPart> replaced = List.of();
    private long redone;

    /**
     * What became of a table.
     *
     * @param rows how many rows could be read
     * @param lost the ranges of keys that could not, in words
     */
    public record Outcome(String table, long rows, List<String> lost) {}

    private StateSalvage(Path directory) throws RocksDBException, IOException {
        this.directory = directory;
        state = StoreDirectory.stateOf(directory);
        NativeLibrary.load(state);
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        try (Options listing = new Options()) {
            for (byte[] name : RocksDB.listColumnFamilies(listing, state.toString())) {
                descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
            }
        }
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        database = RocksDB.open(options, state.toString(), descriptors, opened);
        for (ColumnFamilyHandle handle : opened) {
            handles.put(new String(handle.getName(), UTF_8), handle);
        }
    }

    /** Opens the state of a directory that the caller has locked. */
    public static StateSalvage open(Path directory) {
        try {
            return new StateSalvage(directory);
        } catch (RocksDBException | IOException | IllegalArgumentException e) {
            // A damaged manifest may name no family at all, which RocksDB takes for a mistake of its caller.
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The state cannot be opened, not even to salvage its rows: restore a backup",
                    Map.of("path", directory, "cause", String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** Replaces the damaged families; returns whether there were any. */
    public boolean run() {
        try {
            Optional<SalvagePlan> interrupted = SalvagePlan.read(directory.resolve(StoreDirectory.SALVAGE_FILE));
            SalvagePlan plan = interrupted.isPresent() ? interrupted.get() : prepared();
            for (FamilyPart part : plan.families()) {
                replace(part);
            }
            replaced = plan.families();
            return !replaced.isEmpty();
        } catch (RocksDBException | IOException e) {
            throw failed(e);
        }
    }

    /** Writes the readable rows of all damaged families to new files, and the plan. */
    private SalvagePlan prepared() throws RocksDBException, IOException {
        StoreDirectory.deleteTree(directory.resolve(NEW_FILES));
        List<LiveFileMetaData> live = database.getLiveFilesMetaData();
        Map<String, List<DamagedFile>> damaged = new TreeMap<>();
        Map<Path, String> families = new HashMap<>();
        live.forEach(file -> families.put(fileOf(file), new String(file.columnFamilyName(), UTF_8)));
        for (DamagedFile file : DamagedFile.find(state, families.keySet())) {
            damaged.computeIfAbsent(Objects.requireNonNull(families.get(file.file())), name -> new ArrayList<>())
                    .add(file);
        }
        List<FamilyPart> parts = new ArrayList<>();
        for (Map.Entry<String, List<DamagedFile>> family : damaged.entrySet()) {
            requireReplaceable(family.getKey());
            String part = "family-" + parts.size();
            parts.add(copied(family.getKey(), part, family.getValue(), live));
        }
        if (!parts.isEmpty()) {
            DiskSync.FSYNC.syncTree(directory.resolve(NEW_FILES));
            setAside(damaged);
            new SalvagePlan(parts).write(directory.resolve(StoreDirectory.SALVAGE_FILE));
        }
        return new SalvagePlan(parts);
    }

    /** Without its position or its catalog, a state says nothing about the rest of its rows. */
    private static void requireReplaceable(String family) {
        if (family.equals("default") || family.equals("system_table:catalog")) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The catalog of tables is damaged, so no rows can be salvaged: restore a backup",
                    Map.of("family", family));
        }
    }

    private Path fileOf(LiveFileMetaData file) {
        return state.resolve(String.valueOf(Path.of(file.fileName()).getFileName()));
    }

    private FamilyPart copied(String family, String part, List<DamagedFile> damaged, List<LiveFileMetaData> live)
            throws RocksDBException, IOException {
        Path target = directory.resolve(NEW_FILES).resolve(part);
        DiskSync.createDirectories(target);
        List<LostRange> lost = new ArrayList<>();
        long rows;
        try (ReadableKeys keys = new ReadableKeys()) {
            for (LiveFileMetaData file : live) {
                if (!family.equals(new String(file.columnFamilyName(), UTF_8))) {
                    continue;
                }
                Path path = fileOf(file);
                Run whole = new Run(Bytes.of(file.smallestKey()), Bytes.of(file.largestKey()));
                Optional<DamagedFile> damage = damaged.stream()
                        .filter(each -> each.file().equals(path))
                        .findFirst();
                List<Run> runs = damage.isEmpty() ? List.of(whole) : readable(damage.get(), whole);
                runs.forEach(run -> keys.add(path, run));
                if (damage.isPresent()) {
                    lost.addAll(between(runs, whole));
                }
            }
            rows = copy(keys, handleOf(family), target);
        }
        return new FamilyPart(family, part, rows, lost);
    }

    /** What can be read of a damaged file; nothing of a file that cannot be opened. */
    private static List<Run> readable(DamagedFile file, Run whole) throws RocksDBException {
        return file.family().isEmpty() ? List.of() : ReadableRuns.of(file.file(), whole.first(), whole.last());
    }

    /** What lies between the runs. The database knows the first and the last key, also of a file that cannot be opened. */
    private static List<LostRange> between(List<Run> runs, Run whole) {
        List<LostRange> lost = new ArrayList<>();
        Optional<Bytes> after = predecessor(whole.first());
        for (Run run : runs) {
            if (run.first().compareTo(whole.first()) > 0) {
                lost.add(new LostRange(after, Optional.of(run.first())));
            }
            after = Optional.of(run.last());
        }
        if (after.isEmpty() || after.get().compareTo(whole.last()) < 0) {
            byte[] last = whole.last().toByteArray();
            lost.add(new LostRange(after, Optional.of(Bytes.of(Arrays.copyOf(last, last.length + 1)))));
        }
        return lost;
    }

    /** A key that is below the given one; the keys between them are named as lost although there are none. */
    private static Optional<Bytes> predecessor(Bytes key) {
        return key.isEmpty() ? Optional.empty() : Optional.of(key.slice(0, key.length() - 1));
    }

    private long copy(ReadableKeys keys, ColumnFamilyHandle family, Path target) throws RocksDBException {
        long rows = 0;
        int files = 0;
        try (EnvOptions env = new EnvOptions();
                Options format = new Options()) {
            Optional<Bytes> key = keys.next();
            while (key.isPresent()) {
                try (SstFileWriter writer = new SstFileWriter(env, format)) {
                    writer.open(target.resolve(files++ + SUFFIX).toString());
                    long written = 0;
                    for (; key.isPresent() && (written == 0 || writer.fileSize() < FILE_BYTES); key = keys.next()) {
                        byte[] name = key.get().toByteArray();
                        Optional<byte[]> value = valid(family, name);
                        if (value.isPresent()) {
                            writer.put(name, value.get());
                            written++;
                        }
                    }
                    if (written > 0) {
                        writer.finish();
                    }
                    rows += written;
                }
            }
        }
        return rows;
    }

    /** The row's value; empty if it is deleted, or if its newest version may be in a damaged block. */
    private Optional<byte[]> valid(ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        try {
            return Optional.ofNullable(database.get(family, key));
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Keeps the damaged files for whoever can read more of them. */
    private void setAside(Map<String, List<DamagedFile>> damaged) throws IOException {
        Path aside = directory.resolve(DAMAGED_FILES);
        DiskSync.createDirectories(aside);
        for (DamagedFile file : damaged.values().stream().flatMap(List::stream).toList()) {
            Path to = aside.resolve(String.valueOf(file.file().getFileName()));
            Files.deleteIfExists(to);
            try {
                Files.createLink(to, file.file());
            } catch (IOException | UnsupportedOperationException noLinks) {
                Files.copy(file.file(), to);
            }
        }
        DiskSync.FSYNC.sync(aside);
    }

    /** Repeatable: whatever an interrupted attempt left of the family is dropped first. */
    private void replace(FamilyPart part) throws RocksDBException, IOException {
        ColumnFamilyHandle old = handles.remove(part.family());
        if (old != null) {
            database.dropColumnFamily(old);
            old.close();
        }
        ColumnFamilyHandle fresh = database.createColumnFamily(
                new ColumnFamilyDescriptor(part.family().getBytes(UTF_8), familyOptions));
        handles.put(part.family(), fresh);
        List<String> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory.resolve(NEW_FILES).resolve(part.directory()))) {
            all.filter(file -> file.toString().endsWith(SUFFIX) && file.toFile().length() > 0)
                    .sorted()
                    .forEach(file -> files.add(file.toString()));
        }
        if (part.rows() > 0) {
            try (IngestExternalFileOptions ingest = new IngestExternalFileOptions().setMoveFiles(false)) {
                database.ingestExternalFile(fresh, files, ingest);
            }
        }
    }

    private ColumnFamilyHandle handleOf(String family) {
        return Objects.requireNonNull(handles.get(family), family);
    }

    /** The position up to which the log's records are in the state. */
    public State.Applied applied() {
        try {
            byte[] value = database.get(State.POSITION_KEY);
            return value == null ? State.Applied.NOTHING : State.Applied.decode(value);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    /** The catalog's rows: table id to its definition. */
    public Map<Bytes, Bytes> catalog() {
        Map<Bytes, Bytes> rows = new HashMap<>();
        ColumnFamilyHandle family = handles.get("system_table:catalog");
        if (family == null) {
            return rows;
        }
        try (RocksIterator each = database.newIterator(family)) {
            for (each.seekToFirst(); each.isValid(); each.next()) {
                rows.put(Bytes.of(each.key()), Bytes.of(each.value()));
            }
            each.status();
            return rows;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    /** Applies a row of the log where the family has lost rows; the rest of the family has it already. */
    public void redo(Family family, EncodedRow row) {
        for (FamilyPart part : replaced) {
            if (part.family().equals(family.name())) {
                try {
                    redo(part, row);
                } catch (RocksDBException e) {
                    throw failed(e);
                }
            }
        }
    }

    private void redo(FamilyPart part, EncodedRow row) throws RocksDBException {
        ColumnFamilyHandle handle = handleOf(part.family());
        if (row.op() == EncodedRow.DELETE_RANGE) {
            for (LostRange lost : part.lost()) {
                deleteRange(handle, row, lost);
            }
        } else if (part.covers(row.key())) {
            redone++;
            if (row.op() == EncodedRow.PUT) {
                database.put(
                        handle, writes, row.key().toByteArray(), row.value().toByteArray());
            } else {
                database.delete(handle, writes, row.key().toByteArray());
            }
        }
    }

    /** Row by row: a salvaged range has few rows, and those outside of it may be newer than the deletion. */
    private void deleteRange(ColumnFamilyHandle handle, EncodedRow row, LostRange lost) throws RocksDBException {
        try (RocksIterator each = database.newIterator(handle)) {
            for (each.seek(row.key().toByteArray()); each.isValid(); each.next()) {
                Bytes key = Bytes.of(each.key());
                if (!row.value().isEmpty() && key.compareTo(row.value()) >= 0) {
                    return;
                }
                if (lost.covers(key)) {
                    database.delete(handle, writes, key.toByteArray());
                    redone++;
                }
            }
            each.status();
        }
    }

    /** Makes everything durable; the store can be opened again. */
    public List<Outcome> finish() {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            database.flush(flush, List.copyOf(handles.values()));
            Files.deleteIfExists(directory.resolve(StoreDirectory.SALVAGE_FILE));
            DiskSync.FSYNC.sync(directory);
            StoreDirectory.deleteTree(directory.resolve(NEW_FILES));
        } catch (RocksDBException | IOException e) {
            throw failed(e);
        }
        return replaced.stream()
                .map(part -> new Outcome(
                        Family.tableName(part.family()),
                        part.rows(),
                        part.lost().stream().map(LostRange::sentence).toList()))
                .toList();
    }

    /** How many rows the log restored or deleted. */
    public long redone() {
        return redone;
    }

    private StoreException failed(Exception e) {
        return new StoreException(
                StoreError.IO,
                "The salvage failed; it can be started again",
                Map.of("path", directory, "cause", String.valueOf(e.getMessage())),
                e);
    }

    @Override
    public void close() {
        handles.values().forEach(ColumnFamilyHandle::close);
        database.close();
        writes.close();
        familyOptions.close();
        options.close();
    }
}
