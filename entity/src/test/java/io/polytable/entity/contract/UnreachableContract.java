package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors for stores whose hosts are unreachable or hang: clear, and well before the test's time-out. */
@Timeout(180)
public abstract class UnreachableContract {
    /** A store at this port of this machine, whose calls may take a second. */
    protected abstract EntityUri at(int port);

    private void assertUnreachable(EntityUri uri) {
        assertThatThrownBy(() -> Entities.open(uri.withInstance("nobody")))
                .isInstanceOfSatisfying(
                        EntityException.class,
                        e -> assertThat(e.error()).as("%s", e.getMessage()).isEqualTo(EntityError.UNREACHABLE));
    }

    @Test
    void aClosedPortIsUnreachable() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertUnreachable(at(port));
    }

    @Test
    void aServerThatNeverAnswersIsUnreachable() throws IOException {
        try (FakeServer silent = new FakeServer("")) {
            assertUnreachable(at(silent.port()));
        }
    }

    @Test
    void badOptionsAreRefusedBeforeAnythingIsSent() throws IOException {
        try (FakeServer silent = new FakeServer("")) {
            for (String millis : List.of("soon", "0", "-1", "99999999")) {
                assertThatThrownBy(() -> Entities.open(
                                at(silent.port()).withInstance("nobody").withOption("timeout.millis", millis)))
                        .isInstanceOfSatisfying(
                                EntityException.class,
                                e -> assertThat(e.error()).isEqualTo(EntityError.BAD_URI));
            }
        }
    }

    /** Accepts every connection, says the same to each, and then nothing more. */
    public static final class FakeServer implements AutoCloseable {
        private final ServerSocket socket;
        private final List<Socket> accepted = new CopyOnWriteArrayList<>();

        public FakeServer(String says) throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread accepting = new Thread(() -> accept(says), "fake-server");
            accepting.setDaemon(true);
            accepting.start();
        }

        private void accept(String says) {
            try {
                while (true) {
                    Socket one = socket.accept();
                    accepted.add(one);
                    one.getOutputStream().write(says.getBytes(StandardCharsets.UTF_8));
                    one.getOutputStream().flush();
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        public int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
            for (Socket one : accepted) {
                one.close();
            }
        }
    }
}
