package io.polytable.conformance.resp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Parses replies from a stream and keeps the bytes of each. */
final class RespReader {
    private static final int DEPTH_MAX = 64;
    private static final int LINE_BYTES_MAX = 1 << 20;

    private final InputStream in;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    RespReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next reply, or an {@link EOFException} when the server closed the connection before it. */
    Answer read() throws IOException {
        taken.reset();
        Resp tree = item(0);
        return new Answer(taken.toString(StandardCharsets.ISO_8859_1), tree);
    }

    private Resp item(int depth) throws IOException {
        if (depth > DEPTH_MAX) {
            throw malformed("nested deeper than " + DEPTH_MAX);
        }
        char kind = (char) next();
        String line = line();
        return switch (kind) {
            case '+', '-', ':', ',', '#', '(', '_' -> new Resp.Line(kind, line);
            case '$', '=', '!' -> blob(kind, length(line));
            case '*', '~', '>' -> many(kind, length(line), depth);
            case '%', '|' -> many(kind, length(line) * 2, depth);
            default -> throw malformed("type byte " + (int) kind);
        };
    }

    private Resp blob(char kind, int length) throws IOException {
        if (length < 0) {
            return new Resp.Absent(kind);
        }
        byte[] bytes = in.readNBytes(length);
        taken.writeBytes(bytes);
        if (bytes.length < length) {
            throw new EOFException("closed inside a reply");
        }
        if (next() != '\r' || next() != '\n') {
            throw malformed("no CRLF after the counted bytes");
        }
        return new Resp.Blob(kind, new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private Resp many(char kind, int count, int depth) throws IOException {
        if (count < 0) {
            return new Resp.Absent(kind);
        }
        List<Resp> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item(depth + 1));
        }
        return new Resp.Many(kind, items);
    }

    private int length(String line) throws IOException {
        try {
            return Integer.parseInt(line);
        } catch (NumberFormatException e) {
            throw new IOException("Malformed reply: length " + RespText.quoted(line), e);
        }
    }

    private String line() throws IOException {
        StringBuilder out = new StringBuilder();
        for (int c = next(); c != '\r'; c = next()) {
            out.append((char) c);
            if (out.length() > LINE_BYTES_MAX) {
                throw malformed("endless line");
            }
        }
        if (next() != '\n') {
            throw malformed("CR without LF");
        }
        return out.toString();
    }

    private int next() throws IOException {
        int c = in.read();
        if (c < 0) {
            throw new EOFException(taken.size() == 0 ? "closed" : "closed inside a reply");
        }
        taken.write(c);
        return c;
    }

    private IOException malformed(String what) {
        return new IOException(
                "Malformed reply: " + what + ", after " + RespText.quoted(taken.toString(StandardCharsets.ISO_8859_1)));
    }
}
