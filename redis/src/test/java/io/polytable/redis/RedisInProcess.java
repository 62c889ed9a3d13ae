package io.polytable.redis;

import io.polytable.frontend.Progress;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.Functions;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.rdb.RdbExport;
import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.redis.model.rdb.RdbReader;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.testkit.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.List;

/** All commands on a store in memory, without a socket; answers in the form of {@link PlainReply}. */
final class RedisInProcess {
    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Dispatcher dispatcher;
    private final Functions functions;
    private final Session session = Session.detached();

    RedisInProcess(InstantSource clock) {
        this(clock, Keyspace.open(new MemoryStore()));
    }

    RedisInProcess(InstantSource clock, Keyspace keyspace) {
        this(clock, keyspace, new RedisConfig());
    }

    static RedisInProcess withDebug(InstantSource clock) {
        RedisOptions options = RedisOptions.defaults().with("enable-debug-command", "yes");
        RedisConfig config = new RedisConfig(options.settings());
        return new RedisInProcess(clock, Keyspace.open(new MemoryStore()), config);
    }

    private RedisInProcess(InstantSource clock, Keyspace keyspace, RedisConfig config) {
        this.keyspace = keyspace;
        this.clock = clock;
        Node node = new Node(keyspace, config, clock);
        this.functions = node.scripts().functions();
        CommandTable table = CommandTable.of(Families.all(node));
        this.dispatcher = new Dispatcher(node, table, node.statistics().newTally(table));
    }

    /** Imports a file, as the server does. */
    RdbImport.Totals load(byte[] file) {
        RedisConfig settings = new RedisConfig();
        Restores restores = Families.restores(settings);
        try (RdbImport imported =
                new RdbImport(keyspace, restores, clock, (before, source) -> before, Origin.BACKGROUND)) {
            RdbReader reader = RdbReader.open(new ByteArrayInputStream(file), file.length, imported.memory());
            return imported.run(reader, place -> {}, checkpoint -> {});
        }
    }

    /** Exports all keys, as the server does. */
    byte[] save() {
        DumpFormat format = new DumpFormat(DumpFormat.Version.OF_7_0, new RedisConfig().packing(), true);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (Snapshot snapshot = keyspace.store().snapshot()) {
            new RdbExport(keyspace, format, Node.VERSION).write(snapshot, file, clock.millis(), Progress.NONE);
        }
        return file.toByteArray();
    }

    Keyspace keyspace() {
        return keyspace;
    }

    Functions functions() {
        return functions;
    }

    Session session() {
        return session;
    }

    Reply reply(List<Bytes> words) {
        return dispatcher.run(session, words.toArray(Bytes[]::new));
    }

    Object run(List<Bytes> words) {
        return PlainReply.of(reply(words), session.protocol());
    }

    Object run(String... words) {
        return run(List.of(words).stream().map(Bytes::utf8).toList());
    }
}
