package io.polytable.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.RedisClient;
import io.polytable.server.run.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web page in headless Chromium: its content and functions, and that pages of other sites cannot reach the server
 * through it.
 */
@Timeout(240)
class ConsolePageTest {
    @TempDir
    private Path directory;

    private Server start(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory.resolve("data"),
                "--redis.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb",
                "--sql.memory=128mb"));
        words.addAll(List.of(more));
        return Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {});
    }

    private static String sql(Server server, String sql) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.httpPort() + "/v1/api/sql"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"" + sql + "\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String url(String host, Server server) {
        return "http://" + host + ":" + server.httpPort() + "/";
    }

    @Test
    void showsTablesResultsChartsAndNumbers() throws Exception {
        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            Server server =
                    start("--hbase.enabled=true", "--hbase.port=0", "--hbase.master.port=0", "--zookeeper.port=0");
            try (RedisClient redis = new RedisClient(server.port("redis"))) {
                redis.ask("SET", "user:1", "ada");
                redis.ask("HSET", "user:2", "name", "bob", "age", "7");
                assertThat(
                                sql(
                                        server,
                                        "CREATE NAMESPACE shop; CREATE TABLE shop.item (id INT PRIMARY KEY, name TEXT);"
                                                + " INSERT INTO shop.item SELECT x, 'item ' || x FROM generate_series(1, 1234) g(x)"))
                        .contains("success");
                browser.open(url("localhost", server));
                tables(browser);
                statements(browser);
                transactions(browser, server);
                hostileValues(browser, server);
                browser.await("document.querySelector('#live').innerText.includes('Redis connections 1')");
                assertThat(browser.text("#live")).contains("SQL/s").contains("Redis/s");
                assertThat(browser.run("return performance.getEntriesByType('resource').map(each => each.name)"
                                        + ".filter(name => !name.startsWith(location.origin + '/'))")
                                .size())
                        .as("requests to elsewhere")
                        .isZero();
                keepPicture(browser);
            }
            assertThat(server.stop()).isTrue();
        }
    }

    private static void tables(Browser browser) throws IOException, InterruptedException {
        browser.await("document.querySelector('[data-table=\"shop.item\"] .count')?.textContent === '1,234'");
        browser.await("document.querySelector('[data-table=\"default.redis_data\"] .count')?.textContent === '3'");
        browser.click("[data-table='shop.item'] summary");
        assertThat(browser.text("[data-table='shop.item'] .columns")).isEqualTo("id integer\nname text");
        assertThat(browser.text("[data-table='default.redis_data'] summary")).startsWith("redis_data");
        browser.click("[data-table='shop.item'] button");
        browser.await("document.querySelectorAll('#result tr').length === 101");
        assertThat(browser.text("#result tr:nth-child(2)")).isEqualTo("1\titem 1");
    }

    private static void statements(Browser browser) throws IOException, InterruptedException {
        browser.type("#sql", "SELECT redis_type, count(*) AS n FROM redis_data GROUP BY 1 ORDER BY 1");
        browser.click("#run");
        browser.await("document.querySelectorAll('#result tr').length === 3");
        assertThat(browser.text("#result")).isEqualTo("redis_type\tn\nhash\t2\nstring\t1");
        assertThat(browser.text("#status")).startsWith("2 rows");
        browser.run("const view = document.querySelector('#view'); view.value = 'bars'; view.onchange()");
        assertThat(browser.run("return document.querySelectorAll('#chart rect').length")
                        .asInt())
                .isEqualTo(2);
        assertThat(browser.run(
                                "return [...document.querySelectorAll('#chart rect')].map(bar => bar.getBBox().height > 0)")
                        .toString())
                .isEqualTo("[true,true]");
        browser.run("const view = document.querySelector('#view'); view.value = 'line'; view.onchange()");
        assertThat(browser.run(
                                "return document.querySelector('#chart polyline').getAttribute('points').split(' ').length")
                        .asInt())
                .isEqualTo(2);
        browser.run("const view = document.querySelector('#view'); view.value = 'table'; view.onchange()");
        browser.type("#sql", "SELECT nothing\nFROM shop.item");
        browser.click("#run");
        browser.await("document.querySelector('#status').className === 'bad'");
        assertThat(browser.text("#status")).startsWith("UNDEFINED_COLUMN").endsWith("(line 1, column 8)");
    }

    /** The statements of the box are those of one session, so a transaction spans them. */
    private static void transactions(Browser browser, Server server) throws IOException, InterruptedException {
        run(browser, "ROLLBACK");
        assertThat(browser.text("#status")).contains("WARNING: there is no transaction in progress");
        run(browser, "BEGIN");
        assertThat(browser.text("#transaction")).isEqualTo("in a transaction");
        run(browser, "INSERT INTO shop.item VALUES (7777, 'not kept')");
        run(browser, "ROLLBACK");
        assertThat(browser.text("#transaction")).isEmpty();
        assertThat(sql(server, "SELECT count(*) FROM shop.item WHERE id = 7777"))
                .contains("\"rows\":[[\"0\"]]");
        browser.run("session = '0123'");
        browser.type("#sql", "SELECT 1");
        browser.click("#run");
        browser.await("document.querySelector('#status').className === 'bad'");
        assertThat(browser.text("#status")).startsWith("UNDEFINED_SESSION").contains("not executed");
        run(browser, "SELECT 1");
    }

    /** Runs a statement and waits for its success. */
    private static void run(Browser browser, String sql) throws IOException, InterruptedException {
        browser.run("document.querySelector('#status').textContent = ''");
        browser.type("#sql", sql);
        browser.click("#run");
        browser.await("document.querySelector('#status').className === ''"
                + " && document.querySelector('#status').textContent.endsWith(' ms')");
    }

    /** Stored data is shown as text, never interpreted as HTML. */
    private static void hostileValues(Browser browser, Server server) throws IOException, InterruptedException {
        sql(server, "INSERT INTO shop.item VALUES (9999, '<img src=x onerror=window.reached=1>')");
        browser.type("#sql", "SELECT name AS \"<b>n</b>\" FROM shop.item WHERE id = 9999");
        browser.click("#run");
        browser.await("document.querySelector('#result').innerText.includes('onerror')");
        assertThat(browser.text("#result")).isEqualTo("<b>n</b>\n<img src=x onerror=window.reached=1>");
        assertThat(browser.run(
                                "return window.reached === undefined && !document.querySelector('#result img, #result b')")
                        .asBoolean())
                .isTrue();
    }

    /** Beside the build's other results, for people: the test itself does not look at it. */
    private static void keepPicture(Browser browser) throws IOException, InterruptedException {
        browser.type("#sql", "SELECT redis_type, count(*) AS n FROM redis_data GROUP BY 1 ORDER BY 1");
        browser.click("#run");
        browser.await("document.querySelectorAll('#result tr').length === 3");
        Path kept = Path.of("target", "page.png");
        Files.createDirectories(kept.toAbsolutePath().getParent());
        browser.picture(kept);
    }

    @Test
    void asksForThePasswordThatIsSet() throws Exception {
        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            Server server = start("--redis.requirepass=secret", "--hbase.enabled=false");
            browser.open(url("127.0.0.1", server));
            browser.await("!document.querySelector('#password').hidden");
            assertThat(browser.text("#tables")).contains("password");
            browser.type("#password", "secret\n");
            browser.await("document.querySelector('[data-table=\"system.tables\"]')");
            browser.type("#sql", "SELECT 40 + 2");
            browser.click("#run");
            browser.await("document.querySelector('#result').innerText.includes('42')");
            assertThat(server.stop()).isTrue();
        }
    }

    /**
     * A stranger's page in the visitor's browser writes nothing: neither from its own origin, by forms and by fetches of every
     * kind, nor under a name that was rebound to this machine.
     */
    @Test
    void aStrangersPageReachesNothing() throws Exception {
        HttpServer stranger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stranger.createContext("/", call -> {
            byte[] page = "<!DOCTYPE html><title>stranger</title>".getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().add("Content-Type", "text/html");
            call.sendResponseHeaders(200, page.length);
            call.getResponseBody().write(page);
            call.close();
        });
        stranger.start();
        try (Browser browser = Browser.start(directory.resolve("profile"), "rebound.example", "stranger.example")) {
            Server server = start("--hbase.enabled=false");
            sql(server, "CREATE TABLE guarded (id INT)");
            browser.open("http://stranger.example:" + stranger.getAddress().getPort() + "/");
            assertThat(browser.run(attempts("http://localhost:" + server.httpPort()))
                            .toString())
                    .isEqualTo("[\"opaque\",\"opaque\",\"failed\",\"opaque\"]");
            assertThat(browser.run(form("http://127.0.0.1:" + server.httpPort()))
                            .asText())
                    .isEqualTo("sent");
            browser.open(url("rebound.example", server));
            assertThat(browser.run("return fetch('/v1/api/sql', {method: 'POST', headers: {'Content-Type':"
                                    + " 'application/json'}, body: JSON.stringify({sql: 'INSERT INTO guarded VALUES (9)'})})"
                                    + ".then(answer => answer.status)")
                            .asInt())
                    .isEqualTo(421);
            assertThat(sql(server, "SELECT count(*) FROM guarded")).contains("\"rows\":[[\"0\"]]");
            browser.open(url("localhost", server));
            assertThat(browser.run("return fetch('/v1/api/sql', {method: 'POST', headers: {'Content-Type':"
                                    + " 'application/json'}, body: JSON.stringify({sql: 'INSERT INTO guarded VALUES (1)'})})"
                                    + ".then(answer => answer.status)")
                            .asInt())
                    .as("the own page writes, so the attempts above could have")
                    .isEqualTo(200);
            assertThat(server.stop()).isTrue();
        } finally {
            stranger.stop(0);
        }
    }

    /** Requests that a browser sends without asking the server first, one that it asks for, and a beacon's kind. */
    private static String attempts(String target) {
        return "const body = JSON.stringify({sql: 'INSERT INTO guarded VALUES (1)'});"
                + "const attempt = options => fetch('" + target + "/v1/api/sql', {method: 'POST', body, ...options})"
                + ".then(answer => answer.type, () => 'failed');"
                + "return Promise.all([attempt({mode: 'no-cors'}),"
                + " attempt({mode: 'no-cors', headers: {'Content-Type': 'text/plain'}}),"
                + " attempt({headers: {'Content-Type': 'application/json'}}),"
                + " attempt({mode: 'no-cors', keepalive: true, headers: {'Content-Type': 'application/json'}})])";
    }

    /** A form whose one field makes its body a JSON object. */
    private static String form(String target) {
        return "return new Promise(done => { const frame = document.createElement('iframe'); frame.name = 'target';"
                + " document.body.append(frame); const form = document.createElement('form'); form.method = 'POST';"
                + " form.action = '" + target + "/v1/api/sql'; form.enctype = 'text/plain'; form.target = 'target';"
                + " const field = document.createElement('input');"
                + " field.name = '{\"sql\": \"INSERT INTO guarded VALUES (2)\", \"x\": \"'; field.value = '\"}';"
                + " form.append(field); document.body.append(form); frame.onload = () => done('sent'); form.submit(); })";
    }
}
