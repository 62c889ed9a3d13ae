package io.polytable.redis.command.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.RedisError;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisConfigTest {
    private static final long PLANNED = 1 << 20;

    private final RedisConfig settings = new RedisConfig();
    private final Budget budget = Budget.of("clients", PLANNED);

    @BeforeEach
    void limit() {
        settings.limitClients(budget);
    }

    private String shown() {
        return Objects.requireNonNull(settings.find("maxmemory-clients")).text();
    }

    @Test
    void aPercentageOfClientMemoryIsOneOfMaxmemory() {
        settings.set("maxmemory", "1001");
        settings.set("maxmemory-clients", "10%");
        assertThat(shown()).isEqualTo("10%");
        assertThat(budget.limitBytes()).isEqualTo(100);
    }

    @Test
    void withoutMaxmemoryItIsOneOfTheDefault() {
        settings.set("maxmemory-clients", "100%");
        assertThat(budget.limitBytes()).isEqualTo(PLANNED);
        settings.set("maxmemory-clients", "50%");
        assertThat(budget.limitBytes()).isEqualTo(PLANNED / 2);
        settings.set("maxmemory-clients", "0%");
        assertThat(shown()).isEqualTo("0");
        assertThat(budget.limitBytes()).isEqualTo(PLANNED);
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
        assertThatThrownBy(() -> Objects.requireNonNull(settings.find("maxmemory-clients"))
                        .check(text))
                .isInstanceOfSatisfying(
                        RedisError.class, error -> assertThat(error.text()).isEqualTo(why));
    }
}
