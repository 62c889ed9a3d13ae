package io.polytable.server.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The web page at {@code /}: one file that loads nothing else and calls the server's own endpoints. */
final class ConsolePage {
    private static final String FILE = "page.html";

    private ConsolePage() {}

    static String text() {
        try (InputStream file = ConsolePage.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + " is not in the jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
