package io.polytable.redis.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.table.Bytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/**
 * What a real Redis answered, as lines of fields under {@code golden/}: bytes that do not print stand as {@code %xx},
 * no bytes at all as a single {@code %}; a field {@code #length:beginning} stands for an answer too long to keep.
 */
public final class GoldenLines {
    private GoldenLines() {}

    public static List<List<String>> of(String file) {
        InputStream stream = Objects.requireNonNull(GoldenLines.class.getResourceAsStream("/golden/" + file), file);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("# "))
                    .map(line -> List.of(line.split(" ")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Bytes bytes(String field) {
        byte[] bytes = new byte[field.length()];
        int length = 0;
        for (int i = 0; i < field.length() && !field.equals("%"); i++) {
            if (field.charAt(i) == '%') {
                bytes[length++] = (byte) Integer.parseInt(field.substring(i + 1, i + 3), 16);
                i += 2;
            } else {
                bytes[length++] = (byte) field.charAt(i);
            }
        }
        return Bytes.of(bytes, 0, length);
    }

    /** An answer as the files write it. */
    public static String shortened(Bytes answer) {
        String text = answer.utf8();
        return text.length() > 400 ? "#" + text.length() + ":" + text.substring(0, 40) : text;
    }
}
