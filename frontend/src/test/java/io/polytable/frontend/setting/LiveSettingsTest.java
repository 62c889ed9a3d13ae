package io.polytable.frontend.setting;

import static io.polytable.frontend.setting.Setting.setting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that change while the server runs, and the settings file that keeps them. */
class LiveSettingsTest {
    private static final Setting<Path> HOME = setting("home", ValueTypes.path(), "nowhere", "The directory.");
    private static final Setting<Integer> LIMIT =
            setting("limit", ValueTypes.integer(1, 10), "5", "A limit.").live();
    private static final Setting<String> WORD =
            setting("word", ValueTypes.text(), "", "A word.").live();
    private static final Setting<Boolean> FIXED = setting("fixed", ValueTypes.bool(), "no", "Fixed.");
    private static final SettingCatalog CATALOG = new SettingCatalog(HOME, List.of(HOME, LIMIT, WORD, FIXED));

    @TempDir
    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // before each test
    private Settings settings;

    @BeforeEach
    void load() {
        settings = Settings.load(CATALOG, List.of("--home=" + directory), Map.of());
    }

    private Path file() {
        return directory.resolve(SettingsFile.NAME);
    }

    @Test
    void aChangeReachesWhoeverFollows() {
        LiveValue<Integer> followed = settings.live(LIMIT);
        List<Integer> seen = new ArrayList<>();
        Settings.Registration following = settings.onChange(() -> seen.add(followed.get()));
        settings.change(Map.of(LIMIT, "7"), "SET");
        following.close();
        settings.change(Map.of(LIMIT, "8"), "SET");
        assertThat(seen).containsExactly(7);
        assertThat(followed.get()).isEqualTo(8);
        assertThat(settings.given(LIMIT).origin().describe()).isEqualTo("SET");
    }

    @Test
    void allChangeOrNone() {
        assertThatThrownBy(() -> settings.change(Map.of(LIMIT, "11", WORD, "new"), "SET"))
                .isInstanceOf(SettingException.class)
                .hasMessage("limit cannot be \"11\" (from SET): it takes a whole number from 1 to 10");
        assertThatThrownBy(() -> settings.change(Map.of(FIXED, "yes", WORD, "new"), "SET"))
                .isInstanceOf(SettingException.class)
                .hasMessage("fixed cannot be changed while the server runs");
        assertThat(settings.get(WORD)).isEmpty();
    }

    @Test
    void aRewriteKeepsEverythingElseOfTheFile() throws IOException {
        Files.writeString(file(), "# first\nlimit = 2\n\n# last\nfixed=yes\n");
        load();
        settings.change(Map.of(LIMIT, "3", WORD, "a=b # c"), "SET");
        assertThat(settings.rewrite()).isTrue();
        assertThat(file()).hasContent("# first\nlimit=3\n\n# last\nfixed=yes\nword=a=b # c\n");
        load();
        assertThat(settings.get(LIMIT)).isEqualTo(3);
        assertThat(settings.get(WORD)).isEqualTo("a=b # c");
    }

    @Test
    void aRewriteCreatesAFileThatOnlyItsOwnerReads() throws IOException {
        settings.change(Map.of(WORD, "secret"), "SET");
        assertThat(settings.rewrite()).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(Settings.defaults(CATALOG).rewrite()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {" leading", "trailing ", "two\nlines"})
    void whatTheFileCannotHoldIsRefused(String text) {
        settings.change(Map.of(WORD, text), "SET");
        assertThatThrownBy(settings::rewrite)
                .isInstanceOf(SettingException.class)
                .hasMessage("the value of word cannot be written to a settings file");
        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1500ms", "90s", "5m", "3h", "7d"})
    void aTimeIsWrittenAsItIsRead(String text) {
        Duration time = ValueTypes.duration().parse(text).orElseThrow();
        assertThat(ValueTypes.duration().write(time)).isEqualTo(text);
    }
}
