package io.polytable.store.fluss.projection;

import io.polytable.table.Bytes;
import java.util.Arrays;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.record.ChangeType;
import org.apache.fluss.row.InternalRow;

/**
 * The changelog of the notes, in order. Owners write in the order of their positions, so a row with a lower position
 * than one before it was written by a fenced owner, late. Removals do not count: a note is removed with the thing it is
 * about, which never comes back.
 */
final class NotesHistory {
    private SavedProgress progress;
    private long highest;
    private Bytes ownMark = Bytes.EMPTY;
    private boolean begun;
    private boolean overwritten;

    /** @param shown the progress from whose offset on the changelog is read; a fenced owner may have written it */
    NotesHistory(SavedProgress shown) {
        progress = shown;
        highest = shown.notesPosition();
    }

    /** The new owner's first row: what comes after it is compared with its position. */
    void expect(Bytes mark) {
        ownMark = mark;
    }

    void add(ScanRecord record) {
        if (record.getChangeType() == ChangeType.DELETE || record.getChangeType() == ChangeType.UPDATE_BEFORE) {
            return;
        }
        InternalRow row = record.getRow();
        byte[] key = row.getBytes(0);
        Bytes note = Bytes.of(row.getBytes(1));
        long position = row.getLong(2);
        if (Arrays.equals(key, NotesTable.FLUSH_MARK) && note.equals(ownMark)) {
            begun = true;
            // Positions of an earlier log may be higher.
            highest = position;
        }
        boolean isLate = position < highest;
        highest = Math.max(highest, position);
        if (Arrays.equals(key, NotesTable.PROGRESS)) {
            progress = isLate ? progress : SavedProgress.decode(note.utf8());
        } else if (key[0] == NotesTable.FACE) {
            overwritten |= isLate;
        }
    }

    /** Whether the owner's first row was read. */
    boolean isBegun() {
        return begun;
    }

    /** The progress that the last owner saved. */
    SavedProgress progress() {
        return progress;
    }

    long highest() {
        return highest;
    }

    /** Whether a fenced owner wrote over notes since the last call. */
    boolean takeOverwritten() {
        boolean was = overwritten;
        overwritten = false;
        return was;
    }
}
