package io.polytable.frontend.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.Session.Activity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Principal ALICE = new Principal("alice", Principal.Role.USER);

    private final Sessions sessions = new Sessions(InstantSource.fixed(NOW), 3);
    private final List<String> closed = new ArrayList<>();

    /** A client that disconnects when asked to. */
    private final class Connected implements Session.Client {
        private final String name;

        Connected(String name) {
            this.name = name;
        }

        @Override
        public Activity activity() {
            return new Activity("ping " + name, true);
        }

        @Override
        public void close() {
            closed.add(name);
        }
    }

    private Session open(String name, Principal principal) {
        return sessions.open("redis", name + ":1", principal, new Connected(name))
                .orElseThrow();
    }

    @Test
    void listsOpenSessionsInTheirOrder() {
        Session first = open("a", Principal.ROOT);
        Session second = open("b", ALICE);
        assertThat(sessions.all()).containsExactly(first, second);
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(second.protocol()).isEqualTo("redis");
        assertThat(second.address()).isEqualTo("b:1");
        assertThat(second.since()).isEqualTo(NOW);
        assertThat(second.activity()).isEqualTo(new Activity("ping b", true));
        first.close();
        assertThat(sessions.all()).containsExactly(second);
        assertThat(sessions.find(first.id())).isEmpty();
        assertThat(sessions.find(second.id())).contains(second);
    }

    @Test
    void aFullRegistryOpensNoneUntilOneIsClosed() {
        Session first = open("a", Principal.ROOT);
        open("b", Principal.ROOT);
        open("c", Principal.ROOT);
        assertThat(sessions.open("redis", "d:1", Principal.ROOT, new Connected("d")))
                .isEmpty();
        first.close();
        first.close();
        assertThat(sessions.count()).isEqualTo(2);
        open("d", Principal.ROOT);
        assertThat(sessions.open("redis", "e:1", Principal.ROOT, new Connected("e")))
                .isEmpty();
    }

    @Test
    void aLoginChangesWhoseSessionEnds() {
        open("a", Principal.ROOT);
        Session second = open("b", Principal.ANONYMOUS);
        second.login(ALICE);
        assertThat(sessions.end("alice")).isEqualTo(1);
        assertThat(closed).containsExactly("b");
        assertThat(sessions.end("alice")).as("listed until its client is gone").isEqualTo(1);
        second.close();
        assertThat(sessions.end("alice")).isZero();
    }

    @Test
    void theEndOfASessionCancelsWhatItRuns() {
        Session session = open("a", ALICE);
        Cancellation earlier = session.begin();
        Cancellation request = session.begin();
        List<String> stopped = new ArrayList<>();
        request.onCancel(() -> stopped.add("statement"));
        session.end();
        session.end();
        assertThat(stopped).containsExactly("statement");
        assertThat(earlier.isCancelled()).isFalse();
        request.onCancel(() -> stopped.add("late"));
        assertThat(stopped).containsExactly("statement", "late");
    }
}
