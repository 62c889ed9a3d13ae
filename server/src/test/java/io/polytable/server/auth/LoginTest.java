package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.auth.LoginClient.Tokens;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins, tokens and what ends them, on a running server. */
@Timeout(180)
class LoginTest {
    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // before each test
    private Server server;

    @SuppressWarnings("NullAway.Init") // before each test
    private LoginClient client;

    private String root = "";

    @BeforeEach
    void start() throws IOException, InterruptedException {
        serve("--redis.requirepass=secret");
        root = client.login("root", "secret").access();
        run("CREATE USER ann PASSWORD 'pencil'");
        run("CREATE USER job ROLE service PASSWORD 'pencil'");
    }

    private void serve(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--redis.port=0",
                "--hbase.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        server = Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
        client = LoginClient.of(server.httpPort());
    }

    @AfterEach
    void stop() {
        assertThat(server.stop()).isTrue();
    }

    private void run(String statement) throws IOException, InterruptedException {
        assertThat(client.sql(statement, root)).as(statement).isEqualTo(200);
    }

    private String currentUser(String token) throws IOException, InterruptedException {
        JsonNode answer = client.json(client.statement("SELECT CURRENT_USER", token));
        return answer.at("/results/0/rows/0/0").asText(answer.at("/error/code").asText());
    }

    @Test
    void everyRequestActsAsTheUserOfItsToken() throws IOException, InterruptedException {
        assertThat(currentUser(root)).isEqualTo("root");
        String ann = client.login("ann", "pencil").access();
        assertThat(currentUser(ann)).isEqualTo("ann");
        HttpResponse<String> me = client.send("GET", LoginEndpoint.TREE + "/me", "", "Authorization", "Bearer " + ann);
        assertThat(me.body()).isEqualTo("{\"user\":\"ann\",\"role\":\"user\"}\n");
        assertThat(client.sql("CREATE USER eve", ann)).isEqualTo(403);
        assertThat(client.sql("SELECT 1", "")).isEqualTo(401);
    }

