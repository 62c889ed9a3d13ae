package io.polytable.frontend.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingCatalog;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.setting.ValueType;
import io.polytable.frontend.setting.ValueTypes;
import io.polytable.table.Bytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CredentialsTest {
    private final Setting<Path> home = Setting.setting("home", ValueTypes.path(), ".", "Home.");
    private final Setting<Bytes> password = Setting.setting(
                    "password",
                    new ValueType<>("any text", text -> Optional.of(Bytes.utf8(text)), Bytes::toString),
                    "",
                    "The password.")
            .live();
    private final Settings settings = Settings.defaults(new SettingCatalog(home, List.of(home, password)));
    private final Credentials credentials = Credentials.of(settings.live(password));

    private void change(String to) {
        settings.change(Map.of(password, to), "a test");
    }

    @Test
    void aChangedPasswordReplacesTheFormerOne() {
        change("früher");
        assertThat(credentials.accepts("früher".getBytes(UTF_8))).isTrue();
        change("later");
        assertThat(credentials.accepts("früher".getBytes(UTF_8))).isFalse();
        assertThat(credentials.accepts("later".getBytes(UTF_8))).isTrue();
    }

    @Test
    void anEmptyPasswordIsNotRequired() {
        change("x");
        assertThat(credentials.isRequired()).isTrue();
        assertThat(credentials.accepts(new byte[0])).isFalse();
        change("");
        assertThat(credentials.isRequired()).isFalse();
        assertThat(credentials.accepts("y".getBytes(UTF_8))).isTrue();
    }
}
