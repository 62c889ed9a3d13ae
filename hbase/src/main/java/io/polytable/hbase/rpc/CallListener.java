package io.polytable.hbase.rpc;

/** Notified of every completed call. */
@FunctionalInterface
public interface CallListener {
    void answered(String service, String method, long nanos, boolean failed);
}
