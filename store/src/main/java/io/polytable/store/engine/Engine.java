package io.polytable.store.engine;

import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.feed.FeedMemory;
import io.polytable.store.feed.Feeds;
import io.polytable.store.log.CommitLog;
import io.polytable.store.memory.PartitionSnapshot;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.merge.MergeCursor;
import io.polytable.store.merge.Source;
import io.polytable.store.state.DamagedFile;
import io.polytable.store.state.State;
import io.polytable.store.state.StateImage;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage engine: one log, one state and the parts between them, as a table store. The package page describes how
 * they work together.
 */
public final class Engine implements TableStore {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private static final int FEEDS_MAX = 65_536;

    private final StoreDirectory directory;
    private final CommitLog log;
    private final State state;
    private final RowMemory memory;
    private final Failure failure = new Failure();
    private final Tickets tickets;
    private final Catalog catalog;
    private final Appender appender;
    private final Durability durability;
    private final Applier applier;
    private final Warmup warmup;
    private final Feeds feeds;
    private final OpenScans scans;
    private final PointReads points;
    private final InstantSource clock;
    private final SchemaChanges schema;
    private final Stripes stripes;
    private final AtomicInteger snapshots = new AtomicInteger();
    private final AtomicInteger feedCount = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Opens the state. The engine owns the directory and the log from now on. */
    public static Engine over(StoreDirectory directory, CommitLog log, EngineOptions options, Membership member) {
        State state = State.open(directory.state(), options.memory().blockBytes(), options.backgroundJobs());
        // Left open, it would block every later attempt of this process to open it.
        return Opening.orClose(state::close, () -> new Engine(directory, log, state, options, member));
    }

    private Engine(StoreDirectory directory, CommitLog log, State state, EngineOptions options, Membership member) {
        this.directory = directory;
        this.log = log;
        this.state = state;
        tickets = member.tickets();
        stripes = member.stripes();
        scans = new OpenScans(options.timing().nanoTime());
        memory = new RowMemory(options.memory().rowBytes());
        appender = new Appender(
                memory, log, failure, tickets, options.generations().bytes(), this::sealed);
        catalog = new Catalog(state, member, appender::markWhole);
        applier = new Applier(options, memory, appender, log, state, catalog, failure, this::releaseSnapshots);
        applier.onTick(() -> {
            scans.releaseIdle();
            state.deleteDropped();
        });
        warmup = new Warmup(memory, appender, state, catalog, failure);
        points = new PointReads(memory, state, appender);
        clock = options.clock();
        schema = new SchemaChanges(catalog, applier, failure, this::commitDurably);
        durability = new Durability(options.durability(), log, appender, failure);
        feeds = new Feeds(
                log,
                FeedMemory.of(options.memory().feedBytes(), log.readerBytes(), member.partitions()),
                member.readers(),
                durability::durable,
                this::positionOf,
                position -> new EngineCommit(this, position).awaitDurable(),
                this::recordSnapshot,
                error -> failure.threadEnded("polytable-feed", error),
                options.timing().nanoTime());
        durability.onProgress(feeds::progressed);
    }

    /** Replays what the state lacks and starts the background threads. */
    public void start(Recovery.Progress progress) {
        // Leftovers of a backup that a crash interrupted: their hard links would keep files of the state forever.
        directory.deleteImages();
        applier.start();
        tickets.used(state.applied().ticket());
        new Recovery(log, state, appender, applier, catalog).run(progress);
        warmup.start();
        schema.dropDeadlines();
    }

    private void sealed() {
        applier.wake();
    }

    @Override
    public Table create(TableSpec spec) {
        return schema.create(spec);
    }

    private void commitDurably(Batch batch) {
        new EngineCommit(this, appender.commit(batch, () -> {})).awaitDurable();
    }

    @Override
    public Optional<Table> find(TableName name) {
        return catalog.find(name).map(table -> table);
    }

    @Override
    public List<Table> tables() {
        return List.copyOf(catalog.shown());
    }

    @Override
    public Table addColumn(TableName name, Column column) {
        return schema.addColumn(name, column);
    }

    @Override
    public Table setTtl(TableName name, Optional<Duration> ttl) {
        return schema.setTtl(name, ttl);
    }

