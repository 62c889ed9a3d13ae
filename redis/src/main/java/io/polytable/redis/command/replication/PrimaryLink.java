package io.polytable.redis.command.replication;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.rdb.RdbException;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to a primary: its synchronization, and then the commands of its stream, one after the other. */
final class PrimaryLink {
    private static final Logger LOG = LoggerFactory.getLogger(PrimaryLink.class);
    private static final long ACKNOWLEDGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Following following;
    private final PrimaryPosition from;
    private final Following.Commands commands;
    private final Following.Loader loader;
    private final Session session;
    private volatile @Nullable PrimaryConnection connection;
    private volatile Following.State state = Following.State.CONNECTING;
    private volatile boolean stopped;
    private volatile Following.@Nullable Transfer transfer;
    private volatile long readOffset;
    private int database;
    private long acknowledgedNanos;

    PrimaryLink(Following following, PrimaryPosition from, Following.Commands commands, Following.Loader loader) {
        this.following = following;
        this.from = from;
        this.commands = commands;
        this.loader = loader;
        this.session = Session.detached();
        this.readOffset = from.offset();
    }

    Following.State state() {
        return state;
    }

    Optional<Following.Transfer> transfer() {
        return Optional.ofNullable(transfer);
    }

    long readOffset() {
        return readOffset;
    }

