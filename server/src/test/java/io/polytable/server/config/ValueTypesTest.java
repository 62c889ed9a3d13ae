package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.LogLevel;
import io.polytable.frontend.setting.ValueType;
import io.polytable.frontend.setting.ValueTypes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1000, 1000",
        "64k, 65536",
        "64kb, 65536",
        "64 KiB, 65536",
        "256mb, 268435456",
        "1G, 1073741824",
        "2tb, 2199023255552"
    })
    void readsSizes(String text, long bytes) {
        assertThat(ValueTypes.bytes(0, Long.MAX_VALUE).parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mb", "-1", "1.5gb", "12 parsecs", "999999999999999t", "0x10", "1 2"})
    void refusesWhatIsNoSize(String text) {
        assertThat(ValueTypes.bytes(0, Long.MAX_VALUE).parse(text)).isEmpty();
    }

    @Test
    void keepsSizesInTheirRange() {
        ValueType<Long> type = ValueTypes.bytes(ByteSize.MB, 2 * ByteSize.MB);
        assertThat(type.parse("1mb")).isPresent();
        assertThat(type.parse("2mb")).isPresent();
        assertThat(type.parse("1023kb")).isEmpty();
        assertThat(type.parse("3mb")).isEmpty();
    }

    @Test
    void autoIsASizeToBeChosenLater() {
        ValueType<OptionalLong> type = ValueTypes.bytesOrAuto(1, ByteSize.GB);
        assertThat(type.parse("AUTO")).contains(OptionalLong.empty());
        assertThat(type.parse("1kb")).contains(OptionalLong.of(1024));
        assertThat(type.parse("automatic")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "300, 300000", "500ms, 500", "30s, 30000", "5m, 300000", "5min, 300000", "12h, 43200000"})
    void readsDurations(String text, long millis) {
        assertThat(ValueTypes.duration().parse(text)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-5s", "5 weeks", "1h30m", "s", "9999999999s", "36501d"})
    void refusesWhatIsNoDuration(String text) {
        assertThat(ValueTypes.duration().parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0s", "-5s", "soon"})
    void aPositiveDurationIsAboveZero(String text) {
        assertThat(ValueTypes.positiveDuration().parse(text)).isEmpty();
        assertThat(ValueTypes.positiveDuration().parse("1ms")).contains(Duration.ofMillis(1));
    }

    @ParameterizedTest
    @CsvSource({"true, true", "Yes, true", "on, true", "FALSE, false", "no, false", "off, false"})
    void readsBooleans(String text, boolean value) {
        assertThat(ValueTypes.bool().parse(text)).contains(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "truth", "enabled"})
    void refusesWhatIsNoBoolean(String text) {
        assertThat(ValueTypes.bool().parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "65536", "99999999999999999999", "80a", "1e3", "٣"})
    void refusesWhatIsNoPort(String text) {
        assertThat(ValueTypes.port().parse(text)).isEmpty();
    }

    @Test
    void readsPortsAtTheirBounds() {
        assertThat(ValueTypes.port().parse("0")).contains(0);
        assertThat(ValueTypes.port().parse(" 65535 ")).contains(65_535);
    }

    @Test
    void readsChoicesInAnyCase() {
        assertThat(ValueTypes.oneOf(LogLevel.class).parse("Warn")).contains(LogLevel.WARN);
        assertThat(ValueTypes.oneOf(LogLevel.class).parse("verbose")).isEmpty();
        assertThat(ValueTypes.oneOf(LogLevel.class).takes()).isEqualTo("one of off, error, warn, info, debug, trace");
    }

    @Test
    void readsAddresses() {
        assertThat(ValueTypes.address().parse("127.0.0.1")).get().matches(address -> address.isLoopbackAddress());
        assertThat(ValueTypes.address().parse("::1")).get().matches(address -> address.isLoopbackAddress());
        assertThat(ValueTypes.address().parse("")).isEmpty();
        assertThat(ValueTypes.address().parse("no such host.")).isEmpty();
    }

    @Test
    void readsEndpoints() {
        ValueType<List<String>> type = ValueTypes.endpoints();
        assertThat(type.parse("")).contains(List.of());
        assertThat(type.parse("a:1, b.example:2181,[::1]:3")).contains(List.of("a:1", "b.example:2181", "[::1]:3"));
        assertThat(type.parse("a")).isEmpty();
        assertThat(type.parse("a:1,")).isEmpty();
        assertThat(type.parse("a:70000")).isEmpty();
    }
}
