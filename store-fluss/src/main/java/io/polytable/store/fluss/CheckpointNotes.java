package io.polytable.store.fluss;

import io.polytable.store.fluss.CheckpointTable.Piece;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The owners' notes about checkpoints that are to be removed. Each owner has rows of its own, keyed by its epoch: a
 * fenced owner that writes a note late overwrites none of its successors' notes, and they still find it. Not
 * thread-safe.
 */
final class CheckpointNotes {
    private static final String LIST = "";
    private static final int LOOKUPS_AT_ONCE = 256;

    private final CheckpointTable table;
    private final Set<Kind> searched = EnumSet.noneOf(Kind.class);

    /** The subject of a note; its number is part of the row's key. */
    enum Kind {
        /** The last checkpoint that was begun, with the files that it will have. */
        BEGUN(0),
        /** The checkpoint to be removed once the log names a newer one. */
        SUPERSEDED(1);

        private final int chunk;

        Kind(int chunk) {
            this.chunk = chunk;
        }
    }

    /** @param list the planned files, for {@link Kind#BEGUN} */
    record Note(Piece row, long epoch, long number, Bytes list) {}

    CheckpointNotes(CheckpointTable table) {
        this.table = table;
    }

    /** The numbers of checkpoints are positive; 0 was the row that all owners shared in earlier versions. */
    private static Piece row(Kind kind, long epoch) {
        return new Piece(-epoch, LIST, kind.chunk);
    }

    /** Replaces the owner's note; returns once reads show it. */
    void write(Kind kind, long epoch, long number, byte[] list) {
        byte[] note = ByteBuffer.allocate(2 * Long.BYTES + list.length)
                .putLong(epoch)
                .putLong(number)
                .put(list)
                .array();
        table.write(row(kind, epoch), note);
        table.awaitShown(row(kind, epoch), note);
    }

    /**
     * The notes of the owner of this epoch, and at the first call of all former ones. What a former owner writes after
     * that the next owner finds.
     */
    List<Note> upTo(Kind kind, long epoch) {
        List<Piece> rows = new ArrayList<>();
        if (searched.add(kind)) {
            LongStream.range(0, epoch).forEach(former -> rows.add(row(kind, former)));
        }
        rows.add(row(kind, epoch));
        List<Note> found = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += LOOKUPS_AT_ONCE) {
            List<Piece> some = rows.subList(from, Math.min(rows.size(), from + LOOKUPS_AT_ONCE));
            List<Optional<byte[]>> notes = table.readAll(some);
            for (int i = 0; i < some.size(); i++) {
                Piece row = some.get(i);
                notes.get(i)
                        .map(note -> decode(row, note))
                        .filter(note -> note.epoch() <= epoch)
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Note decode(Piece row, byte[] bytes) {
        ByteBuffer note = ByteBuffer.wrap(bytes);
        long epoch = note.getLong();
        long number = note.getLong();
        return new Note(row, epoch, number, Bytes.of(Arrays.copyOfRange(bytes, note.position(), note.limit())));
    }

    /** Removes a note of a former owner. */
    void removeFormer(Note note, long epoch) {
        if (note.epoch() < epoch) {
            remove(note);
        }
    }

    void remove(Note note) {
        table.remove(note.row());
        table.settle();
    }
}
