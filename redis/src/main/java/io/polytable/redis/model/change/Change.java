package io.polytable.redis.model.change;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/** One change that a unit of work committed. Databases have the numbers that clients select them by. */
public sealed interface Change {
    /**
     * A key changed, came or went. One command can change a key several times: {@code HDEL} of the last field is
     * {@code hdel}, then {@code del}. The last change of a key in a unit has its final {@code holds}.
     *
     * @param holds the type the key holds after this change, null when it is gone; a client blocked on the key for that
     *     type can be served
     */
    record Key(
            int database,
            Bytes key,
            KeyEvent event,
            @Nullable Type holds) implements Change {}

    /** All keys of a database were removed. There is no change for each of them. */
    record Flushed(int database) implements Change {}

    /** Two databases exchanged their keys. There is no change for each of them. */
    record Swapped(int one, int other) implements Change {}

    /**
     * Something to be said between the changes, in their order: a message that a transaction publishes, a read that is
     * tracked, a key that was missed.
     *
     * @param lasting whether it is said also when the changes around it are rolled back: a failed command has still read
     */
    record Said(Runnable aloud, boolean lasting) implements Change {}
}
