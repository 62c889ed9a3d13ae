package io.polytable.frontend.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLevelsTest {
    @Test
    void oneLevelForAllAndOthersForPackages() {
        assertThat(LogLevels.parse("INFO")).contains(new LogLevels(LogLevel.INFO, Map.of()));
        assertThat(LogLevels.parse("warn, io.polytable.sql=debug,io.polytable.store = trace"))
                .contains(new LogLevels(
                        LogLevel.WARN,
                        Map.of("io.polytable.sql", LogLevel.DEBUG, "io.polytable.store", LogLevel.TRACE)));
        assertThat(LogLevels.parse("io.polytable.sql=debug").orElseThrow().text())
                .isEqualTo("warn,io.polytable.sql=debug");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "loud", "warn,info", "=info", "a b=info", "warn,", "io.polytable=", "9=info"})
    void anythingElseIsNoLevel(String text) {
        assertThat(LogLevels.parse(text)).isEmpty();
    }
}
