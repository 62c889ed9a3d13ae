package io.polytable.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.CellTable;
import io.polytable.cells.store.SharedCells;
import io.polytable.entity.embedded.view.EntityViews;
import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.hbase.HBaseOpener;
import io.polytable.hbase.HBaseOptions;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.projection.FamilyReader;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.server.run.Server;
import io.polytable.store.fluss.TestCluster;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HBaseOpenerTest {
    private final SharedCells shared = new SharedCells();
    private final HBaseOpener opener = new HBaseOpener(shared, store -> new EntityViews(store)::all, settings -> false);

    @TempDir
    Path directory;

    @Test
    void isServedBesideTheOthersAndSaysWhere() throws Exception {
        Server server = Server.start(settings(), Assembly.parts(), () -> {});
        try {
            assertThat(server.readyLine(5))
                    .matches("polytable ready redis=\\d+ hbase=\\d+ hbase-master=\\d+ zookeeper=\\d+ http=\\d+ .*");
            assertThat(registryAnswer(server.port("hbase"))).contains("-");
            assertThat(get(server, "/metrics")).contains("polytable_hbase_connections", "polytable_hbase_scanners");
            call(server.port("hbase"), "Get");
            call(server.port("hbase"), "Unheard");
            assertThat(get(server, "/metrics"))
                    .contains("polytable_hbase_call_seconds_count{method=\"Get\",service=\"ClientService\"} 1")
                    .contains("polytable_hbase_call_seconds_bucket{method=\"Get\",service=\"ClientService\",le=")
                    .containsPattern("polytable_hbase_calls_failed_total\\{.*\\} [1-9]");
        } finally {
            assertThat(server.stop()).isTrue();
        }
    }

    @Test
    void aPortThatIsTakenIsNamedByItsKey() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String key : List.of("hbase.port", "hbase.master.port", "zookeeper.port")) {
                String word = "--" + key + "=" + taken.getLocalPort();
                assertThatThrownBy(() -> Server.start(settings(word), Assembly.parts(), () -> {}))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining(key + " chooses another");
            }
        }
    }

    @Test
    void whatIsStoredInCellsIsCheckedAndShown() throws Exception {
        Settings settings = settings();
        try (RunningStore engine = new StoreOpener().open(directory.resolve("engine"), settings)) {
            assertThat(verified(engine, settings, false).summary()).isEqualTo("No cell tables are stored");
            try (CellStore cells = CellStore.open(engine.store(), CellStoreOptions.DEFAULT)) {
                CellTable table = cells.create(CellTableSpec.of(new TableName("default", "users"), FamilySpec.of("f")));
                table.write(RowWrite.of(
                        Bytes.utf8("ann"), new Edit.Put(Bytes.utf8("f"), Bytes.utf8("age"), Bytes.utf8("30"))));
            }
            try (Frontend frontend = opener.open(OpenedFrontends.context(settings, engine))) {
                assertThat(verified(engine, settings, false).text()).contains("rows of cell tables");
                assertThat(frontend.views()).hasSize(2);
            }
            assertThat(verified(engine, settings, true).isClean()).isTrue();
        }
    }

    @Test
    void whatIsSaidAboutClientsIsHeeded() {
        Settings settings = settings(
                "--hbase.advertised.host=db.example",
                "--hbase.auth.users=ann, bob",
                "--zookeeper.quorum=one:2181,two:2181",
                "--zookeeper.znode.parent=/other",
                "--hbase.region.bytes=2mb");
        HBaseOptions options = opener.options(settings, InetAddress.getLoopbackAddress());
        assertThat(options.advertisedHost()).isEqualTo("db.example");
        assertThat(options.users()).containsExactlyInAnyOrder("ann", "bob");
        assertThat(options.quorum()).contains("one:2181,two:2181");
        assertThat(options.znodeParent()).isEqualTo("/other");
        assertThat(options.regionBytesMax()).isEqualTo(2 << 20);
        assertThat(opener.options(settings(), InetAddress.getLoopbackAddress()).advertisedHost())
                .isEqualTo("localhost");
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void itsTablesAreShownInFluss() throws Exception {
        String servers = TestCluster.shared().bootstrapServers();
        Settings settings = settings(
                "--store.log=fluss",
                "--fluss.bootstrap.servers=" + servers,
                "--fluss.database=opened_cells",
                "--fluss.lease.time=2s",
                "--fluss.projection.interval=50ms");
        try (RunningStore engine = new StoreOpener().open(directory.resolve("engine"), settings);
                Frontend frontend = opener.open(OpenedFrontends.context(settings, engine));
                SharedCells.Lease cells = shared.over(engine.store());
                FamilyReader reader = new FamilyReader(servers, "opened_cells")) {
            assertThat(frontend.name()).isEqualTo("hbase");
            CellTable table =
                    cells.cells().create(CellTableSpec.of(new TableName("default", "users"), FamilySpec.of("f")));
            table.write(RowWrite.of(
                    Bytes.utf8("ann"), new Edit.Put(Bytes.utf8("f"), Bytes.utf8("age"), 5, Bytes.utf8("30"))));
            Map<String, List<String>> wanted = Map.of("ann", List.of("f:age@5=30"));
            Await.until("the row is shown in Fluss", () -> reader.shows("hbase_default__users", wanted));
            assertThat(engine.projection().progress().trouble()).isEmpty();
        }
    }

    private Findings verified(RunningStore engine, Settings settings, boolean repair) {
        return opener.verify(engine.store(), settings, repair, Progress.NONE).orElseThrow();
    }

    /** What a client's registry asks first: the cluster's id, behind six bytes and no handshake. */
    private static String registryAnswer(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("Regist".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** A call without a region: refused, and counted. */
    private static void call(int port, String method) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(new byte[] {'H', 'B', 'a', 's', 0, 80});
            byte[] header = ConnectionHeader.newBuilder()
                    .setServiceName("ClientService")
                    .setUserInfo(UserInformation.newBuilder().setEffectiveUser("tester"))
                    .build()
                    .toByteArray();
            out.writeInt(header.length);
            out.write(header);
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            RequestHeader.newBuilder()
                    .setCallId(1)
                    .setMethodName(method)
                    .setRequestParam(true)
                    .build()
                    .writeDelimitedTo(frame);
            frame.write(0);
            out.writeInt(frame.size());
            frame.writeTo(out);
            byte[] answer = new byte[new DataInputStream(socket.getInputStream()).readInt()];
            new DataInputStream(socket.getInputStream()).readFully(answer);
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("Exception");
        }
    }

    private static String get(Server server, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private Settings settings(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory.resolve("data"),
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return ServerCatalog.load(words, Map.of());
    }
}
