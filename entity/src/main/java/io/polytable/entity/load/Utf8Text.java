package io.polytable.entity.load;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The text of a file. Invalid UTF-8 ends the import: Java would replace it by question marks, which would be stored.
 */
final class Utf8Text extends FilterReader {
    private static final int BUFFER_CHARS = 1 << 16;

    private Utf8Text(Reader in) {
        super(in);
    }

    static Reader reader(InputStream file) {
        Reader strict = new InputStreamReader(
                file,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
        return new BufferedReader(new Utf8Text(strict), BUFFER_CHARS);
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        try {
            return super.read(target, offset, length);
        } catch (CharacterCodingException e) {
            throw new IOException("The file is not in UTF-8: convert it first", e);
        }
    }
}
