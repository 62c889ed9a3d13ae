package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.testkit.Await;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All protocols at their limits at once, in a small heap that ends the process at the first OutOfMemoryError. */
class FullMemoryTest {
    private static final int MB = 1 << 20;
    private static final int HBASE_REQUEST_BYTES = 12 * MB;
    private static final int PART_BYTES = 2 * MB;
    private static final String LARGE_INSERT =
            "INSERT INTO t SELECT i, repeat('x', 100000) FROM generate_series(1, 2000) AS g(i)";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Socket> holders = new ArrayList<>();
    private String ready = "";

    @TempDir
    Path directory;

    @AfterEach
    void letGo() throws IOException {
        for (Socket holder : holders) {
            holder.close();
        }
    }

    @Test
    @Timeout(120)
    void everyProtocolRefusesWithItsOwnErrorAndTheProcessLives() throws Exception {
        try (ServerProcess process = ServerProcess.startWithHeap(
                "256m",
                "serve",
                "--data.dir=" + directory.resolve("data"),
                "--redis.port=0",
                "--hbase.port=0",
                "--hbase.master.port=0",
                "--zookeeper.port=0",
                "--http.port=0",
                "--memory.blocks=128mb",
                "--sql.memory=64mb")) {
            ready = process.readyLine();
            assertThat(sql("CREATE TABLE t (id BIGINT PRIMARY KEY, v TEXT)")).contains("\"status\":\"success\"");
            fillRedis();
            fillHBase();
            assertThat(used("pool")).isLessThanOrEqualTo(limit("pool"));
            refuseEverywhere();
            assertThat(get("/health")).isNotEmpty();
            letGo();
            Await.until("the pool is given back", () -> used("pool") < MB);
            assertThat(queued(connect("redis"), PART_BYTES)).isEqualTo("+QUEUED");
            assertThat(hbaseCall()).contains("Exception").doesNotContain("CallQueueTooBig");
            assertThat(sql("INSERT INTO t VALUES (1, 'x')")).contains("\"status\":\"success\"");
        }
    }

    /** Transactions queue writes until one does not fit. It loses what it has, and the others keep theirs. */
    private void fillRedis() throws IOException {
        String reply = "+QUEUED";
        while (reply.equals("+QUEUED")) {
            Socket client = connect("redis");
            for (int i = 0; i < 3 && reply.equals("+QUEUED"); i++) {
                reply = queued(client, PART_BYTES);
            }
        }
        assertThat(reply).startsWith("-OOM all clients together");
    }

    /** Requests whose ends do not come. */
    private void fillHBase() throws IOException {
        byte[] frame = hbaseFrame();
        for (int i = 0; i < 4; i++) {
            DataOutputStream out = hbaseConnection(connect("hbase"));
            out.writeInt(frame.length);
            out.write(frame, 0, frame.length - 1);
            out.flush();
        }
        Await.until("no such request fits", () -> left("hbase.requests") < HBASE_REQUEST_BYTES);
    }

    private void refuseEverywhere() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<String> redis = threads.submit(() -> {
                String reply = "+QUEUED";
                Socket client = connect("redis");
                while (reply.equals("+QUEUED")) {
                    reply = queued(client, PART_BYTES);
                }
                return reply;
            });
            Future<String> hbase = threads.submit(this::hbaseCall);
            Future<String> statement = threads.submit(() -> sql(LARGE_INSERT));
            assertThat(redis.get(60, TimeUnit.SECONDS)).startsWith("-OOM ");
            assertThat(hbase.get(60, TimeUnit.SECONDS)).contains("CallQueueTooBigException");
            assertThat(statement.get(60, TimeUnit.SECONDS)).contains("53200");
        } finally {
            threads.shutdownNow();
        }
    }

    private Socket connect(String face) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), ServerProcess.port(face, ready));
        socket.setSoTimeout(60_000);
        synchronized (holders) {
            holders.add(socket);
        }
        return socket;
    }

    /** Queues a SET in a transaction, which the first call on a connection begins. */
    private static String queued(Socket client, int bytes) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII), 1);
        String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + bytes + "\r\n" + "v".repeat(bytes) + "\r\n";
        client.getOutputStream().write(("MULTI\r\n" + set).getBytes(StandardCharsets.US_ASCII));
        String began = in.readLine();
        assertThat(began).matches("\\+OK|-ERR MULTI calls can not be nested|-OOM .*");
        return began.startsWith("-OOM") ? began : in.readLine();
    }

    private static DataOutputStream hbaseConnection(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write(new byte[] {'H', 'B', 'a', 's', 0, 80});
        byte[] header = ConnectionHeader.newBuilder()
                .setServiceName("ClientService")
                .setUserInfo(UserInformation.newBuilder().setEffectiveUser("tester"))
                .build()
                .toByteArray();
        out.writeInt(header.length);
        out.write(header);
        return out;
    }

    private static byte[] hbaseFrame() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        RequestHeader.newBuilder()
                .setCallId(1)
                .setMethodName("Get")
                .setRequestParam(true)
                .build()
                .writeDelimitedTo(frame);
        frame.write(new byte[HBASE_REQUEST_BYTES - frame.size()]);
        return frame.toByteArray();
    }

    /** A whole call; there is no region of that name, so that it always fails in some way. */
    private String hbaseCall() throws IOException {
        Socket socket = connect("hbase");
        DataOutputStream out = hbaseConnection(socket);
        byte[] frame = hbaseFrame();
        out.writeInt(frame.length);
        out.write(frame);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        return new String(answer, StandardCharsets.ISO_8859_1);
    }

    private String sql(String text) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address("/v1/api/sql"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"" + text + "\"}"))
                .header("Content-Type", "application/json")
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    private long left(String share) {
        return Math.min(limit(share) - used(share), limit("pool") - used("pool") + MB);
    }

    private long used(String share) {
        return metric("polytable_memory_share_bytes", share);
    }

    private long limit(String share) {
        return metric("polytable_memory_share_limit_bytes", share);
    }

    private long metric(String name, String share) {
        Matcher line =
                Pattern.compile(name + "\\{share=\"" + share + "\"} (\\S+)").matcher(get("/metrics"));
        assertThat(line.find()).as("%s of %s", name, share).isTrue();
        return (long) Double.parseDouble(line.group(1));
    }

    private String get(String path) {
        try {
            return http.send(HttpRequest.newBuilder(address(path)).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new AssertionError("The server does not answer", e);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + ServerProcess.port("http", ready) + path);
    }
}
