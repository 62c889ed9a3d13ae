package io.polytable.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.sql.wire.SqlEndpoint;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code POST /v1/api/sql} without a socket: answers, errors, formats, sessions, and who is kept out. */
class SqlEndpointTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final MemoryStore store = new MemoryStore();
    private final SqlFace face = SqlFace.open(store, SqlOptions.in(scratch()));
    private SqlEndpoint endpoint = endpoint("");

    private static Path scratch() {
        try {
            return Files.createTempDirectory("sql-endpoint");
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private SqlEndpoint endpoint(String password) {
        Users users = Users.open(new MemoryStore(), new Sessions(), InstantSource.system());
        users.setDefaultPassword(password.getBytes(StandardCharsets.UTF_8));
        RequestGuard guard = new RequestGuard(
                Set.of("db.example"),
                users,
                token -> token.equals("good") ? Optional.of(Principal.ROOT) : Optional.empty());
        return new SqlEndpoint(face.engine(), guard, InstantSource.system());
    }

    @AfterEach
    void close() {
        face.close();
        store.close();
    }

    private static Map<String, String> headers(String... more) {
        Map<String, String> headers =
                new HashMap<>(Map.of("content-type", "application/json", "host", "localhost:8080"));
        for (int i = 0; i < more.length; i += 2) {
            headers.put(more[i], more[i + 1]);
        }
        return headers;
    }

    private RecordedReply send(String body, Map<String, String> headers) {
        RecordedReply reply = new RecordedReply();
        endpoint.answer(HttpRequest.post(SqlEndpoint.PATH, headers, Bytes.utf8(body), CLIENT), reply);
        return reply;
    }

    private RecordedReply sql(String sql, String... moreHeaders) {
        return send(MAPPER.createObjectNode().put("sql", sql).toString(), headers(moreHeaders));
    }

    @Test
    void columnsHaveTheNamesThatPostgresGivesThem() {
        sql("CREATE TABLE named (id INT PRIMARY KEY, day DATE)");
        String list =
                "trim('x'), 1::text::int, 'x'::varchar(1), CASE WHEN true THEN 1 ELSE id END, CASE WHEN true THEN 1 END";
        String names = "btrim int4 varchar id case";
        assertThat(names(sql("SELECT " + list + " FROM named WHERE id = 1"))).isEqualTo(names);
        assertThat(names(sql("SELECT " + list + ", extract(year FROM day), date_part('year', day), 'a' ~ 'b', array[1]"
                        + " FROM named WHERE day > now()")))
                .isEqualTo(names + " extract date_part ?column? array");
    }

    private static String names(RecordedReply reply) {
        List<String> names = new ArrayList<>();
        reply.json()
                .at("/results/0/schema")
                .forEach(column -> names.add(column.path("name").asText()));
        return String.join(" ", names);
    }

    @Test
    void answersWithSchemaAndRows() {
        sql("CREATE TABLE t (id INT PRIMARY KEY, name TEXT, x DOUBLE)");
        assertThat(sql("INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, NULL)")
                        .json()
                        .at("/results/0/row_count")
                        .asInt())
                .isEqualTo(2);
        RecordedReply reply = sql("SELECT * FROM t");
        assertThat(reply.status).isEqualTo(200);
        JsonNode result = reply.json().at("/results/0");
        assertThat(result.at("/schema/0").toString()).isEqualTo("{\"name\":\"id\",\"data_type\":\"INT\",\"index\":0}");
        assertThat(result.at("/rows").toString()).isEqualTo("[[1,\"a\",1.5],[2,null,null]]");
        assertThat(result.at("/as_user").asText()).isEqualTo("root");
        assertThat(reply.json().at("/status").asText()).isEqualTo("success");
    }

    @Test
    void anErrorHasItsCodeAndPlaceAndNoStackTrace() {
        RecordedReply reply = sql("SELECT 1;\nSELECT nothing FROM nowhere");
        assertThat(reply.status).isEqualTo(400);
        JsonNode error = reply.json().at("/error");
        assertThat(error.at("/code").asText()).isEqualTo("UNDEFINED_TABLE");
        assertThat(error.at("/details/line").asInt()).isEqualTo(2);
        assertThat(error.at("/details/column").asInt()).isEqualTo(21);
        assertThat(error.at("/details/sqlstate").asText()).isEqualTo("42P01");
        assertThat(reply.json().at("/results").size()).isEqualTo(1);
        assertThat(reply.text()).doesNotContain("\tat ").doesNotContain("Exception");
    }

    @Test
    void anErrorHasItsPlaceInTheTextThatTheClientWrote() {
        sql("CREATE TABLE placed (id INT PRIMARY KEY, v INT, t TEXT); INSERT INTO placed VALUES (1, 2, 'x')");
        String behind = "SELECT ?, ?, nothing FROM placed";
        RecordedReply parameters = send("{\"sql\": \"" + behind + "\", \"params\": [1, 2]}", headers());
        assertThat(place(parameters)).isEqualTo(behind.indexOf("nothing") + 1);
        String unparsable = "SELECT 1; INSERT INTO placed VALUES (?, ?, ?) oops";
        assertThat(place(sql(unparsable))).isEqualTo(unparsable.indexOf("oops") + 1);
        for (String wrong : List.of(
                "UPDATE placed SET v = 1 WHERE t ~ 'x' AND nothing = 1",
                "UPDATE placed SET v = length(regexp_replace(nothing, 'a', 'b')) WHERE id = 1",
                "DELETE FROM placed USING placed p WHERE p.id = placed.id AND nothing = 1")) {
            assertThat(place(sql(wrong))).as(wrong).isEqualTo(wrong.indexOf("nothing") + 1);
        }
        String select = "SELECT 1, nothing FROM placed";
        for (String format : List.of("application/json", "text/csv", "application/vnd.apache.arrow.stream")) {
            assertThat(place(sql(select, "accept", format))).as(format).isEqualTo(select.indexOf("nothing") + 1);
        }
    }

    private static int place(RecordedReply reply) {
        return reply.json().at("/error/details/position").asInt();
    }

    @Test
    void singlesHaveTheDigitsThatPostgresShows() {
        sql("CREATE TABLE singles (id INT PRIMARY KEY, f REAL)");
        sql("INSERT INTO singles VALUES (1, 0.2), (2, 100), (3, 16777216), (4, 1e-5), (5, 1.17549435e-38), (6, 'NaN')");
        String shown = "[[0.2],[100],[1.6777216e+07],[1e-05],[1.1754944e-38],[\"NaN\"]]";
        assertThat(sql("SELECT f FROM singles").text()).contains(shown);
        assertThat(sql("SELECT f FROM singles ORDER BY abs(id)").text()).contains(shown);
    }

    @Test
    void aVariableChangesAlsoWhenThereAreAsManyAsFit() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append("SET app.v").append(i).append(" = '1'; ");
        }
        assertThat(sql(text + "SET app.v7 = '2'; SHOW app.v7").text()).contains("[[\"2\"]]");
        assertThat(sql(text + "SET app.more = '2'").json().at("/error/code").asText())
                .isEqualTo("LIMIT_EXCEEDED");
    }

    @Test
    void parametersBelongToOneStatement() {
        sql("CREATE TABLE t (id INT PRIMARY KEY, name TEXT)");
        send("{\"sql\": \"INSERT INTO t VALUES (?, ?)\", \"params\": [1, \"x\"]}", headers());
        RecordedReply found = send("{\"sql\": \"SELECT name FROM t WHERE id = $1\", \"params\": [1]}", headers());
        assertThat(found.json().at("/results/0/rows").toString()).isEqualTo("[[\"x\"]]");
        RecordedReply counted = send(
                "{\"sql\": \"SELECT count(*) FROM t WHERE name = $2 AND id < $1\", \"params\": [5, \"x\"]}", headers());
        assertThat(counted.json().at("/results/0/rows").toString()).isEqualTo("[[\"1\"]]");
        RecordedReply several = send("{\"sql\": \"SELECT 1; SELECT 2\", \"params\": [1]}", headers());
        assertThat(several.json().at("/error/code").asText()).isEqualTo("PARAMS_WITH_BATCH");
        RecordedReply missing = send("{\"sql\": \"SELECT ?\"}", headers());
        assertThat(missing.json().at("/error/code").asText()).isEqualTo("UNDEFINED_PARAMETER");
    }

    @Test
    void aTransactionLivesInOneRequestOrInASession() {
        sql("CREATE TABLE t (id INT PRIMARY KEY)");
        sql("BEGIN; INSERT INTO t VALUES (1)");
        assertThat(sql("SELECT * FROM t").json().at("/results/0/row_count").asInt())
                .isZero();
        String id = send("{\"sql\": \"BEGIN\", \"session_id\": \"new\"}", headers())
                .json()
                .at("/session_id")
                .asText();
        String within = ", \"session_id\": \"" + id + "\"}";
        send("{\"sql\": \"INSERT INTO t VALUES (2)\"" + within, headers());
        assertThat(sql("SELECT * FROM t").json().at("/results/0/row_count").asInt())
                .isZero();
        send("{\"sql\": \"COMMIT\"" + within, headers());
        assertThat(sql("SELECT * FROM t").json().at("/results/0/row_count").asInt())
                .isEqualTo(1);
        RecordedReply unknown = send("{\"sql\": \"SELECT 1\", \"session_id\": \"0123\"}", headers());
        assertThat(unknown.json().at("/error/code").asText()).isEqualTo("UNDEFINED_SESSION");
    }

    @Test
    void aBodyThatIsNotUnderstoodIsRefused() {
        for (String body : List.of(
                "{\"sql\": \"SELECT 1\", \"params\": {\"a\": 1}}",
                "{\"sql\": \"SELECT 1\", \"params\": \"1\"}",
                "{\"sql\": \"SELECT 1\", \"namespace\": \"x\"}",
                "{\"sql\": \"SELECT 1\", \"namespace_id\": 1}",
                "{\"sql\": \"SELECT 1\", \"session_id\": 1}")) {
            RecordedReply refused = send(body, headers());
            assertThat(refused.status).as(body).isEqualTo(400);
            assertThat(refused.json().at("/error/code").asText()).as(body).isEqualTo("INVALID_PARAMETER");
        }
        assertThat(send("{\"sql\": \"SELECT 1\", \"params\": null, \"session_id\": null}", headers()).status)
                .isEqualTo(200);
    }

    /** As long as the answer is not under way, its status is the error's. */
    @Test
    void anErrorBehindSomeRowsHasItsStatus() {
        sql("CREATE TABLE big (id INT PRIMARY KEY, t TEXT)");
        sql("INSERT INTO big SELECT x, repeat('y', 50) FROM range(4000) r(x)");
        RecordedReply failed = sql("SELECT id, t, 10 / (3500 - id) FROM big");
        assertThat(failed.status).isEqualTo(400);
        assertThat(failed.json().at("/error/code").asText()).isEqualTo("DIVISION_BY_ZERO");
    }

    @Test
    void csvQuotesWhatNeedsIt() {
        RecordedReply reply = sql("SELECT 1 AS a, 'x,\"y' AS b, NULL AS c, '' AS d", "accept", "text/csv");
        assertThat(reply.type).startsWith("text/csv");
        assertThat(reply.text()).isEqualTo("a,b,c,d\n1,\"x,\"\"y\",,\"\"\n");
    }

    @Test
    void arrowReadsBack() throws IOException {
        RecordedReply reply = sql(
                "SELECT x, x::text AS t, x * 1.5::double AS d FROM range(10000) r(x)",
                "accept",
                "application/vnd.apache.arrow.stream");
        long rows = 0;
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(reply.body.toByteArray()), allocator)) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
            assertThat(reader.getVectorSchemaRoot().getSchema().getFields()).hasSize(3);
        }
        assertThat(rows).isEqualTo(10_000);
    }

    /** Clients that read JSON numbers as DOUBLE would find another key than the one they were given. */
    @Test
    void wideNumbersAreStringsUnlessNumbersAreAskedFor() {
        String query = "SELECT 9007199254740993::bigint, 7, 0.1::numeric, 1.5::double, sum(x) FROM (VALUES (1)) t(x)";
        RecordedReply reply = sql(query);
        List<String> types = new ArrayList<>();
        reply.json()
                .at("/results/0/schema")
                .forEach(column -> types.add(column.path("data_type").asText()));
        assertThat(types).containsExactly("BIGINT", "INT", "DECIMAL(1,1)", "DOUBLE", "DECIMAL(38,0)");
        assertThat(reply.text()).contains("[[\"9007199254740993\",7,\"0.1\",1.5,\"1\"]]");
        for (String accept :
                List.of("application/json;numbers=bare", "text/html, application/json; numbers=\"bare\"")) {
            assertThat(sql(query, "accept", accept).text()).as(accept).contains("[[9007199254740993,7,0.1,1.5,1]]");
        }
    }

    @Test
    void decimalsHaveTheDigitsOfTheirColumn() throws IOException {
        sql("CREATE TABLE priced (id INT PRIMARY KEY, p DECIMAL(8, 2)); INSERT INTO priced VALUES (1, 12.30)");
        String list = "1.5 AS a, -0.05 AS b, p * 1.5 AS c, p + id AS d, p % 5 AS e, coalesce(p, 1.5) AS f";
        String query = "SELECT " + list + " FROM priced WHERE id = 1";
        JsonNode result = sql(query).json().at("/results/0");
        List<String> types = new ArrayList<>();
        result.at("/schema")
                .forEach(column -> types.add(column.path("data_type").asText()));
        assertThat(types)
                .containsExactly(
                        "DECIMAL(2,1)",
                        "DECIMAL(2,2)",
                        "DECIMAL(10,3)",
                        "DECIMAL(13,2)",
                        "DECIMAL(12,2)",
                        "DECIMAL(8,2)");
        assertThat(sql(query).text()).contains("[[\"1.5\",\"-0.05\",\"18.450\",\"13.30\",\"2.30\",\"12.30\"]]");
        assertThat(sql(query, "accept", "application/json; numbers=bare").text())
                .contains("[[1.5,-0.05,18.450,13.30,2.30,12.30]]");
        RecordedReply arrow = sql(query, "accept", "application/vnd.apache.arrow.stream");
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(arrow.body.toByteArray()), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            List<String> values = new ArrayList<>();
            reader.getVectorSchemaRoot()
                    .getFieldVectors()
                    .forEach(vector -> values.add(String.valueOf(vector.getObject(0))));
            assertThat(values).containsExactly("1.5", "-0.05", "18.450", "13.30", "2.30", "12.30");
        }
    }

    @Test
    void aLargeResultIsStreamed() {
        RecordedReply reply = sql("SELECT x, repeat('y', 100) FROM range(20000) r(x)");
        assertThat(reply.streamed).isTrue();
        assertThat(reply.json().at("/results/0/row_count").asInt()).isEqualTo(20_000);
    }

    @Test
    void aPageFromElsewhereGetsNothing() {
        assertThat(sql("SELECT 1", "content-type", "text/plain").status).isEqualTo(415);
        assertThat(sql("SELECT 1", "content-type", "application/x-www-form-urlencoded").status)
                .isEqualTo(415);
        assertThat(sql("SELECT 1", "origin", "http://evil.example").status).isEqualTo(403);
        assertThat(sql("SELECT 1", "origin", "null").status).isEqualTo(403);
        assertThat(sql("SELECT 1", "host", "evil.example:8080").status).isEqualTo(421);
        assertThat(sql("SELECT 1", "host", "localhost.evil.example").status).isEqualTo(421);
        assertThat(sql("SELECT 1", "host", "[::2]:8080").status).isEqualTo(421);
        assertThat(sql("SELECT 1", "host", "[evil.example]:8080").status).isEqualTo(421);
        assertThat(sql("SELECT 1", "host", "[0:0:0:0:0:0:0:1]:8080").status).isEqualTo(200);
        assertThat(sql("SELECT 1", "origin", "http://localhost:8080").status).isEqualTo(200);
        assertThat(sql("SELECT 1", "host", "db.example").status).isEqualTo(200);
        assertThat(sql("SELECT 1", "host", "[::1]:8080").status).isEqualTo(200);
    }

    @Test
    void withAPasswordEveryRequestNeedsAToken() {
        endpoint = endpoint("secret");
        String basic = Base64.getEncoder().encodeToString("root:secret".getBytes(StandardCharsets.UTF_8));
        assertThat(sql("SELECT 1").status).isEqualTo(401);
        assertThat(sql("SELECT 1", "authorization", "Bearer wrong").status).isEqualTo(401);
        assertThat(sql("SELECT 1", "authorization", "Bearer secret").status).isEqualTo(401);
        assertThat(sql("SELECT 1", "authorization", "Basic " + basic).status).isEqualTo(401);
        assertThat(sql("SELECT 1", "authorization", "Basic !!!").status).isEqualTo(401);
        assertThat(sql("SELECT 1", "authorization", "Bearer good").status).isEqualTo(200);
    }

    @Test
    void withoutAPasswordOnlyThisMachineComesIn() {
        RecordedReply reply = new RecordedReply();
        Bytes body = Bytes.utf8("{\"sql\": \"SELECT 1\"}");
        endpoint.answer(
                HttpRequest.post(SqlEndpoint.PATH, headers(), body, new InetSocketAddress("192.0.2.1", 1)), reply);
        assertThat(reply.status).isEqualTo(401);
    }

    @Test
    void bodiesThatMakeNoSenseAreRefused() {
        assertThat(send("", headers()).status).isEqualTo(400);
        assertThat(send("[]", headers()).status).isEqualTo(400);
        assertThat(send("{\"sql\": 5}", headers()).status).isEqualTo(400);
        assertThat(send("{\"sql\": \"\"}", headers()).status).isEqualTo(400);
        assertThat(send("{nonsense", headers()).json().at("/error/code").asText())
                .isEqualTo("SYNTAX_ERROR");
    }
}
