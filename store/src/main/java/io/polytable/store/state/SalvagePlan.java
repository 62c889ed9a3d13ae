package io.polytable.store.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.store.directory.DiskSync;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What a salvage is about to replace: written once the copies of the readable rows are complete, deleted when they are
 * in place. A salvage that was interrupted in between is continued from it (docs/formats/state.md).
 */
record SalvagePlan(List<FamilyPart> families) {
    private static final String HEADER = "polytable-salvage 1";
    private static final String OPEN = "-";

    /**
     * A family whose files are replaced.
     *
     * @param directory the directory of its new files, within that of the salvage
     */
    record FamilyPart(String family, String directory, long rows, List<LostRange> lost) {
        boolean covers(Bytes key) {
            return lost.stream().anyMatch(range -> range.covers(key));
        }
    }

    /**
     * Keys whose rows could not be read.
     *
     * @param after the last key before them; empty if there is none
     * @param before the first key behind them; empty if there is none
     */
    record LostRange(Optional<Bytes> after, Optional<Bytes> before) {
        boolean covers(Bytes key) {
            return (after.isEmpty() || key.compareTo(after.get()) > 0)
                    && (before.isEmpty() || key.compareTo(before.get()) < 0);
        }

        String sentence() {
            return after.map(key -> "after the key " + key).orElse("from the first key")
                    + before.map(key -> " and before the key " + key).orElse(" to the last key");
        }
    }

    void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (FamilyPart part : families) {
            String name = URLEncoder.encode(part.family(), UTF_8);
            text.append("family ").append(name).append(' ').append(part.directory());
            text.append(' ').append(part.rows()).append('\n');
            for (LostRange range : part.lost()) {
                text.append("lost ").append(hex(range.after())).append(' ').append(hex(range.before()));
                text.append('\n');
            }
        }
        String body = text.toString();
        DiskSync.FSYNC.replace(file, body + "end " + checksum(body) + "\n");
    }

    /** The plan of an interrupted salvage, if there is one. */
    static Optional<SalvagePlan> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        int end = lines.size() - 1;
        String body = end < 1 ? "" : String.join("\n", lines.subList(0, end)) + "\n";
        if (end < 1 || !lines.get(0).equals(HEADER) || !lines.get(end).equals("end " + checksum(body))) {
            throw new StoreException(StoreError.CORRUPT, "The plan of a salvage is damaged", Map.of("path", file));
        }
        List<FamilyPart> parts = new ArrayList<>();
        for (String line : lines.subList(1, end)) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("family")) {
                String name = URLDecoder.decode(words[1], UTF_8);
                parts.add(new FamilyPart(name, words[2], Long.parseLong(words[3]), new ArrayList<>()));
            } else {
                parts.get(parts.size() - 1).lost().add(new LostRange(bytes(words[1]), bytes(words[2])));
            }
        }
        return Optional.of(new SalvagePlan(parts));
    }

    private static String checksum(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(UTF_8));
        return Long.toHexString(crc.getValue());
    }

    /** An empty key is no text, and a missing one is {@code -}. */
    private static String hex(Optional<Bytes> key) {
        return key.map(bytes -> HexFormat.of().formatHex(bytes.toByteArray())).orElse(OPEN);
    }

    private static Optional<Bytes> bytes(String hex) {
        return hex.equals(OPEN)
                ? Optional.empty()
                : Optional.of(Bytes.of(HexFormat.of().parseHex(hex)));
    }
}
