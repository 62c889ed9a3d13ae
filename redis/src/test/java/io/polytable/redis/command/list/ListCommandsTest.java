package io.polytable.redis.command.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shapes of both protocols, and the errors in Redis' words. */
class ListCommandsTest {
    private final Lists lists = new Lists();
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(
                    List.of(new StringCommands(new Strings()), new ListCommands(lists), new ListMoveCommands(lists))),
            Keyspace.open(new MemoryStore()),
            InstantSource.system());
    private final Session session = Session.detached();

    private String run(String... words) {
        return ReplyText.of(dispatcher.run(session, words), session.protocol(), false);
    }

    @Test
    void answersHaveTheShapeOfTheProtocol() {
        assertThat(run("rpush", "l", "a", "b", "c")).isEqualTo(":3");
        assertThat(run("lpop", "l", "0")).isEqualTo("[ ]");
        assertThat(run("lpop", "none", "0")).isEqualTo("nil-array");
        assertThat(run("lpop", "none")).isEqualTo("nil");
        assertThat(run("lmpop", "2", "none", "l", "right", "count", "2")).isEqualTo("[ $l [ $c $b ] ]");
        assertThat(run("lmpop", "1", "none", "left")).isEqualTo("nil-array");
        assertThat(run("lpos", "l", "a", "count", "0")).isEqualTo("[ :0 ]");
        assertThat(run("lpos", "none", "a", "count", "0")).isEqualTo("[ ]");
        assertThat(run("lpos", "none", "a")).isEqualTo("nil");
        assertThat(run("lindex", "none", "x")).isEqualTo("nil");
        assertThat(run("lmove", "none", "l", "left", "right")).isEqualTo("nil");
        session.speak(3);
        assertThat(run("lpop", "none", "1")).isEqualTo("nil");
        assertThat(run("lmpop", "1", "none", "left")).isEqualTo("nil");
        assertThat(run("rpop", "l", "5")).isEqualTo("[ $a ]");
        assertThat(run("llen", "l")).isEqualTo(":0");
    }

    @Test
    void refusesAsRedisDoes() {
        run("rpush", "l", "a");
        run("set", "text", "v");
        String notAnInteger = error("value is not an integer or out of range");
        String outOfRange =
                error("value is out of range, value must between -9223372036854775807 and 9223372036854775807");
        assertThat(run("lpop", "l", "-1")).isEqualTo(error("value is out of range, must be positive"));
        assertThat(run("lpop", "l", "1", "2")).isEqualTo(error("wrong number of arguments for 'lpop' command"));
        assertThat(run("lset", "none", "x", "v")).isEqualTo(error("no such key"));
        assertThat(run("lset", "l", "1", "v")).isEqualTo(error("index out of range"));
        assertThat(run("lset", "l", "-9223372036854775808", "v")).isEqualTo(error("index out of range"));
        assertThat(run("lindex", "l", "x")).isEqualTo(notAnInteger);
        assertThat(run("lrange", "none", "0", "x")).isEqualTo(notAnInteger);
        assertThat(run("lrem", "none", "-9223372036854775808", "v")).isEqualTo(":0");
        assertThat(run("lpos", "l", "a", "rank", "-9223372036854775808")).isEqualTo(outOfRange);
        assertThat(run("lpos", "l", "a", "rank", "0"))
                .isEqualTo(error("RANK can't be zero: use 1 to start from the first match, 2 from the second ... "
                        + "or use negative to start from the end of the list"));
        assertThat(run("lpos", "l", "a", "count", "-1")).isEqualTo(error("COUNT can't be negative"));
        assertThat(run("lpos", "l", "a", "maxlen", "-1")).isEqualTo(error("MAXLEN can't be negative"));
        assertThat(run("lpos", "l", "a", "maxlen")).isEqualTo(error("syntax error"));
        assertThat(run("linsert", "none", "beside", "a", "b")).isEqualTo(error("syntax error"));
        assertThat(run("lmove", "l", "l", "up", "left")).isEqualTo(error("syntax error"));
        assertThat(run("lmpop", "0", "l", "left")).isEqualTo(error("numkeys should be greater than 0"));
        assertThat(run("lmpop", "1", "l", "left", "count", "0")).isEqualTo(error("count should be greater than 0"));
        assertThat(run("lmove", "l", "text", "left", "left")).startsWith("-WRONGTYPE");
        assertThat(run("lmove", "none", "text", "left", "left")).isEqualTo("nil");
        assertThat(run("rpush", "text", "a")).startsWith("-WRONGTYPE");
    }

    private static String error(String text) {
        return "-ERR%20" + text.replace(" ", "%20");
    }
}
