package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait, seen from two and more connections; the loops are two, so that wake-ups cross them. */
class BlockingTest {
    private static final String NOTHING = "*-1";

    private FaceUnderTest face;
    private TestClient writer;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.withThreads(2));
        writer = connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private TestClient connect() {
        return face.connect();
    }

    private void awaitBlocked(int clients) {
        String line = "blocked_clients:" + clients + "\r\n";
        FaceUnderTest.await(() -> writer.call("info", "clients").contains(line));
    }

    /** One more client that waits. */
    private TestClient waiting(String... words) {
        int before = (int) face.face().clients().waiting();
        TestClient client = connect();
        client.send(words);
        awaitBlocked(before + 1);
        return client;
    }

    @Test
    void takesWhatIsThereWithoutWaiting() {
        writer.call("zadd", "z", "1", "a", "2", "b", "3", "c");
        assertThat(writer.call("bzpopmin", "none", "z", "0")).isEqualTo("*3 $1 z $1 a $1 1");
        assertThat(writer.call("bzpopmax", "z", "0")).isEqualTo("*3 $1 z $1 c $1 3");
        assertThat(writer.call("bzmpop", "0", "2", "none", "z", "min", "count", "5"))
                .isEqualTo("*2 $1 z *1 *2 $1 b $1 2");
    }

    @Test
    void listsAreTakenFromWithoutWaiting() {
        writer.call("rpush", "l", "a", "b", "c", "d", "e");
        assertThat(writer.call("blpop", "none", "l", "0")).isEqualTo("*2 $1 l $1 a");
        assertThat(writer.call("brpop", "l", "0")).isEqualTo("*2 $1 l $1 e");
        assertThat(writer.call("blmove", "l", "m", "left", "right", "0")).isEqualTo("$1 b");
        assertThat(writer.call("brpoplpush", "l", "m", "0")).isEqualTo("$1 d");
        assertThat(writer.call("blmpop", "0", "2", "none", "m", "left", "count", "5"))
                .isEqualTo("*2 $1 m *2 $1 d $1 b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpush l a", "lpush l a", "rename full l", "copy full l", "lmove full l left right"})
    void listsWakeWhoWaits(String arrival) {
        writer.call("rpush", "full", "a");
        TestClient first = waiting("blmpop", "0", "1", "l", "left");
        TestClient second = waiting("brpop", "l", "0");
        TestClient third = waiting("blmove", "l", "moved", "right", "left", "0");
        writer.call(arrival.split(" "));
        assertThat(first.read()).isEqualTo("*2 $1 l *1 $1 a");
        writer.call("rpush", "l", "b", "c");
        assertThat(second.read()).isEqualTo("*2 $1 l $1 c");
        assertThat(third.read()).isEqualTo("$1 b");
        assertThat(writer.call("lrange", "moved", "0", "-1")).isEqualTo("*1 $1 b");
        awaitBlocked(0);
    }

    @Test
    void aListBroughtByAMoveServesWhoWaitsForIt() {
        TestClient last = waiting("blpop", "end", "0");
        TestClient between = waiting("blmove", "start", "end", "left", "left", "0");
        writer.call("lpush", "start", "x");
        assertThat(between.read()).isEqualTo("$1 x");
        assertThat(last.read()).isEqualTo("*2 $3 end $1 x");
    }

    @Test
    void aMoveToAKeyOfAnotherTypeFailsAndLeavesTheElement() {
        TestClient client = waiting("blmove", "l", "text", "left", "left", "0");
        writer.call("set", "text", "v");
        writer.call("rpush", "l", "a");
        assertThat(client.read()).startsWith("-WRONGTYPE");
        assertThat(writer.call("llen", "l")).isEqualTo(":1");
    }

    @Test
    void isAnsweredWhenItsTimeIsOver() {
        assertThat(writer.call("blpop", "none", "0.01")).isEqualTo(NOTHING);
        assertThat(writer.call("blmove", "none", "m", "left", "left", "0.01")).isEqualTo(NOTHING);
        assertThat(writer.call("bzpopmin", "none", "0.01")).isEqualTo(NOTHING);
        assertThat(writer.call("bzmpop", "0.01", "1", "none", "min")).isEqualTo(NOTHING);
        assertThat(writer.call("wait", "1", "10")).isEqualTo(":0");
        writer.call("hello", "3");
        assertThat(writer.call("bzpopmin", "none", "0.01")).isEqualTo("_");
        awaitBlocked(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zadd z 1 a",
                "zincrby z 1 a",
                "zunionstore z 1 full",
                "zrangestore z full 0 -1",
                "rename full z",
                "renamenx full z",
                "copy full z",
                "copy other z db 0",
                "move z 0",
                "swapdb 0 1"
            })
    void isWokenByWhateverBringsTheKey(String line) {
        writer.call("zadd", "full", "1", "a");
        writer.call("select", "1");
        writer.call("zadd", "other", "1", "a");
        boolean fromOther = line.startsWith("move") || line.startsWith("swapdb") || line.startsWith("copy other");
        if (!line.startsWith("copy")) {
            writer.call("zadd", "z", "1", "a");
        }
        if (!fromOther) {
            writer.call("select", "0");
        }
        TestClient client = waiting("bzpopmin", "y", "z", "0");
        assertThat(writer.call(line.split(" ", -1))).doesNotStartWith("-");
        assertThat(client.read()).isEqualTo("*3 $1 z $1 a $1 1");
        awaitBlocked(0);
    }

    @Test
    void waitsOnWhenTheKeyIsOfAnotherTypeOrDatabase() {
        TestClient client = waiting("bzpopmin", "z", "0");
        writer.call("hset", "z", "f", "v");
        writer.call("set", "z", "v");
        writer.call("del", "z");
        writer.call("select", "3");
        writer.call("zadd", "z", "7", "wrong");
        awaitBlocked(1);
        writer.call("select", "0");
        writer.call("zadd", "z", "1", "right");
        assertThat(client.read()).isEqualTo("*3 $1 z $5 right $1 1");
    }

    @Test
    void servesInTheOrderOfArrival() {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(waiting(
                    i % 2 == 0
                            ? new String[] {"bzpopmin", "z", "y", "0"}
                            : new String[] {"bzmpop", "0", "2", "y", "z", "min"}));
        }
        for (int i = 0; i < 10; i++) {
            writer.call("zadd", "z", "" + i, "m" + i);
        }
        String[] rest = new String[22];
        rest[0] = "zadd";
        rest[1] = "z";
        for (int i = 0; i < 10; i++) {
            rest[2 + 2 * i] = "" + (10 + i);
            rest[3 + 2 * i] = "m" + (10 + i);
        }
        writer.call(rest);
        for (int i = 0; i < 20; i++) {
            assertThat(clients.get(i).read()).contains(" m" + i + " ");
        }
        assertThat(writer.call("exists", "z")).isEqualTo(":0");
    }

    @Test
    void whoTookMuchLeavesNothingToTheNext() {
        TestClient greedy = waiting("bzmpop", "0", "1", "z", "max", "count", "10");
        TestClient next = waiting("bzpopmin", "z", "0");
        writer.call("zadd", "z", "1", "a", "2", "b");
        assertThat(greedy.read()).isEqualTo("*2 $1 z *2 *2 $1 b $1 2 *2 $1 a $1 1");
        awaitBlocked(1);
        writer.call("zadd", "z", "3", "c");
        assertThat(next.read()).isEqualTo("*3 $1 z $1 c $1 3");
    }

    @Test
    void runsNothingElseUntilItIsAnswered() {
        TestClient client = connect();
        client.sendRaw(TestClient.request("ping")
                + TestClient.request("bzpopmin", "z", "0")
                + TestClient.request("set", "after", "1")
                + TestClient.request("ping", "last"));
        assertThat(client.read()).isEqualTo("+PONG");
        awaitBlocked(1);
        client.send("echo", "later");
        assertThat(writer.call("get", "after")).isEqualTo("$-1");
        writer.call("zadd", "z", "1", "a");
        assertThat(client.read(4)).containsExactly("*3 $1 z $1 a $1 1", "+OK", "$4 last", "$5 later");
    }

    @Test
    void whoLeavesMissesNothingForTheOthers() {
        TestClient gone = waiting("bzpopmin", "z", "0");
        TestClient stays = waiting("bzpopmin", "z", "0");
        gone.close();
        awaitBlocked(1);
        writer.call("zadd", "z", "1", "a");
        assertThat(stays.read()).isEqualTo("*3 $1 z $1 a $1 1");
    }

    @Test
    void isUnblockedByAnother() {
        TestClient client = connect();
        String id = client.call("client", "id").substring(1);
        assertThat(writer.call("client", "unblock", id)).isEqualTo(":0");
        client.send("bzpopmin", "z", "0");
        awaitBlocked(1);
        assertThat(writer.call("client", "list", "id", id))
                .contains(" flags=b ")
                .contains(" cmd=bzpopmin ");
        assertThat(writer.call("client", "unblock", id, "timeout")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo(NOTHING);
        client.send("bzpopmin", "z", "0");
        awaitBlocked(1);
        assertThat(writer.call("client", "unblock", id, "error")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK");
        assertThat(writer.call("client", "unblock", id)).isEqualTo(":0");
        assertThat(client.call("ping")).isEqualTo("+PONG");
    }

    @Test
    void isKilledWhileItWaits() {
        TestClient client = connect();
        String id = client.call("client", "id").substring(1);
        client.send("bzpopmin", "z", "0");
        awaitBlocked(1);
        assertThat(writer.call("client", "kill", "id", id)).isEqualTo(":1");
        assertThat(client.isClosedByServer()).isTrue();
        awaitBlocked(0);
        writer.call("zadd", "z", "1", "a");
        assertThat(writer.call("zcard", "z")).isEqualTo(":1");
    }

    @Test
    void refusesTimesThatAreNone() {
        assertThat(writer.call("bzpopmin", "z", "x")).isEqualTo("-ERR timeout is not a float or out of range");
        assertThat(writer.call("bzpopmin", "z", "-0.0011")).isEqualTo("-ERR timeout is negative");
        assertThat(writer.call("bzpopmin", "z", "1e300")).isEqualTo("-ERR timeout is out of range");
        assertThat(writer.call("bzpopmin", "z", "9223372036854775")).isEqualTo("-ERR timeout is out of range");
    }

    /** The thief asks all the time, on both loops; what is written for who waits it never sees. */
    @Test
    void nobodyTakesWhatIsWrittenForWhoWaits() throws InterruptedException {
        TestClient client = connect();
        List<Thread> thieves = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        List<String> stolen = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 2; i++) {
            TestClient thief = connect();
            thieves.add(new Thread(() -> steal(thief, over, stolen)));
        }
        thieves.forEach(Thread::start);
        for (int i = 0; i < 200; i++) {
            client.send("bzpopmin", "y", "z", "0");
            FaceUnderTest.await(() -> face.face().clients().waiting() == 1);
            assertThat(writer.call("zadd", "z", "1", "m" + i)).isEqualTo(":1");
            assertThat(client.read()).isEqualTo("*3 $1 z $" + ("m" + i).length() + " m" + i + " $1 1");
        }
        over.set(true);
        for (Thread thief : thieves) {
            thief.join();
        }
        assertThat(stolen).isEmpty();
    }

    private static void steal(TestClient thief, AtomicBoolean over, List<String> stolen) {
        while (!over.get()) {
            String taken = thief.call("zpopmin", "z");
            String seen = thief.call("keys", "*");
            if (!taken.equals("*0") || !seen.equals("*0")) {
                stolen.add(taken + " " + seen);
            }
        }
    }

    /** Two who pop and two who push, many rounds: everything arrives, once. */
    @Test
    void nothingIsLostAndNothingDoubled() throws InterruptedException {
        int each = 500;
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            TestClient popper = connect();
            TestClient pusher = connect();
            int number = i;
            threads.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    taken.add(popper.call("bzmpop", "20", "2", "z", "y", "min"));
                }
            }));
            threads.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    pusher.call("zadd", n % 2 == 0 ? "z" : "y", "1", number + "-" + n);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken).hasSize(2 * each).doesNotHaveDuplicates().allMatch(reply -> reply.startsWith("*2 $1 "));
        assertThat(writer.call("dbsize")).isEqualTo(":0");
    }

    /** Whatever the others are in, all get theirs in the order in which they came. */
    @Test
    void manyWaitForManyKeys() {
        int count = 300;
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestClient client = connect();
            client.send("bzpopmin", "shared", "own" + i, "0");
            clients.add(client);
        }
        awaitBlocked(count);
        writer.call("zadd", "own7", "1", "seven");
        assertThat(clients.remove(7).read()).isEqualTo("*3 $4 own7 $5 seven $1 1");
        for (int i = 0; i < count - 1; i++) {
            writer.call("zadd", "shared", "1", "m");
        }
        for (TestClient client : clients) {
            assertThat(client.read()).isEqualTo("*3 $6 shared $1 m $1 1");
        }
        assertThat(writer.call("dbsize")).isEqualTo(":0");
        assertThat(writer.call("info", "clients")).contains("total_blocking_keys:0");
    }

    @Test
    void anErrorOfTheWriteLeavesItWaiting() {
        TestClient client = waiting("bzpopmin", "z", "0");
        assertThat(writer.call("zadd", "z", "1", "a", "x", "b")).startsWith("-ERR");
        awaitBlocked(1);
        writer.call("zadd", "z", "1", "a");
        assertThat(client.read()).isEqualTo("*3 $1 z $1 a $1 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"set l string", "zadd l 1 m", "xadd l 1-1 f v"})
    void whatReplacesSomethingNewThatNobodyWaitsForServesNobody(String arrival) {
        TestClient client = waiting("blpop", "l", "0");
        replaceByAList(arrival);
        assertThat(writer.call("lrange", "l", "0", "-1")).isEqualTo("*2 $1 1 $1 2");
        writer.call("del", "l");
        writer.call("rpush", "l", "later");
        assertThat(client.read()).isEqualTo("*2 $1 l $5 later");
    }

    /** As in Redis, the new sorted set makes its key one to look at, and then the key holds a list. */
    @Test
    void whatReplacesSomethingNewThatIsAwaitedElsewhereServes() {
        TestClient elsewhere = waiting("bzpopmin", "another", "0");
        TestClient client = waiting("blpop", "l", "0");
        replaceByAList("zadd l 1 m");
        assertThat(client.read()).isEqualTo("*2 $1 l $1 1");
        elsewhere.close();
        awaitBlocked(0);
        TestClient next = waiting("blpop", "m", "0");
        replaceByAList("zadd m 1 x");
        assertThat(next.hasReply()).isFalse();
        assertThat(writer.call("llen", "m")).isEqualTo(":2");
    }

    /** WAIT is for replicas, and no type of key. */
    @Test
    void whoWaitsForReplicasMakesNoKeyOneToLookAt() {
        TestClient replicas = waiting("wait", "1", "0");
        TestClient client = waiting("blpop", "l", "0");
        replaceByAList("set l string");
        assertThat(client.hasReply()).isFalse();
        assertThat(writer.call("llen", "l")).isEqualTo(":2");
        replicas.close();
    }

    private void replaceByAList(String arrival) {
        String[] words = arrival.split(" ");
        writer.call("rpush", "source", "1", "2");
        writer.call("multi");
        writer.call(words);
        writer.call("sort", "source", "store", words[1]);
        assertThat(writer.call("exec")).endsWith(" :2");
        writer.call("del", "source");
    }
}
