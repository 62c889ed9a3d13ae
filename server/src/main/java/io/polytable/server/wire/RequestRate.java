package io.polytable.server.wire;

import io.polytable.frontend.session.ClientAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How many requests a client may send: so many a second on average, and twice as many at once. Thread safe. */
final class RequestRate {
    /** The clients that were quiet longest are forgotten, which lets them send as many as at first. */
    static final int CLIENTS_MAX = 10_000;

    private static final int BURST_SECONDS = 2;
    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int perSecondMax;
    private final LongSupplier nanos;

    /** What a client has left, at a time. */
    private record Left(double requests, long atNanos) {}

    private final Map<String, Left> clients = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Left> eldest) {
            return size() > CLIENTS_MAX;
        }
    };

    /** @param perSecondMax 0 for no limit */
    RequestRate(int perSecondMax, LongSupplier nanos) {
        this.perSecondMax = perSecondMax;
        this.nanos = nanos;
    }

    /** Counts a request; false if it is one too many. */
    boolean allows(ClientAddress client) {
        if (perSecondMax == 0) {
            return true;
        }
        long now = nanos.getAsLong();
        double most = (double) perSecondMax * BURST_SECONDS;
        synchronized (clients) {
            Left before = clients.getOrDefault(client.network(), new Left(most, now));
            double left = Math.min(most, before.requests() + (now - before.atNanos()) / SECOND_NANOS * perSecondMax);
            clients.put(client.network(), new Left(left < 1 ? left : left - 1, now));
            return left >= 1;
        }
    }
}
