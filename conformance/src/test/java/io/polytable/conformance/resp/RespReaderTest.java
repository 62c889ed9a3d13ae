package io.polytable.conformance.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespReaderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "-ERR no\r\n",
                ":-12\r\n",
                "$0\r\n\r\n",
                "$5\r\na\r\n\u0000\u00ff\r\n",
                "$-1\r\n",
                "*-1\r\n",
                "*0\r\n",
                "*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
                "_\r\n",
                "#t\r\n",
                ",1.5\r\n",
                "(123456789012345678901234567890\r\n",
                "=6\r\ntxt:ab\r\n",
                "!5\r\nERR x\r\n",
                "%1\r\n+a\r\n:1\r\n",
                "~1\r\n+a\r\n",
                ">2\r\n+a\r\n_\r\n",
            })
    void keepsTheBytesAndTheMeaning(String bytes) throws IOException {
        Answer answer = reader(bytes).read();
        assertThat(answer.bytes()).isEqualTo(bytes);
        assertThat(answer.tree().encoded()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+O", "$3\r\nab", "*2\r\n:1\r\n", "?\r\n", "$x\r\n", "$1\r\nabc\r\n"})
    void refusesWhatIsNoReply(String bytes) {
        assertThatThrownBy(() -> reader(bytes).read()).isInstanceOf(IOException.class);
    }

    @Test
    void writesCommandsSoThatAPersonCanRepeatThem() {
        assertThat(RespText.of(java.util.List.of("SET", "a b", "\u0000\r\n\"")))
                .isEqualTo("SET \"a b\" \"\\x00\\x0d\\x0a\\\"\"");
    }

    private static RespReader reader(String bytes) {
        return new RespReader(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
