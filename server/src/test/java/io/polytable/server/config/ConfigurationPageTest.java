package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table in docs/configuration.md equals the catalogue. {@code -Dpolytable.rewrite=true} rewrites it. */
class ConfigurationPageTest {
    private static final String BEGIN = "<!-- keys: written by ConfigurationPageTest -->\n";
    private static final String END = "<!-- end of keys -->\n";

    @Test
    void thePageShowsEveryKey() throws IOException {
        Path page = Path.of(System.getProperty("polytable.root", ".."), "docs", "configuration.md");
        String present = Files.readString(page);
        int begin = present.indexOf(BEGIN) + BEGIN.length();
        String wanted = present.substring(0, begin) + table() + present.substring(present.indexOf(END));
        if (Boolean.getBoolean("polytable.rewrite")) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page)).isEqualTo(wanted);
    }

    private static String table() {
        return "| Key | Default | Takes | Meaning |\n| --- | --- | --- | --- |\n"
                + ServerCatalog.get().settings().stream()
                        .filter(setting -> !isHint(setting))
                        .map(ConfigurationPageTest::row)
                        .collect(Collectors.joining())
                + "\nRedis' tuning hints are accepted without effect, so that its tools and files work: "
                + ServerCatalog.get().settings().stream()
                        .filter(ConfigurationPageTest::isHint)
                        .map(setting -> "`" + setting.name() + "`")
                        .collect(Collectors.joining(", "))
                + ".\n";
    }

    private static boolean isHint(Setting<?> setting) {
        return !setting.isInUse() && setting.isLive();
    }

    private static String row(Setting<?> setting) {
        String aliases = setting.aliases().stream()
                .map(alias -> ", also `" + alias + "`")
                .collect(Collectors.joining());
        String initial = setting.defaultText().isEmpty() ? "none" : "`" + setting.defaultText() + "`";
        return "| `" + setting.name() + "`" + aliases + " | " + initial + " | "
                + setting.type().takes() + " | " + setting.meaning() + (setting.isInUse() ? "" : " *No effect.*")
                + (setting.isLive() ? " *Live.*" : "") + " |\n";
    }
}
