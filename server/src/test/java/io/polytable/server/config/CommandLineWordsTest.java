package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.CommandLineWords;
import io.polytable.frontend.setting.SettingException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineWordsTest {
    @Test
    void takesValuesAttachedAndFollowing() {
        assertThat(textOf("--redis.port=7000")).isEqualTo("7000");
        assertThat(textOf("--redis.port", "7000")).isEqualTo("7000");
        assertThat(textOf("--redis.requirepass=a=b")).isEqualTo("a=b");
        assertThat(textOf("--redis.requirepass=")).isEmpty();
    }

    @Test
    void aSwitchAloneIsTrue() {
        assertThat(textOf("--network.trusted")).isEqualTo("true");
        assertThat(textOf("--network.trusted", "no")).isEqualTo("no");
        CommandLineWords words = CommandLineWords.of(ServerCatalog.get(), List.of("--network.trusted", "target"));
        assertThat(words.settings().get(0).text()).isEqualTo("true");
        assertThat(words.plain()).containsExactly("target");
    }

    @Test
    void keepsPlainWordsInOrder() {
        CommandLineWords words = CommandLineWords.of(ServerCatalog.get(), List.of("one", "--redis.port=1", "two"));
        assertThat(words.plain()).containsExactly("one", "two");
        assertThat(words.settings()).hasSize(1);
    }

    @Test
    void takesTheSettingsFile() {
        assertThat(CommandLineWords.of(ServerCatalog.get(), List.of("--config=a"))
                        .file())
                .contains("a");
        assertThat(CommandLineWords.of(ServerCatalog.get(), List.of("--config", "b"))
                        .file())
                .contains("b");
        assertThat(CommandLineWords.of(ServerCatalog.get(), List.of()).file()).isEmpty();
    }

    @Test
    void refusesASettingWithoutItsValue() {
        assertThatThrownBy(() -> CommandLineWords.of(ServerCatalog.get(), List.of("--redis.port")))
                .isInstanceOf(SettingException.class)
                .hasMessage("--redis.port needs a value: --redis.port=...");
    }

    private static String textOf(String... words) {
        return CommandLineWords.of(ServerCatalog.get(), List.of(words))
                .settings()
                .get(0)
                .text();
    }
}
