package io.polytable.conformance.resp;

import java.util.List;

/** A parsed reply; {@code kind} is the type byte it came with. */
public sealed interface Resp {
    char kind();

    /** The bytes a server writes for this tree. */
    String encoded();

    /** One line: {@code + - : , # (} and RESP3's null {@code _}. */
    record Line(char kind, String text) implements Resp {
        @Override
        public String encoded() {
            return kind + text + "\r\n";
        }
    }

    /** Counted bytes: {@code $ = !}. */
    record Blob(char kind, String text) implements Resp {
        @Override
        public String encoded() {
            return kind + "" + text.length() + "\r\n" + text + "\r\n";
        }
    }

    /** RESP2's two nulls, {@code $-1} and {@code *-1}. */
    record Absent(char kind) implements Resp {
        @Override
        public String encoded() {
            return kind + "-1\r\n";
        }
    }

    /** An aggregate: {@code * ~ > % |}; a map is its keys and values in turn. */
    record Many(char kind, List<Resp> items) implements Resp {
        public Many {
            items = List.copyOf(items);
        }

        boolean isMap() {
            return kind == '%' || kind == '|';
        }

        @Override
        public String encoded() {
            StringBuilder out = new StringBuilder();
            out.append(kind).append(isMap() ? items.size() / 2 : items.size()).append("\r\n");
            items.forEach(item -> out.append(item.encoded()));
            return out.toString();
        }
    }

    static Resp bulk(String text) {
        return new Blob('$', text);
    }

    static Resp integer(long value) {
        return new Line(':', Long.toString(value));
    }

    default boolean isError() {
        return kind() == '-' || kind() == '!';
    }

    default boolean isNull() {
        return this instanceof Absent || kind() == '_';
    }

    /** The text of a line or a blob; an aggregate has none. */
    default String text() {
        if (this instanceof Line line) {
            return line.text;
        }
        if (this instanceof Blob blob) {
            return blob.text;
        }
        throw new AssertionError("No text in " + RespText.of(this));
    }

    /** The number of an integer reply. */
    default long number() {
        if (kind() != ':') {
            throw new AssertionError("Not an integer: " + RespText.of(this));
        }
        return Long.parseLong(text());
    }

    /** The items of an aggregate; a null has none. */
    default List<Resp> items() {
        if (this instanceof Many many) {
            return many.items;
        }
        if (isNull()) {
            return List.of();
        }
        throw new AssertionError("No items in " + RespText.of(this));
    }

    /** The texts of an aggregate's items. */
    default List<String> texts() {
        return items().stream().map(Resp::text).toList();
    }
}
