package io.polytable.redis;

import io.polytable.redis.command.AclCommands;
import io.polytable.redis.command.BlockingSortedSetCommands;
import io.polytable.redis.command.ClientCommands;
import io.polytable.redis.command.CommandCommands;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.ConfigCommands;
import io.polytable.redis.command.ConnectionCommands;
import io.polytable.redis.command.DatabaseCommands;
import io.polytable.redis.command.ExpiryCommands;
import io.polytable.redis.command.HashCommands;
import io.polytable.redis.command.InfoCommand;
import io.polytable.redis.command.KeyCommands;
import io.polytable.redis.command.LatencyCommands;
import io.polytable.redis.command.MemoryCommands;
import io.polytable.redis.command.Node;
import io.polytable.redis.command.ObjectCommands;
import io.polytable.redis.command.ScanCommands;
import io.polytable.redis.command.ServerCommands;
import io.polytable.redis.command.SlowlogCommands;
import io.polytable.redis.command.SortedSetAlgebraCommands;
import io.polytable.redis.command.SortedSetCommands;
import io.polytable.redis.command.SortedSetRangeCommands;
import io.polytable.redis.command.StringCommands;
import io.polytable.redis.command.WaitCommands;
import io.polytable.redis.model.Hashes;
import io.polytable.redis.model.RandomElements;
import io.polytable.redis.model.RandomFields;
import io.polytable.redis.model.SortedSets;
import io.polytable.redis.model.Strings;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** All commands there are. */
final class Families {
    private Families() {}

    static List<CommandFamily> all(Node node) {
        SortedSets sortedSets = new SortedSets();
        return List.of(
                new ConnectionCommands(node),
                new ClientCommands(node),
                new ServerCommands(node),
                new CommandCommands(),
                new ConfigCommands(node),
                new InfoCommand(node),
                new SlowlogCommands(node),
                new LatencyCommands(node),
                new MemoryCommands(),
                new AclCommands(node),
                new DatabaseCommands(),
                new ExpiryCommands(),
                new KeyCommands(),
                new ObjectCommands(node.settings()),
                new WaitCommands(),
                new ScanCommands(ThreadLocalRandom::current),
                new StringCommands(new Strings()),
                new HashCommands(new Hashes(), new RandomFields(ThreadLocalRandom::current)),
                new SortedSetCommands(sortedSets, new RandomElements(ThreadLocalRandom::current)),
                new BlockingSortedSetCommands(sortedSets, node),
                new SortedSetRangeCommands(sortedSets),
                new SortedSetAlgebraCommands(sortedSets));
    }
}
