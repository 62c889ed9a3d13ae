package io.polytable.entity.rest;

import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import java.util.List;

/** The entity library's frontend on the HTTP port. */
public final class EntitySettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Boolean> ENABLED =
            SETTINGS.add(setting("entity.enabled", bool(), "true", "Whether entities are served on the HTTP port."));

    private EntitySettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
