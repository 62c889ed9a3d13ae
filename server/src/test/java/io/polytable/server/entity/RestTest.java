package io.polytable.server.entity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.model.Permission;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows and layouts in JSON, through the HTTP port of a whole server. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String TABLES = "/instances/demo/tables";
    private static final String ROWS = TABLES + "/users/rows";
    private static final String LAYOUT = """
            {"name": "users", "keys_format": {"encoding": "RAW"}, "locality_groups": [{"name": "main", "max_versions": 3,
              "families": [
                {"name": "info", "columns": [
                  {"name": "name", "column_schema": {"type": "AVRO", "value": "string"}},
                  {"name": "age", "column_schema": {"type": "AVRO", "value": "int"}},
                  {"name": "photo", "column_schema": {"type": "RAW_BYTES"}},
                  {"name": "doc", "column_schema": {"type": "JSON"}},
                  {"name": "visits", "column_schema": {"type": "COUNTER"}}]},
                {"name": "tags", "map_schema": {"type": "AVRO", "value": "string"}}]}]}""";

    /** Static: one of an instance is not there yet before all tests. */
    @TempDir
    static Path directory;

    private EntityServer server;

    private record Answer(int status, JsonNode json) {}

    @BeforeAll
    void start() throws Exception {
        server = EntityServer.on(directory);
        assertThat(send("POST", "/instances", "{\"name\": \"demo\"}").status()).isEqualTo(200);
        assertThat(send("POST", TABLES, LAYOUT).status()).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Answer send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/entity/v1" + path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        boolean isJson =
                response.headers().firstValue("content-type").orElse("").equals("application/json");
        return new Answer(response.statusCode(), JSON.readTree(isJson ? response.body() : "{}"));
    }

    private JsonNode ok(String method, String path, String body) throws IOException, InterruptedException {
        Answer answer = send(method, path, body);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.json();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aRowIsWrittenReadAndDeleted() throws Exception {
        JsonNode written = ok("POST", ROWS, """
                {"id": "ada", "cells": [
                   {"column": "info:name", "value": "Ada \\"the\\" first", "time": 5},
                   {"column": "info:age", "value": 36},
                   {"column": "info:photo", "value": "00ff"},
                   {"column": "info:doc", "value": {"a": [1, null]}},
                   {"column": "tags:x y", "value": "z"}],
                 "increments": [{"column": "info:visits", "by": 4}]}""");
        assertThat(written.at("/rows/0/applied").booleanValue()).isTrue();
        assertThat(written.at("/rows/0/counters/info:visits").longValue()).isEqualTo(4);
        JsonNode row = ok("GET", ROWS + "?id=ada", "").at("/rows/0");
        assertThat(row.path("id").asText()).isEqualTo("ada");
        assertThat(row.at("/cells/info:name/0/value").asText()).isEqualTo("Ada \"the\" first");
        assertThat(row.at("/cells/info:name/0/time").longValue()).isEqualTo(5);
        assertThat(row.at("/cells/info:age/0/value").intValue()).isEqualTo(36);
        assertThat(row.at("/cells/info:photo/0/value").asText()).isEqualTo("00ff");
        assertThat(row.at("/cells/info:doc/0/value").toString()).isEqualTo("{\"a\":[1,null]}");
        assertThat(row.at("/cells/tags:x y/0/value").asText()).isEqualTo("z");
        assertThat(row.at("/cells/info:visits/0/value").longValue()).isEqualTo(4);

        ok("POST", ROWS, "{\"id\": \"ada\", \"cells\": [{\"column\": \"info:name\", \"value\": \"A.\", \"time\": 9}]}");
        JsonNode versions =
                ok("GET", ROWS + "?id=ada&columns=info:name&versions=3", "").at("/rows/0/cells/info:name");
        assertThat(versions).hasSize(2);
        assertThat(ok("GET", ROWS + "?id=ada&columns=info:name&time_to=9", "")
                        .at("/rows/0/cells/info:name/0/value")
                        .asText())
                .isEqualTo("Ada \"the\" first");

        ok("DELETE", ROWS + "?id=ada&columns=info:name&newest=true", "");
        assertThat(ok("GET", ROWS + "?id=ada&columns=info:name", "")
                        .at("/rows/0/cells/info:name/0/time")
                        .longValue())
                .isEqualTo(5);
        ok("DELETE", ROWS + "?id=ada&columns=tags", "");
        assertThat(ok("GET", ROWS + "?id=ada&columns=tags", "").path("rows")).isEmpty();
        ok("DELETE", ROWS + "?id=ada", "");
        assertThat(ok("GET", ROWS + "?id=ada", "").path("rows")).isEmpty();
    }

    @Test
    void aCheckDecidesWhetherARowIsWritten() throws Exception {
        String first = """
                {"id": "bob", "cells": [{"column": "info:name", "value": "Bob"}], "check": {"column": "info:name", "value": %s}}""";
        assertThat(ok("POST", ROWS, String.format(first, "null"))
                        .at("/rows/0/applied")
                        .booleanValue())
                .isTrue();
        assertThat(ok("POST", ROWS, String.format(first, "null"))
                        .at("/rows/0/applied")
                        .booleanValue())
                .isFalse();
        assertThat(ok("POST", ROWS, String.format(first, "\"Bob\""))
                        .at("/rows/0/applied")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void aScanGoesOnAtItsToken() throws Exception {
        StringBuilder rows = new StringBuilder("[");
        for (int i = 0; i < 25; i++) {
            rows.append(i == 0 ? "" : ",")
                    .append("{\"id\": \"scan-" + (10 + i) + "\", \"cells\": [{\"column\": \"info:age\", \"value\": " + i
                            + "}]}");
        }
        ok("POST", ROWS, rows.append("]").toString());
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = ok("GET", ROWS + "?from=scan-&to=scan.&limit=10&columns=info:age" + token, "");
            page.path("rows").forEach(row -> seen.add(row.path("id").asText()));
            token = page.has("token") ? "&token=" + encoded(page.path("token").asText()) : "";
        } while (!token.isEmpty());
        assertThat(seen).hasSize(25).isSorted().startsWith("scan-10").endsWith("scan-34");
        assertThat(ok("GET", ROWS + "?ids=" + encoded("[\"scan-11\", \"nobody\", \"scan-12\"]"), "")
                        .path("rows"))
                .hasSize(2);
        String filter = encoded("{\"equals\": {\"column\": \"info:age\", \"value\": 3}}");
        JsonNode filtered =
                ok("GET", ROWS + "?from=scan-&to=scan.&filter=" + filter, "").path("rows");
        assertThat(filtered).hasSize(1);
        assertThat(filtered.at("/0/id").asText()).isEqualTo("scan-13");
    }

    @Test
    void layoutsAreReadChangedAndRemembered() throws Exception {
        ok("POST", TABLES, LAYOUT.replace("\"users\"", "\"changing\""));
        JsonNode layout = ok("GET", TABLES + "/changing", "");
        assertThat(layout.path("layout_id").asText()).isEqualTo("1");
        String next = layout.toString()
                .replace("\"layout_id\":\"1\"", "\"reference_layout\":\"1\"")
                .replace("\"max_versions\":3", "\"max_versions\":7");
        JsonNode tried = ok("PUT", TABLES + "/changing?dry_run=true", next);
        assertThat(tried.path("difference")).hasSize(1);
        assertThat(ok("GET", TABLES + "/changing", "").path("layout_id").asText())
                .isEqualTo("1");
        ok("PUT", TABLES + "/changing", next);
        assertThat(send("PUT", TABLES + "/changing", next).status())
                .as("made for another layout")
                .isEqualTo(409);
        assertThat(ok("GET", TABLES + "/changing/layouts", "").path("layouts")).hasSize(2);
        assertThat(ok("GET", TABLES, "").path("tables").toString()).contains("changing", "users");
        ok("DELETE", TABLES + "/changing", "");
        assertThat(send("GET", TABLES + "/changing", "").status()).isEqualTo(404);
        assertThat(ok("GET", "/instances/demo", "").path("tables").toString()).isEqualTo("[\"users\"]");
    }

    @Test
    void whatIsWrongIsSaidWithAnErrorAndAStatus() throws Exception {
        assertThat(send("GET", "/instances/nobody", "").status()).isEqualTo(404);
        assertThat(send("POST", "/instances", "{\"name\": \"demo\"}").status()).isEqualTo(409);
        assertThat(send("GET", "/nothing", "").status()).isEqualTo(400);
        assertThat(send("PUT", ROWS, "{}").status()).isEqualTo(400);
        assertThat(send("POST", ROWS, "{\"id\"").status()).isEqualTo(400);
        assertThat(send("POST", ROWS, "{\"cells\": []}").json().path("error").asText())
                .isEqualTo("BAD_REQUEST");
        Answer unknown = send("POST", ROWS, "{\"id\": \"x\", \"cells\": [{\"column\": \"info:no\", \"value\": 1}]}");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().path("error").asText()).isEqualTo("NO_SUCH_COLUMN");
        Answer bad = send("POST", ROWS, "{\"id\": \"x\", \"cells\": [{\"column\": \"info:age\", \"value\": \"old\"}]}");
        assertThat(bad.json().path("error").asText()).isEqualTo("BAD_VALUE");
        assertThat(send("GET", ROWS + "?limit=99999", "").status()).isEqualTo(400);
        assertThat(send("DELETE", ROWS, "").status()).isEqualTo(400);
    }

    @Test
    void strangersAreRefused() throws Exception {
        assertThat(send("GET", "/instances", "", "Origin", "http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(send("POST", "/instances", "{\"name\": \"evil\"}", "Content-Type", "text/plain")
                        .status())
                .isEqualTo(415);
        assertThat(send("GET", "/instances", "", "Authorization", "Bearer guess")
                        .status())
                .isEqualTo(401);
        assertThat(ok("GET", "/instances", "").path("instances").toString()).isEqualTo("[\"demo\"]");
    }

    @Test
    void aDeleteOfOneCellNeverDeletesMore() throws Exception {
        ok("POST", ROWS, "{\"id\": \"kept\", \"cells\": [{\"column\": \"info:name\", \"value\": \"K\", \"time\": 3}]}");
        for (String wrong : List.of(
                "&newest=true",
                "&at=3",
                "&columns=info&newest=true",
                "&columns=info:name&at=3&up_to=4",
                "&columns=info:name&at=3&newest=true")) {
            assertThat(send("DELETE", ROWS + "?id=kept" + wrong, "").status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        for (String repeated : List.of("&columns=info:name&columns=tags", "&id=other", "&at=3&at=4")) {
            assertThat(send("DELETE", ROWS + "?id=kept" + repeated, "").status())
                    .as(repeated)
                    .isEqualTo(400);
        }
        assertThat(ok("GET", ROWS + "?id=kept", "").path("rows")).hasSize(1);
        ok("DELETE", ROWS + "?id=kept&columns=info:name&at=3", "");
        assertThat(ok("GET", ROWS + "?id=kept", "").path("rows")).isEmpty();
    }

    @Test
    void rowsAreUnderstoodBeforeAnyIsWritten() throws Exception {
        String good = "{\"id\": \"first\", \"cells\": [{\"column\": \"info:name\", \"value\": \"F\"}]}";
        for (String bad : List.of(
                "{\"id\": \"b\", \"cell\": []}",
                "{\"id\": \"b\", \"cells\": {\"column\": \"info:name\", \"value\": \"F\"}}",
                "{\"id\": \"b\", \"increments\": \"info:visits\"}",
                "{\"id\": \"b\", \"increments\": [{\"column\": \"info:age\"}]}",
                "{\"id\": \"b\", \"check\": {\"column\": \"info:name\"}}",
                "{\"id\": \"b\", \"cells\": [{\"column\": \"info:age\", \"value\": \"old\"}]}",
                "7",
                "null")) {
            Answer answer = send("POST", ROWS, "[" + good + ", " + bad + "]");
            assertThat(answer.status()).as(bad).isEqualTo(400);
            assertThat(ok("GET", ROWS + "?id=first", "").path("rows")).as(bad).isEmpty();
        }
    }

    @Test
    void aUserIsHeldToHisPermissions() throws Exception {
        String[] eve = {"X-Polytable-User", "eve"};
        assertThat(send("GET", ROWS + "?id=ada", "", eve).status()).isEqualTo(403);
        assertThat(send("POST", "/instances", "{\"name\": \"mine\"}", eve).status())
                .isEqualTo(403);
        assertThat(send("DELETE", "/instances/demo", "", eve).status()).isEqualTo(403);
        assertThat(send("GET", "/instances", "", eve).json().path("instances")).isEmpty();
        for (String wrong : List.of("a/b", "", " ")) {
            assertThat(send("GET", "/instances", "", "X-Polytable-User", wrong).status())
                    .as("user '%s'", wrong)
                    .isEqualTo(400);
        }
        try (Instance demo = Entities.open(server.uri().withInstance("demo"))) {
            demo.permissions().grant("eve", Optional.of("users"), Set.of(Permission.READ));
        }
        assertThat(send("GET", ROWS + "?id=ada", "", eve).status()).isEqualTo(200);
        String row = "{\"id\": \"ada\", \"cells\": [{\"column\": \"info:name\", \"value\": \"E\"}]}";
        assertThat(send("POST", ROWS, row, eve).status()).isEqualTo(403);
        assertThat(send("DELETE", ROWS + "?id=ada", "", eve).status()).isEqualTo(403);
        assertThat(send("DELETE", TABLES + "/users", "", eve).status()).isEqualTo(403);
    }
}
