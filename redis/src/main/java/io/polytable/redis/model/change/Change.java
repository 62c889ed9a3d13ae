package io.polytable.redis.model.change;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/** One change that a unit of work committed. Databases have the numbers by which clients select them. */
public sealed interface Change {
    /**
     * A key was created, changed or removed. One command can change a key several times: {@code HDEL} of the last
     * field is {@code hdel}, then {@code del}. The last change of a key in a unit has its final {@code holds}.
     *
     * @param holds the type the key holds after this change, null when it is gone; a client blocked on the key for that
     *     type can be served
     */
    record Key(
            int database,
            Bytes key,
            KeyEvent event,
            @Nullable Type holds) implements Change {}

    /** All keys of a database were removed. Its keys have no changes of their own. */
    record Flushed(int database) implements Change {}

    /** Two databases exchanged their keys. Their keys have no changes of their own. */
    record Swapped(int one, int other) implements Change {}

    /**
     * An action to run between the changes, in their order: publishing a transaction's message, tracking a read,
     * reporting a missed key.
     *
     * @param survivesRollback whether it runs although the changes around it are rolled back: a failed command has
     *     still read
     */
    record Callback(Runnable action, boolean survivesRollback) implements Change {}

    /** No change: those behind it were made for this origin, such as a blocked client that the unit serves. */
    record ActingAs(Origin origin) implements Change {}
}
