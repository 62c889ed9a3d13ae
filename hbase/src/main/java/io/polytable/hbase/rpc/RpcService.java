package io.polytable.hbase.rpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A service of HBase's protocol, such as {@code ClientService}, with its supported methods. */
public final class RpcService {
    private final String name;
    private final Map<String, Method<?>> methods = new HashMap<>();

    public RpcService(String name, List<? extends List<Method<?>>> families) {
        this.name = name;
        for (List<Method<?>> family : families) {
            for (Method<?> method : family) {
                if (methods.put(method.name(), method) != null) {
                    throw new IllegalStateException("two methods " + method.name() + " of " + name);
                }
            }
        }
    }

    /** Changes a method; its requests stay what they are. */
    @FunctionalInterface
    public interface Change {
        <Q extends Message> Method<Q> of(Method<Q> method);
    }

    /** The service with each method changed. */
    public RpcService with(Change change) {
        List<Method<?>> changed = new ArrayList<>();
        for (Method<?> method : methods.values()) {
            changed.add(change.of(method));
        }
        return new RpcService(name, List.of(changed));
    }

    public void requireMethod(String methodName) {
        if (!methods.containsKey(methodName)) {
            throw new IllegalStateException(name + " has no method " + methodName);
        }
    }

    public String name() {
        return name;
    }

    public Method<?> method(String methodName) throws DoNotRetryIOException {
        Method<?> method = methods.get(methodName);
        if (method == null) {
            throw new DoNotRetryIOException(name + "." + methodName + " is not supported");
        }
        return method;
    }
}
