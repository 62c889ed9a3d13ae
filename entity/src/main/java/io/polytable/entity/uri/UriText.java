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
import java.util.Locale;
import java.util.Map;

/** Percent-encoding for URIs of entities. */
final class UriText {
    private UriText() {}

    /** Whether an option's value must not be shown, as {@code password} and {@code truststore.password}. */
    static boolean isSecret(String option) {
        String name = option.toLowerCase(Locale.ROOT);
        return name.endsWith("password") || name.endsWith("token");
    }

    /** A URI's text without the values of such options, and without credentials before an at sign. */
    static String shown(String uri) {
        return uri.replaceAll("(?i)(password=)[^&]*", "$1***").replaceAll("://[^/@?]*@", "://***@");
    }

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
