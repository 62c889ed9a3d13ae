package io.polytable.redis.model.keyspace;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.order.FenceCache;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.ListBlocks;
import io.polytable.redis.model.row.Slots;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The frontend's tables in a store, and what they share: the format, the number of shards, the secret of the
 * {@link KeyedHash}, the {@link Databases}. One object per store, shared by all threads.
 */
public final class RedisTables {
    public static final String NAMESPACE = "redis";

    /** Table names have two digits for the shard. */
    public static final int SHARDS_MAX = 100;

    private static final String SETTINGS = "settings";
    static final TableName SETTINGS_TABLE = new TableName(NAMESPACE, SETTINGS);
    private static final String FUNCTIONS = "functions";
    private static final String GARBAGE = "garbage";
    private static final byte FORMAT = 1;
    private static final RowKey FORMAT_ROW = setting("format");
    private static final RowKey SECRET_ROW = setting("scatter");
    private static final RowKey SHARDS_ROW = setting("shards");
    private static final RowKey DATABASES_ROW = setting("databases");
    private static final RowKey PRIMARY_ROW = setting("primary");

    private final TableStore store;
    private final int shards;
    private final PartitionLayout layout;
    private final Table[] keys;
    private final Table[] elements;
    private final List<Table> expiries;
    private final List<Table> garbage;
    private final Table settings;
    private volatile @Nullable CommitFollower follower;
    private final Table functions;
    private final KeyedHash keyedHash;
    private final RedisMemory memory;
    private final FenceCache fences;
    private final ListBlocks listBlocks;
    private final boolean isNew;
    private final KeyUses uses = new KeyUses();
    private final DataUsage usage;
    private final Removals removals = new Removals();
    private final BackgroundRemoval removal = new BackgroundRemoval();
    private volatile Databases databases;
    private volatile int selectableDatabases = Databases.COUNT;
    private volatile Libraries libraries;
    private volatile boolean mayHaveGarbage = true;

    private RedisTables(TableStore store, int shards, Bytes newSecret, RedisMemory memory) {
        this.store = store;
        this.shards = shards;
        this.memory = memory;
        fences = new FenceCache(memory.fences());
        listBlocks = new ListBlocks(memory.lists());
        layout = new PartitionLayout(shards, store.partitions());
        settings = create(store, SETTINGS);
        functions = create(store, FUNCTIONS);
        WriteSet first = new WriteSet(store);
        isNew = first.read(settings, FORMAT_ROW).isEmpty();
        checkFormat(first);
        checkWhole(first);
        checkShards(first);
        Bytes secret = settingOr(first, SECRET_ROW, newSecret);
        databases = Databases.decode(
                settingOr(first, DATABASES_ROW, Databases.first().encode()));
        awaitDurable(first.commit());
        keyedHash = new KeyedHash(secret);
        keys = createSharded("keys");
        elements = createSharded("elements");
        expiries = createPartitioned("expiries");
        garbage = createPartitioned(GARBAGE);
        libraries = Libraries.read(store, functions);
        List<Table> counted = new ArrayList<>(List.of(keys));
        counted.addAll(List.of(elements));
        usage = new DataUsage(store, counted);
    }

    /** Opens with one table for all keys. */
    public static RedisTables open(TableStore store) {
        return open(store, RedisMemory.standard());
    }

    static RedisTables open(TableStore store, RedisMemory memory) {
        return new RedisTables(store, 0, KeyedHash.newSecret(), memory);
    }

    /** Opens with one table per range of slots. */
    public static RedisTables openSharded(TableStore store, int shards) {
        return openSharded(store, shards, RedisMemory.standard());
    }

    static RedisTables openSharded(TableStore store, int shards, RedisMemory memory) {
        if (shards < 1 || shards > SHARDS_MAX) {
            throw new IllegalArgumentException("shards: " + shards + " is not between 1 and " + SHARDS_MAX);
        }
        RedisTables tables = new RedisTables(store, shards, KeyedHash.newSecret(), memory);
        if (!tables.isNew && tables.partitions() > 1) {
            tables.dropStrays();
        }
        return tables;
    }

    /** Opens as the existing rows were written, whatever is configured. */
    static RedisTables openAsWritten(TableStore store) {
        return new RedisTables(store, shardsOf(store), KeyedHash.newSecret(), RedisMemory.standard());
    }

