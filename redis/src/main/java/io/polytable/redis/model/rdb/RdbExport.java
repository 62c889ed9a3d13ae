package io.polytable.redis.model.rdb;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Writes all functions and keys of a snapshot as an RDB file, database by database. Keys that have expired are left out. Clients
 * continue meanwhile.
 */
public final class RdbExport {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int REPORTED_KEYS = 1000;

    private final Keyspace keyspace;
    private final DumpFormat format;
    private final String redisVersion;

    /** @param redisVersion the version of Redis that the file names as its origin */
    public RdbExport(Keyspace keyspace, DumpFormat format, String redisVersion) {
        this.keyspace = keyspace;
        this.format = format;
        this.redisVersion = redisVersion;
    }

    /** What was written. */
    public record Summary(long keys, long bytes) {}

    /**
     * Writes a file under the name, or nothing: it appears complete and synced, in place of one that was there.
     *
     * @throws IOException when it cannot be written
     */
    public Summary toFile(Path file, long nowMillis, Progress progress) throws IOException {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent())
                .orElseThrow(() -> new IOException(file + " is a directory"));
        Path part = Files.createTempFile(folder, "temp-", ".rdb");
        try {
            Summary summary;
            try (Snapshot snapshot = keyspace.store().snapshot();
                    FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
                summary = write(snapshot, out, nowMillis, progress);
                out.flush();
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            sync(folder);
            return summary;
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Writes the file's bytes.
     *
     * @throws UncheckedIOException when the target fails
     */
    public Summary write(Snapshot snapshot, OutputStream target, long nowMillis, Progress progress) {
        RdbWriter writer = new RdbWriter(target, format);
        writer.begin();
        writer.aux("redis-ver", redisVersion);
        writer.aux("redis-bits", "64");
        writer.aux("ctime", Long.toString(nowMillis / 1000));
        writer.aux("used-mem", "0");
        writer.aux("aof-base", "0");
        keyspace.tables().libraries(snapshot).all().values().forEach(writer::function);
        long keys = 0;
        try (UnitOfWork unit = keyspace.newUnit(snapshot)) {
            unit.begin(nowMillis, false);
            Pass pass = new Pass(snapshot, unit, writer, progress);
            for (int database = 0; database < Databases.COUNT; database++) {
                pass.write(database);
            }
            keys = pass.keys;
            progress.at(keys, keys);
        }
        writer.end();
        return new Summary(keys, writer.written());
    }

    /** One walk over the keys. */
    private final class Pass {
        private final Snapshot snapshot;
        private final UnitOfWork unit;
        private final RdbWriter writer;
        private final Progress progress;
        private final long total;
        private long keys;

        Pass(Snapshot snapshot, UnitOfWork unit, RdbWriter writer, Progress progress) {
            this.snapshot = snapshot;
            this.unit = unit;
            this.writer = writer;
            this.progress = progress;
            this.total = IntStream.range(0, Databases.COUNT)
                    .mapToLong(database -> unit.space(database).size())
                    .sum();
        }

        void write(int database) {
            Space space = unit.space(database);
            RedisTables tables = keyspace.tables();
            KeyRange rows = KeyRange.partition(Layout.database(unit.databases().physical(database)));
            List<KeyRows.Stretch> stretches = IntStream.range(0, tables.partCount())
                    .mapToObj(part -> new KeyRows.Stretch(part, rows))
                    .toList();
            boolean isBegun = false;
            try (KeyRows cursor = new KeyRows(tables, snapshot, stretches)) {
                while (cursor.next()) {
                    Header header = Header.decode(cursor.value());
                    if (header.isExpired(space.nowMillis())) {
                        continue;
                    }
                    if (!isBegun) {
                        isBegun = true;
                        // Now, and therefore only about right for the snapshot; readers take it as a hint.
                        writer.database(database, space.size(), space.expiringCount());
                    }
                    writer.key(space, cursor.key(), header);
                    if (++keys % REPORTED_KEYS == 0) {
                        progress.at(Math.min(keys, total), total);
                    }
                }
            }
        }
    }
}
