package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A retried split or merge returns the result of the first call, though the regions it names are gone. */
class RetriedChangesTest {
    private static final TableName NAME = TableName.valueOf("retried");
    private static final long GROUP = 5;

    @Test
    void aSplitAndAMergeThatComeTwiceAreOne(@TempDir Path directory) throws IOException {
        try (ServedCluster served = ServedCluster.on(directory);
                Connection connection = served.connect();
                Admin admin = connection.getAdmin();
                RawConnection wire = new RawConnection(served.face().masterPort())) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build());
            wire.out().write(new byte[] {'H', 'B', 'a', 's', 0, 80});
            wire.header("MasterService", "");
            RegionInfo whole = admin.getRegions(NAME).get(0);
            assertThat(split(wire, whole, 1)).isEqualTo(split(wire, whole, 1));
            List<RegionInfo> halves = admin.getRegions(NAME);
            assertThat(halves).hasSize(2);
            assertThat(merge(wire, halves, 2)).isEqualTo(merge(wire, halves, 2));
            assertThat(admin.getRegions(NAME)).hasSize(1);
        }
    }

    private static long split(RawConnection wire, RegionInfo region, long nonce) throws IOException {
        MasterProtos.SplitTableRegionRequest request = MasterProtos.SplitTableRegionRequest.newBuilder()
                .setRegionInfo(ProtobufUtil.toRegionInfo(region))
                .setSplitRow(ByteString.copyFrom(Bytes.toBytes("m")))
                .setNonceGroup(GROUP)
                .setNonce(nonce)
                .build();
        wire.call(RawConnection.named(1, "SplitRegion").build(), request, new byte[0]);
        return wire.answer(MasterProtos.SplitTableRegionResponse.parser()).getProcId();
    }

    private static long merge(RawConnection wire, List<RegionInfo> regions, long nonce) throws IOException {
        MasterProtos.MergeTableRegionsRequest.Builder request = MasterProtos.MergeTableRegionsRequest.newBuilder()
                .setNonceGroup(GROUP)
                .setNonce(nonce);
        for (RegionInfo region : regions) {
            request.addRegion(RegionSpecifier.newBuilder()
                    .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(region.getRegionName())));
        }
        wire.call(RawConnection.named(2, "MergeTableRegions").build(), request.build(), new byte[0]);
        return wire.answer(MasterProtos.MergeTableRegionsResponse.parser()).getProcId();
    }
}
