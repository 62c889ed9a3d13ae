package io.polytable.redis.wire;

import io.polytable.frontend.net.Transport;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.redis.RedisFrontend;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.testkit.Await;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A frontend on a free port and clients of it; closing it closes all that was opened through it, the store too. */
final class FaceUnderTest implements AutoCloseable {
    static final RedisOptions ONE_LOOP = RedisOptions.defaults().withPort(0).withThreads(1);

    private final RedisFrontend face;
    private final TableStore store;
    private final Sessions sessions = new Sessions();
    private final List<TestClient> clients = new ArrayList<>();

    FaceUnderTest(TableStore store, RedisOptions options) {
        this(store, options, InstantSource.system());
    }

    FaceUnderTest(TableStore store, RedisOptions options, InstantSource clock) {
        this.store = store;
        Users users = Users.open(store, sessions, clock);
        this.face = RedisFrontend.start(
                store, options.withOwnSettings(), clock, FeedFollower.NONE, users, sessions, Transport.PLAIN);
    }

    RedisFrontend face() {
        return face;
    }

    Sessions sessions() {
        return sessions;
    }

    TestClient connect() {
        TestClient client = new TestClient(face.port());
        clients.add(client);
        return client;
    }

    static void await(BooleanSupplier condition) {
        Await.until("the server has done what the test waits for", condition::getAsBoolean);
    }

    @Override
    public void close() {
        clients.forEach(TestClient::close);
        face.close();
        store.close();
    }
}
