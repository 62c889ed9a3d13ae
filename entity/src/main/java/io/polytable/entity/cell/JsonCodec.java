package io.polytable.entity.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.table.Bytes;
import java.io.IOException;

/** The codec of JSON as UTF-8 text; values are trees, or anything that Jackson can convert to one. */
final class JsonCodec implements CellCodec {
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final String column;

    JsonCodec(String column) {
        this.column = column;
    }

    @Override
    public Bytes encode(Object value) {
        try {
            return Bytes.of(JSON.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw BadValue.of(
                    column,
                    "The value cannot be written as JSON",
                    value.getClass().getName(),
                    e);
        }
    }

    @Override
    public Object decode(Bytes stored, ReadAs as) {
        try {
            JsonNode tree = JSON.readTree(stored.array(), stored.offset(), stored.length());
            if (!tree.isMissingNode()) {
                return tree;
            }
        } catch (IOException e) {
            throw BadValue.of(column, "The cell is not JSON", stored.length() + " bytes", e);
        }
        throw BadValue.of(column, "The cell is not JSON", "nothing", null);
    }
}
