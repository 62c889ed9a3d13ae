package io.polytable.frontend.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.Tls.Clients;
import io.polytable.frontend.net.Tls.Identity;
import io.polytable.frontend.net.Tls.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encrypted, plain and hostile clients of a port that echoes. */
@Timeout(120)
class TlsTest {
    private static final Network NETWORK = new Network();

    @TempDir
    private Path directory = Path.of("");

    @AfterAll
    static void stop() {
        NETWORK.close();
    }

    private Identity identity(String name) throws IOException {
        return SelfSigned.write(directory.resolve(name), List.of("localhost", "127.0.0.1"));
    }

    /** Listens while the test runs. */
    private interface Use {
        void of(int port) throws Exception;
    }

    private static void serve(Tls tls, Mode mode, Use use) throws Exception {
        try (Listener listener = TlsEcho.listener(NETWORK, tls, mode)) {
            use.of(listener.bind("echo", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
    }

    private static String echo(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write("hello".getBytes(US_ASCII));
        out.flush();
        InputStream in = socket.getInputStream();
        return new String(in.readNBytes(5), US_ASCII);
    }

    private static Socket plain(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static SSLSocket encrypted(int port, Identity trusted, Optional<Identity> own, String... protocols)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own.isPresent() ? keys(own.get()).getKeyManagers() : null,
                trust(trusted).getTrustManagers(),
                null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        try {
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            socket.startHandshake();
            return socket;
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }

    private static TrustManagerFactory trust(Identity trusted) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", certificate(trusted));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static KeyManagerFactory keys(Identity own) throws IOException, GeneralSecurityException {
        String body = Files.readAllLines(own.key()).stream()
                .filter(line -> !line.startsWith("-"))
                .collect(Collectors.joining());
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", key, new char[0], new Certificate[] {certificate(own)});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory;
    }

    private static Certificate certificate(Identity identity) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(identity.certificate())) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"OPTIONAL", "REQUIRED"})
    void anEncryptedClientIsServed(Mode mode) throws Exception {
        Identity identity = identity("server");
        serve(Tls.of(identity), mode, port -> {
            try (SSLSocket socket = encrypted(port, identity, Optional.empty())) {
                assertThat(echo(socket)).isEqualTo("hello");
                assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
            }
        });
    }

    @Test
    void aPlainClientIsServedWhereTlsIsOptional() throws Exception {
        serve(Tls.of(identity("server")), Mode.OPTIONAL, port -> {
            try (Socket socket = plain(port)) {
                assertThat(echo(socket)).isEqualTo("hello");
            }
        });
    }

