package io.polytable.frontend.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.polytable.frontend.net.Tls.Clients;
import io.polytable.frontend.net.Tls.Identity;
import io.polytable.frontend.net.Tls.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** A process with an encrypted port that echoes, until its input ends. Prints the port. */
final class TlsEcho {
    private TlsEcho() {}

    public static void main(String[] files) throws IOException {
        Identity identity = new Identity(Path.of(files[0]), Path.of(files[1]), Optional.empty(), Clients.NONE);
        try (Network network = new Network();
                Listener listener = listener(network, Tls.of(identity), Mode.REQUIRED)) {
            System.out.println(listener.bind("echo", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            while (System.in.read() >= 0) {
                // Until the test closes our input.
            }
        }
    }

    static Listener listener(Network network, Tls tls, Mode mode) {
        return network.listener("test")
                .transport(tls.transport(mode))
                .accepted(channel -> channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object bytes) {
                        var unused = context.writeAndFlush(bytes);
                    }
                }))
                .open();
    }
}
