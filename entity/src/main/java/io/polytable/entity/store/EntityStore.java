package io.polytable.entity.store;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A store of instances. Thread safe. */
public interface EntityStore extends AutoCloseable {
    Set<StoreCapability> capabilities();

    /** The names of all instances, in order. */
    List<String> instances();

    /**
     * Creates a new instance without tables; {@code INSTANCE_EXISTS} if the name is taken.
     *
     * @param properties for use by the store, such as {@code replication}
     */
    void createInstance(String name, Map<String, String> properties);

    /** Drops the instance with everything in it, or {@code NO_SUCH_INSTANCE}. */
    void dropInstance(String name);

    /** The instance, or {@code NO_SUCH_INSTANCE}. Lives as long as this store. */
    InstanceStore instance(String name);

    @Override
    void close();
}
