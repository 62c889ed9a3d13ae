package io.polytable.hbase.zookeeper;

import io.polytable.hbase.meta.ServerAddress;
import io.polytable.table.Bytes;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** The contents of znodes: HBase's messages after its four magic bytes. */
final class NodeContents {
    private NodeContents() {}

    static Bytes clusterId(String id) {
        return magic(ClusterIdProtos.ClusterId.newBuilder().setClusterId(id).build());
    }

    static Bytes master(ServerAddress address) {
        return magic(ZooKeeperProtos.Master.newBuilder()
                .setMaster(ProtobufUtil.toServerName(address.master()))
                .setRpcVersion(HConstants.RPC_CURRENT_VERSION)
                .setInfoPort(0)
                .build());
    }

    static Bytes metaServer(ServerAddress address) {
        return magic(ZooKeeperProtos.MetaRegionServer.newBuilder()
                .setServer(ProtobufUtil.toServerName(address.regionServer()))
                .setRpcVersion(HConstants.RPC_CURRENT_VERSION)
                .setState(ClusterStatusProtos.RegionState.State.OPEN)
                .build());
    }

    static Bytes running(ServerAddress address) {
        return magic(ZooKeeperProtos.ClusterUp.newBuilder()
                .setStartDate(Long.toString(address.master().getStartCode()))
                .build());
    }

    static Bytes regionServer() {
        return magic(HBaseProtos.RegionServerInfo.newBuilder().setInfoPort(0).build());
    }

    static Bytes tableState(TableState.State state) {
        return magic(
                HBaseProtos.TableState.newBuilder().setState(state.convert()).build());
    }

    private static Bytes magic(Message message) {
        return Bytes.of(ProtobufUtil.prependPBMagic(message.toByteArray()));
    }
}
