package io.polytable.frontend.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of all ports: one certificate and one private key, which can be reloaded while the server runs. A connection
 * keeps the certificate that it began with, so a reload ends none.
 */
public final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    static {
        // A client may otherwise ask for one handshake after another on a connection of TLS 1.2, and pays less for each
        // than
        // the server does. The JDK reads this once, before its first handshake.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    /** A client that begins a handshake and does not finish it occupies a connection for so long. */
    private static final long HANDSHAKE_SECONDS_MAX = 10;

    private final Identity identity;
    private volatile SslContext context;

    /** Which connections of a port are encrypted. */
    public enum Mode {
        /** None; a client that starts a handshake is treated as one that speaks no known protocol. */
        OFF,
        /** Those that start with a handshake; the first bytes decide. */
        OPTIONAL,
        /** All; others are closed. */
        REQUIRED
    }

    /** Whether clients authenticate with certificates of their own. */
    public enum Clients {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    /**
     * The files of the server's identity, in PEM.
     *
     * @param certificate the certificate, followed by those of its issuers
     * @param key the private key, in PKCS #8 and without a password
     * @param authority the certificates of the authorities that clients' certificates must be issued by
     */
    public record Identity(Path certificate, Path key, Optional<Path> authority, Clients clients) {}

    /** The files of TLS cannot be used; the message is one sentence for the operator. */
    public static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    private Tls(Identity identity, SslContext context) {
        this.identity = identity;
        this.context = context;
    }

    /** Reads the files. */
    public static Tls of(Identity identity) {
        return new Tls(identity, read(identity));
    }

    /** Reads the files again, for new connections. If they cannot be used, those read before stay in use. */
    public void reload() {
        context = read(identity);
    }

    private static SslContext read(Identity identity) {
        requireReadable(identity.certificate());
        requireReadable(identity.key());
        identity.authority().ifPresent(Tls::requireReadable);
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            identity.certificate().toFile(), identity.key().toFile())
                    .protocols("TLSv1.3", "TLSv1.2")
                    .clientAuth(
                            switch (identity.clients()) {
                                case NONE -> ClientAuth.NONE;
                                case OPTIONAL -> ClientAuth.OPTIONAL;
                                case REQUIRED -> ClientAuth.REQUIRE;
                            });
            identity.authority().ifPresent(file -> builder.trustManager(file.toFile()));
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new UnusableException(
                    "The certificate " + identity.certificate() + " and the key " + identity.key()
                            + " cannot be used for TLS: " + cause(e),
                    e);
        }
    }

    private static void requireReadable(Path file) {
        try {
            byte[] unused = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UnusableException(
                    "The file " + file + " cannot be read: " + e.getClass().getSimpleName(), e);
        }
    }

    /** The innermost message: Netty's own only says that a file is no valid one. */
    private static String cause(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return String.valueOf(inner.getMessage());
    }

    /** The handlers beneath a protocol's own, for {@link Listener.Builder#transport}. */
    public Transport transport(Mode mode) {
        return switch (mode) {
            case OFF -> Transport.PLAIN;
            case OPTIONAL -> pipeline -> pipeline.addLast(new Detection(context), new Failures());
            case REQUIRED ->
                pipeline -> pipeline.addLast(handler(context, pipeline.channel().alloc()), new Failures());
        };
    }

    private static SslHandler handler(SslContext context, ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
        return handler;
    }

    /** Replaces itself by TLS, or by nothing, when the first bytes have arrived. */
    private static final class Detection extends OptionalSslHandler {
        private final SslContext context;

        Detection(SslContext context) {
            super(context);
            this.context = context;
        }

        @Override
        protected SslHandler newSslHandler(ChannelHandlerContext channel, SslContext unused) {
            return handler(context, channel.alloc());
        }
    }

    /** A failed handshake is the client's mistake: it ends the connection, and no protocol needs to answer it. */
    private static final class Failures extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
            if (cause instanceof SSLException
                    || (cause instanceof DecoderException && cause.getCause() instanceof SSLException)) {
                LOG.debug("TLS failed with {}", channel.channel().remoteAddress(), cause);
                var unused = channel.close();
            } else {
                var unused = channel.fireExceptionCaught(cause);
            }
        }
    }
}
