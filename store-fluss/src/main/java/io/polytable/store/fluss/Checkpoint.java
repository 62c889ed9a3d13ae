package io.polytable.store.fluss;

import io.polytable.store.Backup;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.Recovery;
import io.polytable.store.fluss.CheckpointTable.Piece;
import io.polytable.store.fluss.ownership.OwnershipFault;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Checkpoints of the state in Fluss: the files of a backup in pieces, and a list of them, written last. A checkpoint is
 * valid only if the log names it, which it does once the list is written. Each checkpoint is recorded before it is
 * written, so that pieces of an interrupted one can be removed before the next. The removal of the previous checkpoint
 * is recorded before the log names a new one. So each owner leaves at most one unfinished and one superseded
 * checkpoint, and later owners find both in its {@link CheckpointNotes}.
 */
final class Checkpoint {
    private static final int VERSION = 1;
    private static final int PIECE_BYTES = 1 << 20;
    private static final String LIST = "";

    private final CheckpointTable table;
    private final CheckpointNotes notes;

    Checkpoint(CheckpointTable table) {
        this.table = table;
        this.notes = new CheckpointNotes(table);
    }

    /** A file with its length and checksum. */
    private record Entry(String name, long length, long checksum) {
        int pieces() {
            return Math.toIntExact((length + PIECE_BYTES - 1) / PIECE_BYTES);
        }
    }

    /** Writes the files of a checkpoint to a local directory, replacing what an interrupted attempt left there. */
    static Backup.Contents image(Engine engine, Path directory) {
        StoreDirectory.deleteTree(directory);
        StoreDirectory.deleteTree(Backup.unfinishedOf(directory));
        return Backup.write(engine, directory);
    }

    /**
     * Uploads all files below the directory; returns the checkpoint's number.
     *
     * @param epoch the epoch of the owner that writes it
     */
    long write(Path directory, long epoch, Recovery.Progress progress) {
        long number = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        try (Stream<Path> walk = Files.walk(directory)) {
            List<Path> files = walk.filter(Files::isRegularFile).sorted().toList();
            List<Entry> planned = new ArrayList<>();
            for (Path file : files) {
                planned.add(new Entry(directory.relativize(file).toString(), Files.size(file), 0));
            }
            notes.write(CheckpointNotes.Kind.BEGUN, epoch, number, encode(planned));
            long total = planned.stream().mapToLong(Entry::length).sum();
            List<Entry> entries = new ArrayList<>();
            long done = 0;
            for (Path file : files) {
                Entry entry = writeFile(number, directory.relativize(file).toString(), file);
                entries.add(entry);
                done += entry.length();
                progress.replayed(done, total);
            }
            table.settle();
            byte[] list = encode(entries);
            table.write(new Piece(number, LIST, 0), list);
            // The log is about to name it, and a reader of the log looks for it at once.
            table.awaitShown(new Piece(number, LIST, 0), list);
            return number;
        } catch (IOException e) {
            throw new StoreException(
                    StoreError.IO, "The checkpoint's files cannot be read", Map.of("path", directory), e);
        }
    }

    private Entry writeFile(long number, String name, Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        long length = 0;
        try (InputStream in = Files.newInputStream(file)) {
            int chunk = 0;
            for (byte[] piece = in.readNBytes(PIECE_BYTES); piece.length > 0; piece = in.readNBytes(PIECE_BYTES)) {
                checksum.update(piece);
                length += piece.length;
                table.write(new Piece(number, name, chunk++), piece);
            }
        }
        return new Entry(name, length, checksum.getValue());
    }

    /** Downloads the files of a checkpoint into a directory. */
    void read(long number, Path directory, Recovery.Progress progress) {
        List<Entry> entries = list(number);
        long total = entries.stream().mapToLong(Entry::length).sum();
        long done = 0;
        for (Entry entry : entries) {
            try {
                readFile(number, entry, directory.resolve(entry.name()));
            } catch (IOException e) {
                throw new StoreException(
                        StoreError.IO, "The checkpoint's files cannot be written", Map.of("path", directory), e);
            }
            done += entry.length();
            progress.replayed(done, total);
        }
    }

    private List<Entry> list(long number) {
        return decode(table.read(new Piece(number, LIST, 0)).orElseThrow(() -> damaged(number, "its list of files")));
    }

    private void readFile(long number, Entry entry, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        CRC32C checksum = new CRC32C();
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int chunk = 0; chunk < entry.pieces(); chunk++) {
                byte[] piece = table.read(new Piece(number, entry.name(), chunk))
                        .orElseThrow(() -> damaged(number, entry.name()));
                checksum.update(piece);
                out.write(piece);
            }
        }
        if (checksum.getValue() != entry.checksum()) {
            throw damaged(number, entry.name());
        }
    }

    private static StoreException damaged(long number, String file) {
        return new StoreException(
                StoreError.CORRUPT, "A checkpoint in Fluss is damaged", Map.of("checkpoint", number, "file", file));
    }

    /**
     * Removes the checkpoints that this owner or a former one began, unless the log names them. Those of a later owner
     * stay: then the caller was overtaken and does not know what that owner's log names.
     *
     * @param epoch the caller's epoch
     */
    void removeUnfinished(long epoch, long named) {
        for (CheckpointNotes.Note note : notes.upTo(CheckpointNotes.Kind.BEGUN, epoch)) {
            if (note.number() != named) {
                remove(note.number(), decode(note.list().toByteArray()));
            }
            notes.removeFormer(note, epoch);
        }
    }

    /** Records that a checkpoint is to be removed once the log names another, by whichever owner is alive then. */
    void supersede(long epoch, long number) {
        notes.write(CheckpointNotes.Kind.SUPERSEDED, epoch, number, new byte[0]);
    }

    /** Removes the superseded checkpoints, under the same conditions as {@link #removeUnfinished}. */
    void removeSuperseded(long epoch, long named) {
        for (CheckpointNotes.Note note : notes.upTo(CheckpointNotes.Kind.SUPERSEDED, epoch)) {
            if (note.number() != named) {
                // The list is removed last: as long as it exists, there may be pieces.
                table.read(new Piece(note.number(), LIST, 0)).ifPresent(list -> remove(note.number(), decode(list)));
                notes.remove(note);
            }
        }
    }

    private void remove(long number, List<Entry> entries) {
        for (Entry entry : entries) {
            for (int chunk = 0; chunk < entry.pieces(); chunk++) {
                table.remove(new Piece(number, entry.name(), chunk));
            }
        }
        table.settle();
        table.remove(new Piece(number, LIST, 0));
        table.settle();
    }

    /** {@code version:4}, then lines {@code length checksum name}. */
    private static byte[] encode(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        entries.forEach(entry -> text.append(entry.length())
                .append(' ')
                .append(entry.checksum())
                .append(' ')
                .append(entry.name())
                .append('\n'));
        byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + lines.length)
                .putInt(VERSION)
                .put(lines)
                .array();
    }

    private static List<Entry> decode(byte[] bytes) {
        int version = ByteBuffer.wrap(bytes).getInt();
        if (version > VERSION) {
            throw OwnershipFault.newer(version, VERSION);
        }
        String text = new String(bytes, Integer.BYTES, bytes.length - Integer.BYTES, StandardCharsets.UTF_8);
        return text.lines()
                .map(line -> line.split(" ", 3))
                .map(parts -> new Entry(parts[2], Long.parseLong(parts[0]), Long.parseLong(parts[1])))
                .toList();
    }
}
