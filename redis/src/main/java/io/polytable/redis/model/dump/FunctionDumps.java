package io.polytable.redis.model.dump;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The payload of FUNCTION DUMP: the code of each library behind a tag, then version and checksum as for a value.
 */
public final class FunctionDumps {
    private static final int LIBRARY = 245;

    /** The tag of a format that only pre-releases of Redis 7 wrote. */
    private static final int LIBRARY_OF_PRERELEASE = 246;

    private FunctionDumps() {}

    public static Bytes write(Collection<Bytes> libraries, DumpFormat format) {
        ValueOutput out = new ValueOutput(format.compresses());
        for (Bytes code : libraries) {
            out.bytes().add(LIBRARY);
            out.string(code);
        }
        return Payload.seal(out.bytes(), format.version());
    }

    /**
     * The code of the libraries.
     *
     * @throws RedisError when the payload is damaged, or of a newer version, or has other things in it
     */
    public static List<Bytes> read(Bytes payload) {
        Bytes content =
                Payload.open(payload).orElseThrow(() -> new RedisError("DUMP payload version or checksum are wrong"));
        List<Bytes> libraries = new ArrayList<>();
        ValueInput in = new ValueInput(content, bytes -> {});
        try {
            while (in.left() > 0) {
                int tag = in.next();
                if (tag == LIBRARY_OF_PRERELEASE) {
                    throw new RedisError("Pre-GA function format not supported");
                }
                if (tag != LIBRARY) {
                    throw new RedisError("given type is not a function");
                }
                libraries.add(in.string());
            }
        } catch (MalformedPacking malformed) {
            throw new RedisError("failed loading the given functions payload");
        }
        return libraries;
    }
}
