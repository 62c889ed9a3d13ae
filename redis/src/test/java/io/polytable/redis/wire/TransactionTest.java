package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MULTI, EXEC, DISCARD, WATCH, UNWATCH over two event loops. Expected replies were seen from a real server. */
class TransactionTest {
    private static final String ABORTED = "-EXECABORT Transaction discarded because of previous errors.";
    private static final String NOT_RUN = "*-1";

    private final MemoryStore store = new MemoryStore();
    private FaceUnderTest face;
    private TestClient client;
    private TestClient other;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(store, FaceUnderTest.ONE_LOOP.withThreads(2));
        client = face.connect();
        other = face.connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private void queue(TestClient who, String... lines) {
        assertThat(who.call("multi")).isEqualTo("+OK");
        for (String line : lines) {
            assertThat(who.call(line.split(" ", -1))).as(line).isEqualTo("+QUEUED");
        }
    }

    private String exec(String... lines) {
        queue(client, lines);
        return client.call("exec");
    }

    @Test
    void runsWhatWasQueuedAndNothingBefore() {
        queue(client, "set a 1", "incr a", "hset h f v", "get a");
        assertThat(other.call("exists", "a", "h")).isEqualTo(":0");
        assertThat(client.call("exec")).isEqualTo("*4 +OK :2 :1 $1 2");
        assertThat(other.call("get", "a")).isEqualTo("$1 2");
        assertThat(client.call("exec")).isEqualTo("-ERR EXEC without MULTI");
        assertThat(exec()).isEqualTo("*0");
    }

    @Test
    void undoesOnlyTheCommandThatFails() {
        assertThat(exec("set a x", "incr a", "zadd a 1 m", "zadd z 1 m nan n", "append a y", "dbsize"))
                .isEqualTo("*6 +OK -ERR value is not an integer or out of range"
                        + " -WRONGTYPE Operation against a key holding the wrong kind of value"
                        + " -ERR value is not a valid float :2 :1");
        assertThat(client.call("get", "a")).isEqualTo("$2 xy");
        assertThat(client.call("exists", "z")).isEqualTo(":0");
    }

