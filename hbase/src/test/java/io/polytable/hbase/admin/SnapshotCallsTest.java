package io.polytable.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Sessions;
import io.polytable.hbase.access.Access;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls on snapshots while another change of tables takes long. */
class SnapshotCallsTest {
    private static final TableName NAME = new TableName("default", "t");

    private final MemoryStore store = new MemoryStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final Catalog catalog = new Catalog(cells);
    private final TableChanges changes = new TableChanges(catalog, new Namespaces(catalog), InstantSource.system());
    private final Procedures procedures = new Procedures(InstantSource.system());

    @AfterEach
    void close() {
        procedures.close();
        cells.close();
        store.close();
    }

    private CompletableFuture<Answer> delete(String snapshot) throws IOException {
        Method<?> method = new SnapshotCalls(changes, procedures, Access.OPEN)
                .methods().stream()
                        .filter(found -> found.name().equals("DeleteSnapshot"))
                        .findFirst()
                        .orElseThrow();
        MasterProtos.DeleteSnapshotRequest request = MasterProtos.DeleteSnapshotRequest.newBuilder()
                .setSnapshot(SnapshotDescription.newBuilder().setName(snapshot))
                .build();
        ByteString.Output bytes = ByteString.newOutput();
        request.writeDelimitedTo(bytes);
        Call call = new Call(
                new Client("tester", true, "", Sessions.detached(Principal.ROOT)),
                CellUtil.createCellScanner(List.<Cell>of().iterator()),
                0,
                Runnable::run);
        return method.call(bytes.toByteString().newCodedInput(), call);
    }

    /** Each retry of a waiting client would take one more worker, until none is left for reads and writes. */
    @Test
    void aDeletionThatWaitsForAnotherChangeTakesNoWorker() throws Exception {
        cells.create(CellTableSpec.of(NAME, FamilySpec.of("f")));
        cells.save(NAME, "old");
        CompletableFuture<Answer> deletion;
        synchronized (changes) {
            deletion = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> delete("old"));
            assertThat(deletion).isNotDone();
        }
        deletion.get(20, TimeUnit.SECONDS);
        assertThat(cells.saved()).isEmpty();
    }
}
