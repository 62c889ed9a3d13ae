package io.polytable.server.config;

import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingCatalog;
import io.polytable.frontend.setting.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of all modules of this server. */
public final class ServerCatalog {
    private static final SettingCatalog CATALOG = new SettingCatalog(
            ServerSettings.DATA_DIR,
            Stream.concat(
                            Stream.<Collection<Setting<?>>>of(
                                    ServerSettings.all(),
                                    TlsSettings.all(),
                                    AuthSettings.all(),
                                    StoreSettings.all(),
                                    FlussLogSettings.all(),
                                    ProjectionSettings.all()),
                            Frontends.all().stream().map(FrontendOpener::settings))
                    .flatMap(Collection::stream)
                    .toList());

    private ServerCatalog() {}

    public static SettingCatalog get() {
        return CATALOG;
    }

    /** The settings of a process with these arguments. */
    public static Settings load(List<String> words, Map<String, String> environment) {
        return Settings.load(CATALOG, words, environment);
    }
}
