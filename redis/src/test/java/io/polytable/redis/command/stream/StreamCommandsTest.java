package io.polytable.redis.command.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.ReplyText;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.dispatch.Dispatcher;
import io.polytable.redis.command.keyspace.KeyCommands;
import io.polytable.redis.command.string.StringCommands;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.StreamReports;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What 7.2 answers otherwise than the reference of the conformance tests, the shapes of both protocols, and times. */
class StreamCommandsTest {
    private final Streams streams = new Streams(() -> NodeLimits.STANDARD);
    private final Groups groups = new Groups();
    private long nowMillis = 1_700_000_000_000L;
    private final Dispatcher dispatcher = new Dispatcher(
            CommandTable.of(List.of(
                    new StringCommands(new Strings()),
                    new KeyCommands(),
                    new StreamCommands(streams, () -> NodeLimits.STANDARD),
                    new StreamReadCommands(streams, groups, new GroupReads()),
                    new GroupCommands(groups),
                    new PendingCommands(groups, new Claims()),
                    new StreamInfoCommands(streams, new StreamReports()))),
            Keyspace.open(new MemoryStore()),
            () -> Instant.ofEpochMilli(nowMillis));
    private final Session session = Session.detached();

    private String run(String line) {
        return ReplyText.of(dispatcher.run(session, line.split(" ", -1)), session.protocol(), false)
                .replace("%20", " ");
    }

    @Test
    void idsAreGeneratedFromTheClockAndNeverGoBack() {
        assertThat(run("xadd s * f v")).isEqualTo("$1700000000000-0");
        assertThat(run("xadd s * f v")).isEqualTo("$1700000000000-1");
        nowMillis -= 5000;
        assertThat(run("xadd s * f v")).isEqualTo("$1700000000000-2");
        nowMillis += 6000;
        assertThat(run("xadd s * f v")).isEqualTo("$1700000001000-0");
        assertThat(run("xadd s 1700000001000-* f v")).isEqualTo("$1700000001000-1");
        assertThat(run("xadd s 1700000002000-* f v")).isEqualTo("$1700000002000-0");
        run("xadd s 18446744073709551615-18446744073709551615 f v");
        assertThat(run("xadd s * f v"))
                .contains("The stream has exhausted the last possible ID, unable to add more items");
    }

    @Test
    void streamsAreAMapInTheNewerProtocol() {
        run("xadd s 1-1 f v");
        run("xadd t 2-1 g w");
        assertThat(run("xread streams s t 0 0"))
                .isEqualTo("[ [ $s [ [ $1-1 [ $f $v ] ] ] ] [ $t [ [ $2-1 [ $g $w ] ] ] ] ]");
        session.speak(3);
        assertThat(run("xread streams s t 0 0")).isEqualTo("{ $s [ [ $1-1 [ $f $v ] ] ] $t [ [ $2-1 [ $g $w ] ] ] }");
        assertThat(run("xread streams s 1-1")).isEqualTo("nil");
    }

    @Test
    void consumersTellWhenTheyWereSeenAndWhenTheyWereActive() {
        run("xadd s 1-1 f v");
        run("xgroup create s g 0");
        run("xgroup createconsumer s g idler");
        run("xreadgroup group g worker streams s >");
        nowMillis += 500;
        assertThat(run("xreadgroup group g worker streams s >")).isEqualTo("nil-array");
        nowMillis += 70;
        assertThat(run("xinfo consumers s g"))
                .isEqualTo("[ [ $name $idler $pending :0 $idle :570 $inactive :-1 ]"
                        + " [ $name $worker $pending :1 $idle :70 $inactive :570 ] ]");
        session.speak(3);
        assertThat(run("xinfo stream s full"))
                .contains("$name $worker $seen-time :1700000000500 $active-time :1700000000000 $pel-count :1")
                .contains("$name $idler $seen-time :1700000000000 $active-time :-1 $pel-count :0");
    }

