package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Users, permissions and TLS on a real node that requires passwords and offers TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1) // Waits for other processes: starts first.
class SecuredNodeTest {
    private static final String PASSWORD = "secret-of-the-test";
    private static final Optional<String> PEOPLE = Optional.of("people");

    private NodeProcess node;
    private EntityUri anybody;
    private EntityUri root;
    private Instance instance;
    private Path trusted;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path keys = directory.resolve("node.p12");
        trusted = directory.resolve("trusted.p12");
        keytool(
                "-genkeypair",
                "-keystore",
                keys,
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "SAN=IP:127.0.0.1,DNS:localhost",
                "-validity",
                "2");
        Path certificate = directory.resolve("node.cer");
        keytool("-exportcert", "-keystore", keys, "-alias", "node", "-file", certificate);
        keytool("-importcert", "-noprompt", "-keystore", trusted, "-alias", "node", "-file", certificate);
        node = NodeProcess.start(NodeProcess.Place.alone("""
                authenticator: PasswordAuthenticator
                authorizer: CassandraAuthorizer
                permissions_validity: 0ms
                roles_validity: 0ms
                credentials_validity: 0ms
                client_encryption_options:
                  enabled: true
                  optional: true
                  keystore: %s
                  keystore_password: %s
                """.formatted(keys, PASSWORD)));
        anybody = CassandraNode.patient(EntityUri.parse("polytable-cassandra://127.0.0.1:" + node.port() + "/demo"));
        root = as("cassandra", "cassandra");
        Await.until("the node has its first user", this::hasSuperuser);
        try (CqlSession cql = superuser()) {
            for (String role : List.of("ann", "bob", "cat", "dan", "eve")) {
                cql.execute("CREATE ROLE " + role + " WITH LOGIN = true AND PASSWORD = '" + role + "'");
            }
        }
        Entities.install(root);
        instance = Entities.open(root);
        instance.createTable(layout("people"));
        instance.createTable(layout("other"));
    }

    private static void keytool(Object... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        for (Object word : words) {
            command.add(word.toString());
        }
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(command.toString()).isZero();
    }

    private CqlSession superuser() {
        return CassandraNode.session("127.0.0.1", node.port())
                .withAuthCredentials("cassandra", "cassandra")
                .build();
    }

    /** The first user comes a moment after the node answers. */
    private boolean hasSuperuser() {
        try {
            superuser().close();
            return true;
        } catch (AllNodesFailedException e) {
            return false;
        }
    }

    @AfterAll
    void stop() {
        if (instance != null) {
            instance.close();
        }
        if (node != null) {
            node.close();
        }
    }

    private static TableLayout layout(String name) {
        return TableLayout.of(name, new KeyFormat.Raw(), group("main", "info"));
    }

    private static LocalityGroup group(String name, String family) {
        return LocalityGroup.of(
                name,
                FamilyLayout.group(
                        family,
                        ColumnLayout.of("name", CellSchema.avro("string")),
                        ColumnLayout.of("count", CellSchema.counter())));
    }

    private EntityUri as(String user, String password) {
        return anybody.withOption("user", user).withOption("password", password);
    }

    private static void write(Instance opened, String table) {
        EntityTable entities = opened.table(table);
        entities.writer().put(entities.id("ada"), "info:name", "Ada");
    }

    private static Optional<String> read(Instance opened, String table) {
        EntityTable entities = opened.table(table);
        return entities.reader().get(entities.id("ada"), DataRequest.of("info")).value("info:name", String.class);
    }

    private static void assertDenied(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.DENIED));
    }

    @Test
    void aReaderReadsItsTableOnly() {
        write(instance, "people");
        assertThat(instance.capabilities()).contains(StoreCapability.PERMISSIONS);
        assertDenied(() -> Entities.open(anybody).close());
        assertDenied(() -> Entities.open(as("ann", "wrong")).close());
        assertDenied(() -> Entities.open(as("ann", "ann")).close());
        instance.permissions().grant("ann", PEOPLE, Set.of(Permission.READ));
        try (Instance ann = Entities.open(as("ann", "ann"))) {
            assertThat(read(ann, "people")).contains("Ada");
            assertDenied(() -> write(ann, "people"));
            assertDenied(() -> read(ann, "other"));
            assertDenied(() -> ann.createTable(layout("more")));
            assertDenied(() ->
                    ann.updateLayout(ann.table("people").layout().toUpdate().withDescription("by ann")));
            assertDenied(() -> ann.permissions().grant("ann", PEOPLE, Set.of(Permission.WRITE)));
            // What the table gets later is readable too.
            TableLayout update = instance.table("people").layout().toUpdate();
            List<LocalityGroup> groups = new ArrayList<>(update.groups());
            groups.add(group("late", "more"));
            instance.updateLayout(update.withGroups(groups));
            EntityTable people = ann.table("people");
            assertThat(people.reader()
                            .get(people.id("ada"), DataRequest.of("more"))
                            .isEmpty())
                    .isTrue();
            instance.permissions().revoke("ann", PEOPLE, Set.of(Permission.READ));
            assertDenied(() -> read(ann, "people"));
        }
        assertDenied(() -> Entities.open(as("ann", "ann")).close());
        assertThat(instance.permissions().users(PEOPLE)).doesNotContainKey("ann");
    }

    @Test
    void aWriterWritesAndCountsWhenItAlsoReads() {
        instance.permissions().grant("bob", PEOPLE, Set.of(Permission.WRITE));
        try (Instance bob = Entities.open(as("bob", "bob"))) {
            write(bob, "people");
            assertDenied(() -> read(bob, "people"));
            assertDenied(() -> write(bob, "other"));
            EntityTable people = bob.table("people");
            assertDenied(() -> people.writer().increment(people.id("eve"), "info:count", 1));
            instance.permissions().grant("bob", PEOPLE, Set.of(Permission.READ));
            assertThat(people.writer().increment(people.id("eve"), "info:count", 2))
                    .isEqualTo(2);
        }
        assertThatThrownBy(() -> instance.permissions().grant("bob", PEOPLE, Set.of(Permission.GRANT)))
                .hasMessageContaining("given for the instance");
        assertThat(instance.permissions().of("bob", PEOPLE)).containsExactly(Permission.READ, Permission.WRITE);
    }

    @Test
    void permissionsOfTheInstanceHoldForAllTablesAndForLayouts() {
        instance.permissions()
                .grant("cat", Optional.empty(), EnumSet.of(Permission.READ, Permission.WRITE, Permission.GRANT));
        try (Instance cat = Entities.open(as("cat", "cat"))) {
            cat.createTable(layout("cats"));
            write(cat, "cats");
            assertThat(read(cat, "cats")).contains("Ada");
            cat.permissions().grant("bob", Optional.of("cats"), Set.of(Permission.READ));
            try (Instance bob = Entities.open(as("bob", "bob"))) {
                assertThat(read(bob, "cats")).contains("Ada");
            }
        }
        assertThatThrownBy(() -> instance.permissions().grant("nobody", Optional.empty(), Set.of(Permission.READ)))
                .isInstanceOf(EntityException.class);
        assertThat(instance.permissions().users(Optional.empty())).containsOnlyKeys("cat");
    }

    @Test
    void whatIsDroppedOrRestoredLeavesNobodyMore() {
        instance.createTable(layout("short"));
        write(instance, "short");
        instance.permissions().grant("dan", Optional.of("short"), Set.of(Permission.READ));
        instance.permissions().grant("eve", Optional.of("short"), Set.of(Permission.READ));
        instance.permissions().grant("eve", PEOPLE, Set.of(Permission.READ));
        try (Instance dan = Entities.open(as("dan", "dan"))) {
            assertThat(read(dan, "short")).contains("Ada");
        }
        instance.dropTable("short");
        assertDenied(() -> Entities.open(as("dan", "dan")).close());
        try (Instance eve = Entities.open(as("eve", "eve"))) {
            assertThat(eve.tables()).contains("people").doesNotContain("short");
        }

        instance.permissions().revoke("eve", PEOPLE, Set.of(Permission.READ));
        instance.permissions().grant("dan", PEOPLE, Set.of(Permission.READ));
        instance.permissions().revoke("dan", PEOPLE, Set.of(Permission.READ));
        String backup = instance.backup(EnumSet.of(MetadataBackup.Part.TABLES));
        instance.permissions().grant("eve", PEOPLE, Set.of(Permission.READ));
        // Nor does a role that was dropped since keep the others from theirs.
        try (CqlSession cql = superuser()) {
            cql.execute("DROP ROLE dan");
        }
        instance.restore(backup, EnumSet.of(MetadataBackup.Part.TABLES));
        assertThat(instance.permissions().of("eve", PEOPLE)).isEmpty();
        assertDenied(() -> Entities.open(as("eve", "eve")).close());
    }

    @Test
    void tlsTrustsOnlyWhatItIsToldTo() {
        EntityUri tls = root.withOption("tls", "true");
        assertThatThrownBy(() -> Entities.open(tls).close()).isInstanceOf(EntityException.class);
        EntityUri trusting =
                tls.withOption("truststore", trusted.toString()).withOption("truststore.password", PASSWORD);
        try (Instance opened = Entities.open(trusting)) {
            assertThat(opened.tables()).contains("people");
        }
        assertThatThrownBy(() -> Entities.open(tls.withOption("truststore", "nowhere.p12"))
                        .close())
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_URI));
    }
}
