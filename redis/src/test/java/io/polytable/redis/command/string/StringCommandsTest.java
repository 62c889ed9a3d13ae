package io.polytable.redis.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the transcripts cannot show, since it hangs on time or size. */
class StringCommandsTest {
    private static final Bytes KEY = Bytes.utf8("k");

    private long nowMillis = 1_800_000_000_000L;
    private final Keyspace keyspace = Keyspace.open(new MemoryStore());
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(new StringCommands(new Strings()))),
            keyspace,
            () -> Instant.ofEpochMilli(nowMillis));

    private String run(String... words) {
        return ReplyText.of(dispatcher.run(Session.detached(), words), 2, false);
    }

    /** Milliseconds until the key expires, -1 when it never does. */
    private long ttl() {
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(nowMillis, false);
        long expireAt = unit.space(0).header(KEY).orElseThrow().expireAt();
        return expireAt < 0 ? expireAt : expireAt - nowMillis;
    }

    @Test
    void setGivesKeepsAndTakesDeadlines() {
        run("set", "k", "v", "ex", "10");
        assertThat(ttl()).isEqualTo(10_000);
        run("set", "k", "v", "px", "1500");
        assertThat(ttl()).isEqualTo(1500);
        run("set", "k", "w", "keepttl");
        assertThat(ttl()).isEqualTo(1500);
        run("set", "k", "v", "exat", "1800000020");
        assertThat(ttl()).isEqualTo(20_000);
        run("set", "k", "v", "pxat", "1800000020001");
        assertThat(ttl()).isEqualTo(20_001);
        run("set", "k", "v", "ex", "5", "ex", "6");
        assertThat(ttl()).isEqualTo(6000);
        run("set", "k", "v");
        assertThat(ttl()).isEqualTo(-1);
        run("setex", "k", "7", "v");
        assertThat(ttl()).isEqualTo(7000);
        run("psetex", "k", "8", "v");
        assertThat(ttl()).isEqualTo(8);
        run("getset", "k", "v");
        assertThat(ttl()).isEqualTo(-1);
    }

    @Test
    void whatChangesAStringLeavesItsDeadline() {
        run("set", "k", "1", "ex", "10");
        for (String[] change : new String[][] {
            {"append", "k", "0"}, {"incr", "k"}, {"incrbyfloat", "k", "0.5"}, {"setrange", "k", "0", "2"}
        }) {
            run(change);
            assertThat(ttl()).as(change[0]).isEqualTo(10_000);
        }
        assertThat(run("get", "k")).isEqualTo("$21.5");
    }

    @Test
    void getExMovesTheDeadline() {
        run("set", "k", "v");
        assertThat(run("getex", "k", "px", "500")).isEqualTo("$v");
        assertThat(ttl()).isEqualTo(500);
        run("getex", "k");
        assertThat(ttl()).isEqualTo(500);
        run("getex", "k", "persist");
        assertThat(ttl()).isEqualTo(-1);
        assertThat(run("getex", "k", "exat", "1")).isEqualTo("$v");
        assertThat(run("get", "k")).isEqualTo("nil");
    }

    @Test
    void anExpiredStringIsAsGoodAsNone() {
        run("set", "k", "5", "px", "100");
        nowMillis += 100;
        assertThat(run("get", "k")).isEqualTo("$5");
        nowMillis++;
        assertThat(run("get", "k")).isEqualTo("nil");
        assertThat(run("set", "k", "6", "xx")).isEqualTo("nil");
        assertThat(run("incr", "k")).isEqualTo(":1");
        assertThat(ttl()).isEqualTo(-1);
    }

    @Test
    void aDeadlineInThePastIsTaken() {
        assertThat(run("set", "k", "v", "pxat", "1")).isEqualTo("+OK");
        assertThat(run("get", "k")).isEqualTo("nil");
        assertThat(run("set", "k", "v", "get")).isEqualTo("nil");
        assertThat(run("get", "k")).isEqualTo("$v");
    }

    @Test
    void refusesStringsBeyondTheLimit() {
        String tooLong = "-ERR%20string%20exceeds%20maximum%20allowed%20size%20(proto-max-bulk-len)";
        assertThat(run("setrange", "k", "536870912", "x")).isEqualTo(tooLong);
        assertThat(run("setrange", "k", "9223372036854775807", "x")).isEqualTo(tooLong);
        assertThat(run("setrange", "k", "536870912", "")).isEqualTo(":0");
    }
}
