package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.Origin;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample settings file of a release has every key that has an effect, commented out. {@code
 * -Dpolytable.rewrite=true} rewrites it.
 */
class SampleSettingsTest {
    private static final String TOP = """
            # Settings of a Polytable server. Remove the # in front of a key to change it from its default.
            # Use this file as polytable.properties in the data directory, or name it with --config=FILE or POLYTABLE_CONFIG.
            # Values are literal: no quotes, no escapes. Environment variables and the command line override this file.
            """;

    @TempDir
    private Path directory;

    @Test
    void theSampleShowsEveryKey() throws IOException {
        Path sample = Path.of(System.getProperty("polytable.root", ".."), "packaging", "polytable.properties.sample");
        String wanted = TOP + inEffect().stream().map(SampleSettingsTest::entry).collect(Collectors.joining());
        if (Boolean.getBoolean("polytable.rewrite")) {
            Files.writeString(sample, wanted);
        }
        assertThat(sample).hasContent(wanted);
    }

    @Test
    void theSampleIsValidAsItIsAndWithEveryLineInUse() throws IOException {
        String sample = Files.readString(
                Path.of(System.getProperty("polytable.root", ".."), "packaging", "polytable.properties.sample"));
        Path unchanged = Files.writeString(directory.resolve("unchanged"), sample);
        assertThat(load(unchanged).all())
                .allSatisfy(setting -> assertThat(setting.origin()).isEqualTo(new Origin.Default()));
        Path inUse = Files.writeString(directory.resolve("all"), sample.replaceAll("(?m)^#(?=[a-z][a-z.-]*=)", ""));
        assertThat(load(inUse).all())
                .filteredOn(setting -> setting.setting().isInUse())
                .allSatisfy(setting -> assertThat(setting.origin())
                        .as(setting.setting().name())
                        .isInstanceOf(Origin.File.class));
    }

    private static Settings load(Path file) {
        return ServerCatalog.load(List.of("--config=" + file), Map.of());
    }

    private static List<Setting<?>> inEffect() {
        return ServerCatalog.get().settings().stream()
                .filter(key -> key.isInUse())
                .collect(Collectors.toList());
    }

    private static String entry(Setting<?> key) {
        return "\n# " + key.meaning() + "\n# Takes " + key.type().takes() + ".\n#" + key.name() + "="
                + key.defaultText() + "\n";
    }
}
