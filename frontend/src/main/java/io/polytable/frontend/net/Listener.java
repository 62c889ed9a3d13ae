package io.polytable.frontend.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The addresses that a protocol has bound and the connections that it accepted there. A connection beyond the limit is passed to the protocol's refusal,
 * which may answer an error; it does not count. Closing is bounded: connections that do not end in time are closed.
 */
public final class Listener implements AutoCloseable {
    private static final long CLOSE_MILLIS_MAX = 2_000;

    private final Builder plan;
    private final AtomicLong admitted = new AtomicLong();
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final List<Channel> bound = new CopyOnWriteArrayList<>();

    private Listener(Builder plan) {
        this.plan = plan;
    }

    /** Starts the description of a listener on these loops. */
    public static Builder on(EventLoopGroup loops) {
        return new Builder(loops);
    }

    /** What a listener does with its connections. */
    public static final class Builder {
        private final ServerBootstrap bootstrap;
        private LongSupplier connectionsMax = () -> Long.MAX_VALUE;
        private BooleanSupplier makesRoom = () -> false;
        private Transport transport = Transport.PLAIN;
        private Consumer<Channel> accepted = channel -> {};
        private Consumer<Channel> refused = channel -> {
            var unused = channel.close();
        };

        private Builder(EventLoopGroup loops) {
            bootstrap = new ServerBootstrap()
                    .group(loops)
                    .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true);
        }

        /** The most connections of all addresses at a time; asked at each new one. */
        public Builder connectionsMax(LongSupplier max) {
            connectionsMax = max;
            return this;
        }

        /**
         * Called for a connection beyond the limit, on its event loop: returns whether another one was closed, so that
         * this one is admitted in its place.
         */
        public Builder makesRoom(BooleanSupplier closing) {
            makesRoom = closing;
            return this;
        }

        /**
         * The bytes of unsent output with which a connection is no longer writable, until the client has read three
         * quarters of them.
         */
        public Builder unsentBytesMax(int bytes) {
            return option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(bytes / 4, bytes));
        }

        /** The connections that may wait to be accepted. */
        public Builder backlog(int connections) {
            bootstrap.option(ChannelOption.SO_BACKLOG, connections);
            return this;
        }

        /** An option of each connection. */
        public <T> Builder option(ChannelOption<T> option, T value) {
            bootstrap.childOption(option, value);
            return this;
        }

        /** Accepts nothing before {@link Listener#accept()}: some protocols must know their port before they can serve. */
        public Builder paused() {
            bootstrap.option(ChannelOption.AUTO_READ, false);
            return this;
        }

        /** Adds the handlers beneath the protocol's own, such as TLS, to each connection, refused ones included. */
        public Builder transport(Transport handlers) {
            transport = handlers;
            return this;
        }

        /** Adds the protocol's handlers to an admitted connection, on its event loop. */
        public Builder accepted(Consumer<Channel> handlers) {
            accepted = handlers;
            return this;
        }

        /** Answers and closes a connection beyond the limit; without this it is closed. */
        public Builder refused(Consumer<Channel> refusal) {
            refused = refusal;
            return this;
        }

        /** Returns the listener, which has not bound an address yet. */
        public Listener open() {
            return new Listener(this);
        }
    }

    /**
     * Binds an address and returns its port; connections are accepted when this returns, unless the listener is paused.
     *
     * @param name what errors and the ready line call it
     * @throws CannotListenException if the address cannot be bound
     */
    public int bind(String name, InetSocketAddress address) {
        ChannelFuture binding = plan.bootstrap
                .clone()
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connected(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            throw new CannotListenException(name, address, cause);
        }
        bound.add(binding.channel());
        return ((InetSocketAddress) binding.channel().localAddress()).getPort();
    }

    private void connected(Channel channel) {
        channels.add(channel);
        plan.transport.addTo(channel.pipeline());
        if (admitted.incrementAndGet() > plan.connectionsMax.getAsLong() && !plan.makesRoom.getAsBoolean()) {
            admitted.decrementAndGet();
            plan.refused.accept(channel);
            return;
        }
        channel.closeFuture().addListener(closed -> admitted.decrementAndGet());
        plan.accepted.accept(channel);
    }

    /** Begins to accept connections on a listener that was opened paused. */
    public void accept() {
        bound.forEach(address -> address.config().setAutoRead(true));
    }

    /** The admitted connections that are open. */
    public int connectionCount() {
        return admitted.intValue();
    }

    /** Accepts no further connections. */
    public void stopAccepting() {
        bound.forEach(address -> address.close().awaitUninterruptibly(CLOSE_MILLIS_MAX));
    }

    /** Waits a limited time for the clients to leave by themselves. */
    public void awaitFarewell() {
        channels.newCloseFuture().awaitUninterruptibly(CLOSE_MILLIS_MAX);
    }

    /** Accepts no further connections and closes the open ones. */
    @Override
    public void close() {
        stopAccepting();
        channels.close().awaitUninterruptibly(CLOSE_MILLIS_MAX);
    }
}
