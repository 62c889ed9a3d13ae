package io.polytable.server.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.net.Transport;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.redis.RedisFrontend;
import io.polytable.redis.model.keyspace.PartitionLayout;
import io.polytable.redis.model.view.RedisProjection;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.TestCluster;
import io.polytable.store.fluss.projection.ProjectionOptions;
import io.polytable.store.fluss.projection.Projector;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;

/** A Redis on a store, projected into the shared cluster; it can be stopped at any point and restarted. */
final class ProjectedRedis implements AutoCloseable {
    private static final Duration QUIET = Duration.ofMillis(500);

    /** The documented limit of the sub-key index. */
    private static final int LISTED_MAX = 1000;

    private Path directory;
    private final int shards;
    private final int partitions;
    private final FlussSettings settings;
    private final ProjectionOptions options;
    private final FlussReader reader;
    private long retainBytes = 256L << 20;
    private TableStore store;
    private Projector projector;
    private RedisFrontend face;
    private RedisClient client;

    ProjectedRedis(Path directory, int shards, int partitions, String database) throws IOException {
        this.directory = directory;
        this.shards = shards;
        this.partitions = partitions;
        String servers = TestCluster.shared().bootstrapServers();
        settings = FlussSettings.of(servers).withDatabase(database).withAnswerMax(Duration.ofSeconds(20));
        options = ProjectionOptions.DEFAULT
                .withInterval(Duration.ofMillis(50))
                .withBatchRows(50)
                .withQuiet(QUIET)
                .withBuckets(shards == 0 ? 2 : 1);
        reader = new FlussReader(servers, database);
        store = openStore();
        projector = new Projector(settings, options);
        face = openFace();
        client = new RedisClient(face.port());
    }

    private TableStore openStore() {
        EngineOptions small = EngineOptions.DEFAULT
                .withDurability(DurabilityMode.OS)
                .withMemory(16L << 20, 64L << 20)
                .withGenerations(1L << 20, Duration.ofMillis(300));
        FileLogOptions log =
                FileLogOptions.defaults().withSegmentBytes(1L << 20).withRetention(retainBytes, Duration.ZERO);
        if (partitions == 1) {
            return EmbeddedStore.open(directory, small, log);
        }
        Partitioning partitioning = new Partitioning(partitions, new PartitionLayout(shards, partitions)::partitionOf);
        return EmbeddedStore.openPartitions(directory, partitioning, small, log, Recovery.Progress.NONE);
    }

    private RedisFrontend openFace() {
        RedisFrontend started = openFaceAlone();
        projector.start(store, RedisProjection.of(started.keyspace()));
        return started;
    }

    private RedisFrontend openFaceAlone() {
        RedisOptions free = RedisOptions.defaults().withPort(0).withThreads(1).withShards(shards);
        return RedisFrontend.start(
                store,
                free,
                InstantSource.system(),
                projector,
                Users.open(store, new Sessions(), InstantSource.system()),
                new Sessions(),
                Transport.PLAIN);
    }

    /** Restarts with a projector that does not run and a log that retains nothing for it. */
    void restartWithoutTables() throws IOException {
        stop();
        retainBytes = 0;
        store = openStore();
        projector = new Projector(settings, options);
        face = openFaceAlone();
        client = new RedisClient(face.port());
    }

    /** Writes until the log no longer holds the commits after its present end. */
    void expireLog() throws IOException {
        Position now = store.position();
        String large = "x".repeat(64 << 10);
        while (!isExpired(now)) {
            for (int i = 0; i < 32; i++) {
                assertThat(client.ask("SET", "filler", large)).isEqualTo("OK");
            }
            ((Engine) store).settle();
        }
    }

    private boolean isExpired(Position position) {
        try {
            store.changes(Set.copyOf(store.tables()), position).close();
            return false;
        } catch (StoreException e) {
            return e.error() == StoreError.POSITION_EXPIRED;
        }
    }

    /** Stops everything at once, the projector in the middle of its work, and restarts. */
    void restart() throws IOException {
        stop();
        store = openStore();
        projector = new Projector(settings, options);
        face = openFace();
        client = new RedisClient(face.port());
    }

    /** Another, empty store over the tables of this one. */
    void beginAnewIn(Path other) throws IOException {
        directory = other;
        restart();
    }

    RedisClient client() {
        return client;
    }

    Projector projector() {
        return projector;
    }

    FlussReader reader() {
        return reader;
    }

    /** Waits until the tables equal Redis' content. */
    void awaitEqual(String when) throws Exception {
        Await.until(() -> "the tables in Fluss equal Redis, " + when, this::isEqual);
        Told told = told();
        assertThat(reader.data()).as(when).isEqualTo(told.data());
        assertThat(reader.members()).as(when).isEqualTo(told.members());
        assertThat(reader.subKeys()).as(when).isEqualTo(told.subKeys());
    }

    private boolean isEqual() throws Exception {
        Told told = told();
        return projector.status().lagRecords() == 0
                && reader.data().equals(told.data())
                && reader.members().equals(told.members())
                && reader.subKeys().equals(told.subKeys());
    }

    /** The whole content, read with Redis' own commands. */
    private record Told(Set<String> data, Set<String> members, Set<String> subKeys) {}

    private Told told() throws IOException {
        Told told = new Told(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        for (int db = 0; db < 16; db++) {
            client.ask("SELECT", Integer.toString(db));
            for (String key : client.askAll("KEYS", "*")) {
                tell(told, db, key);
            }
        }
        return told;
    }

    private void tell(Told told, int db, String key) throws IOException {
        String type = client.ask("TYPE", key);
        String expireAt = client.ask("PEXPIRETIME", key);
        String start = db + " " + key + " ";
        switch (type) {
            case "string" -> told.data().add(start + " string - " + client.ask("GET", key) + " " + expireAt);
            case "hash" -> {
                var pairs = client.askAll("HGETALL", key);
                Set<String> fields = new TreeSet<>();
                for (int i = 0; i < pairs.size(); i += 2) {
                    fields.add(pairs.get(i));
                    told.data().add(start + pairs.get(i) + " hash - " + pairs.get(i + 1) + " " + expireAt);
                }
                told.subKeys().add(start + (fields.size() > LISTED_MAX ? "-" : fields));
            }
            case "zset" -> {
                var pairs = client.askAll("ZRANGE", key, "0", "-1", "WITHSCORES");
                Set<String> members = new TreeSet<>();
                for (int i = 0; i < pairs.size(); i += 2) {
                    double score = Double.parseDouble(pairs.get(i + 1));
                    members.add(pairs.get(i));
                    told.members().add(start + pairs.get(i) + " " + score);
                    told.data().add(start + pairs.get(i) + " zset " + score + " " + pairs.get(i) + " " + expireAt);
                }
                told.subKeys().add(start + members);
            }
            default -> assertThat(type).as("it may have expired just now").isEqualTo("none");
        }
    }

    private void stop() throws IOException {
        client.close();
        projector.close();
        face.close();
        store.close();
    }

    @Override
    public void close() throws IOException {
        stop();
        reader.close();
    }
}
