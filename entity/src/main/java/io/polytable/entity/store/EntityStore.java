package io.polytable.entity.store;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A place that has instances. Safe for use by many threads. */
public interface EntityStore extends AutoCloseable {
    Set<StoreCapability> capabilities();

    /** The names of all instances, in order. */
    List<String> instances();

    /**
     * Makes a new instance without tables; {@code INSTANCE_EXISTS} when there is one of this name.
     *
     * @param properties what the store may look at, such as {@code replication}
     */
    void createInstance(String name, Map<String, String> properties);

    /** Drops the instance with all it has, or {@code NO_SUCH_INSTANCE}. */
    void dropInstance(String name);

    /** The instance, or {@code NO_SUCH_INSTANCE}. Lives as long as this store. */
    InstanceStore instance(String name);

    @Override
    void close();
}
