package io.polytable.redis;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.wire.RedisOptions;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.List;

/** All commands on a store in memory, without a socket; answers in the form of {@link PlainReply}. */
final class RedisInProcess {
    private final Keyspace keyspace;
    private final Dispatcher dispatcher;
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
        Node node = new Node(keyspace, config, clock);
        CommandTable table = CommandTable.of(Families.all(node));
        this.dispatcher = new Dispatcher(node, table, node.statistics().newTally(table));
    }

    Keyspace keyspace() {
        return keyspace;
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
