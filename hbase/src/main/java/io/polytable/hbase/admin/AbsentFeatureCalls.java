package io.polytable.hbase.admin;

import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.rpc.Method;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;

/**
 * Calls of features that do not exist here: replication, quotas, coprocessors, decommissioning. Queries get the
 * answers of an HBase that does not use them.
 */
final class AbsentFeatureCalls {
    private AbsentFeatureCalls() {}

    static List<Method<?>> methods(ServerAddress address) {
        return List.of(
                empty(
                        "ListReplicationPeers",
                        ReplicationProtos.ListReplicationPeersRequest.parser(),
                        ReplicationProtos.ListReplicationPeersResponse.getDefaultInstance()),
                empty(
                        "IsReplicationPeerModificationEnabled",
                        ReplicationProtos.IsReplicationPeerModificationEnabledRequest.parser(),
                        ReplicationProtos.IsReplicationPeerModificationEnabledResponse.newBuilder()
                                .setEnabled(false)
                                .build()),
                empty(
                        "ListDecommissionedRegionServers",
                        MasterProtos.ListDecommissionedRegionServersRequest.parser(),
                        MasterProtos.ListDecommissionedRegionServersResponse.getDefaultInstance()),
                empty(
                        "ClearDeadServers",
                        MasterProtos.ClearDeadServersRequest.parser(),
                        MasterProtos.ClearDeadServersResponse.getDefaultInstance()),
                empty(
                        "GetSpaceQuotaRegionSizes",
                        QuotaProtos.GetSpaceQuotaRegionSizesRequest.parser(),
                        QuotaProtos.GetSpaceQuotaRegionSizesResponse.getDefaultInstance()),
                empty(
                        "GetQuotaStates",
                        QuotaProtos.GetQuotaStatesRequest.parser(),
                        QuotaProtos.GetQuotaStatesResponse.getDefaultInstance()),
                LogCalls.ofMaster(),
                refused(
                        "ExecMasterService",
                        ClientProtos.CoprocessorServiceRequest.parser(),
                        "Coprocessors are not supported"),
                refused("SetQuota", MasterProtos.SetQuotaRequest.parser(), "Quotas are not supported"),
                refused(
                        "AddReplicationPeer",
                        ReplicationProtos.AddReplicationPeerRequest.parser(),
                        "Replication to HBase clusters is not supported"),
                refused("Shutdown", MasterProtos.ShutdownRequest.parser(), stopping(address)),
                refused("StopMaster", MasterProtos.StopMasterRequest.parser(), stopping(address)));
    }

    private static String stopping(ServerAddress address) {
        return "HBase clients do not stop " + address.master().getHostname() + "; stop the server's process";
    }

    private static <Q extends Message> Method<Q> empty(String name, Parser<Q> parser, Message answer) {
        return Method.of(name, parser, (request, call) -> answer);
    }

    static <Q extends Message> Method<Q> refused(String name, Parser<Q> parser, String reason) {
        return Method.of(name, parser, (request, call) -> {
            throw new DoNotRetryIOException(reason);
        });
    }
}
