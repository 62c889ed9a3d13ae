package io.polytable.entity.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.Instance;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.uri.EntityUri;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.table.Bytes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests are refused as client errors, and have no effect. */
@SuppressWarnings("NullAway.Init") // before all tests
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadRequestsTest {
    private static final String RECORD = """
            {"type": "record", "name": "R", "fields": [{"name": "a", "type": ["null", "int"]},
              {"name": "b", "type": "bytes"}]}""";

    private Instance instance;
    private EntityStore store;
    private RestService service;

    @BeforeAll
    void open(@TempDir Path directory) {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        Entities.install(uri);
        instance = Entities.open(uri);
        store = Entities.connect(uri);
        for (String table : List.of("empty", "full")) {
            instance.createTable(TableLayout.of(
                    table,
                    new KeyFormat.Raw(),
                    LocalityGroup.of(
                            "g",
                            FamilyLayout.map("f", CellSchema.avro("string")),
                            FamilyLayout.map("n", CellSchema.counter()),
                            FamilyLayout.map("b", CellSchema.bytes()),
                            FamilyLayout.map("j", CellSchema.json()),
                            FamilyLayout.map("r", CellSchema.avro(RECORD)),
                            FamilyLayout.map("u", CellSchema.avro("[\"null\",\"string\",\"bytes\"," + RECORD + "]")))));
        }
        service = new RestService(store);
    }

    @AfterAll
    void close() {
        store.close();
        instance.close();
    }

    private static HttpRequest request(HttpMethod method, String path, Map<String, String> parameters, Bytes body) {
        InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return new HttpRequest(method, RestService.PATH + path, parameters, false, Map.of(), body, client);
    }

    private HttpReply post(String table, String body) {
        return service.answer(request(HttpMethod.POST, rows(table), Map.of(), Bytes.utf8(body)));
    }

    private HttpReply get(String table, Map<String, String> parameters) {
        return service.answer(request(HttpMethod.GET, rows(table), parameters, Bytes.EMPTY));
    }

    private static String rows(String table) {
        return "/instances/demo/tables/" + table + "/rows";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id': null, 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': {}, 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': true, 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': 1.5, 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': [], 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': [{}], 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 'v'}]} {'id': 'b'}",
                "{'id': 'a', 'cells': {'column': 'f:x', 'value': 'v'}}",
                "{'id': 'a', 'cells': ['f:x']}",
                "{'id': 'a', 'cells': [null]}",
                "{'id': 'a', 'cells': [{'column': 'f', 'value': 'v'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 'v', 'time': -1}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 'v', 'time': 'now'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 'v', 'time': 1e40}]}",
                "{'id': 'a', 'cells': [{'column': 'n:x', 'value': 'many'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': null}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 42}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': true}]}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': {}}]}",
                "{'id': 'a', 'cells': [{'column': 'b:x', 'value': 42}]}",
                "{'id': 'a', 'cells': [{'column': 'u:x', 'value': 'no branch'}]}",
                "{'id': 'a', 'increments': [{'column': 'f:x'}]}",
                "{'id': 'a', 'increments': [{'column': 'n:x', 'by': 0.5}]}",
                "{'id': 'a', 'check': {'column': 'f:x'}}",
                "{'id': 'a', 'check': 'f:x'}",
                "{'id': 'a', 'cell': []}",
                "{'id': 'a', 'cells': [{'column': 'f:x', 'value': 'v', 'timestamp': 5}]}",
                "{'id': 'a', 'id': 'b', 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': 'a', 'increments': [{'column': 'n:x', 'amount': 5}]}",
                "{'id': 'a', 'check': {'column': 'f:x', 'value': null, 'not': true}}",
                "{'id': 'half \\ud800', 'cells': [{'column': 'f:x', 'value': 'v'}]}",
                "{'id': 'a', 'cells': [{'column': 'f:\\udc00', 'value': 'v'}]}",
                "[[]]",
                "['a']",
                "'a'",
                "null",
                "5",
                "",
                "{"
            })
    void aRowThatMeansNothingIsNotWritten(String body) {
        HttpReply reply = post("empty", body.replace('\'', '"'));
        assertThat(reply.status()).as(reply.text()).isBetween(400, 499);
        assertThat(get("empty", Map.of()).text()).isEqualTo("{\"rows\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f:x \"text\"",
                "f:x \"\\\"quoted\\\"\"",
                "f:x \"null\"",
                "b:x \"00ff\"",
                "j:x null",
                "j:x {\"a\":[1,null]}",
                "r:x {\"a\":{\"int\":1},\"b\":\"\\u0000\u00ff\"}",
                "r:x {\"a\":null,\"b\":\"\"}",
                "u:x null",
                "u:x {\"string\":\"s\"}",
                "u:x {\"bytes\":\"\u00ff\"}",
                "u:x {\"R\":{\"a\":{\"int\":5},\"b\":\"\"}}"
            })
    void whatIsReadCanBeWritten(String cell) {
        String column = cell.substring(0, 3);
        String value = cell.substring(4);
        String row = "{\"id\": \"both ways\", \"cells\": [{\"column\": \"" + column + "\", \"value\": " + value
                + ", \"time\": 5}]}";
        HttpReply reply = post("full", row);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(get("full", Map.of("id", "both ways", "columns", column)).text())
                .contains("[{\"time\":5,\"value\":" + value + "}]");
    }

    @Test
    void aReadThatMeansNothingIsRefused() {
        assertThat(post("full", "{\"id\": \"a\", \"cells\": [{\"column\": \"f:x\", \"value\": \"v\"}]}")
                        .status())
                .isEqualTo(200);
        for (String parameter : new String[] {
            "starting_with=5",
            "starting_with={\"a\":1}",
            "starting_with=[\"a\"] x",
            "starting_with=",
            "filter={\"and\":{}}",
            "filter={\"or\":\"x\"}",
            "filter={\"key\":\"a\"}",
            "filter={\"key\":[{}]}",
            "filter={\"equals\":{\"column\":\"f:x\",\"value\":99999999999999999999}}",
            "filter={\"has\":\"f:x\"} x",
            "filter=",
            "filter=[]",
            "ids=[null]",
            "ids=[{}]",
            "ids=a",
            "ids=[\"a\"] [\"b\"]",
            "columns=",
            "columns=f:x,",
            "versions=0",
            "versions=-1",
            "limit=1001",
            "time_from=5x",
            "token=x",
            "token=",
        }) {
            int equals = parameter.indexOf('=');
            HttpReply reply = get("full", Map.of(parameter.substring(0, equals), parameter.substring(equals + 1)));
            assertThat(reply.status()).as("%s: %s", parameter, reply.text()).isBetween(400, 499);
        }
    }

    @Test
    void aMisspeltParameterIsNotLeftOut() {
        assertThat(post("full", "{\"id\": \"kept\", \"cells\": [{\"column\": \"f:x\", \"value\": \"v\"}]}")
                        .status())
                .isEqualTo(200);
        HttpReply reply = service.answer(
                request(HttpMethod.DELETE, rows("full"), Map.of("id", "kept", "column", "f:y"), Bytes.EMPTY));
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(get("full", Map.of("id", "kept")).text()).contains("f:x");
        for (String parameter : List.of("Limit", "version", "up_to")) {
            assertThat(get("full", Map.of(parameter, "5")).status())
                    .as(parameter)
                    .isEqualTo(400);
        }
        String tables = "/instances/demo/tables";
        assertThat(service.answer(request(HttpMethod.GET, tables, Map.of("limit", "1"), Bytes.EMPTY))
                        .status())
                .isEqualTo(400);
        assertThat(service.answer(
                                request(HttpMethod.PUT, tables + "/full", Map.of("dry-run", "true"), Bytes.utf8("{}")))
                        .text())
                .contains("dry-run");
    }
}
