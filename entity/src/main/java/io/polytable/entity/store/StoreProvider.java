package io.polytable.entity.store;

import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;

/** Opens stores of one kind. Found with {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    StoreKind kind();

    /** Connects, or fails with {@code UNREACHABLE}. Close the result. */
    EntityStore open(EntityUri uri);
}
