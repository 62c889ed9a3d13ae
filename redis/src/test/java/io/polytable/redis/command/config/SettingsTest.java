package io.polytable.redis.command.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.model.RedisError;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private final Settings settings = new Settings();

    private String shown() {
        return Objects.requireNonNull(settings.find("maxmemory-clients")).text();
    }

    @Test
    void aPercentageOfClientMemoryIsOneOfMaxmemory() {
        settings.set("maxmemory", "1001");
        settings.set("maxmemory-clients", "10%");
        assertThat(shown()).isEqualTo("10%");
        assertThat(settings.inputBytesMax()).isEqualTo(100);
        assertThat(settings.outputBytesMax()).isEqualTo(100);
    }

    @Test
    void withoutMaxmemoryItIsOneOfTheDefault() {
        long input = settings.inputBytesMax();
        long output = settings.outputBytesMax();
        settings.set("maxmemory-clients", "100%");
        assertThat(settings.inputBytesMax()).isEqualTo(input);
        settings.set("maxmemory-clients", "50%");
        assertThat(settings.inputBytesMax()).isEqualTo(input / 2);
        assertThat(settings.outputBytesMax()).isEqualTo(output / 2);
        settings.set("maxmemory-clients", "0%");
        assertThat(shown()).isEqualTo("0");
        assertThat(settings.inputBytesMax()).isEqualTo(input);
    }

    /** The texts are those of Redis 7.0. */
    @ParameterizedTest
    @CsvSource({
        "101%, percentage argument must be less or equal to 100",
        "-5%, argument must be a memory or percent value",
        "5.5%, argument must be a memory or percent value",
        "010%, argument must be a memory or percent value",
        "%, argument must be a memory or percent value",
        "10kb%, argument must be a memory or percent value",
        "x, argument must be a memory or percent value",
        "-1, argument must be a memory or percent value"
    })
    void whatIsNeitherMemoryNorPercentIsRejected(String text, String why) {
        assertThatThrownBy(() -> settings.check("maxmemory-clients", text))
                .isInstanceOfSatisfying(
                        RedisError.class, error -> assertThat(error.text()).isEqualTo(why));
    }
}
