package io.polytable.frontend.session;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of any protocol: who it is, where it comes from, what it does, and how to end it. A protocol opens one in
 * {@link Sessions} for each connection, or for each session that spans requests, and closes it with its client. Thread
 * safe.
 */
public final class Session implements AutoCloseable {
    private final Sessions registry;
    private final long id;
    private final String protocol;
    private final String address;
    private final Instant since;
    private final Client client;
    private volatile Principal principal;
    private volatile Cancellation running = new Cancellation();

    /** The protocol's side of a session. Called by any thread. */
    public interface Client {
        /** A client that cannot be reached: of tests, and of work that has no connection. */
        Client NONE = new Client() {
            @Override
            public Activity activity() {
                return Activity.NONE;
            }

            @Override
            public void close() {}
        };

        /** What the client runs. Must not wait for it. */
        Activity activity();

        /** Disconnects the client, at once or soon. Must not wait for that. */
        void close();
    }

    /**
     * What a client runs, or ran last.
     *
     * @param text as an operator may see it, without secrets; empty if it has not run anything
     */
    public record Activity(String text, boolean isRunning) {
        public static final Activity NONE = new Activity("", false);
    }

    Session(
            Sessions registry,
            long id,
            String protocol,
            String address,
            Instant since,
            Principal principal,
            Client client) {
        this.registry = registry;
        this.id = id;
        this.protocol = protocol;
        this.address = address;
        this.since = since;
        this.principal = principal;
        this.client = client;
    }

    /** Returns an address as {@code host:port}, with an IPv6 host in brackets; {@code ?:0} if it is unknown. */
    public static String address(@Nullable SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            return "?:0";
        }
        String host = inet.getAddress().getHostAddress();
        int scope = host.indexOf('%');
        String plain = scope < 0 ? host : host.substring(0, scope);
        return (plain.indexOf(':') < 0 ? plain : "[" + plain + "]") + ":" + inet.getPort();
    }

    /** Unique while the process lives, across all protocols. */
    public long id() {
        return id;
    }

    /** As in the ready line: {@code redis}, {@code hbase}, {@code sql}. */
    public String protocol() {
        return protocol;
    }

    /** {@code host:port} of the client. */
    public String address() {
        return address;
    }

    public Instant since() {
        return since;
    }

    public Principal principal() {
        return principal;
    }

    /** Changes who the session acts as; requests that run already keep the principal with which they began. */
    public void login(Principal next) {
        principal = next;
    }

    public Activity activity() {
        return client.activity();
    }

    /** Begins a unit of work, and returns its cancellation token. A session has one at a time. */
    public Cancellation begin() {
        Cancellation begun = new Cancellation();
        running = begun;
        return begun;
    }

    /** The cancellation token of the unit of work that began last. */
    public Cancellation running() {
        return running;
    }

    /** Reports a request that has ended; slow ones are logged and listed. */
    public void ran(String user, long nanos, Supplier<String> text) {
        if (registry.slow().isSlow(nanos)) {
            registry.slow().add(this, user, nanos, text.get());
        }
    }

    /** Cancels what the session runs and disconnects its client. */
    public void end() {
        running.cancel();
        client.close();
    }

    /** Removes the session from the registry: its client has left. */
    @Override
    public void close() {
        registry.closed(this);
    }
}
