package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

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
        return "| Setting | Default | Takes | Meaning |\n| --- | --- | --- | --- |\n"
                + SettingCatalog.keys().stream().map(ConfigurationPageTest::row).collect(Collectors.joining());
    }

    private static String row(Setting<?> key) {
        String aliases =
                key.aliases().stream().map(alias -> ", also `" + alias + "`").collect(Collectors.joining());
        String initial = key.defaultText().isEmpty() ? "none" : "`" + key.defaultText() + "`";
        return "| `" + key.name() + "`" + aliases + " | " + initial + " | "
                + key.type().takes() + " | " + key.meaning() + effect(key.effect()) + " |\n";
    }

    private static String effect(Setting.Effect effect) {
        return switch (effect) {
            case IN_USE -> "";
            case NOT_YET -> " *No effect yet.*";
            case NONE -> " *No effect.*";
        };
    }
}
