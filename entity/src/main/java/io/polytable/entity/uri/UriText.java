package io.polytable.entity.uri;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Percent escapes, as far as URIs of entities need them. */
final class UriText {
    private UriText() {}

    static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static String unescape(String text) {
        try {
            // A plus is a plus: this is a path, not a form.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new EntityException(EntityError.BAD_URI, "A percent escape is broken", Map.of("in", text), e);
        }
    }

    static String escapePath(Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(name -> names.add(escape(name.toString())));
        return (path.isAbsolute() ? "/" : "") + String.join("/", names);
    }

    static String column(ColumnName column) {
        return column.qualifier()
                .map(qualifier -> column.family() + ":" + escape(qualifier))
                .orElse(column.family());
    }
}
