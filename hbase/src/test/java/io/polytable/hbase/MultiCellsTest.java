package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The cells of all changes of a call are in one block: what is refused must not shift the others. */
class MultiCellsTest {
    private static final byte[] FAMILY = bytes("f");
    private static final byte[] ROW = bytes("row");

    private static ServedCluster served;
    private static Connection connection;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        connection = served.connect();
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static HBaseProtos.RegionSpecifier region(TableName name) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .build());
            return HBaseProtos.RegionSpecifier.newBuilder()
                    .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(admin.getRegions(name).get(0).getRegionName()))
                    .build();
        }
    }

    private static ClientProtos.Action change(MutationProto.MutationType type, int cells) {
        return ClientProtos.Action.newBuilder()
                .setMutation(mutation(type, cells))
                .build();
    }

    private static MutationProto.Builder mutation(MutationProto.MutationType type, int cells) {
        return MutationProto.newBuilder()
                .setRow(ByteString.copyFrom(ROW))
                .setMutateType(type)
                .setAssociatedCellCount(cells);
    }

    /** An increment that ours refuses only when it is made into edits: its time range ends before it starts. */
    private static ClientProtos.Action refused() {
        HBaseProtos.TimeRange backwards =
                HBaseProtos.TimeRange.newBuilder().setFrom(10).setTo(5).build();
        return ClientProtos.Action.newBuilder()
                .setMutation(mutation(MutationProto.MutationType.INCREMENT, 1).setTimeRange(backwards))
                .build();
    }

    private static byte[] block(KeyValue... cells) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(block);
        for (KeyValue cell : cells) {
            out.writeInt(cell.getLength());
            out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
        }
        return block.toByteArray();
    }

    private static KeyValue cell(String qualifier, String value) {
        return new KeyValue(ROW, FAMILY, bytes(qualifier), 5, bytes(value));
    }

    private static ClientProtos.MultiResponse multi(byte[] cells, ClientProtos.RegionAction... actions)
            throws IOException {
        ClientProtos.MultiRequest.Builder request = ClientProtos.MultiRequest.newBuilder();
        for (ClientProtos.RegionAction action : actions) {
            request.addRegionAction(action);
        }
        try (RawConnection wire = RawConnection.opened(served.face().regionServerPort())) {
            CellBlockMeta meta =
                    CellBlockMeta.newBuilder().setLength(cells.length).build();
            wire.call(RawConnection.named(1, "Multi").setCellBlockMeta(meta).build(), request.build(), cells);
            return wire.answer(ClientProtos.MultiResponse.parser());
        }
    }

    private static Result row(TableName name) throws IOException {
        try (Table table = connection.getTable(name)) {
            return table.get(new Get(ROW));
        }
    }

    @Test
    void aRefusedGroupLeavesTheNextItsCells() throws IOException {
        TableName name = TableName.valueOf("group");
        HBaseProtos.RegionSpecifier region = region(name);
        ClientProtos.RegionAction bad = ClientProtos.RegionAction.newBuilder()
                .setRegion(region)
                .setAtomic(true)
                .addAction(refused())
                .addAction(change(MutationProto.MutationType.PUT, 1))
                .build();
        ClientProtos.RegionAction good = ClientProtos.RegionAction.newBuilder()
                .setRegion(region)
                .setAtomic(true)
                .addAction(change(MutationProto.MutationType.PUT, 1))
                .build();
        KeyValue amount = new KeyValue(ROW, FAMILY, bytes("n"), 5, new byte[Long.BYTES]);
        byte[] cells = block(amount, cell("refused", "no"), cell("accepted", "yes"));
        ClientProtos.MultiResponse response = multi(cells, bad, good);
        assertThat(response.getRegionActionResult(0).hasException()).isTrue();
        assertThat(response.getRegionActionResult(1).hasException()).isFalse();
        Result found = row(name);
        assertThat(found.getValue(FAMILY, bytes("accepted"))).isEqualTo(bytes("yes"));
        assertThat(found.size()).isOne();
    }

    @Test
    void behindADamagedCellNothingIsBelieved() throws IOException {
        TableName name = TableName.valueOf("damage");
        HBaseProtos.RegionSpecifier region = region(name);
        ClientProtos.RegionAction actions = ClientProtos.RegionAction.newBuilder()
                .setRegion(region)
                .addAction(change(MutationProto.MutationType.PUT, 2))
                .addAction(change(MutationProto.MutationType.PUT, 1))
                .build();
        KeyValue damaged = cell("first", "1");
        // The length of the row: longer than the key that it is a part of.
        damaged.getBuffer()[damaged.getOffset() + 8] = 100;
        byte[] cells = block(damaged, cell("second", "2"), cell("third", "3"));
        ClientProtos.MultiResponse response = multi(cells, actions);
        assertThat(response.getRegionActionResult(0).getResultOrExceptionList())
                .allMatch(ClientProtos.ResultOrException::hasException);
        assertThat(row(name).isEmpty()).isTrue();
    }
}
