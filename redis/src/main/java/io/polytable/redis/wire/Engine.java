package io.polytable.redis.wire;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Dispatcher;
import io.polytable.redis.command.Node;
import io.polytable.redis.command.Statistics;
import io.polytable.redis.command.Tally;
import io.polytable.table.TableStore;

/** What all event loops of a server share. */
record Engine(Node node, CommandTable table, Statistics statistics, InputBudget input) {
    TableStore store() {
        return node.keyspace().store();
    }

    Dispatcher newDispatcher(Tally tally) {
        return new Dispatcher(node, table, statistics, tally);
    }
}
