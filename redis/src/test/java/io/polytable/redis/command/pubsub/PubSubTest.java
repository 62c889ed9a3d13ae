package io.polytable.redis.command.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session.Client;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.command.Account;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.PushQueue;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.SilentPeer;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Subscriptions without a network. */
class PubSubTest {
    private static final int NAMES = 20_000;
    private static final int RACES = 3_000;

    private final PubSub pubSub =
            new PubSub(new PushDispatcher(), Budget.of("names", (long) NAMES * (PubSub.SUBSCRIPTION_BYTES + 10)));
    private final Session session = Session.detached();

    @Test
    void namesWithinTheBoundAreKeptAndMoreAreRefused() {
        for (int i = 0; i < NAMES; i++) {
            pubSub.subscribe(session, Kind.CHANNEL, Bytes.utf8("n" + i));
        }
        assertThat(pubSub.count(Kind.CHANNEL)).isEqualTo(NAMES);
        List<Bytes> tooMany = new ArrayList<>();
        for (int i = 0; i < NAMES / 10; i++) {
            tooMany.add(Bytes.utf8("m" + i));
        }
        assertThatThrownBy(() -> pubSub.checkRoom(Kind.CHANNEL, tooMany)).isInstanceOf(RedisError.class);
        assertThat(pubSub.to(Bytes.utf8("n7"), Bytes.EMPTY).receivers()).isOne();
        pubSub.leave(session);
        assertThat(pubSub.count(Kind.CHANNEL)).isZero();
        pubSub.checkRoom(Kind.CHANNEL, tooMany);
    }

    /** One subscriber comes while the last other one leaves: whatever the order, the last call says that there is a listener. */
    @Test
    void listenersThatComeAndGoAtOnceAreCounted() throws InterruptedException {
        AtomicBoolean collected = new AtomicBoolean();
        Object lock = new Object();
        pubSub.onListenersChange(() -> {
            synchronized (lock) {
                collected.set(pubSub.hasListeners());
            }
        });
        Bytes name = Bytes.utf8("c");
        for (int i = 0; i < RACES; i++) {
            Session stays = Session.detached();
            pubSub.subscribe(session, Kind.CHANNEL, name);
            Thread leaving = new Thread(() -> pubSub.leave(session));
            leaving.start();
            pubSub.subscribe(stays, Kind.PATTERN, name);
            leaving.join();
            assertThat(collected).isTrue();
            pubSub.leave(stays);
            assertThat(collected).isFalse();
        }
    }

    /** Its classes are kept in a form that takes many times their text. */
    @Test
    void aPatternCountsForWhatItIsCompiledTo() {
        List<Bytes> patterns = List.of(Bytes.utf8("[]".repeat(200)));
        PubSub small = new PubSub(new PushDispatcher(), Budget.of("few", 6_000));
        small.checkRoom(Kind.CHANNEL, patterns);
        assertThatThrownBy(() -> small.checkRoom(Kind.PATTERN, patterns)).isInstanceOf(RedisError.class);
    }

    @Test
    void whoLeavesBeforeTheDeliveryIsNotWanted() {
        List<PushQueue.PushMessage> posted = new ArrayList<>();
        Session listener =
                new Session(registered(), new PeerWith(posted::add), 0, new Account("default", Permissions.ALL));
        Bytes name = Bytes.utf8("c");
        pubSub.subscribe(session, Kind.CHANNEL, name);
        pubSub.subscribe(listener, Kind.CHANNEL, name);
        PubSub.Message message = pubSub.to(name, Bytes.utf8("m"));
        assertThat(message.receivers()).isEqualTo(2);
        pubSub.send(message);
        assertThat(posted).hasSize(1);
        assertThat(posted.get(0).isWantedBy(listener)).isTrue();
        pubSub.unsubscribe(listener, Kind.CHANNEL, name);
        assertThat(posted.get(0).isWantedBy(listener)).isFalse();
        assertThat(posted.get(0).isWantedBy(session)).isTrue();
    }

    /** A peer that only has a queue. */
    private static final class PeerWith extends SilentPeer {
        private final PushQueue queue;

        PeerWith(PushQueue queue) {
            this.queue = queue;
        }

        @Override
        public PushQueue queue() {
            return queue;
        }
    }

    private static io.polytable.frontend.session.Session registered() {
        return new Sessions().open("redis", "", Principal.ROOT, Client.NONE).orElseThrow();
    }
}
