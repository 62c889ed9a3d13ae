package io.polytable.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polytable.frontend.http.ReplyStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What the endpoint answered. */
final class RecordedReply implements ReplyStream {
    int status;
    String type = "";
    final ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean streamed;
    final Map<String, String> headers = new HashMap<>();

    @Override
    public void header(String name, String value) {
        headers.put(name, value);
    }

    @Override
    public void whenGone(Runnable action) {
        // The client of this test stays.
    }

    @Override
    public void whole(int answered, String contentType, byte[] bytes) {
        status = answered;
        type = contentType;
        body.writeBytes(bytes);
    }

    @Override
    public OutputStream begin(int answered, String contentType) {
        status = answered;
        type = contentType;
        streamed = true;
        return body;
    }

    JsonNode json() {
        try {
            return new ObjectMapper().readTree(body.toByteArray());
        } catch (IOException bad) {
            throw new AssertionError(body.toString(StandardCharsets.UTF_8), bad);
        }
    }

    String text() {
        return body.toString(StandardCharsets.UTF_8);
    }
}
