package io.polytable.server.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A whole server on free ports, without the frontends that entities do not need. */
final class EntityServer implements AutoCloseable {
    private final Server server;

    private EntityServer(Server server) {
        this.server = server;
    }

    static EntityServer on(Path directory, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--data.dir=" + directory,
                "--redis.enabled=false",
                "--hbase.enabled=false",
                "--sql.enabled=false",
                "--http.port=0",
                "--memory.rows=32mb",
                "--memory.blocks=128mb"));
        words.addAll(List.of(more));
        return new EntityServer(Server.start(ServerCatalog.load(words, Map.of()), Assembly.parts(), () -> {}));
    }

    int port() {
        return server.httpPort();
    }

    /** Where clients of the HBase frontend ask, which must be on. */
    int hbaseZooKeeperPort() {
        Matcher port = Pattern.compile("zookeeper=(\\d+)").matcher(server.readyLine(0));
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    EntityUri uri() {
        return EntityUri.remote(StoreKind.SERVER, List.of("127.0.0.1"), port());
    }

    @Override
    public void close() {
        assertThat(server.stop()).as("everything closed as it should").isTrue();
    }
}