    @Override
    public void drop(TableName name) {
        schema.drop(name);
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    @Override
    public long ticket() {
        return tickets.next();
    }

    @Override
    public Commit commit(Batch batch) {
        if (batch.isEmpty()) {
            return latest();
        }
        Runnable check = catalog.check(batch);
        applier.admit(stripes::isFree);
        appender.reserve(batch);
        return new EngineCommit(this, appender.commit(batch, check));
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Cursor expired(Table table, long limit) {
        EngineTable own = EngineTable.of(table);
        return scanStored(own, own.expiry().over(clock.millis()), Direction.FORWARD, limit);
    }

    @Override
    public Commit latest() {
        return new EngineCommit(this, appender.newestShown());
    }

    @Override
    public void flush() {
        appender.flush();
        durability.flushed();
    }

    @Override
    public boolean hasRoom() {
        return applier.hasRoom();
    }

    @Override
    public void whenRoom(Runnable action) {
        applier.whenRoom(action);
    }

    /** The position of the last commit. */
    public long end() {
        return appender.end();
    }

    long durable() {
        return durability.durable();
    }

    public boolean isDurable(long position) {
        return durability.isDurable(position);
    }

    public CompletionStage<Void> whenDurable(long position) {
        CompletionStage<Void> stage = durability.when(position);
        try {
            flush();
        } catch (StoreException failed) {
            // A waiter gets the failure through the stage; without a waiter nobody needs it.
            LOG.debug("The log could not be flushed", failed);
        }
        return stage;
    }

    public Position positionOf(long record) {
        return Position.of(log.incarnation(), record);
    }

    @Override
    public Position position() {
        return positionOf(appender.end());
    }

    @Override
    public Optional<Bytes> read(Table table, RowKey key) {
        EngineTable own = EngineTable.of(table);
        failure.check();
        Optional<Bytes> stored = points.read(own, key.bytes());
        return own.expiry().isNever() ? stored : own.expiry().shown(key.bytes(), stored, clock.millis());
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        failure.check();
        EngineTable own = EngineTable.of(table);
        return shown(own, keys, points.readMany(own, keys));
    }

    @Override
    public List<Optional<Bytes>> readMany(Table table, List<RowKey> keys, long bytesMax) {
        failure.check();
        EngineTable own = EngineTable.of(table);
        return shown(own, keys, points.readMany(own, keys, bytesMax));
    }

    private List<Optional<Bytes>> shown(EngineTable own, List<RowKey> keys, List<Optional<Bytes>> stored) {
        return own.expiry().isNever() ? stored : own.expiry().shown(keys, stored, clock.millis());
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        EngineTable own = EngineTable.of(table);
        KeyRange shown = own.expiry().isNever() ? range : own.expiry().alive(range, clock.millis());
        return scanStored(own, shown, direction, limit);
    }

    /** The rows as stored, expired ones included. */
    Cursor scanStored(EngineTable own, KeyRange range, Direction direction, long limit) {
        failure.check();
        if (range.partitionLength() == 0) {
            // The cursor outlives the snapshot.
            try (EngineSnapshot snapshot = snapshot()) {
                return snapshot.scanStored(own, range, direction, limit);
            }
        }
        while (true) {
            PartitionSnapshot fresh = appender.snapshot(own.id(), range.partition());
            Source beneath = Opening.orClose(fresh::close, () -> state.scan(own.state(), range, direction));
            Runnable closing = () -> Opening.closeAll(Stream.of(beneath::close, fresh::close));
            if (!fresh.isOvertaken()) {
                List<Source> sources = Opening.orClose(closing, () -> fresh.over(beneath, range, direction));
                return new MergeCursor(sources, direction, limit, fresh::close);
            }
            closing.run();
        }
    }

    @Override
    public EngineSnapshot snapshot() {
        while (true) {
            Optional<EngineSnapshot> taken = snapshotAt(capture());
            if (taken.isPresent()) {
                return taken.get();
            }
        }
    }

    /** A snapshot of what was captured; empty, and the capture closed, if the state has moved past it. */
    Optional<EngineSnapshot> snapshotAt(Appender.Captured captured) {
        int unusedCount = Opening.orClose(
                captured.rows()::close, () -> count(snapshots, Limits.SNAPSHOTS_MAX, "Too many open snapshots"));
        Optional<SnapshotView> view = Opening.orClose(
                snapshots::decrementAndGet, () -> SnapshotView.open(captured, state, snapshots::decrementAndGet));
        if (view.isEmpty()) {
            snapshots.decrementAndGet();
        }
        return view.map(rows -> new EngineSnapshot(rows, this, scans, clock.millis()));
    }

    /** Captures all fresh rows, for {@link #snapshotAt}. */
    Appender.Captured capture() {
        failure.check();
        return appender.captureAll();
    }

    /** Blocks commits until {@link #resumeCommits()}, so that several engines can be captured at one point in time. */
    void holdCommits() {
        appender.holdCommits();
    }

    void resumeCommits() {
        appender.resumeCommits();
    }

    private static int count(AtomicInteger counter, int most, String refusal) {
        int counted = counter.incrementAndGet();
        if (counted > most) {
            counter.decrementAndGet();
            throw new StoreException(StoreError.TOO_MANY, refusal, Map.of("limit", most));
        }
        return counted;
    }

    @Override
    public ChangeFeed changes(Set<Table> tables, Position from) {
        failure.check();
        Position.Part start = from.parts(1).get(0);
        // A restored store continues with other commits at the same numbers.
        if (!start.equals(Position.Part.START) && start.incarnation() != log.incarnation()) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED, "The store was restored since", Map.of("position", from));
        }
        if (start.record() > appender.newestShown()) {
            throw new StoreException(StoreError.BAD_POSITION, "Not a position of this store", Map.of("position", from));
        }
        return counted(() -> feeds.open(tables, start.record(), feedCount::decrementAndGet));
    }

