package io.polytable.redis;

import io.polytable.frontend.Progress;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Saves;
import io.polytable.redis.command.scripting.Functions;
import io.polytable.redis.command.scripting.Scripts;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.rdb.RdbChecksum;
import io.polytable.redis.model.rdb.RdbException;
import io.polytable.redis.model.rdb.RdbExport;
import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.redis.model.rdb.RdbReader;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Moves all keys in and out as RDB files. */
public final class RdbFiles implements AutoCloseable {
    private final Keyspace keyspace;
    private final RedisConfig settings;
    private final Functions functions;
    private final InstantSource clock;
    private final boolean ownsKeyspace;

    RdbFiles(Keyspace keyspace, RedisConfig settings, Functions functions, InstantSource clock) {
        this(keyspace, settings, functions, clock, false);
    }

    private RdbFiles(
            Keyspace keyspace, RedisConfig settings, Functions functions, InstantSource clock, boolean ownsKeyspace) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.functions = functions;
        this.clock = clock;
        this.ownsKeyspace = ownsKeyspace;
    }

    /** For a store on which no frontend runs; close it before the store. */
    public static RdbFiles offline(TableStore store, RedisOptions options) {
        RedisConfig settings = new RedisConfig(options.settings());
        Keyspace keyspace =
                Keyspace.open(store, options.shards(), options.memory().get());
        Scripts scripts = new Scripts(
                keyspace.memory().scriptTexts(), Node.LUA, keyspace.memory().scripts());
        return new RdbFiles(keyspace, settings, scripts.functions(), InstantSource.system(), true);
    }

    /**
     * How to import.
     *
     * @param skipsFunctions whether libraries of functions are left out
     * @param restarts whether to begin again, although an earlier import of the file was interrupted
     */
    public record ImportOptions(boolean skipsFunctions, boolean restarts) {}

    /**
     * Exports all keys of a snapshot.
     *
     * @throws IOException when the file cannot be written
     */
    public RdbExport.Summary exportTo(Path file, Progress progress) throws IOException {
        return new RdbExport(keyspace, Saves.format(settings), Node.VERSION).toFile(file, clock.millis(), progress);
    }

    /**
     * Imports all keys of the file; each replaces a key of its name. If an earlier import of the same file was
     * interrupted, this one continues where that was, unless the options say otherwise.
     *
     * @param notes where to note how far it is
     * @throws IOException when the file cannot be read
     * @throws RdbException when it is damaged or has what this server does not store
     * @throws RedisError when a value does not fit in here
     */
    public RdbImport.Totals importFrom(Path file, Path notes, ImportOptions options, Progress progress)
            throws IOException {
        if (keyspace.removal().follows()) {
            throw CommandErrors.READ_ONLY;
        }
        ImportNotes place = ImportNotes.of(notes, file);
        Optional<RdbImport.Checkpoint> from = options.restarts() ? Optional.empty() : place.read();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                RdbImport keys = new RdbImport(
                        keyspace,
                        Families.restores(settings),
                        clock,
                        (before, source) -> options.skipsFunctions() ? before : functions.with(before, source, true),
                        Origin.BACKGROUND)) {
            long size = channel.size();
            long start = from.map(checkpoint -> checkpoint.mark().offset()).orElse(0L);
            if (from.isEmpty()) {
                verify(channel, size);
            }
            InputStream in = Channels.newInputStream(channel.position(start));
            RdbReader reader = from.map(checkpoint -> RdbReader.resume(in, checkpoint.mark(), size, keys.memory()))
                    .orElseGet(() -> RdbReader.open(in, size, keys.memory()));
            from.ifPresent(keys::resume);
            RdbImport.Totals totals = keys.run(reader, at -> progress.at(at, size), place::write);
            progress.at(size, size);
            place.delete();
            return totals;
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    /** Writes the keys of a primary's file. */
    void load(Path file, Session session, LongConsumer place) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                RdbImport keys = new RdbImport(
                        keyspace,
                        Families.restores(settings),
                        clock,
                        (before, source) -> functions.with(before, source, true),
                        session)) {
            verify(channel, channel.size());
            InputStream in = Channels.newInputStream(channel.position(0));
            keys.run(RdbReader.open(in, channel.size(), keys.memory()), place, checkpoint -> {});
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    /** A damaged file should change nothing. Files of Redis before 2.6 have no checksum to look at. */
    private static void verify(FileChannel channel, long size) throws IOException {
        InputStream in = Channels.newInputStream(channel.position(0));
        if (RdbReader.open(in, size, bytes -> {}).hasChecksum()) {
            RdbChecksum.verify(Channels.newInputStream(channel.position(0)), size);
        }
    }

    @Override
    public void close() {
        if (ownsKeyspace) {
            keyspace.close();
        }
    }
}
