package io.polytable.redis.command.set;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.testkit.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The shapes of both protocols, and the errors in Redis' words. */
class SetCommandsTest {
    private final Random random = new Random(11);
    private final Sets sets = new Sets();
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(
                    new StringCommands(new Strings()),
                    new SetCommands(sets, new RandomMembers(() -> random)),
                    new SetAlgebraCommands(sets))),
            Keyspace.open(new MemoryStore()),
            InstantSource.system());
    private final Session session = Session.detached();

    private String run(String... words) {
        return ReplyText.of(dispatcher.run(session, words), session.protocol(), false);
    }

    @Test
    void membersHaveTheShapeOfTheProtocol() {
        assertThat(run("sadd", "s", "m", "m")).isEqualTo(":1");
        assertThat(run("smembers", "s")).isEqualTo("[ $m ]");
        assertThat(run("smismember", "s", "m", "n")).isEqualTo("[ :1 :0 ]");
        assertThat(run("srandmember", "s", "-2")).isEqualTo("[ $m $m ]");
        assertThat(run("sinter", "s", "none")).isEqualTo("[ ]");
        session.speak(3);
        assertThat(run("srandmember", "s", "5")).isEqualTo("[ $m ]");
        assertThat(run("srandmember", "none", "5")).isEqualTo("[ ]");
        assertThat(run("spop", "none")).isEqualTo("nil");
        assertThat(run("smembers", "s")).isEqualTo("~[ $m ]");
        assertThat(run("sunion", "s", "none")).isEqualTo("~[ $m ]");
        assertThat(run("spop", "s", "9")).isEqualTo("~[ $m ]");
        assertThat(run("scard", "s")).isEqualTo(":0");
    }

    @Test
    void refusesAsRedisDoes() {
        run("sadd", "s", "m");
        run("set", "text", "v");
        assertThat(run("sintercard", "0", "s")).isEqualTo(error("numkeys should be greater than 0"));
        assertThat(run("sintercard", "2", "s")).isEqualTo(error("Number of keys can't be greater than number of args"));
        assertThat(run("sintercard", "1", "s", "limit", "-1")).isEqualTo(error("LIMIT can't be negative"));
        assertThat(run("sintercard", "1", "s", "limit")).isEqualTo(error("syntax error"));
        assertThat(run("spop", "s", "-1")).isEqualTo(error("value is out of range, must be positive"));
        assertThat(run("spop", "s", "1", "2")).isEqualTo(error("syntax error"));
        assertThat(run("srandmember", "s", "x")).isEqualTo(error("value is not an integer or out of range"));
        assertThat(run("srandmember", "s", "-16777217")).isEqualTo(error("value is out of range"));
        assertThat(run("sinter", "none", "text")).startsWith("-WRONGTYPE");
        assertThat(run("smove", "s", "text", "nothing")).startsWith("-WRONGTYPE");
        assertThat(run("smove", "none", "text", "nothing")).isEqualTo(":0");
    }

    private static String error(String text) {
        return "-ERR%20" + text.replace(" ", "%20");
    }
}
