package io.polytable.sql.type;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;

/** Validates JSON text. */
final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private Json() {}

    static String checked(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw invalid(text, "it is empty");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw invalid(text, "something follows it");
            }
            return text;
        } catch (JsonProcessingException bad) {
            throw invalid(text, bad.getOriginalMessage());
        } catch (IOException impossible) {
            throw new IllegalStateException("Reading a string failed", impossible);
        }
    }

    private static SqlError invalid(String text, String why) {
        String shown = text.length() > 100 ? text.substring(0, 100) + "..." : text;
        return new SqlError(
                SqlCode.INVALID_VALUE, "invalid input syntax for type json: \"" + shown + "\" (" + why + ")");
    }
}
