package io.polytable.store.fluss.projection;

import io.polytable.table.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How far a projection's tables are, as stored in Fluss.
 *
 * @param position the end of the last window; empty if the tables must be rebuilt
 * @param verified up to where the tables' changelogs hold nothing of a fenced owner that is not repaired
 * @param notesPosition the highest log position in the verified part of the notes' changelog
 */
record SavedProgress(Optional<Position> position, Map<String, TableOffsets> verified, long notesPosition) {
    static final SavedProgress NONE = new SavedProgress(Optional.empty(), Map.of(), Long.MIN_VALUE);

    private static final String AT = "at ";
    private static final String REBUILD = "rebuild";

    /** The next offset of each bucket of a table, which is identified by its number in Fluss. */
    record TableOffsets(long tableId, List<Long> next) {
        TableOffsets {
            next = List.copyOf(next);
        }
    }

    SavedProgress {
        verified = Map.copyOf(verified);
    }

    SavedProgress forgotten() {
        return new SavedProgress(Optional.empty(), verified, notesPosition);
    }

    /** A line for the position, one for that of the notes, and one per table: number, offsets, identity. */
    String encode() {
        List<String> lines = new ArrayList<>();
        lines.add(position.map(at -> AT + at.text()).orElse(REBUILD));
        lines.add(Long.toString(notesPosition));
        verified.forEach((table, offsets) -> lines.add(offsets.tableId() + " "
                + offsets.next().stream().map(String::valueOf).collect(Collectors.joining(","))
                + " " + table));
        return String.join("\n", lines);
    }

    static SavedProgress decode(String text) {
        List<String> lines = List.of(text.split("\n", -1));
        Map<String, TableOffsets> verified = new HashMap<>();
        for (String line : lines.subList(2, lines.size())) {
            String[] parts = line.split(" ", 3);
            List<Long> next =
                    Arrays.stream(parts[1].split(",", -1)).map(Long::valueOf).toList();
            verified.put(parts[2], new TableOffsets(Long.parseLong(parts[0]), next));
        }
        String first = lines.get(0);
        return new SavedProgress(
                first.startsWith(AT) ? Optional.of(Position.parse(first.substring(AT.length()))) : Optional.empty(),
                verified,
                Long.parseLong(lines.get(1)));
    }
}
