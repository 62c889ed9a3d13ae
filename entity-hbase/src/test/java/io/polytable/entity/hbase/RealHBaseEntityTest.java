package io.polytable.entity.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.hbase.peer.HBaseNode;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The suite on a real HBase. */
@Tag("peers")
class RealHBaseEntityTest extends EntityContract {
    /** A node that runs already may have what an earlier run left. */
    private static final String INSTANCE = "Contract_" + ProcessHandle.current().pid();

    @Override
    protected EntityUri uri() {
        int port = HBaseNode.shared().getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
        return EntityUri.remote(StoreKind.HBASE, List.of("localhost"), port)
                .withInstance(INSTANCE)
                .withOption("layout.lease.millis", "300");
    }

    /** HBase says only when it alters a family that it has not the family's compression; the one before is altered by then. */
    @Test
    void aRefusedUpdateLeavesNothingBehind() throws IOException {
        FamilyLayout first = FamilyLayout.map("f", CellSchema.json());
        FamilyLayout second = FamilyLayout.map("g", CellSchema.json());
        try (Instance opened = Entities.open(uri())) {
            EntityTable table = opened.createTable(TableLayout.of(
                    "Refused", new KeyFormat.Raw(), LocalityGroup.of("a", first), LocalityGroup.of("b", second)));
            TableLayout update = table.layout().toUpdate();
            LocalityGroup unknown = update.groups().get(1).withStorage(false, BloomType.NONE, CompressionType.LZO, 0);
            assertThatThrownBy(() -> opened.updateLayout(
                            update.withGroups(List.of(update.groups().get(0).withTtlSeconds(60), unknown))))
                    .isInstanceOf(EntityException.class);
            try (Connection connection = ConnectionFactory.createConnection(HBaseNode.shared());
                    Admin admin = connection.getAdmin()) {
                TableDescriptor made = admin.getDescriptor(Names.table(Names.namespace(INSTANCE), "Refused"));
                assertThat(made.getColumnFamilies())
                        .extracting(ColumnFamilyDescriptor::getTimeToLive)
                        .containsOnly(HConstants.FOREVER);
            }
            opened.dropTable("Refused");
        }
    }
}
