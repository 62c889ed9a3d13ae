package io.polytable.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** XREAD and XREADGROUP that wait: who gets what is added, and how a wait ends when there is nothing to wait for. */
class StreamBlockingTest {
    private static final String NOTHING = "*-1";

    private FaceUnderTest face;
    private TestClient writer;

    @BeforeEach
    void start() {
        face = new FaceUnderTest(new MemoryStore(), FaceUnderTest.ONE_LOOP.withThreads(2));
        writer = face.connect();
    }

    @AfterEach
    void stop() {
        face.close();
    }

    private String call(String line) {
        return writer.call(line.split(" ", -1));
    }

    /** One more client that waits. */
    private TestClient waiting(String line) {
        long before = face.face().clients().waiting();
        TestClient client = face.connect();
        client.send(line.split(" ", -1));
        FaceUnderTest.await(() -> face.face().clients().waiting() == before + 1);
        return client;
    }

    @Test
    void allReadersGetWhatIsAdded() {
        TestClient far = waiting("xread block 0 streams s 99-0");
        TestClient one = waiting("xread block 0 streams s $");
        TestClient other = waiting("xread block 0 streams none s $ $");
        call("xadd s 5-1 f v");
        assertThat(one.read()).isEqualTo("*1 *2 $1 s *1 *2 $3 5-1 *2 $1 f $1 v");
        assertThat(other.read()).isEqualTo("*1 *2 $1 s *1 *2 $3 5-1 *2 $1 f $1 v");
        call("xadd s 100-1 f w");
        assertThat(far.read()).isEqualTo("*1 *2 $1 s *1 *2 $5 100-1 *2 $1 f $1 w");
    }

    @Test
    void theLastIdIsThatOfTheCallAndATransactionIsOneArrival() {
        call("xadd s 1-1 f v");
        TestClient reader = waiting("xread block 0 streams s $");
        call("multi");
        call("xadd s 2-1 f v");
        call("xadd s 3-1 f v");
        call("exec");
        assertThat(reader.read()).isEqualTo("*1 *2 $1 s *2 *2 $3 2-1 *2 $1 f $1 v *2 $3 3-1 *2 $1 f $1 v");
    }

    @Test
    void inAGroupEachEntryGoesToOneInTheOrderOfArrival() {
        call("xgroup create s g $ mkstream");
        TestClient first = waiting("xreadgroup group g c1 block 0 streams s >");
        TestClient second = waiting("xreadgroup group g c2 block 0 streams s >");
        call("xadd s 1-1 f v");
        assertThat(first.read()).isEqualTo("*1 *2 $1 s *1 *2 $3 1-1 *2 $1 f $1 v");
        call("xadd s 2-1 f v");
        assertThat(second.read()).isEqualTo("*1 *2 $1 s *1 *2 $3 2-1 *2 $1 f $1 v");
        assertThat(call("xpending s g")).isEqualTo("*4 :2 $3 1-1 $3 2-1 *2 *2 $2 c1 $1 1 *2 $2 c2 $1 1");
    }

    @Test
    void aGroupThatGoesEndsTheWait() {
        String gone = "-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option";
        call("xgroup create s g $ mkstream");
        TestClient destroyed = waiting("xreadgroup group g c block 0 streams s >");
        call("xgroup destroy s g");
        assertThat(destroyed.read()).isEqualTo(gone);
        call("xgroup create s g $");
        TestClient deleted = waiting("xreadgroup group g c block 0 streams s >");
        call("del s");
        assertThat(deleted.read()).isEqualTo(gone);
        call("xgroup create s g $ mkstream");
        TestClient flushed = waiting("xreadgroup group g c block 0 streams s >");
        call("flushall");
        assertThat(flushed.read()).isEqualTo(gone);
        call("xgroup create s g $ mkstream");
        TestClient overwritten = waiting("xreadgroup group g c block 0 streams s >");
        call("set s text");
        assertThat(overwritten.read()).startsWith("-WRONGTYPE");
    }

    /** As in Redis, whose readers are woken by entries only. */
    @Test
    void aGroupThatIsSetBackWaitsForTheNextEntry() {
        call("xadd s 1-1 f v");
        call("xgroup create s g $");
        TestClient reader = waiting("xreadgroup group g c block 0 streams s >");
        call("xgroup setid s g 0");
        call("xgroup createconsumer s g other");
        call("xdel s 9-9");
        assertThat(face.face().clients().waiting()).isEqualTo(1);
        call("xadd s 2-1 f w");
        assertThat(reader.read()).isEqualTo("*1 *2 $1 s *2 *2 $3 1-1 *2 $1 f $1 v *2 $3 2-1 *2 $1 f $1 w");
    }

    @Test
    void aTimeoutEndsTheWaitAndInATransactionThereIsNone() {
        call("xadd s 1-1 f v");
        assertThat(call("xread block 5 streams s $")).isEqualTo(NOTHING);
        call("multi");
        call("xread block 0 streams s $");
        assertThat(call("exec")).isEqualTo("*1 " + NOTHING);
    }
}
