package io.polytable.cells.store.view;

import io.polytable.table.Bytes;

/** Writes bytes as a JSON string: as text if they are UTF-8, otherwise with each byte outside of ASCII as \xNN. */
final class JsonText {
    private JsonText() {}

    static void append(StringBuilder out, Bytes bytes) {
        String text = bytes.utf8();
        if (!Bytes.utf8(text).equals(bytes)) {
            String shown = bytes.toString();
            text = shown.substring(1, shown.length() - 1);
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
