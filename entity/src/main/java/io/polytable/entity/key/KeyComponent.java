package io.polytable.entity.key;

import io.polytable.entity.model.Names;

/** A named part of a formatted key. */
public record KeyComponent(String name, ComponentType type) {
    public KeyComponent {
        Names.identifier("key component", name);
    }
}
