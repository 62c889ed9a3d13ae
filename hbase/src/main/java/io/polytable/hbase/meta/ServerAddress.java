package io.polytable.hbase.meta;

import org.apache.hadoop.hbase.ServerName;

/** The address of this server in its two roles, as the master and as the only region server. */
public record ServerAddress(ServerName master, ServerName regionServer) {
    public static ServerAddress of(String host, int masterPort, int regionServerPort, long startMillis) {
        return new ServerAddress(
                ServerName.valueOf(host, masterPort, startMillis),
                ServerName.valueOf(host, regionServerPort, startMillis));
    }
}
