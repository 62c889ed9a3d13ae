package io.polytable.hbase.rpc;

/** Hears of every call that was answered. */
@FunctionalInterface
public interface CallListener {
    void answered(String service, String method, long nanos, boolean failed);
}
