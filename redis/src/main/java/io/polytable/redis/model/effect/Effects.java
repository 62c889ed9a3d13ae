package io.polytable.redis.model.effect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** The commands of one commit, encoded as a client would send them. */
public final class Effects {
    private static final int BYTES_MAX = Integer.MAX_VALUE - 64;
    private static final Bytes LINE_END = Bytes.utf8("\r\n");

    private final PackedBytes bytes = new PackedBytes(BYTES_MAX);
    private int count;
    private int firstDatabase = -1;
    private int lastDatabase = -1;

    /** Adds a command in a database. */
    void in(int database, List<Bytes> words) {
        if (firstDatabase < 0) {
            firstDatabase = database;
        } else if (database != lastDatabase) {
            encode(select(database), bytes);
        }
        lastDatabase = database;
        encode(words, bytes);
        count++;
    }

    /** Adds a command in a database, whose words are texts except those given as bytes. */
    void in(int database, Object... words) {
        List<Bytes> all = new ArrayList<>(words.length);
        for (Object word : words) {
            all.add(word instanceof Bytes given ? given : Bytes.utf8(word.toString()));
        }
        in(database, all);
    }

    public static List<Bytes> select(int database) {
        return List.of(Bytes.utf8("SELECT"), Bytes.utf8(Integer.toString(database)));
    }

    /** Encodes a command. */
    public static void encode(List<Bytes> words, PackedBytes out) {
        out.add(number('*', words.size()));
        for (Bytes word : words) {
            out.add(number('$', word.length())).add(word).add(LINE_END);
        }
    }

    private static Bytes number(char sign, int number) {
        return Bytes.of((sign + Integer.toString(number) + "\r\n").getBytes(US_ASCII));
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Whether a replica must run them as one transaction. */
    public boolean isTransaction() {
        return count > 1;
    }

    /** The database of the first command, which is not selected by these bytes. */
    public int firstDatabase() {
        return firstDatabase;
    }

    /** The database that is selected after these bytes. */
    public int lastDatabase() {
        return lastDatabase;
    }

    public Bytes bytes() {
        return bytes.toBytes();
    }
}
