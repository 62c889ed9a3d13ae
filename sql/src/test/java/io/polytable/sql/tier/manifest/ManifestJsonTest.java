package io.polytable.sql.tier.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Manifests of every format that was ever written can be read. */
class ManifestJsonTest {
    private static String golden(int format) throws IOException {
        try (InputStream in = ManifestJsonTest.class.getResourceAsStream("manifest-" + format + ".json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theFirstFormatHadNoChecksums() throws IOException {
        Manifest manifest = ManifestJson.parse(golden(1));
        assertThat(manifest.segments()).hasSize(1);
        Segment segment = manifest.segments().get(0);
        assertThat(segment.bytes()).isEqualTo(2100);
        assertThat(segment.sha256()).isEmpty();
        assertThat(ManifestJson.parse(ManifestJson.text(manifest))).isEqualTo(manifest);
    }

    @Test
    void thePresentFormatIsWrittenAsBefore() throws IOException {
        Manifest manifest = ManifestJson.parse(golden(2));
        assertThat(manifest.segments().get(0).sha256()).contains("0123456789abcdef".repeat(4));
        assertThat(ManifestJson.text(manifest)).isEqualTo(golden(2));
    }

    @Test
    void aLaterFormatIsRefused() throws IOException {
        String later = golden(2).replace("\"format\" : 2", "\"format\" : 3");
        assertThatThrownBy(() -> ManifestJson.parse(later))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.error()).isEqualTo(StoreError.NEWER_FORMAT));
    }
}