    /** The number of shards that the rows were written with; 0 when they are not sharded, or when there are none. */
    public static int shardsOf(TableStore store) {
        return store.find(SETTINGS_TABLE)
                .flatMap(settings -> store.read(settings, SHARDS_ROW))
                .map(row -> (int) row.at(0))
                .orElse(0);
    }

    /** The rows are in as many shards from now on. */
    public static void writeShards(WriteSet work, Table settings, int shards) {
        work.put(settings, SHARDS_ROW, Bytes.of(new byte[] {(byte) shards}));
    }

    /** The table of settings of a store that need not be open otherwise. */
    public static Table settings(TableStore store) {
        return create(store, SETTINGS);
    }

    /** The table of garbage of such a store, with one partition. */
    public static Table garbage(TableStore store) {
        return create(store, GARBAGE);
    }

    /** Opens with a known secret, so that tests know the bytes of rows. */
    static RedisTables open(TableStore store, int shards, Bytes secret) {
        return new RedisTables(store, shards, secret, RedisMemory.standard());
    }

    RedisMemory memory() {
        return memory;
    }

    /** The number of elements that collections have lost. */
    Removals removals() {
        return removals;
    }

    /** The time of the last use of keys. */
    public KeyUses uses() {
        return uses;
    }

    /** Whether keys may go without a command that removes them. */
    public BackgroundRemoval removal() {
        return removal;
    }

    /** The bytes of keys and elements. */
    public DataUsage usage() {
        return usage;
    }

