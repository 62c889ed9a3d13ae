package io.polytable.entity.wire;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;

/** What a program can ask of a server's store. The number goes over the wire and is never used for another call. */
public enum StoreCall {
    INSTANCES(1),
    CREATE_INSTANCE(2),
    DROP_INSTANCE(3),
    /** Whether there is the instance. */
    FIND_INSTANCE(4),
    GET_RECORD(5),
    PUT_RECORD(6),
    REMOVE_RECORD(7),
    REPLACE_RECORD(8),
    RECORDS(9),
    PREPARE(10),
    TRIM(11),
    DROP(12),
    GET(13),
    /** Changes of their own, each with its outcome. */
    WRITE(14),
    /** Changes that succeed or fail as one call, though each row on its own. */
    WRITE_ALL(15),
    PARTITIONS(16),
    FLUSH(17),
    /** A page of a scan, and whether there is more behind it. */
    SCAN(18);

    /** The first byte of every call. */
    public static final int VERSION = 1;

    /** Where servers answer calls. */
    public static final String PATH = "/entity/call";

    /** Whose permissions hold for a call of who runs the server; without it everything is permitted. */
    public static final String USER_HEADER = "X-Polytable-User";

    public static final String CONTENT_TYPE = "application/x-polytable-entity";

    private final int number;

    StoreCall(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public static StoreCall of(int number) {
        for (StoreCall call : values()) {
            if (call.number == number) {
                return call;
            }
        }
        throw new EntityException(EntityError.BAD_REQUEST, "No such call of the store", Map.of("number", number));
    }
}
