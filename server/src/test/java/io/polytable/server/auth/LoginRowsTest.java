package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class LoginRowsTest {
    @Test
    void thePageShowsTheBytesOfARow() throws IOException {
        Login login = new Login(
                "00ff",
                "ann",
                Login.Kind.LOGIN,
                "",
                "",
                3,
                Instant.ofEpochSecond(1_700_000_000),
                Instant.ofEpochSecond(1_700_000_001));
        String page =
                Files.readString(Path.of(System.getProperty("polytable.root", ".."), "docs", "formats", "users.md"));
        String dump = page.substring(page.indexOf("<!-- dump: login -->\n```\n") + 25);
        assertThat(HexFormat.of().formatHex(LoginRows.value(login).toByteArray()))
                .isEqualTo(dump.substring(0, dump.indexOf("```")).replaceAll("\\s", ""));
    }
}