    long quietSeconds() {
        PrimaryConnection now = connection;
        return now == null ? -1 : TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - now.lastReadNanos());
    }

    /** Ends the connection; what is applied at this moment is applied whole. */
    void stop() {
        stopped = true;
        PrimaryConnection now = connection;
        if (now != null) {
            try {
                now.close();
            } catch (IOException failed) {
                LOG.debug("The connection to the primary did not close", failed);
            }
        }
    }

    /** Returns never, but by an exception when the connection breaks or is stopped. */
    void run() throws IOException {
        RedisConfig settings = following.settings();
        int timeoutMillis = (int) Math.min(Integer.MAX_VALUE, settings.replicationTimeoutMillis());
        try (PrimaryConnection opened = new PrimaryConnection(from, timeoutMillis, this::check, following.counts())) {
            connection = opened;
            check();
            state = Following.State.HANDSHAKE;
            opened.introduce(new PrimaryConnection.Identity(
                    settings.primaryUser(), settings.primaryPassword(), settings.announcedHost(), (int)
                            settings.announcedPort()));
            PrimaryConnection.Answer answer = opened.synchronize(from);
            if (answer instanceof PrimaryConnection.Answer.Continues continues) {
                PrimaryPosition at = from.named(continues.streamId());
                locked(() -> following.advance(at));
                LOG.info("The stream of {}:{} continues at {}", from.host(), from.port(), from.offset());
                apply(opened.input(), at);
            } else if (answer instanceof PrimaryConnection.Answer.Everything everything) {
                synchronize(opened, everything);
            }
        } catch (CancellationException stopping) {
            throw new IOException("the connection ends", stopping);
        }
    }

    /** Called whenever nothing is to be read. */
    private void check() throws IOException {
        if (stopped) {
            throw new IOException("the connection is no longer wanted");
        }
        PrimaryConnection now = connection;
        if (now != null && quietSeconds() * 1000 > following.settings().replicationTimeoutMillis()) {
            throw new IOException("the primary sent nothing for repl-timeout");
        }
        if (now != null && state == Following.State.CONNECTED) {
            acknowledgeSometimes(now);
        }
    }

    private void acknowledgeSometimes(PrimaryConnection primary) throws IOException {
        if (System.nanoTime() - acknowledgedNanos > ACKNOWLEDGE_NANOS) {
            acknowledge(primary);
        }
    }

    /** Says what is applied, and would survive a power failure. */
    private void acknowledge(PrimaryConnection primary) throws IOException {
        acknowledgedNanos = System.nanoTime();
        long offset = following.position().map(PrimaryPosition::offset).orElse(0L);
        following.awaitDurable();
        primary.acknowledge(offset);
    }

    private void synchronize(PrimaryConnection primary, PrimaryConnection.Answer.Everything everything)
            throws IOException {
        state = Following.State.SYNC;
        transfer = new Following.Transfer(0, -1);
        Path directory = following.settings().temporaryDirectory();
        Path file = Files.createTempFile(directory, "temp-primary-", ".rdb");
        try {
            LOG.info("All keys of {}:{} are received", from.host(), from.port());
            primary.receive(file, (done, total) -> transfer = new Following.Transfer(done, total));
            PrimaryPosition at =
                    new PrimaryPosition(from.host(), from.port(), everything.streamId(), everything.offset(), 0, false);
            try (InboundSpool spool = new InboundSpool(primary, directory)) {
                load(file, at);
                Files.delete(file);
                transfer = null;
                readOffset = at.offset();
                apply(new SequenceInputStream(spool.stop(), primary.input()), at);
            }
        } finally {
            transfer = null;
            Files.deleteIfExists(file);
        }
    }

    /** Replaces all keys; if that fails, none are left, as in Redis. */
    private void load(Path file, PrimaryPosition at) throws IOException {
        IOException[] failure = new IOException[1];
        locked(() -> {
            following.loading(true);
            boolean isComplete = false;
            try {
                PrimaryPosition loading = at.loading(true);
                following.empty(Optional.of(loading));
                session.follow(Optional.of(loading));
                loader.load(file, session, place -> {
                    following.yieldLock();
                    ensureCurrent();
                });
                following.store(Optional.of(at));
                following.advance(at);
                isComplete = true;
                LOG.info("All keys of {}:{} are loaded", from.host(), from.port());
            } catch (IOException | RdbException | RedisError failed) {
                failure[0] = new IOException("the primary's keys cannot be loaded: " + failed.getMessage(), failed);
            } finally {
                if (!isComplete && following.isCurrent(this)) {
                    following.empty(Optional.of(PrimaryPosition.of(from.host(), from.port())));
                }
                following.loading(false);
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    private void locked(Runnable action) {
        following.locked(() -> {
            ensureCurrent();
            action.run();
        });
    }

    private void ensureCurrent() {
        if (stopped || !following.isCurrent(this)) {
            throw new CancellationException("this server has another role now");
        }
    }

    /** Applies commands for as long as they come. */
    private void apply(InputStream in, PrimaryPosition at) throws IOException {
        CommandStream stream = new CommandStream(in, at.offset(), this::check);
        database = at.database();
        session.select(database);
        state = Following.State.CONNECTED;
        following.connected();
        PrimaryConnection primary = connection;
        if (primary == null) {
            throw new IOException("there is no connection");
        }
        acknowledge(primary);
        while (true) {
            Bytes[] words = stream.next();
            readOffset = stream.offset();
            apply(primary, words, stream.offset());
            if (!stream.hasMore()) {
                following.keyspace().store().flush();
            }
            acknowledgeSometimes(primary);
        }
    }

    private void apply(PrimaryConnection primary, Bytes[] words, long offset) throws IOException {
        if (is(words[0], "REPLCONF")) {
            if (words.length > 1 && is(words[1], "GETACK")) {
                acknowledge(primary);
            }
            locked(() -> following.advance(positionAt(offset)));
            return;
        }
        awaitRoom();
        String[] failure = new String[1];
        locked(() -> failure[0] = run(words, offset));
        if (failure[0] != null) {
            failed(words, offset, failure[0]);
        }
    }

    /** A position inside a transaction would lose what its queue has. */
    private @Nullable String run(Bytes[] words, long offset) {
        PrimaryPosition before = positionAt(following.position().orElse(from).offset());
        boolean isInside = session.transaction().isOpen() && !is(words[0], "EXEC") && !is(words[0], "DISCARD");
        if (is(words[0], "SELECT") && words.length > 1) {
            database = number(words[1], database);
        }
        PrimaryPosition next = isInside || is(words[0], "MULTI") ? before : positionAt(offset);
        session.follow(Optional.of(next));
        Reply reply = commands.run(session, words);
        if (reply instanceof Reply.Failure failed) {
            return failed.error().getMessage();
        }
        if (reply instanceof Reply.Many many && is(words[0], "EXEC")) {
            Optional<String> inside = many.items().stream()
                    .filter(Reply.Failure.class::isInstance)
                    .map(each -> String.valueOf(((Reply.Failure) each).error().getMessage()))
                    .findFirst();
            // The others are committed: only a full synchronization makes the keys equal again.
            following.advance(inside.isPresent() ? next.named("") : next);
            return inside.orElse(null);
        }
        following.advance(next);
        return null;
    }

    private PrimaryPosition positionAt(long offset) {
        return following.position().orElse(from).at(offset, database);
    }

    private static int number(Bytes word, int otherwise) {
        try {
            return Integer.parseInt(word.utf8());
        } catch (NumberFormatException invalid) {
            return otherwise;
        }
    }

    /** Without space in the store a command would fail that succeeds a moment later. */
    private void awaitRoom() {
        if (!following.keyspace().store().hasRoom()) {
            CompletableFuture<Void> room = new CompletableFuture<>();
            following.keyspace().store().whenRoom(() -> room.complete(null));
            room.join();
        }
    }

    /**
     * What succeeded on the primary must succeed here, or the keys would differ from now on: the command is tried again
     * with a new connection, until it succeeds or the primary's backlog is over.
     */
    private void failed(Bytes[] words, long offset, String error) throws IOException {
        String name = words[0].length() > 64 ? "a command" : words[0].utf8();
        LOG.error("{} of the primary failed at {}: {}", name, offset, error);
        throw new IOException(name + " of the primary failed: " + error);
    }

    private static boolean is(Bytes word, String name) {
        return word.length() == name.length() && word.utf8().equalsIgnoreCase(name);
    }
}
