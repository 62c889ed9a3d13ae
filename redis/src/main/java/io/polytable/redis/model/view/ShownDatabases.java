package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews.Notes;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.table.Bytes;
import java.util.BitSet;
import java.util.List;

/**
 * The database numbers under which a physical database's rows are projected: the present one, and those it had earlier
 * in the same window, under which rows removed since were written.
 */
final class ShownDatabases {
    private static final Bytes NOTE = Bytes.utf8("databases");

    private final Notes notes;
    private final BitSet[] shownAs = new BitSet[Databases.PHYSICAL_COUNT];
    private Databases present;
    private Bytes noted;

    ShownDatabases(Notes notes) {
        this.notes = notes;
        noted = notes.read(List.of(NOTE)).get(0).orElse(Bytes.EMPTY);
        present = noted.isEmpty() ? Databases.first() : Databases.decode(noted);
        begin();
    }

    private void begin() {
        for (int physical = 0; physical < shownAs.length; physical++) {
            shownAs[physical] = new BitSet(Databases.COUNT);
        }
        see();
    }

    private void see() {
        for (int database = 0; database < Databases.COUNT; database++) {
            shownAs[present.physical(database)].set(database);
        }
    }

    /** All numbers that the physical database had in this window. */
    int[] of(int physicalDatabase) {
        return shownAs[physicalDatabase].stream().toArray();
    }

    /** Answers the physical databases that are now shown under another number, or no longer. */
    BitSet change(Databases next) {
        BitSet moved = new BitSet(Databases.PHYSICAL_COUNT);
        for (int database = 0; database < Databases.COUNT; database++) {
            if (present.physical(database) != next.physical(database)) {
                moved.set(present.physical(database));
                moved.set(next.physical(database));
            }
        }
        present = next;
        see();
        return moved;
    }

    /** Ends the window. */
    void end() {
        Bytes note = present.encode();
        if (!note.equals(noted)) {
            notes.put(NOTE, note);
            noted = note;
        }
        begin();
    }
}
