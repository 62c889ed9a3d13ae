package io.polytable.redis.command.replication;

import io.polytable.frontend.Progress;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.effect.CommitTranslator;
import io.polytable.redis.model.effect.Effects;
import io.polytable.redis.model.keyspace.CommitFollower;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.rdb.RdbExport;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas of this server and the stream that they receive. Thread safe. */
public final class Replication implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final int ID_BYTES = 20;
    private static final long BACKLOG_BYTES_MAX = 1L << 30;

    /** As in Redis. */
    private static final long BACKLOG_BYTES_MIN = 16 * 1024;

    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final InstantSource clock;
    private final String redisVersion;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private final Map<Long, ReplicaOptions> options = new ConcurrentHashMap<>();
    private final List<Waiting> waiting = new CopyOnWriteArrayList<>();
    private final ReplicationCounts counts;
    private volatile String id = newId();
    private volatile @Nullable Backlog backlog;
    private volatile long leftMillis;
    private volatile boolean closed;

    /** A call of WAIT. */
    private record Waiting(long offset, long count, CompletableFuture<Long> answer) {}

    public Replication(
            Keyspace keyspace,
            RedisConfig settings,
            InstantSource clock,
            String redisVersion,
            ReplicationCounts counts) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
        this.redisVersion = redisVersion;
        this.counts = counts;
    }

    /** A random name, as Redis gives to streams. */
    public static String newId() {
        byte[] random = new byte[ID_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The name of the stream; a replica that knows another one synchronizes from the beginning. */
    public String id() {
        return id;
    }

    /** The offset behind the last byte of the stream. */
    public long offset() {
        Backlog stream = backlog;
        return stream == null ? 0 : stream.end();
    }

    /** The offset of the first byte that a replica can continue at; empty while there is no stream. */
    public Optional<Long> firstOffset() {
        Backlog stream = backlog;
        return stream == null ? Optional.empty() : Optional.of(stream.first());
    }

    public long backlogBytes() {
        Backlog stream = backlog;
        return stream == null ? settings.backlogBytes() : stream.capacity();
    }

    /** The memory of the stream; zero while there is none. */
    public long heldBytes() {
        Backlog stream = backlog;
        return stream == null ? 0 : stream.capacity();
    }

    public List<Replica> replicas() {
        return List.copyOf(replicas);
    }

    /** What the session said with REPLCONF. */
    public ReplicaOptions options(Session session) {
        return options.getOrDefault(session.id(), ReplicaOptions.NONE);
    }

    public void tell(Session session, ReplicaOptions next) {
        options.put(session.id(), next);
    }

    /**
     * Begins to send to the session, which receives nothing else from now on.
     *
     * @param streamId the stream that the replica knows, empty for none
     * @param next the offset of the byte it wants next, counted from one as in Redis
     * @param announces whether the replica asked with PSYNC, and is notified of what follows
     */
    public synchronized void start(Session session, String streamId, long next, boolean announces) {
        if (closed) {
            throw new RedisError("the server stops");
        }
        Backlog stream = backlog;
        boolean continues = announces && stream != null && streamId.equals(id) && stream.has(next - 1);
        counts.synchronizes(continues, streamId);
        Replica.Start start = continues ? new Replica.Start.From(next - 1) : new Replica.Start.Full(announces);
        Replica replica = new Replica(this, session, options(session), start, clock.millis());
        session.becomeReplica();
        replicas.add(replica);
        replica.start();
    }

    /** The connection closed. Called on its loop. */
    public void leave(Session session) {
        options.remove(session.id());
        find(session).ifPresent(replica -> {
            replica.stop();
            left(replica);
        });
    }

    private Optional<Replica> find(Session session) {
        return replicas.stream().filter(each -> each.session() == session).findFirst();
    }

    void left(Replica replica) {
        leftMillis = clock.millis();
        replicas.remove(replica);
    }

    /** A replica reports up to which offset it has everything. */
    public void acknowledge(Session session, long offset) {
        find(session).ifPresent(replica -> {
            replica.acknowledge(offset, clock.millis());
            waiting.removeIf(each -> {
                long count = acknowledged(each.offset());
                return count >= each.count() && each.answer().complete(count);
            });
        });
    }

    /** How many replicas have everything up to the offset. */
    public long acknowledged(long offset) {
        return replicas.stream()
                .filter(replica -> replica.isOnline() && replica.acknowledged() >= offset)
                .count();
    }

    /** Sends a command that changes no key to the replicas. */
    public void forward(List<Bytes> words) {
        Backlog stream = backlog;
        if (stream != null) {
            stream.append(words);
        }
    }

    /** Whether there are fewer replicas than writes need. */
    public boolean lacksReplicas() {
        long needed = settings.replicasMin();
        if (needed == 0 || settings.replicaLagSecondsMax() == 0) {
            return false;
        }
        long nowMillis = clock.millis();
        return replicas.stream()
                        .filter(each ->
                                each.isOnline() && each.lagSeconds(nowMillis) <= settings.replicaLagSecondsMax())
                        .count()
                < needed;
    }

    /**
     * Completes with the number of replicas that have everything written so far: when so many have, or after the time.
     *
     * @param millis zero for any time
     */
    public CompletableFuture<Long> await(long count, long millis) {
        Backlog stream = backlog;
        long offset = offset();
        long now = acknowledged(offset);
        if (now >= count || stream == null) {
            return CompletableFuture.completedFuture(now);
        }
        CompletableFuture<Long> answer = new CompletableFuture<>();
        Waiting wait = new Waiting(offset, count, answer);
        waiting.add(wait);
        stream.askForAcknowledgement();
        CompletableFuture<Long> timed = answer;
        if (millis > 0) {
            timed = answer.thenApply(done -> done);
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> {
                waiting.remove(wait);
                answer.complete(acknowledged(offset));
            });
        }
        // An acknowledgement may have come before the call was listed.
        if (acknowledged(offset) >= count) {
            waiting.remove(wait);
            answer.complete(acknowledged(offset));
        }
        return timed;
    }

    /** Completes when all replicas have everything written so far, or after the time. */
    public CompletableFuture<Long> awaitAll(long millis) {
        return millis == 0 ? CompletableFuture.completedFuture(0L) : await(replicas.size(), millis);
    }

    Backlog backlog() {
        Backlog stream = backlog;
        if (stream == null) {
            throw new CancellationException("the stream ended");
        }
        return stream;
    }

    void sent(long bytes) {
        counts.sent(bytes);
    }

    long pingMillis() {
        return TimeUnit.SECONDS.toMillis(settings.pingReplicasSeconds());
    }

    /** Takes a snapshot between two commits, and begins to follow them if nobody did yet. */
    Cut cut() {
        Stripes stripes = keyspace.store().stripes();
        stripes.lockEverything();
        try {
            Backlog stream = backlog;
            if (stream == null) {
                stream = newBacklog();
                backlog = stream;
                keyspace.follow(new Follower(stream));
            }
            return new Cut(keyspace.store().snapshot(), stream.begin());
        } finally {
            stripes.unlockEverything();
        }
    }

    /** Of the size that is configured, as far as the memory for reads has it. */
    private Backlog newBacklog() {
        Budget memory = keyspace.memory().reads();
        long planned = Math.min(BACKLOG_BYTES_MAX, memory.plannedBytes() / 4);
        long bytes = Math.max(BACKLOG_BYTES_MIN, Math.min(settings.backlogBytes(), planned));
        if (!memory.tryTake(bytes)) {
            throw new RedisError(RedisError.Code.OOM, "there is no memory for the replication backlog now");
        }
        return new Backlog((int) bytes);
    }

    /** Appends the effects of commits to a stream. */
    private final class Follower implements CommitFollower {
        private final Backlog stream;
        private final CommitTranslator translator;

        Follower(Backlog stream) {
            this.stream = stream;
            DumpFormat format = new DumpFormat(DumpFormat.Version.OF_7_0, settings.packing(), true);
            this.translator = new CommitTranslator(keyspace.tables(), format);
        }

        @Override
        public Runnable beforeCommit(UnitOfWork unit) {
            try {
                Effects effects = translator.translate(unit);
                return () -> appended(effects);
            } catch (RuntimeException failure) {
                // The commit stands; what replicas would miss they get with a new synchronization.
                LOG.error("An effect cannot be sent to replicas; they synchronize again", failure);
                return this::end;
            }
        }

        private void appended(Effects effects) {
            stream.append(effects);
            boolean isForNobody = replicas.isEmpty()
                    && settings.backlogSeconds() > 0
                    && clock.millis() - leftMillis > TimeUnit.SECONDS.toMillis(settings.backlogSeconds());
            if (isForNobody) {
                end();
            }
        }

        /** Ends the stream; whoever knew it begins again with another. */
        private void end() {
            if (backlog == stream) {
                keyspace.follow(null);
                backlog = null;
                keyspace.memory().reads().release(stream.capacity());
                id = newId();
                replicas.forEach(replica -> replica.session().peer().close());
            }
        }
    }

    void awaitDurable() {
        AnswerGate answers = new AnswerGate(keyspace.store());
        answers.await(answers.seen());
    }

    Path temporaryFile() throws IOException {
        return Files.createTempFile(settings.temporaryDirectory(), "temp-replica-", ".rdb");
    }

    Spool spool(long offset, String name) throws IOException {
        return new Spool(backlog(), settings.temporaryDirectory(), offset, name);
    }

    void export(Cut cut, OutputStream out, Progress progress) {
        DumpFormat format = new DumpFormat(DumpFormat.Version.OF_7_0, settings.packing(), settings.compressesDumps());
        new RdbExport(keyspace, format, redisVersion).write(cut.snapshot(), out, clock.millis(), progress);
    }

    @Override
    public void close() {
        closed = true;
        List<Replica> last = replicas();
        for (Replica replica : last) {
            replica.stop();
            replica.session().peer().close();
        }
        last.forEach(Replica::awaitEnd);
        keyspace.follow(null);
    }
}
