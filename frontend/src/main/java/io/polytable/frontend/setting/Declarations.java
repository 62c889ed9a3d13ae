package io.polytable.frontend.setting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Registers the settings of a module as they are declared, so that no declared setting is forgotten. */
public final class Declarations {
    private final List<Setting<?>> settings = new ArrayList<>();

    public <T> Setting<T> add(Setting<T> setting) {
        settings.add(setting);
        return setting;
    }

    public List<Setting<?>> all() {
        return Collections.unmodifiableList(settings);
    }
}
