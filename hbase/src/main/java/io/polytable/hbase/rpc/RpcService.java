package io.polytable.hbase.rpc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;

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
