package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.SelfSigned;
import io.polytable.frontend.net.Tls;
import io.polytable.frontend.setting.SettingException;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose ports are encrypted, and clients of each protocol. */
@Timeout(120)
class TlsServerTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<Server> servers = new ArrayList<>();
    private Tls.Identity identity = new Tls.Identity(Path.of(""), Path.of(""), Optional.empty(), Tls.Clients.NONE);

    @BeforeEach
    void certify() throws IOException {
        identity = SelfSigned.write(directory.resolve("tls"), List.of("localhost", "127.0.0.1"));
    }

    @AfterEach
    void stop() {
        servers.forEach(Server::stop);
    }

    private Server serve(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory.resolve("data"),
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--zookeeper.tls.mode=off",
                "--http.port=0",
                "--tls.certificate=" + identity.certificate(),
                "--tls.key=" + identity.key(),
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        Server server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
        servers.add(server);
        return server;
    }

    private static String ping(Socket socket) throws IOException {
        socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        return String.valueOf(in.readLine());
    }

    private SSLSocket encrypted(int port) throws IOException {
        SSLContext context = PinnedCertificate.context(identity.certificate());
        return (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void everyPortIsEncrypted() throws Exception {
        Server server = serve();
        try (SSLSocket redis = encrypted(server.port("redis"))) {
            assertThat(ping(redis)).isEqualTo("+PONG");
        }
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port("redis"))) {
            assertThat(ping(plain)).isNotEqualTo("+PONG");
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        HttpClient client = HttpClient.newBuilder()
                .sslContext(PinnedCertificate.context(identity.certificate()))
                .build();
        URI health = URI.create("https://localhost:" + server.httpPort() + "/health");
        assertThat(client.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        assertThat(ServerFile.read(directory.resolve("data")).orElseThrow().uri("/x"))
                .hasScheme("https");
        assertThat(namespaces(server)).contains("default");
    }

    /** HBase's own client, unmodified, with the settings that its book names. */
    private List<String> namespaces(Server server) throws IOException {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
        configuration.setInt("hbase.zookeeper.property.clientPort", zookeeperPort(server));
        configuration.set("hbase.client.netty.tls.enabled", "true");
        configuration.set(
                "hbase.rpc.tls.truststore.location", identity.certificate().toString());
        configuration.set("hbase.rpc.tls.truststore.type", "PEM");
        configuration.setInt("hbase.client.retries.number", 3);
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Admin admin = connection.getAdmin()) {
            return List.of(admin.listNamespaces());
        }
    }

    private static int zookeeperPort(Server server) {
        String line = server.readyLine(0);
        int at = line.indexOf("zookeeper=") + "zookeeper=".length();
        return Integer.parseInt(line.substring(at, line.indexOf(' ', at)));
    }

    @Test
    void anEncryptedClientThatDoesNotReadIsHeldBack() throws Exception {
        Server server = serve("--hbase.enabled=false");
        int bytes = 1 << 20;
        try (SSLSocket slow = encrypted(server.port("redis"));
                SSLSocket other = encrypted(server.port("redis"))) {
            other.getOutputStream()
                    .write(("SET big " + "x".repeat(60_000) + "\r\nSETRANGE big " + (bytes - 1) + " x\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(ping(other)).isEqualTo("+OK");
            // Four gigabytes of replies, for a client that reads none of them.
            slow.getOutputStream().write("GET big\r\n".repeat(4_000).getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            try (SSLSocket third = encrypted(server.port("redis"))) {
                assertThat(ping(third)).isEqualTo("+PONG");
            }
            assertThat(slow.getInputStream().readNBytes(4 * bytes)).hasSize(4 * bytes);
        }
    }

    @Test
    void endlessHeadersOfAnEncryptedRequestAreRefused() throws Exception {
        Server server = serve("--hbase.enabled=false");
        try (SSLSocket socket = encrypted(server.httpPort())) {
            byte[] header = ("X-Long: " + "x".repeat(1 << 16) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write("GET /health HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> {
                        for (int sent = 0; sent < 64 << 20; sent += header.length) {
                            socket.getOutputStream().write(header);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aPortCanServeBoth() throws Exception {
        Server server = serve("--redis.tls.mode=optional", "--hbase.enabled=false");
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port("redis"));
                SSLSocket redis = encrypted(server.port("redis"))) {
            assertThat(ping(plain)).isEqualTo("+PONG");
            assertThat(ping(redis)).isEqualTo("+PONG");
        }
    }

    @Test
    void aRenewedCertificateIsServedAfterAReload() throws Exception {
        Server server = serve("--hbase.enabled=false");
        Tls.Identity renewed = SelfSigned.write(directory.resolve("renewed"), List.of("localhost"));
        try (SSLSocket before = encrypted(server.port("redis"))) {
            assertThat(ping(before)).isEqualTo("+PONG");
            Files.writeString(identity.certificate(), Files.readString(renewed.certificate()));
            Files.writeString(identity.key(), Files.readString(renewed.key()));
            server.reloadCertificate();
            assertThat(ping(before)).isEqualTo("+PONG");
            try (SSLSocket after = encrypted(server.port("redis"))) {
                assertThat(ping(after)).isEqualTo("+PONG");
                X509Certificate shown = (X509Certificate) after.getSession().getPeerCertificates()[0];
                assertThat(shown).isNotEqualTo(before.getSession().getPeerCertificates()[0]);
            }
        }
    }

    @Test
    void settingsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> serve("--tls.key="))
                .isInstanceOf(SettingException.class)
                .hasMessage("tls.certificate and tls.key belong together: set both, or neither");
        assertThatThrownBy(() -> serve("--tls.clients=required"))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("tls.ca");
        assertThatThrownBy(() -> serve("--tls.key=" + directory.resolve("absent")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("absent cannot be read");
    }
}
