package io.polytable.entity.wire;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Arrays;
import java.util.Map;

/** The frame of an answer: a result or an error. */
public final class CallAnswer {
    static final int OK = 0;
    static final int FAILED = 1;

    private CallAnswer() {}

    public static BytesWriter begun() {
        return new BytesWriter().u8(OK);
    }

    public static Bytes failed(EntityException failure) {
        BytesWriter out = new BytesWriter().u8(FAILED);
        write(out, failure);
        return out.toBytes();
    }

    static void write(BytesWriter out, EntityException failure) {
        out.text(failure.error().name()).text(String.valueOf(failure.getMessage()));
    }

    /** The content of an answer; its error is thrown. */
    public static BytesReader opened(Bytes answer) {
        BytesReader in = new BytesReader(answer);
        int kind = in.u8();
        if (kind == OK) {
            return in;
        }
        if (kind == FAILED) {
            throw failure(in);
        }
        throw new EntityException(EntityError.STORE_FAILED, "Not an answer of a store", Map.of("kind", kind));
    }

    static EntityException failure(BytesReader in) {
        String name = in.text();
        // A newer server may know errors that this program does not.
        EntityError error = Arrays.stream(EntityError.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElse(EntityError.STORE_FAILED);
        return new EntityException(error, in.text());
    }
}
