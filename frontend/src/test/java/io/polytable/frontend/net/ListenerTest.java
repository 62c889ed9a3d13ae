package io.polytable.frontend.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ListenerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Network network = new Network();
    private Listener listener = network.listener("test").open();

    @AfterEach
    void close() {
        listener.close();
        network.close();
    }

    private static void echo(Channel channel) {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                var unused = context.writeAndFlush(message);
            }
        });
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static String ask(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readNBytes(text.length()), StandardCharsets.US_ASCII);
    }

    private static String rest(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException reset) {
            return "";
        }
    }

    @Test
    void oneLimitHoldsForAllAddresses() throws IOException {
        AtomicLong max = new AtomicLong(2);
        listener = network.listener("test")
                .connectionsMax(max::get)
                .accepted(ListenerTest::echo)
                .refused(channel -> channel.writeAndFlush(text("full")).addListener(ChannelFutureListener.CLOSE))
                .open();
        int one = listener.bind("one", ANY_PORT);
        int other = listener.bind("other", ANY_PORT);
        try (Socket first = connect(one);
                Socket second = connect(other)) {
            assertThat(ask(first, "a")).isEqualTo("a");
            assertThat(ask(second, "b")).isEqualTo("b");
            try (Socket third = connect(one)) {
                assertThat(rest(third)).isEqualTo("full");
            }
            assertThat(listener.connectionCount()).isEqualTo(2);
            max.set(3);
            try (Socket third = connect(other)) {
                assertThat(ask(third, "c")).isEqualTo("c");
            }
        }
        Await.until("all have left", () -> listener.connectionCount() == 0);
    }

    @Test
    void aConnectionMayGiveWayToAnother() throws IOException {
        Queue<Channel> oldest = new ConcurrentLinkedQueue<>();
        listener = network.listener("test")
                .connectionsMax(() -> 1)
                .makesRoom(() -> {
                    var unused = oldest.remove().close();
                    return true;
                })
                .accepted(channel -> {
                    oldest.add(channel);
                    echo(channel);
                })
                .open();
        int port = listener.bind("one", ANY_PORT);
        try (Socket first = connect(port)) {
            assertThat(ask(first, "a")).isEqualTo("a");
            try (Socket second = connect(port)) {
                assertThat(ask(second, "b")).isEqualTo("b");
                assertThat(rest(first)).isEmpty();
            }
        }
    }

    /** As TLS does: its handlers are beneath those of the protocol, and beneath a refusal. */
    @Test
    void theTransportIsBeneathTheProtocol() throws IOException {
        AtomicLong max = new AtomicLong(1);
        listener = network.listener("test")
                .connectionsMax(max::get)
                .transport(pipeline -> pipeline.addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        ByteBuf in = (ByteBuf) message;
                        for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
                            in.setByte(i, in.getByte(i) + 1);
                        }
                        context.fireChannelRead(in);
                    }
                }))
                .accepted(ListenerTest::echo)
                .refused(ListenerTest::echo)
                .open();
        int port = listener.bind("one", ANY_PORT);
        try (Socket admitted = connect(port);
                Socket refused = connect(port)) {
            assertThat(ask(admitted, "abc")).isEqualTo("bcd");
            assertThat(ask(refused, "abc")).isEqualTo("bcd");
        }
    }

    @Test
    void nothingIsAcceptedBeforeAPausedListenerBegins() throws IOException {
        AtomicLong begun = new AtomicLong();
        listener = network.listener("test")
                .paused()
                .accepted(channel -> {
                    assertThat(begun.get()).isEqualTo(1);
                    echo(channel);
                })
                .open();
        int port = listener.bind("one", ANY_PORT);
        try (Socket waiting = connect(port)) {
            begun.set(1);
            listener.accept();
            assertThat(ask(waiting, "a")).isEqualTo("a");
        }
    }

    @Test
    void aTakenAddressIsATypedError() {
        int port = listener.bind("one", ANY_PORT);
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThatThrownBy(() -> listener.bind("other", taken))
                .isInstanceOfSatisfying(CannotListenException.class, failure -> {
                    assertThat(failure.listener()).isEqualTo("other");
                    assertThat(failure.reason()).isEqualTo("Address already in use");
                })
                .hasMessageContaining("127.0.0.1:" + port);
    }

    @Test
    void aClosedListenerEndsItsConnections() throws IOException {
        listener = network.listener("test")
                .option(ChannelOption.SO_KEEPALIVE, true)
                .accepted(ListenerTest::echo)
                .open();
        int port = listener.bind("one", ANY_PORT);
        try (Socket socket = connect(port)) {
            assertThat(ask(socket, "a")).isEqualTo("a");
            listener.stopAccepting();
            // The system closes the port with the event loop's next turn.
            Await.until("nobody gets in", () -> isRefused(port));
            assertThat(ask(socket, "b")).isEqualTo("b");
            listener.close();
            assertThat(rest(socket)).isEmpty();
        }
    }

    private static boolean isRefused(int port) throws IOException {
        try (Socket socket = connect(port)) {
            return !socket.isConnected();
        } catch (ConnectException refused) {
            return true;
        }
    }
}
