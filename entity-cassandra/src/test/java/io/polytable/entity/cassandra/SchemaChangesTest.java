package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** DDL suspends the driver's metadata refreshes, which must be enabled again whatever happens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaChangesTest {
    private static final String KEYSPACE =
            Names.keyspace("Ddl_" + ProcessHandle.current().pid());

    private final Cluster cluster = Cluster.connect(CassandraNode.uri());

    @BeforeAll
    void createKeyspace() {
        cluster.defineKeyspace(List.of("CREATE KEYSPACE IF NOT EXISTS " + Names.quoted(KEYSPACE)
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"));
    }

    @AfterAll
    void dropKeyspace() {
        cluster.define(List.of("DROP KEYSPACE IF EXISTS " + Names.quoted(KEYSPACE)));
        cluster.close();
    }

    private static String create(String table) {
        return "CREATE TABLE IF NOT EXISTS " + Names.quoted(KEYSPACE) + "." + table + " (key blob PRIMARY KEY)";
    }

    private static List<String> tables() {
        return CassandraNode.cql()
                .execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", KEYSPACE)
                .map(row -> String.valueOf(row.getString(0)))
                .all();
    }

    private boolean isInMetadata(String table) {
        return cluster.session()
                .getMetadata()
                .getKeyspace(Names.quoted(KEYSPACE))
                .flatMap(keyspace -> keyspace.getTable(table))
                .isPresent();
    }

    /** The driver's metadata of other tables may be old; the replication of a keyspace decides about levels. */
    @Test
    void aNewKeyspaceIsKnownAtOnce() {
        assertThatThrownBy(() -> cluster.checkLevel(KEYSPACE, ConsistencyLevel.TWO))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_REQUEST));
    }

    @Test
    void aFailedStatementEndsTheChangeAndNothingStaysSuspended() {
        List<String> statements = List.of(create("before"), "CREATE TABLE nonsense", create("after"));
        assertThatThrownBy(() -> cluster.define(statements)).isInstanceOf(EntityException.class);
        assertThat(tables()).contains("before").doesNotContain("after");
        assertThat(cluster.session().isSchemaMetadataEnabled()).isTrue();
        Await.until("the metadata show the first table", () -> isInMetadata("before"));
    }

    @Test
    void concurrentChangesAreAllMadeAndNothingStaysSuspended() {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<String> statements = List.of(create("a" + i), create("b" + i));
            running.add(CompletableFuture.runAsync(() -> cluster.define(statements)));
        }
        running.forEach(CompletableFuture::join);
        assertThat(tables()).contains("a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3");
        assertThat(cluster.session().isSchemaMetadataEnabled()).isTrue();
        Await.until("the metadata show the last table", () -> isInMetadata("b3"));
    }

    @Test
    void noStatementsAreNoChange() {
        cluster.define(List.of());
        assertThat(cluster.session().isSchemaMetadataEnabled()).isTrue();
    }
}
