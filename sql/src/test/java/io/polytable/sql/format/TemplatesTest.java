package io.polytable.sql.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected texts are those of PostgreSQL 15. */
class TemplatesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "RM|rm|FMRM|FMrm;'III |iii |III|iii'",
                "IDDD|FMIDDD|iddd;065|65|065",
                "IYYY|IYY|IY|I;2024|024|24|4",
                "IYYTH|Ith;024TH|4th",
                "TZTH|tz|TZHTH|OFTH;UTC|utc|+00|+00",
                "MonthTH|AMTH|RMTH;March    |PM|III ",
                "DTH|DDth|Y,YYYTH;3RD|05th|2,024TH",
                "BC|AD|b.c.|A.D.;AD|AD|a.d.|A.D.",
                "FF1|FF3|FF6TH;0|000|000000TH",
                "Rm;Rm"
            },
            ignoreLeadingAndTrailingWhitespace = false)
    void times(String template, String expected) {
        LocalDateTime moment = LocalDateTime.of(2024, 3, 5, 13, 4, 5);
        assertThat(new TimeTemplate(template).format(moment)).isEqualTo(expected);
    }

    @Test
    void aDayOfTheIsoYearMayBeInTheNextYear() {
        LocalDateTime moment = LocalDateTime.of(2021, 1, 1, 0, 0);
        assertThat(new TimeTemplate("IYYY IDDD").format(moment)).isEqualTo("2020 369");
    }

    @Test
    void aRomanMonthIsRead() {
        assertThat(new TimeTemplate("DD RM YYYY").parse("06 VIII 2024")).isEqualTo(LocalDateTime.of(2024, 8, 6, 0, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1234567;9,999,999; 1,234,567",
                "12;9,999,999;        12",
                "0.5;9,999.99;      .50",
                "12;FM9,999;12",
                "12;0,000; 0,012",
                "12;0,009; 0,012",
                "1.50;FM9.99;1.5",
                "100;FM999;100"
            },
            ignoreLeadingAndTrailingWhitespace = false)
    void numbers(String number, String template, String expected) {
        assertThat(new NumberTemplate(template).format(new BigDecimal(number))).isEqualTo(expected);
    }

    @Test
    void longTemplatesAreRefused() {
        assertThat(new NumberTemplate("9".repeat(1000)).format(BigDecimal.ONE)).hasSize(1001);
        assertThatThrownBy(() -> new NumberTemplate("9,".repeat(501)))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(SqlCode.LIMIT_EXCEEDED));
    }
}
