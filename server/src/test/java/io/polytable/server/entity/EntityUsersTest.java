package io.polytable.server.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import io.polytable.server.auth.LoginClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The users of the server, as clients of its entities. */
@Timeout(120)
class EntityUsersTest {
    private static final String INSTANCES = "/entity/v1/instances";

    @TempDir
    private Path directory = Path.of("");

    private static String[] bearer(String token, String... more) {
        String[] headers = new String[2 + more.length];
        headers[0] = "Authorization";
        headers[1] = "Bearer " + token;
        System.arraycopy(more, 0, headers, 2, more.length);
        return headers;
    }

    @Test
    void everyRequestActsAsItsUser() throws IOException, InterruptedException {
        try (EntityServer server =
                EntityServer.on(directory, "--redis.port=0", "--redis.requirepass=secret", "--sql.enabled=true")) {
            LoginClient client = LoginClient.of(server.port());
            String root = client.login("root", "secret").access();
            for (String user :
                    List.of("ann PASSWORD 'pencil'", "bob", "dora ROLE dba", "job ROLE service PASSWORD 'pencil'")) {
                assertThat(client.sql("CREATE USER " + user, root)).isEqualTo(200);
            }
            assertThat(client.send("POST", INSTANCES, "{\"name\":\"demo\"}", bearer(root))
                            .statusCode())
                    .isIn(200, 201);
            String ann = client.login("ann", "pencil").access();
            String job = client.login("job", "pencil").access();
            assertThat(client.send("GET", INSTANCES, "").statusCode()).isEqualTo(401);
            assertThat(client.send("GET", INSTANCES, "", bearer(root)).body()).contains("demo");
            assertThat(client.send("GET", INSTANCES, "", bearer(ann)).body()).doesNotContain("demo");
            assertThat(client.send("POST", INSTANCES, "{\"name\":\"mine\"}", bearer(ann))
                            .statusCode())
                    .isEqualTo(403);
            String[] asOther = {"X-Polytable-User", "bob"};
            assertThat(client.send("GET", INSTANCES, "", bearer(ann, asOther)).body())
                    .contains("Only users with role service or higher");
            assertThat(client.send("GET", INSTANCES, "", bearer(job, asOther)).statusCode())
                    .isEqualTo(200);
            for (String higher : List.of("dora", "default", "root", "nobody")) {
                asOther[1] = higher;
                assertThat(client.send("GET", INSTANCES, "", bearer(job, asOther))
                                .statusCode())
                        .as(higher)
                        .isEqualTo(403);
            }
            String token = JsonMapper.builder()
                    .build()
                    .readTree(client.post("/tokens", "{\"label\":\"entities\"}", bearer(root))
                            .body())
                    .path("token")
                    .asText();
            for (EntityUri uri : List.of(
                    server.uri().withOption("password", "secret"), server.uri().withOption("token", token))) {
                try (Instance demo = Entities.open(uri.withInstance("demo"))) {
                    assertThat(demo.tables()).isEmpty();
                }
                assertThat(uri.toString()).doesNotContain("secret", token);
            }
            assertThatThrownBy(() -> Entities.open(server.uri()
                            .withOption("login", "ann")
                            .withOption("password", "guess")
                            .withInstance("demo")))
                    .isInstanceOfSatisfying(
                            EntityException.class,
                            failure -> assertThat(failure.error()).isEqualTo(EntityError.DENIED));
        }
    }
}