    @Test
    void isDiscarded() {
        queue(client, "set a 1");
        assertThat(client.call("discard")).isEqualTo("+OK");
        assertThat(client.call("get", "a")).isEqualTo("$-1");
        assertThat(client.call("discard")).isEqualTo("-ERR DISCARD without MULTI");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch", "get", "client nosuch", "shutdown nosave", "save"})
    void isAbortedByWhatCannotBeQueued(String line) {
        queue(client, "set a 1");
        assertThat(client.call(line.split(" ", -1))).startsWith("-ERR");
        assertThat(client.call("set", "b", "1")).isEqualTo("+QUEUED");
        assertThat(client.call("exec")).isEqualTo(ABORTED);
        assertThat(client.call("exists", "a", "b")).isEqualTo(":0");
    }

    @Test
    void isEndedByAnExecThatIsRefused() {
        queue(client, "set a 1");
        assertThat(client.call("exec", "x"))
                .isEqualTo("-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command");
        assertThat(client.call("get", "a")).isEqualTo("$-1");
    }

    @Test
    void doesNotNest() {
        queue(client, "set a 1");
        assertThat(client.call("multi")).isEqualTo("-ERR MULTI calls can not be nested");
        assertThat(client.call("watch", "a")).isEqualTo("-ERR WATCH inside MULTI is not allowed");
        assertThat(client.call("exec")).isEqualTo("*1 +OK");
    }

    @ParameterizedTest
    @CsvSource({
        "set k 2, *-1",
        "append k x, *-1",
        "expire k 100, *-1",
        "del k, *-1",
        "flushdb, *-1",
        "flushall, *-1",
        "swapdb 0 1, *-1",
        "rename k j, *-1",
        "copy k j, *1 +OK",
        "set j 1, *1 +OK",
        "get k, *1 +OK",
        "del j, *1 +OK",
        "swapdb 2 3, *1 +OK",
        "persist k, *1 +OK"
    })
    void doesNothingAfterAWatchedKeyChanged(String change, String expected) {
        other.call("set", "k", "1");
        assertThat(client.call("watch", "k")).isEqualTo("+OK");
        assertThat(other.call(change.split(" ", -1))).doesNotStartWith("-");
        assertThat(exec("set done 1")).isEqualTo(expected);
        assertThat(client.call("exists", "done")).isEqualTo(expected.equals(NOT_RUN) ? ":0" : ":1");
        assertThat(exec("set done 1")).as("watches end with EXEC").isEqualTo("*1 +OK");
    }

    @ParameterizedTest
    @CsvSource({
        "set k 1, *-1",
        "copy j k, *-1",
        "rename j k, *-1",
        "flushall, *1 +OK",
        "flushdb, *1 +OK",
        "swapdb 0 1, *1 +OK",
        "swapdb 0 2, *-1",
        "del k, *1 +OK",
        "set j 2, *1 +OK"
    })
    void watchesKeysThatAreMissing(String change, String expected) {
        other.call("select", "2");
        other.call("set", "k", "elsewhere");
        other.call("select", "0");
        other.call("set", "j", "1");
        client.call("watch", "k", "k");
        assertThat(other.call(change.split(" ", -1))).doesNotStartWith("-");
        assertThat(exec("ping")).isEqualTo(expected.equals("*1 +OK") ? "*1 +PONG" : expected);
    }

    @Test
    void isStoppedByItsOwnChangesAndForgetsOnUnwatch() {
        client.call("watch", "k");
        client.call("set", "k", "1");
        assertThat(client.call("client", "info")).contains(" flags=d ");
        assertThat(exec("ping")).isEqualTo(NOT_RUN);
        client.call("watch", "k");
        client.call("set", "k", "1");
        assertThat(client.call("unwatch")).isEqualTo("+OK");
        assertThat(exec("ping")).isEqualTo("*1 +PONG");
        client.call("watch", "k");
        other.call("set", "k", "2");
        client.call("multi");
        client.call("discard");
        assertThat(exec("ping")).isEqualTo("*1 +PONG");
    }

    @Test
    void aWatchedKeyThatExpiresStopsItAndOneThatHadExpiredDoesNot() {
        other.call("set", "k", "1", "px", "1");
        FaceUnderTest.await(() -> other.call("get", "k").equals("$-1"));
        client.call("watch", "k");
        FaceUnderTest.await(() -> other.call("dbsize").equals(":0"));
        assertThat(exec("ping")).isEqualTo("*1 +PONG");
        other.call("set", "k", "1", "px", "20");
        client.call("watch", "k");
        FaceUnderTest.await(() -> other.call("get", "k").equals("$-1"));
        assertThat(exec("ping")).isEqualTo(NOT_RUN);
    }

    @Test
    void blocksNowhere() {
        assertThat(exec("bzpopmin z 0", "bzmpop 0 1 z min", "wait 1 0", "ping")).isEqualTo("*4 *-1 *-1 :0 +PONG");
        assertThat(exec("zadd z 1 a", "bzpopmin z 0")).isEqualTo("*2 :1 *3 $1 z $1 a $1 1");
    }

    @Test
    void servesWhoWaitsAfterItsEnd() {
        TestClient waiting = face.connect();
        waiting.send("bzpopmin", "y", "z", "0");
        FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
        assertThat(exec("zadd z 2 b", "zcard z", "zadd z 1 a", "zrem z b")).isEqualTo("*4 :1 :1 :1 :1");
        assertThat(waiting.read()).isEqualTo("*3 $1 z $1 a $1 1");
        waiting.send("bzpopmin", "y", "z", "0");
        FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
        assertThat(exec("zadd z 2 b", "del z")).isEqualTo("*2 :1 :1");
        assertThat(exec("zadd z 3 c", "zadd y 4 d")).isEqualTo("*2 :1 :1");
        assertThat(waiting.read()).isEqualTo("*3 $1 y $1 d $1 4");
        assertThat(client.call("zcard", "z")).isEqualTo(":1");
    }

    @Test
    void countsKeysAndDatabasesAsOfItself() {
        other.call("set", "old", "1");
        assertThat(exec(
                        "set a 1",
                        "dbsize",
                        "flushdb",
                        "dbsize",
                        "set b 1",
                        "keys *",
                        "select 1",
                        "set c 1",
                        "swapdb 0 1",
                        "keys *"))
                .isEqualTo("*10 +OK :2 +OK :0 +OK *1 $1 b +OK +OK +OK *1 $1 b");
        assertThat(client.call("dbsize")).isEqualTo(":1");
        assertThat(other.call("keys", "*")).isEqualTo("*1 $1 c");
    }

    @Test
    void repliesAsTheSessionWantsAtEachMoment() {
        client.sendRaw(lines("multi", "set a 1", "client reply skip", "get a", "exec", "get a", "ping"));
        assertThat(client.read(4)).containsExactly("+OK", "+QUEUED", "+QUEUED", "+QUEUED");
        assertThat(client.read())
                .as("the array lacks one, then a reply is skipped")
                .isEqualTo("*3 +OK $1 1 +PONG");
        client.sendRaw(lines("multi", "client reply off", "get a", "client reply on", "get a", "exec"));
        assertThat(client.read(5)).endsWith("+QUEUED");
        client.sendRaw(lines("ping", "ping"));
        assertThat(client.read()).isEqualTo("*4 +OK $1 1 +PONG +PONG");
        client.sendRaw(lines("client reply off", "multi", "get a", "client reply on", "get a", "exec"));
        assertThat(client.read(2)).containsExactly("+OK", "$1 1");
    }

    @Test
    void changesTheProtocolInItsMiddle() {
        queue(client, "hgetall h", "hello 3", "hgetall h", "bzpopmin z 0", "hello 2", "bzpopmin z 0");
        assertThat(client.call("exec")).matches("\\*6 \\*0 %7 .* %0 _ \\*14 .* \\*-1");
        queue(client, "hello 3");
        assertThat(client.call("exec")).startsWith("*1 %7 ");
        client.call("watch", "k");
        client.call("set", "k", "1");
        assertThat(exec("ping")).isEqualTo("_");
    }

    private static String lines(String... lines) {
        StringBuilder all = new StringBuilder();
        for (String line : lines) {
            all.append(TestClient.request(line.split(" ", -1)));
        }
        return all.toString();
    }

    @Test
    void isToldByClientListAndCounted() {
        queue(client, "get a", "client info");
        assertThat(other.call("client", "list")).contains(" flags=x ").contains(" multi=2 ");
        assertThat(client.call("exec"))
                .contains(" flags=x ")
                .contains(" multi=2 ")
                .contains(" cmd=exec ");
        assertThat(client.call("client", "info")).contains(" multi=-1 ").contains(" multi-mem=0 ");
        assertThat(other.call("info", "commandstats"))
                .contains("cmdstat_get:calls=1,")
                .contains("cmdstat_exec:calls=1,")
                .contains("cmdstat_client|info:calls=2,");
    }

    @Test
    void endsWithResetAndQuit() {
        client.call("watch", "k");
        client.call("set", "k", "1");
        client.call("multi");
        assertThat(client.call("reset")).isEqualTo("+RESET");
        assertThat(client.call("exec")).isEqualTo("-ERR EXEC without MULTI");
        assertThat(exec("ping")).isEqualTo("*1 +PONG");
        client.call("multi");
        assertThat(client.call("quit")).isEqualTo("+OK");
        assertThat(client.isClosedByServer()).isTrue();
    }

    @Test
    void refusesMoreThanTheQueryBufferLimit() {
        other.call("config", "set", "client-query-buffer-limit", "1mb");
        client.call("multi");
        String value = "x".repeat(400_000);
        assertThat(client.call("set", "a", value)).isEqualTo("+QUEUED");
        assertThat(client.call("set", "b", value)).isEqualTo("+QUEUED");
        assertThat(client.call("set", "c", value)).startsWith("-OOM ");
        assertThat(client.call("exec")).isEqualTo(ABORTED);
        assertThat(client.call("exists", "a", "b", "c")).isEqualTo(":0");
    }

    @Test
    void runsManyCommands() {
        int count = 20_000;
        StringBuilder all = new StringBuilder(TestClient.request("multi"));
        for (int i = 0; i < count; i++) {
            all.append(TestClient.request("incr", "k" + i % 100));
        }
        client.sendRaw(all.append(TestClient.request("exec")).toString());
        assertThat(client.read(count + 1)).endsWith("+QUEUED");
        assertThat(client.read()).startsWith("*" + count + " :1 :1 ").endsWith(" :" + count / 100);
    }

    /** Transfers between accounts while others sum them up: nobody ever sees half of one. */
    @Test
    void showsNobodyHalfOfIt() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            other.call("set", "account" + i, "100");
        }
        List<Thread> payers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TestClient payer = face.connect();
            int number = i;
            payers.add(new Thread(() -> transfer(payer, number)));
        }
        payers.forEach(Thread::start);
        while (payers.stream().anyMatch(Thread::isAlive)) {
            String[] words = other.call("mget", "account0", "account1", "account2", "account3")
                    .split(" ", -1);
            long sum = 0;
            for (int i = 2; i < words.length; i += 2) {
                sum += Long.parseLong(words[i]);
            }
            assertThat(sum).isEqualTo(400);
        }
        for (Thread payer : payers) {
            payer.join();
        }
    }

    private static void transfer(TestClient payer, int number) {
        for (int i = 0; i < 200; i++) {
            String from = "account" + (number + i) % 4;
            String to = "account" + (number + i + 1 + i % 3) % 4;
            payer.sendRaw(lines("multi", "decrby " + from + " 7", "incrby " + to + " 7", "exec"));
            payer.read(4);
        }
    }

    /** Everybody increments by reading, watching and writing: no increment is lost. */
    @Test
    void losesNoUpdateThatWasWatched() throws InterruptedException {
        int[] done = new int[4];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < done.length; i++) {
            TestClient own = face.connect();
            int number = i;
            threads.add(new Thread(() -> done[number] = increment(own)));
        }
        threads.forEach(Thread::start);
        int sum = 0;
        for (int i = 0; i < done.length; i++) {
            threads.get(i).join();
            sum += done[i];
        }
        assertThat(sum).isPositive();
        assertThat(other.call("get", "n")).isEqualTo("$" + ("" + sum).length() + " " + sum);
    }

    /** A transaction with KEYS runs on a worker, so its client can be gone before it has looked at the watched keys. */
    @Test
    void doesNothingForAClientThatIsGoneAndWhoseWatchedKeyWasChanged() {
        String id = client.call("client", "id").substring(1);
        other.call("set", "n", "1");
        client.call("watch", "n");
        queue(client, "keys *", "set n stale");
        other.call("set", "n", "2");
        // It waits for this stripe with that of n in its hands.
        int last = store.stripes().count() - 1;
        store.stripes().lock(last);
        try {
            client.send("exec");
            FaceUnderTest.await(() -> other.call("client", "list").contains("cmd=exec"));
            assertThat(other.call("client", "kill", "id", id)).isEqualTo(":1");
            FaceUnderTest.await(() -> !other.call("client", "list").contains("cmd=exec"));
        } finally {
            store.stripes().unlock(last);
        }
        assertThat(other.call("get", "n")).isEqualTo("$1 2");
    }

    private static int increment(TestClient own) {
        int succeeded = 0;
        for (int i = 0; i < 200; i++) {
            own.call("watch", "n");
            String seen = own.call("get", "n");
            int next = seen.equals("$-1") ? 1 : Integer.parseInt(seen.substring(seen.indexOf(' ') + 1)) + 1;
            own.sendRaw(lines("multi", "set n " + next, "exec"));
            succeeded += own.read(3).get(2).equals("*1 +OK") ? 1 : 0;
        }
        return succeeded;
    }
}
