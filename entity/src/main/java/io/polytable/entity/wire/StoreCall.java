package io.polytable.entity.wire;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;

/** The calls on a server's store. The number is part of the protocol and never reused. */
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
    /** Independent changes, each with its outcome. */
    WRITE(14),
    /** Changes that succeed or fail as one call, although each row is written separately. */
    WRITE_ALL(15),
    PARTITIONS(16),
    FLUSH(17),
    /** A page of a scan, and whether more follows. */
    SCAN(18);

    /** The first byte of every call. */
    public static final int VERSION = 1;

    /** The path of calls. */
    public static final String PATH = "/entity/call";

    /** The header with the user whose permissions apply to the call; without it everything is permitted. */
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
