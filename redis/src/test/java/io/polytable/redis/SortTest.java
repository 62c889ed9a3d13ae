package io.polytable.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.PlainReply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.keyspace.SortCommands;
import io.polytable.redis.command.list.ListCommands;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.sort.Sorting;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** SORT where a single client beside a reference server cannot see the difference. */
class SortTest {
    private static final int ROUNDS = 2_000;

    @Test
    void keysThatNobodyCanHaveAreAbsent() {
        RedisInProcess redis = new RedisInProcess(InstantSource.system());
        redis.run("rpush", "l", "a");
        assertThat(redis.run("sort", "l", "alpha", "get", "x".repeat(2 << 20) + "*"))
                .isEqualTo(List.of(PlainReply.ABSENT));
        assertThat(redis.run("sort", "l", "by", "x".repeat(2 << 20) + "*")).isEqualTo(List.of(Bytes.utf8("a")));
    }

    @Test
    void patternsAreDeniedWhereKeysAreInSeveralGroups() {
        Lists lists = new Lists();
        SortCommands sort = new SortCommands(new Sorting(lists, new Sets(), new SortedSets()), () -> true);
        Dispatcher dispatcher = new Dispatcher(
                CommandTable.of(List.of(sort, new ListCommands(lists))),
                Keyspace.open(new MemoryStore()),
                InstantSource.system());
        run(dispatcher, "rpush", "l", "2", "1");
        assertThat(run(dispatcher, "sort", "l", "by", "w_*"))
                .isEqualTo("error: ERR BY option of SORT denied in cluster mode.");
        assertThat(run(dispatcher, "sort_ro", "l", "get", "w_*"))
                .isEqualTo("error: ERR GET option of SORT denied in cluster mode.");
        assertThat(run(dispatcher, "sort", "l", "by", "nosort", "get", "#"))
                .isEqualTo(List.of(Bytes.utf8("2"), Bytes.utf8("1")));
    }

    /** Two weights always change together; SORT must not see one of them changed. */
    @Test
    void seesAllOfATransactionOrNothing() throws InterruptedException, ExecutionException {
        Keyspace keyspace = Keyspace.open(new MemoryStore());
        Node node = new Node(keyspace, new RedisConfig(), InstantSource.system());
        CommandTable table = CommandTable.of(Families.all(node));
        Dispatcher reader = new Dispatcher(node, table, node.statistics().newTally(table));
        Dispatcher writer = new Dispatcher(node, table, node.statistics().newTally(table));
        run(writer, "rpush", "l", "1", "2");
        run(writer, "mset", "w_1", "0", "w_2", "0");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> writes = thread.submit(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    run(writer, "mset", "w_1", Integer.toString(i), "w_2", Integer.toString(i));
                }
            });
            for (int i = 0; i < ROUNDS; i++) {
                List<?> weights = (List<?>) run(reader, i % 2 == 0 ? "sort" : "sort_ro", "l", "get", "w_*");
                assertThat(weights.get(0)).isEqualTo(weights.get(1));
            }
            writes.get();
        } finally {
            thread.shutdownNow();
        }
    }

    private static Object run(Dispatcher dispatcher, String... words) {
        return PlainReply.of(dispatcher.run(Session.detached(), words), 2);
    }
}
