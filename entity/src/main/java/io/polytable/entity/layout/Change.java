package io.polytable.entity.layout;

import java.util.Optional;

/** What an update says of a part besides its new properties. Nothing, in a layout that stands. */
public record Change(boolean delete, Optional<String> renamedFrom) {
    public static final Change NONE = new Change(false, Optional.empty());
    public static final Change DELETE = new Change(true, Optional.empty());

    public static Change renamedFrom(String name) {
        return new Change(false, Optional.of(name));
    }
}