    @Test
    void passwordsAreForLoginsOnly() throws IOException, InterruptedException {
        String basic = "Basic " + Base64.getEncoder().encodeToString("ann:pencil".getBytes(StandardCharsets.UTF_8));
        assertThat(client.post("/login", "", "Authorization", basic).statusCode())
                .isEqualTo(200);
        assertThat(client.send("POST", "/v1/api/sql", "{\"sql\":\"SELECT 1\"}", "Authorization", basic)
                        .statusCode())
                .isEqualTo(401);
        for (String body : List.of(
                "{\"user\":\"ann\",\"password\":\"guess\"}",
                "{\"user\":\"nobody\",\"password\":\"guess\"}",
                "{\"user\":\"\",\"password\":\"\"}")) {
            HttpResponse<String> refused = client.post("/login", body);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.body()).isEqualTo("{\"error\":\"authentication failed\"}\n");
        }
    }

    @Test
    void aRefreshTokenIsGoodOnce() throws IOException, InterruptedException {
        Tokens first = client.login("ann", "pencil");
        Tokens second = client.refresh(first.refresh());
        assertThat(client.sql("SELECT 1", second.access())).isEqualTo(200);
        assertThat(client.tryRefresh(second.access()).statusCode())
                .as("an access token is no refresh token")
                .isEqualTo(401);
        assertThat(client.sql("SELECT 1", second.refresh()))
                .as("a refresh token is no access token")
                .isEqualTo(401);
        assertThat(client.tryRefresh(first.refresh()).statusCode()).isEqualTo(401);
        assertThat(client.sql("SELECT 1", second.access()))
                .as("the replay ends the login")
                .isEqualTo(401);
        assertThat(client.tryRefresh(second.refresh()).statusCode()).isEqualTo(401);
    }

    @Test
    void loginsEndAtOnce() throws IOException, InterruptedException {
        String left = client.login("ann", "pencil").access();
        String other = client.login("ann", "pencil").access();
        assertThat(client.post("/logout", "", "Authorization", "Bearer " + left).body())
                .isEqualTo("{\"ended\":true}\n");
        assertThat(client.sql("SELECT 1", left)).isEqualTo(401);
        assertThat(client.sql("SELECT 1", other)).isEqualTo(200);
        run("ALTER USER ann PASSWORD 'eraser'");
        assertThat(client.sql("SELECT 1", other)).as("another password").isEqualTo(401);
        Tokens changed = client.login("ann", "eraser");
        run("ALTER USER ann ROLE dba");
        assertThat(currentUser(changed.access()))
                .as("another role keeps the login")
                .isEqualTo("ann");
        assertThat(client.sql("CREATE USER eve", changed.access())).isEqualTo(200);
        run("ALTER USER ann NOLOGIN");
        assertThat(client.sql("SELECT 1", changed.access())).as("locked").isEqualTo(401);
        assertThat(client.tryRefresh(changed.refresh()).statusCode()).isEqualTo(401);
        run("ALTER USER ann LOGIN");
        assertThat(client.sql("SELECT 1", changed.access()))
                .as("a lock ends logins for good")
                .isEqualTo(401);
        String last = client.login("ann", "eraser").access();
        run("DROP USER ann");
        assertThat(client.sql("SELECT 1", last)).as("removed").isEqualTo(401);
        run("CREATE USER ann PASSWORD 'eraser'");
        assertThat(client.sql("SELECT 1", last))
                .as("a later user of that name is another")
                .isEqualTo(401);
    }

    @Test
    void serviceTokensLastUntilTheyAreRevoked() throws IOException, InterruptedException {
        String job = client.login("job", "pencil").access();
        String ann = client.login("ann", "pencil").access();
        String[] asJob = {"Authorization", "Bearer " + job};
        assertThat(client.post("/tokens", "{\"label\":\"x\"}", "Authorization", "Bearer " + ann)
                        .statusCode())
                .isEqualTo(403);
        JsonNode issued = client.json(client.post("/tokens", "{\"label\":\"nightly\"}", asJob));
        String token = issued.path("token").asText();
        assertThat(currentUser(token)).isEqualTo("job");
        run("ALTER USER job PASSWORD 'eraser'");
        assertThat(currentUser(token)).as("it is no password").isEqualTo("job");
        stop();
        serve();
        assertThat(currentUser(token)).as("after a restart").isEqualTo("job");
        asJob[1] = "Bearer " + token;
        assertThat(client.send("GET", LoginEndpoint.TREE + "/tokens", "", asJob).body())
                .contains("nightly")
                .doesNotContain(token);
        String id = issued.path("id").asText();
        assertThat(client.send("DELETE", LoginEndpoint.TREE + "/tokens/" + id, "", "Authorization", "Bearer " + root)
                        .statusCode())
                .as("of another user")
                .isEqualTo(404);
        assertThat(client.sql("ALTER USER job NOLOGIN", root)).isEqualTo(200);
        assertThat(client.sql("SELECT 1", token)).as("locked").isEqualTo(401);
        assertThat(client.sql("ALTER USER job LOGIN", root)).isEqualTo(200);
        assertThat(currentUser(token)).as("unlocked").isEqualTo("job");
        assertThat(client.send("DELETE", LoginEndpoint.TREE + "/tokens/" + id, "", asJob)
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.sql("SELECT 1", token)).isEqualTo(401);
    }

    @Test
    void tokensOfAnOutsideIssuerAreAccepted() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
        byte[] keys = new JWKSet(key).toString().getBytes(StandardCharsets.UTF_8);
        HttpServer issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", call -> {
            call.sendResponseHeaders(200, keys.length);
            call.getResponseBody().write(keys);
            call.close();
        });
        issuer.start();
        stop();
        serve(
                "--auth.issuer.keys=http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys",
                "--auth.issuer.name=https://issuer.example",
                "--auth.issuer.audience=polytable",
                "--auth.issuer.user.claim=name");
        assertThat(currentUser(token(key, "ann", "polytable"))).isEqualTo("ann");
        assertThat(client.sql("SELECT 1", token(key, "nobody", "polytable"))).isEqualTo(401);
        assertThat(client.sql("SELECT 1", token(key, "ann", "elsewhere"))).isEqualTo(401);
        issuer.stop(0);
    }

    private static String token(ECKey key, String user, String audience) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .issuer("https://issuer.example")
                        .audience(audience)
                        .claim("name", user)
                        .expirationTime(Date.from(Instant.now().plusSeconds(3600)))
                        .build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void hostileRequestsAreRefusedInOneSentence() throws IOException, InterruptedException {
        for (String body : List.of(
                "",
                "[]",
                "{",
                "null",
                "{\"user\":\"ann\"}",
                "{\"user\":1,\"password\":2}",
                "{\"user\":\"ann\",\"user\":\"root\",\"password\":\"x\"}",
                "{}{}",
                "[".repeat(100_000),
                "{\"user\":\"ann\",\"password\":\"\ud800\"}")) {
            assertThat(client.post("/login", body).statusCode()).as(body).isIn(400, 401);
        }
        assertThat(client.post("/login", "{\"user\":\"ann\",\"password\":\"pencil\"}", "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
        assertThat(client.post("/login", "{\"user\":\"ann\",\"password\":\"pencil\"}", "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        byte[] notText = "{\"user\":\"ann\",\"password\":\"?\"}".getBytes(StandardCharsets.ISO_8859_1);
        notText[notText.length - 3] = (byte) 0xff;
        assertThat(client.postBytes("/login", notText).statusCode())
                .as("no UTF-8")
                .isEqualTo(400);
        for (String header : List.of("Basic", "Basic !!!", "Basic " + "QQ==", "Bearer x", "Digest y")) {
            assertThat(client.post("/login", "", "Authorization", header).statusCode())
                    .as(header)
                    .isEqualTo(400);
        }
        assertThat(client.sql("SELECT 1", "x".repeat(15_000))).isEqualTo(401);
        assertThat(client.sql("SELECT 1", "x".repeat(1_000_000))).isEqualTo(431);
        assertThat(client.tryRefresh("y".repeat(900_000)).statusCode()).isEqualTo(401);
        assertThat(client.post("/nothing", "{}").statusCode()).isEqualTo(404);
        assertThat(client.send("PUT", LoginEndpoint.TREE + "/login", "{}").statusCode())
                .isEqualTo(404);
        for (String token : List.of(".", "..", "a.b.c", "eyJhbGciOiJub25lIn0..", "pt_", "pt_" + "0".repeat(97))) {
            assertThat(client.sql("SELECT 1", token)).as(token).isEqualTo(401);
        }
    }
}
