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
import io.polytable.redis.command.geo.GeoCommands;
import io.polytable.redis.command.hash.HashCommands;
import io.polytable.redis.command.hyperloglog.HyperLogLogCommands;
import io.polytable.redis.command.introspection.CommandCommands;
import io.polytable.redis.command.introspection.MemoryCommands;
import io.polytable.redis.command.introspection.ObjectCommands;
import io.polytable.redis.command.keyspace.DatabaseCommands;
import io.polytable.redis.command.keyspace.ExpiryCommands;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.keyspace.MigrateCommand;
import io.polytable.redis.command.keyspace.ScanCommands;
import io.polytable.redis.command.list.BlockingListCommands;
import io.polytable.redis.command.list.ListCommands;
import io.polytable.redis.command.list.ListMoveCommands;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.ScriptCommands;
import io.polytable.redis.command.server.InfoCommand;
import io.polytable.redis.command.server.LatencyCommands;
import io.polytable.redis.command.server.ReplicationCommands;
import io.polytable.redis.command.server.ServerCommands;
import io.polytable.redis.command.server.SlowlogCommands;
import io.polytable.redis.command.set.SetAlgebraCommands;
import io.polytable.redis.command.set.SetCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.command.transaction.TransactionCommands;
import io.polytable.redis.command.zset.BlockingSortedSetCommands;
import io.polytable.redis.command.zset.SortedSetAlgebraCommands;
import io.polytable.redis.command.zset.SortedSetCommands;
import io.polytable.redis.command.zset.SortedSetRangeCommands;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.hash.RandomFields;
import io.polytable.redis.model.hyperloglog.HyperLogLogs;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.zset.RandomElements;
import io.polytable.redis.model.zset.SortedSets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** All command families of the server. */
final class Families {
    private Families() {}

    static List<CommandFamily> all(Node node) {
        Lists lists = new Lists();
        Sets sets = new Sets();
        SortedSets sortedSets = new SortedSets();
        return List.of(
                new ConnectionCommands(node),
                new ClientCommands(node),
                new ServerCommands(node),
                new ReplicationCommands(),
                new ClusterCommands(node),
                new RedirectionCommands(),
                new ScriptCommands(),
                new CommandCommands(),
                new ConfigCommands(node.settings(), node::resetStatistics),
                new InfoCommand(node),
                new SlowlogCommands(node),
                new LatencyCommands(node),
                new MemoryCommands(),
                new AclCommands(node),
                new DatabaseCommands(),
                new ExpiryCommands(),
                new KeyCommands(),
                new MigrateCommand(),
                new ObjectCommands(node.settings()),
                new WaitCommands(node.keyspace().store()),
                new TransactionCommands(node.watches()),
                new ScanCommands(ThreadLocalRandom::current),
                new StringCommands(new Strings()),
                new HashCommands(new Hashes(), new RandomFields(ThreadLocalRandom::current)),
                new ListCommands(lists),
                new ListMoveCommands(lists),
                new BlockingListCommands(lists),
                new SetCommands(sets, new RandomMembers(ThreadLocalRandom::current)),
                new SetAlgebraCommands(sets),
                new SortedSetCommands(sortedSets, new RandomElements(ThreadLocalRandom::current)),
                new BlockingSortedSetCommands(sortedSets),
                new SortedSetRangeCommands(sortedSets),
                new SortedSetAlgebraCommands(sortedSets),
                new BitmapCommands(node.settings()::wordBytesMax),
                new GeoCommands(sortedSets),
                new HyperLogLogCommands(new HyperLogLogs(node.settings()::sparseBytesMax)));
    }
}