    /** The changes after an open snapshot, with old values. */
    ChangeFeed changesSince(EngineSnapshot snapshot, Set<Table> tables) {
        failure.check();
        Feeds.RecordSnapshot since = new Feeds.RecordSnapshot(snapshot.withExpired(), snapshot.record(), () -> {});
        return counted(() -> feeds.openSince(tables, since, feedCount::decrementAndGet));
    }

    private ChangeFeed counted(Supplier<ChangeFeed> opening) {
        int unusedCount = count(feedCount, FEEDS_MAX, "Too many open feeds");
        return Opening.orClose(feedCount::decrementAndGet, opening);
    }

    @Override
    public RangeChanges rangeChanges(Table table, List<Bytes> bounds) {
        failure.check();
        return appender.rangeChanges(EngineTable.of(table), bounds);
    }

    private Feeds.RecordSnapshot recordSnapshot() {
        EngineSnapshot taken = snapshot();
        return new Feeds.RecordSnapshot(taken.withExpired(), taken.record(), taken::close);
    }

    /** Releases the snapshots of the feeds, so that the state can be reopened or memory be freed. */
    private void releaseSnapshots() {
        feeds.releaseSnapshots();
    }

    Catalog catalog() {
        return catalog;
    }

    /** The failure that stopped the engine, if any. */
    public Optional<StoreException> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Why commits are refused now, if they are, while reads continue; they are accepted again without a restart. */
    public Optional<StoreException> refusal() {
        return applier.refusal().or(log::refusal);
    }

    /** Reads all files of the state; the tables of damaged ones are read-only from now on. */
    public List<DamagedFile> findDamage() {
        return state.findDamage();
    }

    /** The tables that are read-only because reads found damage. */
    public List<TableName> damagedTables() {
        return state.isAnyDamaged() ? catalog.damaged() : List.of();
    }

    /** Applies and flushes everything committed so far; returns the position of the state. */
    public State.Applied settle() {
        long position = appender.end();
        new EngineCommit(this, position).awaitDurable();
        applier.drain(position);
        applier.flushBesideDamage();
        State.Applied flushed = state.flushed();
        log.release(flushed.position() + 1);
        return flushed;
    }

    /** Distinguishes this engine's log from others. */
    public long incarnation() {
        return log.incarnation();
    }

    /** An image of the state's files, hard-linked on the same disk, with everything committed before. */
    public StateImage image() {
        State.Applied unusedSettled = settle();
        Path image = directory.newImage();
        return Opening.orClose(
                () -> StoreDirectory.deleteTree(image), () -> new StateImage(image, applier.checkpoint(image)));
    }

    public EngineStatistics statistics() {
        return EngineStatistics.of(this, log, state, memory, applier, points.memoryHits(), points.stateReads());
    }

    @Override
    public void close() {
        if (closed.get()) {
            return;
        }
        try {
            if (failure.get() == null) {
                settleIfPossible();
            }
        } finally {
            abandon();
        }
    }

    /** What is durable in the log is not lost if the state cannot be written: the next start replays it. */
    private void settleIfPossible() {
        new EngineCommit(this, appender.end()).awaitDurable();
        if (state.readOnly().isPresent()) {
            LOG.warn("The state is read-only; the next start replays the log");
            return;
        }
        settle();
    }

    /** Closes without applying or flushing: the next start replays what the state lacks. */
    public void abandon() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            closeParts();
        } finally {
            // While RocksDB still uses the files, nobody else may.
            if (state.isClosed()) {
                directory.close();
            }
        }
    }

    private void closeParts() {
        // From the last to the first, each even if another fails.
        try (log;
                state;
                applier;
                durability;
                warmup;
                feeds) {
            failure.close();
        }
    }
}
