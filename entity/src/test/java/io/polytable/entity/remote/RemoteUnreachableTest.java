package io.polytable.entity.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.contract.UnreachableContract;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are unreachable or invalid. */
class RemoteUnreachableTest extends UnreachableContract {
    @Override
    protected EntityUri at(int port) {
        return EntityUri.remote(StoreKind.SERVER, List.of("127.0.0.1"), port).withOption("timeout.millis", "1000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 OK|text/html|STORE_FAILED",
                "200 OK|application/x-polytable-entity|STORE_FAILED",
                "401 Unauthorized|text/plain|DENIED",
                "421 Misdirected|text/plain|DENIED",
                "404 Not Found|text/plain|UNREACHABLE",
                "413 Too Large|text/plain|TOO_LARGE",
                "503 Busy|text/plain|UNREACHABLE",
            })
    void anotherKindOfServerIsToldApart(String status, String type, EntityError error) throws IOException {
        String says = "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: 2\r\n\r\n\u0007?";
        try (FakeServer fake = new FakeServer(says)) {
            // The answer is there at once: a machine that is busy for a second must not make it a time-out.
            assertRefused(at(fake.port()).withOption("timeout.millis", "60000"), error);
        }
    }

    @Test
    void anAnswerThatIsCutOffIsUnreachable() throws IOException {
        String says =
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-polytable-entity\r\nContent-Length: 99\r\n\r\nhalf";
        try (FakeServer fake = new FakeServer(says)) {
            assertRefused(at(fake.port()), EntityError.UNREACHABLE);
        }
    }

    private static void assertRefused(EntityUri uri, EntityError error) {
        assertThatThrownBy(() -> Entities.open(uri.withInstance("nobody")))
                .isInstanceOfSatisfying(
                        EntityException.class,
                        e -> assertThat(e.error()).as("%s", e.getMessage()).isEqualTo(error));
    }
}