    @Test
    void whoeverClaimsOrReadsIsAConsumerEvenIfThereIsNothing() {
        run("xgroup create s g $ mkstream");
        assertThat(run("xclaim s g claims 0 1-1")).isEqualTo("[ ]");
        assertThat(run("xautoclaim s g autoclaims 0 -")).isEqualTo("[ $0-0 [ ] [ ] ]");
        assertThat(run("xreadgroup group g reads streams s >")).isEqualTo("nil-array");
        assertThat(run("xinfo groups s")).contains("$consumers :3");
    }

    @Test
    void anAutomaticClaimTakesUpDeletedEntriesTowardsItsCount() {
        for (int i = 1; i <= 4; i++) {
            run("xadd s " + i + "-0 f v");
        }
        run("xgroup create s g 0");
        run("xreadgroup group g c streams s >");
        run("xdel s 1-0 2-0");
        assertThat(run("xautoclaim s g d 0 - count 3 justid")).isEqualTo("[ $4-0 [ $3-0 ] [ $1-0 $2-0 ] ]");
        assertThat(run("xautoclaim s g d 0 4-0 count 3 justid")).isEqualTo("[ $0-0 [ $4-0 ] [ ] ]");
        assertThat(run("xpending s g")).isEqualTo("[ :2 $3-0 $4-0 [ [ $d $2 ] ] ]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    xread streams s 0 0          | Unbalanced 'xread' list of streams: for each stream key an ID or '$' must be specified.
                    xreadgroup group g c streams s > > | Unbalanced 'xreadgroup' list of streams: for each stream key an ID or '>' must be specified.
                    xsetid s 5-0                 | The ID specified in XSETID is smaller than current max_deleted_entry_id
                    xadd s 0-0 f v               | The ID specified in XADD must be greater than 0-0
                    xadd s 1-0 f v               | The ID specified in XADD is equal or smaller than the target stream top item
                    xadd s * f                   | wrong number of arguments for 'xadd' command
                    xtrim s limit 5 maxlen 2     | syntax error, LIMIT cannot be used without the special ~ option
                    xgroup create s g 0 bad      | unknown subcommand or wrong number of arguments for 'create'. Try XGROUP HELP.
                    xgroup create none g 0       | The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.
                    xautoclaim s g c 0 0 count 0 | COUNT must be > 0
                    xclaim s g c 0 1-0 bad       | Unrecognized XCLAIM option 'bad'
                    """)
    void refusesInTheWordsOfRedis(String line, String error) {
        run("xadd s 7-0 f v");
        run("xadd s 8-0 f v");
        run("xdel s 7-0");
        run("xgroup create s g 0");
        assertThat(run(line)).isEqualTo("-ERR " + error);
    }

    @Test
    void groupsThatAreNotThereHaveACodeOfTheirOwn() {
        run("xadd s 1-0 f v");
        assertThat(run("xreadgroup group g c streams s >"))
                .isEqualTo("-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option");
        assertThat(run("xgroup setid s g 0")).isEqualTo("-NOGROUP No such consumer group 'g' for key name 's'");
        assertThat(run("xpending s g")).isEqualTo("-NOGROUP No such key 's' or consumer group 'g'");
        run("xgroup create s g 0");
        assertThat(run("xgroup create s g 0")).isEqualTo("-BUSYGROUP Consumer Group name already exists");
    }

    @Test
    void aStreamStaysWithoutEntries() {
        run("xadd s 5-0 f v");
        run("xdel s 5-0");
        assertThat(run("exists s")).isEqualTo(":1");
        assertThat(run("xlen s")).isEqualTo(":0");
        assertThat(run("xadd s 4-0 f v")).contains("equal or smaller");
        assertThat(run("copy s t")).isEqualTo(":1");
        assertThat(run("xinfo stream t")).contains("$last-generated-id $5-0").contains("$max-deleted-entry-id $5-0");
    }
}
