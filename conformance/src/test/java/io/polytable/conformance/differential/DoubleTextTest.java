package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoubleTextTest {
    @ParameterizedTest
    @CsvSource({
        "0.10000000000000001, 0.1",
        "3.2999999999999998, 3.3",
        "-0, -0",
        "0, 0",
        "3, 3",
        "1e+17, 100000000000000000",
        "1e+20, 1e+20",
        "1.2345678901234568e+20, 123456789012345680000",
        "9.9999999999999995e-08, 1e-7",
        "1.234e-06, 1.234e-6",
        "9.9999999999999995e-07, 0.000001",
        "1.5e-09, 1.5e-9",
        "1.7976931348623157e+308, 1.7976931348623157e+308",
        "-4.9406564584124654e-324, -5e-324",
        "inf, inf",
        "-inf, -inf",
        "123456.789, 123456.789",
    })
    void writesTheShortestDigits(String seven, String sevenTwo) {
        assertThat(DoubleText.of(DoubleText.parse(seven))).isEqualTo(sevenTwo);
    }
}
