package io.polytable.redis.command.replication;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.work.Background;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.keyspace.Flushes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Libraries;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.table.Bytes;
import io.polytable.table.Stripes;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server as the replica of a Redis server: REPLICAOF. The primary and the place in its stream are stored with what
 * is applied, so a restarted server continues. Thread safe.
 */
public final class Following implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    /** How far the connection is, in the words of ROLE. */
    public enum State {
        CONNECT("connect"),
        CONNECTING("connecting"),
        HANDSHAKE("handshake"),
        SYNC("sync"),
        CONNECTED("connected");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Runs a command as a client's, alone. */
    public interface Commands {
        Reply run(Session session, Bytes[] words);
    }

    /** Writes the keys of an RDB file. */
    public interface Loader {
        /**
         * Writes the keys of a file.
         *
         * @param session whose changes they are
         * @param place called before each key; it may throw to end the work
         */
        void load(Path file, Session session, LongConsumer place) throws IOException;
    }

    /** How much of a full synchronization has come; -1 of a total that is not known. */
    public record Transfer(long done, long total) {}

    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final InstantSource clock;
    private final AnswerGate answers;
    private final ReplicationCounts counts;
    private final Flushes flushes = new Flushes();
    private final Background control = new Background("redis-replicaof", STOP_MAX);
    private final Background link = new Background("redis-primary-link", STOP_MAX);

    /** Held by whoever changes keys for the primary, and to change the primary. */
    private final ReentrantLock applying = new ReentrantLock(true);

    private volatile @Nullable PrimaryPosition position;
    private volatile @Nullable PrimaryLink current;
    private volatile @Nullable Commands commands;
    private volatile @Nullable Loader loader;
    private volatile Runnable whenFollowing = () -> {};
    private volatile boolean isLoading;
    private volatile long downSinceMillis;
    private volatile boolean closed;
    private String lastFailure = "";
    private volatile Optional<String> refusal = Optional.empty();

    public Following(Keyspace keyspace, RedisConfig settings, InstantSource clock, ReplicationCounts counts) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
        this.answers = new AnswerGate(keyspace.store());
        this.counts = counts;
        keyspace.tables().primary().ifPresent(this::become);
    }

    /**
     * Continues with the primary that the store knows, if there is one.
     *
     * @param whenBegins called when this server becomes a replica, before it answers
     */
    public void start(Commands executor, Loader fileLoader, Runnable whenBegins) {
        commands = executor;
        loader = fileLoader;
        whenFollowing = whenBegins;
        PrimaryPosition known = position;
        if (known != null && known.isLoading()) {
            // The keys of a file that was loaded in part.
            empty(Optional.of(PrimaryPosition.of(known.host(), known.port())));
        }
        link.every(PAUSE, this::connect);
    }

    private void become(PrimaryPosition next) {
        position = next;
        downSinceMillis = clock.millis();
        keyspace.removal().follows(true);
        settings.describe("replicaof", next.host() + " " + next.port());
    }

    /**
     * REPLICAOF: follows a primary from now on; its keys replace those here.
     *
     * @throws RedisError when the keys are in several logs
     */
    public CompletableFuture<Reply> follow(String host, int port) {
        if (keyspace.partitions() > 1) {
            throw new RedisError("REPLICAOF needs a store with one log");
        }
        PrimaryPosition known = position;
        if (known != null && known.host().equals(host) && known.port() == port) {
            return CompletableFuture.completedFuture(Reply.simple("OK Already connected to specified master"));
        }
        return change(() -> {
            PrimaryPosition next = PrimaryPosition.of(host, port);
            keep(Optional.of(next));
            refusal = Optional.empty();
            become(next);
            whenFollowing.run();
            LOG.info("This server follows {}:{}", host, port);
        });
    }

    /** REPLICAOF NO ONE: keeps the keys. */
    public CompletableFuture<Reply> lead() {
        if (position == null) {
            return CompletableFuture.completedFuture(Reply.OK);
        }
        return change(() -> {
            keep(Optional.empty());
            position = null;
            settings.describe("replicaof", "");
            keyspace.removal().follows(false);
            LOG.info("This server follows no primary any more");
        });
    }

    /** Keys that are loaded in part do not stay. */
    private void keep(Optional<PrimaryPosition> next) {
        if (isLoading) {
            empty(next);
        } else {
            store(next);
        }
    }

    private CompletableFuture<Reply> change(Runnable action) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        boolean begun = control.now(() -> {
            try {
                disconnect();
                locked(action);
                answer.complete(Reply.OK);
            } catch (RuntimeException failed) {
                LOG.error("The role of this server cannot be changed", failed);
                answer.complete(Reply.error(new RedisError("the role cannot be changed, see the server's log")));
            }
        });
        if (!begun) {
            answer.complete(Reply.error(new RedisError("the server stops")));
        }
        return answer;
    }

    private void disconnect() {
        PrimaryLink now = current;
        if (now != null) {
            now.stop();
        }
    }

    /** One connection, until it breaks. */
    private void connect() {
        PrimaryPosition from = position;
        Commands executor = commands;
        Loader files = loader;
        if (from == null || executor == null || files == null || closed) {
            return;
        }
        PrimaryLink next = new PrimaryLink(this, from, executor, files);
        current = next;
        try {
            if (from.equals(position)) {
                next.run();
            }
        } catch (IOException failed) {
            report(from, failed);
        } finally {
            downSinceMillis = clock.millis();
            next.stop();
            current = null;
        }
    }

    /** The same failure is logged once, not once per second. */
    private void report(PrimaryPosition from, IOException failed) {
        String text = String.valueOf(failed.getMessage());
        boolean isRefusal = failed instanceof PrimaryConnection.PrimaryRefused || failed instanceof ConnectException;
        refusal = isRefusal && position != null ? Optional.of(text) : Optional.empty();
        if (!closed && position != null && !text.equals(lastFailure)) {
            lastFailure = text;
            LOG.warn(
                    "The connection to the primary {}:{} broke; it is tried again: {}", from.host(), from.port(), text);
        }
    }

    void connected() {
        lastFailure = "";
        refusal = Optional.empty();
    }

    /** Runs the action while nobody else changes keys for the primary. */
    void locked(Runnable action) {
        applying.lock();
        try {
            action.run();
        } finally {
            applying.unlock();
        }
    }

    /** Lets a waiting change of the role go first; for long work that holds the lock. */
    void yieldLock() {
        applying.unlock();
        applying.lock();
    }

    /** Whether the link may still change keys. Called with the lock held. */
    boolean isCurrent(PrimaryLink which) {
        return current == which && position != null && !closed;
    }

    void advance(PrimaryPosition next) {
        position = next;
    }

    /** Stores the position, with nothing else. */
    void store(Optional<PrimaryPosition> next) {
        try (UnitOfWork unit = keyspace.newUnit()) {
            unit.begin(clock.millis(), true);
            unit.follow(next);
            unit.commit();
        }
        awaitDurable();
    }

    /** Removes all keys and functions, and stores the position with that. */
    void empty(Optional<PrimaryPosition> next) {
        Stripes stripes = keyspace.store().stripes();
        try (UnitOfWork unit = keyspace.newUnit()) {
            stripes.lockEverything();
            try {
                unit.begin(clock.millis(), true);
                flushes.flushAll(unit.space(0));
                unit.changeLibraries(Libraries.none());
                unit.follow(next);
                unit.commit();
            } finally {
                stripes.unlockEverything();
            }
        }
        position = next.orElse(null);
        awaitDurable();
    }

    void awaitDurable() {
        keyspace.store().flush();
        answers.await(answers.seen());
    }

    void loading(boolean begun) {
        isLoading = begun;
    }

    Keyspace keyspace() {
        return keyspace;
    }

    RedisConfig settings() {
        return settings;
    }

    ReplicationCounts counts() {
        return counts;
    }

    InstantSource clock() {
        return clock;
    }

    /** The primary, and what is applied; empty when this server follows none. */
    public Optional<PrimaryPosition> position() {
        return Optional.ofNullable(position);
    }

    public boolean isFollowing() {
        return position != null;
    }

    /** Whether the keys are incomplete at the moment. */
    public boolean isLoading() {
        return isLoading;
    }

    public State state() {
        PrimaryLink now = current;
        return now == null ? State.CONNECT : now.state();
    }

    /** While a full synchronization runs. */
    public Optional<Transfer> transfer() {
        return link(PrimaryLink::transfer);
    }

    /** The offset of the last byte that was received; at least the one that is applied. */
    public long readOffset() {
        PrimaryLink now = current;
        return now == null ? 0 : now.readOffset();
    }

    /** Why the primary does not let this server follow it, according to the last attempt. */
    public Optional<String> refusal() {
        return refusal;
    }

    /** Since something came; -1 without a connection. */
    public long quietSeconds() {
        PrimaryLink now = current;
        return now == null ? -1 : now.quietSeconds();
    }

    public long downSinceMillis() {
        return downSinceMillis;
    }

    private <T> Optional<T> link(Function<PrimaryLink, Optional<T>> question) {
        PrimaryLink now = current;
        return now == null ? Optional.empty() : question.apply(now);
    }

    @Override
    public void close() {
        closed = true;
        disconnect();
        control.close();
        link.close();
    }
}
