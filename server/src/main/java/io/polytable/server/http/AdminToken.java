package io.polytable.server.http;

import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * The password of the admin endpoint. It is new at every start, in a file that only the server's user can read, so a
 * token in a copy of an old data directory is worthless.
 */
public final class AdminToken {
    private static final String FILE = "admin.token";
    private static final String SCHEME = "Bearer ";
    private static final int TOKEN_BYTES = 32;

    private final byte[] header;

    private AdminToken(String token) {
        this.header = header(token).getBytes(StandardCharsets.UTF_8);
    }

    /** Generates a token and stores it in the directory. */
    public static AdminToken create(Path directory) throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        // Written to a temporary file first: the file must never exist with wider permissions or half a token.
        Path fresh = Files.createTempFile(
                directory,
                FILE,
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, token + "\n");
        Files.move(fresh, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        return new AdminToken(token);
    }

    /** The header value that a command on this machine sends. */
    public static String headerFor(Path directory) throws IOException {
        return header(Files.readString(directory.resolve(FILE)).strip());
    }

    /** Wraps an answer so that it needs the token. */
    public Function<HttpRequest, HttpReply> guard(Function<HttpRequest, HttpReply> answer) {
        return call -> isBroughtBy(call)
                ? answer.apply(call)
                : HttpReply.plain(401, "The admin endpoint needs the token from the data directory");
    }

    private boolean isBroughtBy(HttpRequest call) {
        return isHeader(call.authorization());
    }

    /** As {@link #isHeader}, of what follows the header's scheme. */
    public boolean isToken(String bearer) {
        return isHeader(header(bearer));
    }

    /** Constant time, so that the timing of a refusal reveals nothing about the token. */
    public boolean isHeader(String authorization) {
        return MessageDigest.isEqual(header, authorization.getBytes(StandardCharsets.UTF_8));
    }

    private static String header(String token) {
        return SCHEME + token;
    }
}