    private void checkFormat(WriteSet first) {
        byte found = settingOr(first, FORMAT_ROW, Bytes.of(new byte[] {FORMAT})).at(0);
        if (found != FORMAT) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT, "Redis rows have a format unknown here", Map.of("format", found));
        }
    }

    private void checkWhole(WriteSet first) {
        if (first.read(settings, ReshardMark.ROW).isPresent()) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "The keys are on their way to another number of shards: run polytable reshard again",
                    Map.of());
        }
    }

    private void checkShards(WriteSet first) {
        int found = settingOr(first, SHARDS_ROW, Bytes.of(new byte[] {(byte) shards}))
                .at(0);
        if (found != shards) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "Redis rows were written with another number of shards (0: not sharded)",
                    Map.of("written", found, "configured", shards));
        }
    }

    private Bytes settingOr(WriteSet first, RowKey row, Bytes initial) {
        Optional<Bytes> present = first.read(settings, row);
        if (present.isEmpty()) {
            first.put(settings, row, initial);
        }
        return present.orElse(initial);
    }

    private Table[] createSharded(String name) {
        if (shards == 0) {
            return new Table[] {create(store, name)};
        }
        Table[] tables = new Table[shards];
        for (int i = 0; i < shards; i++) {
            tables[i] = create(store, PartitionLayout.numbered(name, i));
            layout.check(store, tables[i].name());
        }
        return tables;
    }

    private List<Table> createPartitioned(String name) {
        return layout.partitions() == 1
                ? List.of(create(store, name))
                : IntStream.range(0, layout.partitions())
                        .mapToObj(partition -> create(store, PartitionLayout.numbered(name, partition)))
                        .toList();
    }

    /**
     * Drops databases that a crash or a backup left: a change of databases and the changes of its keys are in
     * different logs.
     */
    private void dropStrays() {
        BitSet strays = StrayDatabases.find(this);
        if (strays.isEmpty()) {
            return;
        }
        Databases next = databases.drop(strays);
        WriteSet work = new WriteSet(store);
        writeDatabases(work, next);
        awaitDurable(work.commit());
        databases = next;
    }

    static Table create(TableStore store, String name) {
        return store.create(new TableSpec(
                new TableName(NAMESPACE, name),
                TableKind.FACE,
                List.of(new Column("row_key", ColumnType.BYTES), new Column("row_value", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("row_key")),
                List.of(),
                TableOptions.DEFAULT));
    }

    private static RowKey setting(String name) {
        return RowKey.whole(Bytes.utf8(name));
    }

    public TableStore store() {
        return store;
    }

    /** Whether the store had no rows of this frontend before. */
    boolean isNew() {
        return isNew;
    }

    /** The number of shards; 0 when the tables are not sharded. */
    public int shards() {
        return shards;
    }

    /** The number of key tables, and of element tables. */
    public int partCount() {
        return keys.length;
    }

    /** The number of the key and element table that a key belongs to. */
    public int part(Bytes key) {
        return shards == 0 ? 0 : Slots.shard(key, shards);
    }

    public Table keys(int part) {
        return keys[part];
    }

    public Table elements(int part) {
        return elements[part];
    }

    /** The number of partitions the tables are in; one commit must stay within one. */
    public int partitions() {
        return layout.partitions();
    }

    /** The partition of a key and of everything that belongs to it. */
    int partition(Bytes key) {
        return layout.partitionOfPart(part(key));
    }

    /** The table with the deadlines of a part's keys. */
    public Table expiries(int part) {
        return expiries.get(layout.partitionOfPart(part));
    }

    /** The table with the garbage of a part's removed collections. */
    public Table garbage(int part) {
        return garbage.get(layout.partitionOfPart(part));
    }

    /** One per partition. */
    public List<Table> expiryTables() {
        return expiries;
    }

    /** One per partition. */
    public List<Table> garbageTables() {
        return garbage;
    }

    /**
     * Waits for a commit on which commits of other partitions depend: after a crash none of those may survive without it.
     * With one log the order guarantees that, and this does not wait.
     */
    public void awaitDurable(Commit commit) {
        if (layout.partitions() > 1) {
            AnswerGate.settle(commit);
        }
    }

    public Table settings() {
        return settings;
    }

    /** Whether the row of {@link #settings()} holds the {@link Databases}. */
    public static boolean isDatabases(Bytes settingsRow) {
        return settingsRow.equals(DATABASES_ROW.bytes());
    }

    /** Whether there may be garbage: spares the sweeper repeated scans of a queue of tombstones. */
    public boolean mayHaveGarbage() {
        return mayHaveGarbage;
    }

    public void mayHaveGarbage(boolean waits) {
        mayHaveGarbage = waits;
    }

    public KeyedHash keyedHash() {
        return keyedHash;
    }

    /** One for all users of these tables: a second cache would miss what users of the first one write. */
    public FenceCache fences() {
        return fences;
    }

    /** One for all users of these tables, as {@link #fences()}. */
    public ListBlocks listBlocks() {
        return listBlocks;
    }

    int selectableDatabases() {
        return selectableDatabases;
    }

    void limitDatabases(int count) {
        selectableDatabases = count;
    }

    public Databases databases() {
        return databases;
    }

    /** The databases as the reader sees them. */
    public Databases databases(Reader reader) {
        return reader.read(settings, DATABASES_ROW).map(Databases::decode).orElseGet(Databases::first);
    }

    /** Who sees all commits, if anybody does. */
    @Nullable
    CommitFollower follower() {
        return follower;
    }

    void follow(@Nullable CommitFollower next) {
        follower = next;
    }

    /** The header as the reader sees it, expired or not. */
    public Optional<Header> header(Reader reader, int physicalDatabase, Bytes key) {
        return reader.read(keys[part(key)], Layout.key(physicalDatabase, keyedHash.of(key), key))
                .map(Header::decode);
    }

    public void writeDatabases(WriteSet work, Databases next) {
        work.put(settings, DATABASES_ROW, next.encode());
    }

    /** Call this after the commit that wrote them, with all stripes held. */
    public void publish(Databases next) {
        databases = next;
    }

    /** The primary that this server follows. */
    public Optional<PrimaryPosition> primary() {
        return store.read(settings, PRIMARY_ROW).map(PrimaryPosition::decode);
    }

    void writePrimary(WriteSet work, Optional<PrimaryPosition> next) {
        next.ifPresentOrElse(
                position -> work.put(settings, PRIMARY_ROW, position.row()), () -> work.delete(settings, PRIMARY_ROW));
    }

    /** The function libraries. */
    public Libraries libraries() {
        return libraries;
    }

    /** The function libraries as the reader sees them. */
    public Libraries libraries(Reader reader) {
        return Libraries.read(reader, functions);
    }

    void writeLibraries(WriteSet work, Libraries before, Libraries next) {
        next.write(work, functions, before);
    }

    /** As {@link #publish(Databases)}. */
    void publish(Libraries next) {
        libraries = next;
    }
}
