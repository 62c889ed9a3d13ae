package io.polytable.sql.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of dates and timestamps parse back to the same value. */
class TextsTest {
    private static String again(SqlType type, String text) {
        return Texts.of(Objects.requireNonNull(Casts.to(type, text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-02-29",
                "0001-01-01",
                "9999-12-31",
                "10000-01-01",
                "300000-06-07",
                "5874897-12-31",
                "0044-03-15 BC",
                "0001-12-31 BC",
                "4714-11-24 BC"
            })
    void datesAreReadAsTheyAreWritten(String text) {
        assertThat(again(SqlType.DATE, text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-02-29 01:02:03.5+00",
                "10000-01-01 00:00:00+00",
                "294246-12-31 23:59:59.999999+00",
                "0044-03-15 01:02:03+00 BC",
                "0001-12-31 23:59:59+00 BC"
            })
    void timestampsAreReadAsTheyAreWritten(String text) {
        assertThat(again(SqlType.TIMESTAMP, text)).isEqualTo(text);
    }

    /** Definitions on disk have it. */
    @Test
    void thePlusOfEarlierVersionsIsRead() {
        assertThat(again(SqlType.DATE, "+10000-01-01")).isEqualTo("10000-01-01");
        assertThat(again(SqlType.TIMESTAMP, "+10000-01-01 00:00:00+00")).isEqualTo("10000-01-01 00:00:00+00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5874898-01-01", "4714-11-23 BC", "0000-01-01 BC", "2024-02-30 BC"})
    void datesBeyondTheBoundsAreRefused(String text) {
        refused(SqlType.DATE, text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"294248-01-01", "300000-01-01", "5000-01-01 00:00:00 BC"})
    void timestampsBeyondTheBoundsAreRefused(String text) {
        refused(SqlType.TIMESTAMP, text);
    }

    private static void refused(SqlType type, String text) {
        assertThatThrownBy(() -> Casts.to(type, text))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.DATETIME_OVERFLOW));
    }

    @Test
    void duckDbGetsTheEraBehindTheDate() {
        assertThat(DateTimeParser.iso("0044-03-15 01:02:03 BC")).isEqualTo("0044-03-15 (BC) 01:02:03");
        assertThat(DateTimeParser.iso("15 Mar 0044 BC")).isEqualTo("0044-03-15 (BC)");
    }
}
