package io.polytable.conformance.process;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Passes the run's {@link SharedServers} to tests. */
final class SharedServersParameter implements ParameterResolver {
    private static final ExtensionContext.Namespace RUN = ExtensionContext.Namespace.create(SharedServers.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SharedServers.class;
    }

    /** The store of the root closes what it holds at the end of the run. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(RUN)
                .computeIfAbsent("servers", key -> new SharedServers(), SharedServers.class);
    }
}
