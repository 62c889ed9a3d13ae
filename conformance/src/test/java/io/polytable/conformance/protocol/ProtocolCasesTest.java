package io.polytable.conformance.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProtocolCasesTest {
    @Test
    void readsBytesAsTheyAreWritten() {
        assertThat(ProtocolCases.bytes("*1\\r\\n$4 \\x00\\xff x{3}\\\\q")).isEqualTo("*1\r\n$4 \u0000\u00ff xxx\\q");
        assertThat(ProtocolCases.bytes("\\e")).isEmpty();
        assertThat(ProtocolCases.read("requests")).hasSizeGreaterThan(60).contains("", "QUIT\r\n");
    }
}
