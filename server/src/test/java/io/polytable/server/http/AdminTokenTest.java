package io.polytable.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminTokenTest {
    @TempDir
    private Path directory;

    @Test
    void onlyTheServersUserCanReadIt() throws IOException {
        AdminToken.create(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("admin.token"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whoBringsItGetsTheAnswer() throws IOException {
        Function<HttpRequest, HttpReply> guarded = AdminToken.create(directory).guard(call -> HttpReply.ok("done"));
        assertThat(guarded.apply(call(AdminToken.headerFor(directory))).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer ", "Bearer", "Bearer 00", "Basic abc", "öä"})
    void whoDoesNotIsTurnedAway(String authorization) throws IOException {
        Function<HttpRequest, HttpReply> guarded = AdminToken.create(directory).guard(call -> HttpReply.ok("done"));
        assertThat(guarded.apply(call(authorization)).status()).isEqualTo(401);
    }

    @Test
    void everyStartHasItsOwn() throws IOException {
        AdminToken.create(directory);
        String old = AdminToken.headerFor(directory);
        Function<HttpRequest, HttpReply> guarded = AdminToken.create(directory).guard(call -> HttpReply.ok("done"));
        assertThat(AdminToken.headerFor(directory)).isNotEqualTo(old);
        assertThat(guarded.apply(call(old)).status()).isEqualTo(401);
    }

    private static HttpRequest call(String authorization) {
        return new HttpRequest(
                HttpMethod.POST,
                "/admin/check",
                Map.of(),
                false,
                Map.of("authorization", authorization),
                Bytes.EMPTY,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }
}
