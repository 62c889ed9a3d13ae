package io.polytable.hbase.rpc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;

/** The services that a connection may be opened for, by name, and the cluster they belong to. */
public final class Services {
    private final String clusterId;
    private final Map<String, RpcService> byName = new HashMap<>();

    public Services(String clusterId, List<RpcService> services) {
        this.clusterId = clusterId;
        services.forEach(service -> byName.put(service.name(), service));
    }

    public String clusterId() {
        return clusterId;
    }

    public RpcService service(String name) throws FatalConnectionException {
        RpcService service = byName.get(name);
        if (service == null) {
            throw new FatalConnectionException("Unknown service: " + name);
        }
        return service;
    }
}