    @Test
    void aPlainClientIsClosedWhereTlsIsRequired() throws Exception {
        serve(Tls.of(identity("server")), Mode.REQUIRED, port -> {
            try (Socket socket = plain(port)) {
                assertThat(echo(socket)).isNotEqualTo("hello");
            } catch (IOException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
        });
    }

    /** New connections get the new certificate, and those that are open stay. */
    @Test
    void aRenewedCertificateIsUsedWithoutDroppingConnections() throws Exception {
        Identity first = identity("server");
        Identity second = identity("renewed");
        Tls tls = Tls.of(first);
        serve(tls, Mode.REQUIRED, port -> {
            try (SSLSocket before = encrypted(port, first, Optional.empty())) {
                assertThat(echo(before)).isEqualTo("hello");
                Files.writeString(first.key(), "not a key");
                assertThatThrownBy(tls::reload)
                        .isInstanceOf(Tls.UnusableException.class)
                        .hasMessageContaining("key");
                try (SSLSocket meanwhile = encrypted(port, first, Optional.empty())) {
                    assertThat(echo(meanwhile))
                            .as("the last usable files stay in use")
                            .isEqualTo("hello");
                }
                Files.writeString(first.key(), Files.readString(second.key()));
                Files.writeString(first.certificate(), Files.readString(second.certificate()));
                tls.reload();
                try (SSLSocket after = encrypted(port, second, Optional.empty())) {
                    assertThat(echo(after)).isEqualTo("hello");
                }
                assertThat(echo(before)).isEqualTo("hello");
            }
        });
    }

    @Test
    void aClientWithoutACertificateIsRefusedWhereOneIsRequired() throws Exception {
        Identity server = identity("server");
        Identity client = identity("client");
        Identity stranger = identity("stranger");
        Tls tls = Tls.of(
                new Identity(server.certificate(), server.key(), Optional.of(client.certificate()), Clients.REQUIRED));
        serve(tls, Mode.REQUIRED, port -> {
            try (SSLSocket socket = encrypted(port, server, Optional.of(client))) {
                assertThat(echo(socket)).isEqualTo("hello");
            }
            for (Optional<Identity> own : List.of(Optional.<Identity>empty(), Optional.of(stranger))) {
                // With TLS 1.3 a client learns of the refusal with its first read.
                assertThatThrownBy(() -> {
                            try (SSLSocket socket = encrypted(port, server, own)) {
                                assertThat(echo(socket)).isEqualTo("hello");
                            }
                        })
                        .isInstanceOfAny(SSLException.class, SocketException.class);
            }
        });
    }

    /** The first message of a client's handshake. */
    private static byte[] hello() throws GeneralSecurityException, SSLException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        engine.beginHandshake();
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    @Test
    void clientsThatDoNotFinishAHandshakeAreClosed() throws Exception {
        byte[] hello = hello();
        serve(Tls.of(identity("server")), Mode.REQUIRED, port -> {
            List<Socket> halfOpen = new ArrayList<>();
            for (int sent : new int[] {0, 1, 5, hello.length / 2, hello.length}) {
                Socket socket = plain(port);
                socket.getOutputStream().write(hello, 0, sent);
                halfOpen.add(socket);
            }
            for (Socket socket : halfOpen) {
                assertThat(isEnded(socket)).isTrue();
                socket.close();
            }
        });
    }

    /** Waits until the server has closed the connection, as long as the test may take. */
    private static boolean isEnded(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void endlessMessagesOfAHandshakeEndTheConnection() throws Exception {
        // The header of a handshake's record of 16 KiB, and of a message in it that is said to have 16 MiB.
        byte[] endless = new byte[5 + (1 << 14)];
        System.arraycopy(new byte[] {22, 3, 3, 0x40, 0, 1, -1, -1, -1}, 0, endless, 0, 9);
        byte[] oversize = new byte[1 << 16];
        System.arraycopy(new byte[] {22, 3, 3, -1, -1}, 0, oversize, 0, 5);
        byte[] noise = "GET / HTTP/1.1\r\n".repeat(1000).getBytes(US_ASCII);
        serve(Tls.of(identity("server")), Mode.REQUIRED, port -> {
            for (byte[] record : List.of(endless, oversize, noise)) {
                try (Socket socket = plain(port)) {
                    assertThat(isRefused(socket, record)).isTrue();
                }
            }
        });
    }

    /** Whether the server ends the connection before it has taken much more than a handshake may have. */
    private static boolean isRefused(Socket socket, byte[] record) {
        try {
            for (int sent = 0; sent < 64 << 20; sent += record.length) {
                socket.getOutputStream().write(record);
            }
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    /** In a process of its own: the JDK decides once whether it accepts these. */
    @Test
    void aClientCannotRenegotiate() throws Exception {
        Identity identity = identity("server");
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TlsEcho.class.getName(),
                        identity.certificate().toString(),
                        identity.key().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = server.inputReader(US_ASCII)) {
            int port = Integer.parseInt(out.readLine());
            try (SSLSocket socket = encrypted(port, identity, Optional.empty(), "TLSv1.2")) {
                assertThat(echo(socket)).isEqualTo("hello");
                assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
                assertThatThrownBy(() -> {
                            socket.startHandshake();
                            echo(socket);
                        })
                        .isInstanceOf(IOException.class);
            }
            try (SSLSocket other = encrypted(port, identity, Optional.empty())) {
                assertThat(echo(other)).isEqualTo("hello");
            }
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws IOException {
        Identity identity = identity("server");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity.key())))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> identity("server")).hasMessageContaining("certificate.pem");
        Path absent = directory.resolve("absent.pem");
        assertThatThrownBy(() -> Tls.of(new Identity(absent, identity.key(), Optional.empty(), Clients.NONE)))
                .hasMessage("The file " + absent + " cannot be read: NoSuchFileException");
        assertThatThrownBy(() ->
                        Tls.of(new Identity(identity.key(), identity.certificate(), Optional.empty(), Clients.NONE)))
                .hasMessageStartingWith("The certificate " + identity.key() + " and the key ");
    }
}
