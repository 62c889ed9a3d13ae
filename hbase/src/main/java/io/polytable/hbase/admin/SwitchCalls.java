package io.polytable.hbase.admin;

import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;

/** The calls that switch, query and run balancer, normalizer and chores. They do nothing, since there is one server. */
final class SwitchCalls {
    private final Switches switches;

    SwitchCalls(Switches switches) {
        this.switches = switches;
    }

    List<Method<?>> methods() {
        List<Method<?>> all = new ArrayList<>(balancing());
        all.addAll(chores());
        all.addAll(throttles());
        return all;
    }

    private List<Method<?>> balancing() {
        return List.of(
                Method.of(
                        "Balance",
                        MasterProtos.BalanceRequest.parser(),
                        (request, call) -> MasterProtos.BalanceResponse.newBuilder()
                                .setBalancerRan(switches.isOn(Switches.Name.BALANCER))
                                .build()),
                Method.of(
                        "SetBalancerRunning",
                        MasterProtos.SetBalancerRunningRequest.parser(),
                        (request, call) -> MasterProtos.SetBalancerRunningResponse.newBuilder()
                                .setPrevBalanceValue(switches.set(Switches.Name.BALANCER, request.getOn()))
                                .build()),
                Method.of(
                        "IsBalancerEnabled",
                        MasterProtos.IsBalancerEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsBalancerEnabledResponse.newBuilder()
                                .setEnabled(switches.isOn(Switches.Name.BALANCER))
                                .build()),
                Method.of(
                        "Normalize",
                        MasterProtos.NormalizeRequest.parser(),
                        (request, call) -> MasterProtos.NormalizeResponse.newBuilder()
                                .setNormalizerRan(switches.isOn(Switches.Name.NORMALIZER))
                                .build()),
                Method.of(
                        "SetNormalizerRunning",
                        MasterProtos.SetNormalizerRunningRequest.parser(),
                        (request, call) -> MasterProtos.SetNormalizerRunningResponse.newBuilder()
                                .setPrevNormalizerValue(switches.set(Switches.Name.NORMALIZER, request.getOn()))
                                .build()),
                Method.of(
                        "IsNormalizerEnabled",
                        MasterProtos.IsNormalizerEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsNormalizerEnabledResponse.newBuilder()
                                .setEnabled(switches.isOn(Switches.Name.NORMALIZER))
                                .build()),
                Method.of(
                        "SetSplitOrMergeEnabled",
                        MasterProtos.SetSplitOrMergeEnabledRequest.parser(),
                        this::setSplitOrMerge),
                Method.of(
                        "IsSplitOrMergeEnabled",
                        MasterProtos.IsSplitOrMergeEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsSplitOrMergeEnabledResponse.newBuilder()
                                .setEnabled(switches.isOn(name(request.getSwitchType())))
                                .build()));
    }

    private MasterProtos.SetSplitOrMergeEnabledResponse setSplitOrMerge(
            MasterProtos.SetSplitOrMergeEnabledRequest request, Call call) {
        MasterProtos.SetSplitOrMergeEnabledResponse.Builder response =
                MasterProtos.SetSplitOrMergeEnabledResponse.newBuilder();
        request.getSwitchTypesList()
                .forEach(type -> response.addPrevValue(switches.set(name(type), request.getEnabled())));
        return response.build();
    }

    private static Switches.Name name(MasterProtos.MasterSwitchType type) {
        return type == MasterProtos.MasterSwitchType.SPLIT ? Switches.Name.SPLIT : Switches.Name.MERGE;
    }

    private List<Method<?>> chores() {
        return List.of(
                Method.of(
                        "RunCatalogScan",
                        MasterProtos.RunCatalogScanRequest.parser(),
                        (request, call) -> MasterProtos.RunCatalogScanResponse.newBuilder()
                                .setScanResult(0)
                                .build()),
                Method.of(
                        "EnableCatalogJanitor",
                        MasterProtos.EnableCatalogJanitorRequest.parser(),
                        (request, call) -> MasterProtos.EnableCatalogJanitorResponse.newBuilder()
                                .setPrevValue(switches.set(Switches.Name.CATALOG_JANITOR, request.getEnable()))
                                .build()),
                Method.of(
                        "IsCatalogJanitorEnabled",
                        MasterProtos.IsCatalogJanitorEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsCatalogJanitorEnabledResponse.newBuilder()
                                .setValue(switches.isOn(Switches.Name.CATALOG_JANITOR))
                                .build()),
                Method.of(
                        "RunCleanerChore",
                        MasterProtos.RunCleanerChoreRequest.parser(),
                        (request, call) -> MasterProtos.RunCleanerChoreResponse.newBuilder()
                                .setCleanerChoreRan(true)
                                .build()),
                Method.of(
                        "SetCleanerChoreRunning",
                        MasterProtos.SetCleanerChoreRunningRequest.parser(),
                        (request, call) -> MasterProtos.SetCleanerChoreRunningResponse.newBuilder()
                                .setPrevValue(switches.set(Switches.Name.CLEANER, request.getOn()))
                                .build()),
                Method.of(
                        "IsCleanerChoreEnabled",
                        MasterProtos.IsCleanerChoreEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsCleanerChoreEnabledResponse.newBuilder()
                                .setValue(switches.isOn(Switches.Name.CLEANER))
                                .build()),
                Method.of(
                        "SwitchSnapshotCleanup",
                        MasterProtos.SetSnapshotCleanupRequest.parser(),
                        (request, call) -> MasterProtos.SetSnapshotCleanupResponse.newBuilder()
                                .setPrevSnapshotCleanup(
                                        switches.set(Switches.Name.SNAPSHOT_CLEANUP, request.getEnabled()))
                                .build()),
                Method.of(
                        "IsSnapshotCleanupEnabled",
                        MasterProtos.IsSnapshotCleanupEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsSnapshotCleanupEnabledResponse.newBuilder()
                                .setEnabled(switches.isOn(Switches.Name.SNAPSHOT_CLEANUP))
                                .build()));
    }

    private List<Method<?>> throttles() {
        return List.of(
                Method.of(
                        "SwitchRpcThrottle",
                        MasterProtos.SwitchRpcThrottleRequest.parser(),
                        (request, call) -> MasterProtos.SwitchRpcThrottleResponse.newBuilder()
                                .setPreviousRpcThrottleEnabled(
                                        switches.set(Switches.Name.RPC_THROTTLE, request.getRpcThrottleEnabled()))
                                .build()),
                Method.of(
                        "IsRpcThrottleEnabled",
                        MasterProtos.IsRpcThrottleEnabledRequest.parser(),
                        (request, call) -> MasterProtos.IsRpcThrottleEnabledResponse.newBuilder()
                                .setRpcThrottleEnabled(switches.isOn(Switches.Name.RPC_THROTTLE))
                                .build()),
                Method.of(
                        "SwitchExceedThrottleQuota",
                        MasterProtos.SwitchExceedThrottleQuotaRequest.parser(),
                        (request, call) -> MasterProtos.SwitchExceedThrottleQuotaResponse.newBuilder()
                                .setPreviousExceedThrottleQuotaEnabled(switches.set(
                                        Switches.Name.EXCEED_THROTTLE_QUOTA, request.getExceedThrottleQuotaEnabled()))
                                .build()));
    }
}
