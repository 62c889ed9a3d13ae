package io.polytable.redis.move;

import io.polytable.frontend.Progress;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.replication.Following;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Moves all keys of a running Redis here: as its replica, or key by key where it allows no replicas. */
public final class LiveImport {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String PAUSE_MILLIS = "60000";
    private static final long PAUSE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final Following following;
    private final Restores restores;
    private final InstantSource clock;

    public LiveImport(
            Keyspace keyspace, RedisConfig settings, Following following, Restores restores, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.following = following;
        this.restores = restores;
        this.clock = clock;
    }

    /** Where a Redis listens. */
    public record Source(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Follows the source, and compares all keys once everything is here. This server stays its replica.
     *
     * @param replaces whether keys that are here already may go
     * @throws RedisError when the source refuses, or keys are in the way
     */
    public VerificationReport follow(Source source, boolean replaces, Progress progress) throws IOException {
        // A source that was there and is away comes back.
        boolean isKnown = isFollowing(source);
        if (!isKnown) {
            ensureReplaceable(replaces);
            following.follow(source.host(), source.port()).join();
        }
        while (following.state() != Following.State.CONNECTED
                || !following.position().isPresent()) {
            Optional<String> refusal = following.refusal();
            if (refusal.isPresent() && isKnown) {
                throw new RedisError(source + " cannot be followed now: " + refusal.get()
                        + ". This server tries again; repeat the command to see how far it is");
            }
            if (refusal.isPresent()) {
                following.lead().join();
                throw new RedisError(source + " cannot be followed: " + refusal.get()
                        + ". Where it allows no replicas, --copy moves the keys one by one");
            }
            Optional<Following.Transfer> transfer = following.transfer();
            isKnown |= transfer.isPresent();
            transfer.ifPresent(part -> progress.at(part.done(), Math.max(0, part.total())));
            LockSupport.parkNanos(WAIT_NANOS);
        }
        return verify(source, keys -> {}, progress);
    }

    private boolean isFollowing(Source source) {
        return following
                .position()
                .filter(each -> each.host().equals(source.host()) && each.port() == source.port())
                .isPresent();
    }

    private void ensureReplaceable(boolean replaces) {
        try (UnitOfWork unit = keyspace.newUnit()) {
            unit.begin(clock.millis(), false);
            for (int database = 0; database < Keyspace.DATABASES; database++) {
                if (!replaces && unit.space(database).size() > 0) {
                    throw new RedisError("This server has keys, which the import removes; --replace allows that");
                }
            }
        }
    }

    /**
     * Holds the writers of the source, waits until everything is here, compares all keys, and makes this server a primary
     * if all are the same. Otherwise the writers continue, and this server follows on.
     *
     * @param pauses whether to hold the writers; otherwise they were stopped
     */
    public VerificationReport cutOver(Source source, boolean pauses, Progress progress) throws IOException {
        if (!isFollowing(source) || following.state() != Following.State.CONNECTED) {
            throw new RedisError("This server does not follow " + source + "; import from it first");
        }
        try (SourceClient client = connect(source, bytes -> {})) {
            WriterPause pause = new WriterPause(client, pauses);
            pause.extend();
            boolean isDone = false;
            try {
                awaitEverything(client, pause);
                VerificationReport report = verify(source, keys -> pause.extend(), progress);
                if (report.isSame()) {
                    following.lead().join();
                    isDone = true;
                }
                return report;
            } finally {
                if (!isDone) {
                    pause.end();
                }
            }
        }
    }

    private void awaitEverything(SourceClient client, WriterPause pause) throws IOException {
        long wanted =
                Long.parseLong(client.info("replication", "master_repl_offset").orElse("0"));
        while (following.position().map(PrimaryPosition::offset).orElse(Long.MAX_VALUE) < wanted) {
            if (following.state() != Following.State.CONNECTED) {
                throw new RedisError("The connection to the source broke before everything was here");
            }
            pause.extend();
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** CLIENT PAUSE WRITE on the source, renewed before it runs out. */
    private static final class WriterPause {
        private final SourceClient source;
        private final boolean isWanted;
        private long sentNanos = System.nanoTime() - PAUSE_AGAIN_NANOS;

        WriterPause(SourceClient source, boolean isWanted) {
            this.source = source;
            this.isWanted = isWanted;
        }

        void extend() throws IOException {
            if (isWanted && System.nanoTime() - sentNanos >= PAUSE_AGAIN_NANOS) {
                sentNanos = System.nanoTime();
                try {
                    SourceClient.Answer unusedOk = source.call("CLIENT", "PAUSE", PAUSE_MILLIS, "WRITE");
                } catch (SourceClient.SourceRefused refused) {
                    throw new RedisError("The source does not hold its writers (" + refused.getMessage()
                            + "): stop them, and use --writers-stopped");
                }
            }
        }

        void end() throws IOException {
            if (isWanted) {
                SourceClient.Answer unusedOk = source.call("CLIENT", "UNPAUSE");
            }
        }
    }

    private SourceClient connect(Source source, LongConsumer kept) throws IOException {
        SourceClient client = new SourceClient(source.host(), source.port(), kept);
        client.login(settings.primaryUser(), settings.primaryPassword());
        return client;
    }

    private DumpFormat format() {
        return new DumpFormat(DumpFormat.Version.OF_7_2, settings.packing(), false);
    }

    private VerificationReport verify(Source source, Verification.Progress also, Progress progress) throws IOException {
        try (UnitOfWork charges = keyspace.newUnit();
                SourceClient client = connect(source, charges.space(0)::keep)) {
            SourceKeys keys = new SourceKeys(client, clock);
            long total = keys.count();
            try (Verification verification = new Verification(keyspace, keys, format(), restores, clock)) {
                return verification.run(done -> {
                    charges.release();
                    also.at(done);
                    progress.at(Math.min(done, total), total);
                });
            }
        }
    }

    /**
     * Copies every key of the source over the one here, and compares all. Keys that are written meanwhile may differ, and
     * libraries of functions are left out.
     *
     * @param notes where to note how far it is, so that an interrupted copy continues
     */
    public VerificationReport copy(Source source, Path notes, Progress progress) throws IOException {
        if (following.isFollowing()) {
            throw new RedisError("This server is a replica");
        }
        try (UnitOfWork charges = keyspace.newUnit();
                UnitOfWork unit = keyspace.newUnit();
                SourceClient client = connect(source, charges.space(0)::keep)) {
            SourceKeys keys = new SourceKeys(client, clock);
            long total = keys.count();
            long[] done = new long[1];
            Optional<SourceKeys.Place> place = Optional.of(noted(notes, source));
            while (place.isPresent()) {
                place = keys.page(place.get(), (database, key, value) -> {
                    write(unit, database, key, value);
                    done[0]++;
                });
                charges.release();
                awaitDurable();
                place.ifPresent(next -> note(notes, source, next));
                progress.at(Math.min(done[0], total), total);
            }
            Files.deleteIfExists(notes);
        }
        return verify(source, keys -> {}, progress);
    }

    private void write(UnitOfWork unit, int database, Bytes key, SourceKeys.Value value) {
        awaitRoom();
        Stripes stripes = keyspace.store().stripes();
        int stripe = new KeyStripes(stripes).of(key);
        stripes.lock(stripe);
        try {
            unit.begin(clock.millis(), true);
            Space space = unit.space(database);
            restores.restore(space, key, restores.read(space, value.payload()), value.expireAt());
            unit.commit();
        } finally {
            unit.abandon();
            unit.release();
            stripes.unlock(stripe);
        }
    }

    private void awaitRoom() {
        TableStore store = keyspace.store();
        if (!store.hasRoom()) {
            CompletableFuture<Void> room = new CompletableFuture<>();
            store.whenRoom(() -> room.complete(null));
            room.join();
        }
    }

    private void awaitDurable() {
        keyspace.store().flush();
        AnswerGate answers = new AnswerGate(keyspace.store());
        answers.await(answers.seen());
    }

    /** One line: the source, the database, and the cursor of SCAN, which stays valid. */
    private static SourceKeys.Place noted(Path notes, Source source) throws IOException {
        try {
            List<String> words = List.of(Files.readString(notes).strip().split(" ", -1));
            if (words.size() == 3 && words.get(0).equals(source.toString())) {
                return new SourceKeys.Place(Integer.parseInt(words.get(1)), words.get(2));
            }
        } catch (NoSuchFileException | NumberFormatException none) {
            return SourceKeys.Place.START;
        }
        return SourceKeys.Place.START;
    }

    private static void note(Path notes, Source source, SourceKeys.Place place) {
        try {
            Path next = notes.resolveSibling(notes.getFileName() + ".new");
            Files.write(
                    next, (source + " " + place.database() + " " + place.cursor()).getBytes(StandardCharsets.UTF_8));
            Files.move(next, notes, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
