package io.polytable.redis.model.change;

import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a key space's changes. Thread safe. */
public final class KeyChanges {
    private static final Logger LOG = LoggerFactory.getLogger(KeyChanges.class);

    private volatile Subscription[] subscriptions = {};

    // The union of what listeners want: while nobody listens, a change costs one check per unit of work.
    private volatile boolean wantsChanges;
    private volatile boolean wantsMisses;

    /** Subscribes a listener, which is not called until its subscription wants something. */
    public synchronized Subscription subscribe(ChangeListener listener) {
        Subscription subscription = new Subscription(listener);
        Subscription[] more = Arrays.copyOf(subscriptions, subscriptions.length + 1);
        more[more.length - 1] = subscription;
        subscriptions = more;
        return subscription;
    }

    public boolean wantsChanges() {
        return wantsChanges;
    }

    public boolean wantsMisses() {
        return wantsMisses;
    }

    void publish(ChangeListener.Unit unit) {
        for (Subscription each : subscriptions) {
            if (each.changes) {
                tell(each, listener -> listener.committed(unit));
            }
        }
    }

    /** A reading command missed the key. */
    public void missed(int database, Bytes key, Origin origin) {
        for (Subscription each : subscriptions) {
            if (each.misses) {
                tell(each, listener -> listener.missed(database, key, origin));
            }
        }
    }

    // The commit has happened: a failing listener must not turn it into an error for the client, nor keep it from
    // other listeners.
    private static void tell(Subscription subscription, Consumer<ChangeListener> news) {
        try {
            news.accept(subscription.listener);
        } catch (RuntimeException mistake) {
            LOG.error("A listener of key changes failed", mistake);
        }
    }

    private synchronized void recount() {
        wantsChanges = Arrays.stream(subscriptions).anyMatch(each -> each.changes);
        wantsMisses = Arrays.stream(subscriptions).anyMatch(each -> each.misses);
    }

    private synchronized void remove(Subscription gone) {
        subscriptions =
                Arrays.stream(subscriptions).filter(each -> each != gone).toArray(Subscription[]::new);
        recount();
    }

    /**
     * What one listener wants to hear. A listener that starts to want changes while it holds a key's stripe gets every
     * later change of that key: units check this after they took their stripes.
     */
    public final class Subscription implements AutoCloseable {
        private final ChangeListener listener;
        private volatile boolean changes;
        private volatile boolean misses;

        private Subscription(ChangeListener listener) {
            this.listener = listener;
        }

        public void wantChanges(boolean wanted) {
            if (changes != wanted) {
                changes = wanted;
                recount();
            }
        }

        public void wantMisses(boolean wanted) {
            if (misses != wanted) {
                misses = wanted;
                recount();
            }
        }

        @Override
        public void close() {
            changes = false;
            misses = false;
            remove(this);
        }
    }
}
