package io.polytable.frontend.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CredentialsTest {
    @Test
    void aChangedPasswordReplacesTheFormerOne() {
        Credentials credentials = new Credentials("früher");
        assertThat(credentials.accepts("früher".getBytes(UTF_8))).isTrue();
        credentials.change("later".getBytes(UTF_8));
        assertThat(credentials.accepts("früher".getBytes(UTF_8))).isFalse();
        assertThat(credentials.accepts("later".getBytes(UTF_8))).isTrue();
    }

    @Test
    void anEmptyPasswordIsNotRequired() {
        Credentials credentials = new Credentials("x");
        assertThat(credentials.isRequired()).isTrue();
        assertThat(credentials.accepts(new byte[0])).isFalse();
        credentials.change(new byte[0]);
        assertThat(credentials.isRequired()).isFalse();
        assertThat(credentials.accepts("y".getBytes(UTF_8))).isTrue();
    }
}
