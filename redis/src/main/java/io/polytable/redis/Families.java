package io.polytable.redis;

import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.bitmap.BitmapCommands;
import io.polytable.redis.command.blocking.WaitCommands;
import io.polytable.redis.command.client.AclCommands;
import io.polytable.redis.command.client.ClientCommands;
import io.polytable.redis.command.client.ConnectionCommands;
import io.polytable.redis.command.cluster.ClusterCommands;
import io.polytable.redis.command.cluster.RedirectionCommands;
import io.polytable.redis.command.config.ConfigCommands;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.geo.GeoCommands;
import io.polytable.redis.command.hash.HashCommands;
import io.polytable.redis.command.hyperloglog.HyperLogLogCommands;
import io.polytable.redis.command.introspection.CommandCommands;
import io.polytable.redis.command.introspection.MemoryCommands;
import io.polytable.redis.command.introspection.ObjectCommands;
import io.polytable.redis.command.keyspace.DatabaseCommands;
import io.polytable.redis.command.keyspace.DumpCommands;
import io.polytable.redis.command.keyspace.ExpiryCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.keyspace.MigrateCommand;
import io.polytable.redis.command.keyspace.RestoreAskingCommand;
import io.polytable.redis.command.keyspace.ScanCommands;
import io.polytable.redis.command.keyspace.SortCommands;
import io.polytable.redis.command.list.BlockingListCommands;
import io.polytable.redis.command.list.ListCommands;
import io.polytable.redis.command.list.ListMoveCommands;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.pubsub.PubSubCommands;
import io.polytable.redis.command.scripting.FunctionCommands;
import io.polytable.redis.command.scripting.ScriptCommands;
import io.polytable.redis.command.server.DebugCommand;
import io.polytable.redis.command.server.InfoCommand;
import io.polytable.redis.command.server.LatencyCommands;
import io.polytable.redis.command.server.ReplicationCommands;
import io.polytable.redis.command.server.ServerCommands;
import io.polytable.redis.command.server.SlowlogCommands;
import io.polytable.redis.command.set.SetAlgebraCommands;
import io.polytable.redis.command.set.SetCommands;
import io.polytable.redis.command.stream.GroupCommands;
import io.polytable.redis.command.stream.PendingCommands;
import io.polytable.redis.command.stream.StreamCommands;
import io.polytable.redis.command.stream.StreamInfoCommands;
import io.polytable.redis.command.stream.StreamReadCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.command.transaction.TransactionCommands;
import io.polytable.redis.command.zset.BlockingSortedSetCommands;
import io.polytable.redis.command.zset.SortedSetAlgebraCommands;
import io.polytable.redis.command.zset.SortedSetCommands;
import io.polytable.redis.command.zset.SortedSetRangeCommands;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.dump.Restores;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.hyperloglog.HyperLogLogs;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.sort.Sorting;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.StreamReports;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** All command families of the server. */
final class Families {
    private Families() {}

    /** What writes values in Redis' format as rows, encoded as clients' writes are. */
    static Restores restores(RedisConfig settings) {
        return new Restores(
                new Lists(),
                new Sets(settings::packing),
                new Hashes(() -> settings.packing().hash()),
                new SortedSets());
    }

    static List<CommandFamily> all(Node node) {
        Lists lists = new Lists();
        Sets sets = new Sets(node.settings()::packing);
        Hashes hashes = new Hashes(() -> node.settings().packing().hash());
        SortedSets sortedSets = new SortedSets();
        Streams streams = new Streams(node.settings()::streamNodes);
        Groups groups = new Groups();
        DumpCommands dumps = new DumpCommands(node.settings(), new Dumps(), restores(node.settings()));
        return List.of(
                new ConnectionCommands(node),
                new ClientCommands(node),
                new ServerCommands(node),
                new DebugCommand(node),
                new ReplicationCommands(node),
                new ClusterCommands(node),
                new RedirectionCommands(),
                new ScriptCommands(node.scripts()),
                new FunctionCommands(node.scripts(), dumps::format),
                new CommandCommands(),
                new ConfigCommands(node.settings(), node::resetStatistics),
                new InfoCommand(node),
                new SlowlogCommands(node),
                new LatencyCommands(node),
                new MemoryCommands(node),
                new AclCommands(node),
                new PubSubCommands(node.pubSub(), node.replication()::forward),
                new DatabaseCommands(),
                new ExpiryCommands(),
                new KeyCommands(),
                new MigrateCommand(),
                new ObjectCommands(node.settings(), node.startMillis()),
                new SortCommands(
                        new Sorting(lists, sets, sortedSets),
                        () -> node.keyspace().partitions() > 1),
                dumps,
                new RestoreAskingCommand(dumps),
                new WaitCommands(node.keyspace().store(), node.answers(), node.replication(), node.following()),
                new TransactionCommands(node.watches()),
                new ScanCommands(ThreadLocalRandom::current),
                new StringCommands(new Strings()),
                new HashCommands(hashes, new RandomFields(ThreadLocalRandom::current)),
                new ListCommands(lists),
                new ListMoveCommands(lists),
                new BlockingListCommands(lists),
                new SetCommands(sets, new RandomMembers(ThreadLocalRandom::current)),
                new SetAlgebraCommands(sets),
                new SortedSetCommands(sortedSets, new RandomElements(ThreadLocalRandom::current)),
                new BlockingSortedSetCommands(sortedSets),
                new SortedSetRangeCommands(sortedSets),
                new SortedSetAlgebraCommands(sortedSets),
                new StreamCommands(streams, node.settings()::streamNodes),
                new StreamReadCommands(streams, groups, new GroupReads()),
                new GroupCommands(groups),
                new PendingCommands(groups, new Claims()),
                new StreamInfoCommands(streams, new StreamReports()),
                new BitmapCommands(node.settings()::stringBytesMax),
                new GeoCommands(sortedSets),
                new HyperLogLogCommands(new HyperLogLogs(node.settings()::sparseBytesMax)));
    }
}
