package io.polytable.entity.layout;

import java.util.Optional;

/** What an update does to a part besides setting its properties. Empty in a current layout. */
public record Change(boolean delete, Optional<String> renamedFrom) {
    public static final Change NONE = new Change(false, Optional.empty());
    public static final Change DELETE = new Change(true, Optional.empty());

    public static Change renamedFrom(String name) {
        return new Change(false, Optional.of(name));
    }
}
