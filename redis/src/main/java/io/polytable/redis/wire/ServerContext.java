package io.polytable.redis.wire;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.table.TableStore;

/** What the event loops of a server share. */
record ServerContext(Node node, CommandTable table, LongCommands workers) {
    Budget output() {
        return node.keyspace().memory().output();
    }

    Budget push() {
        return node.keyspace().memory().push();
    }

    TableStore store() {
        return node.keyspace().store();
    }

    AnswerGate answers() {
        return node.answers();
    }

    Tally newTally() {
        return node.statistics().newTally(table);
    }

    Dispatcher newDispatcher(Tally tally) {
        return new Dispatcher(node, table, tally);
    }
}
