package io.polytable.redis.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a command: its words (the name and the arguments), its session and its unit of work. An event loop reuses
 * one instance for every command, so nobody may keep it. The words may be kept: their bytes never change.
 */
public final class Call {
    /** What an error text quotes of a word; Redis quotes some words whole. */
    private static final int QUOTED_BYTES_MAX = 1024;

    private final UnitOfWork unit;
    private final CommandTable table;
    private final KeyPositions keys = new KeyPositions();
    private Bytes[] words = new Bytes[0];
    private int size;
    private Session session = Session.detached();
    private @Nullable Command command;
    private boolean hasWork;
    private long nowMillis;

    public Call(UnitOfWork unit, CommandTable table) {
        this.unit = unit;
        this.table = table;
    }

    /** Starts a new call. The caller keeps the array and must not change it until the call has run. */
    public void begin(Session who, Bytes[] itsWords, int itsSize) {
        words = itsWords;
        size = itsSize;
        session = who;
        command = null;
        hasWork = false;
    }

    /** Joins a unit of work that the caller has already begun, as for a command inside EXEC. */
    public void join() {
        hasWork = true;
    }

    public void at(long now) {
        nowMillis = now;
    }

    public void command(Command found) {
        command = found;
    }

    /** The command of this call, once it was looked up. */
    public Command command() {
        Command found = command;
        if (found == null) {
            throw new IllegalStateException("the command was not looked up");
        }
        return found;
    }

    public int size() {
        return size;
    }

    /** Word 0 is the command's name; for a subcommand, word 1 is the subcommand's name. */
    public Bytes word(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException("word " + index + " of " + size);
        }
        return words[index];
    }

    /** A copy of the words. */
    public Bytes[] copyWords() {
        return Arrays.copyOf(words, size);
    }

    /** The word as a Redis key. */
    public Bytes key(int index) {
        return word(index);
    }

    /** Every step-th word from the index on: a view, valid during the call. */
    public List<Bytes> wordsFrom(int index, int step) {
        int count = Math.max(0, (size - index + step - 1) / step);
        return new AbstractList<>() {
            @Override
            public Bytes get(int i) {
                return word(index + i * step);
            }

            @Override
            public int size() {
                return count;
            }
        };
    }

    public List<Bytes> wordsFrom(int index) {
        return wordsFrom(index, 1);
    }

    /** Case-insensitive comparison of the word with an option's name. */
    public boolean is(int index, String option) {
        return CaseFolding.equal(word(index), option);
    }

    /** The word as Latin-1 text up to the first zero byte, which is where Redis, written in C, ends a string. */
    public String text(int index) {
        Bytes word = word(index);
        int length = 0;
        while (length < word.length() && word.at(length) != 0) {
            length++;
        }
        return new String(word.array(), word.offset(), length, ISO_8859_1);
    }

    /** The word for an error text: only its beginning, so that no error is as long as a client's largest word. */
    public String quoted(int index) {
        Bytes word = word(index);
        int length = 0;
        while (length < Math.min(word.length(), QUOTED_BYTES_MAX) && word.at(length) != 0) {
            length++;
        }
        return new String(word.array(), word.offset(), length, ISO_8859_1);
    }

    /**
     * The word as an integer.
     *
     * @throws RedisError unless it is a 64-bit integer in canonical form
     */
    public long integer(int index) {
        return integer(index, RedisError.NOT_AN_INTEGER);
    }

    public long integer(int index, RedisError otherwise) {
        return Numbers.parseLong(word(index)).orElseThrow(() -> otherwise);
    }

    public long integerOr(int index, long otherwise) {
        return Numbers.parseLong(word(index)).orElse(otherwise);
    }

    public Session session() {
        return session;
    }

    /** All commands, for COMMAND. */
    public CommandTable table() {
        return table;
    }

    /** The words from the index on as a call of their own, only to be inspected (COMMAND GETKEYS): it is never run. */
    public Call tail(int index) {
        Call tail = new Call(unit, table);
        tail.begin(session, Arrays.copyOfRange(words, index, size), size - index);
        return tail;
    }

    /** The time of the call: the same throughout, so that all expiry checks agree. */
    public long nowMillis() {
        return nowMillis;
    }

    /** The session's database, seen through this call's unit of work. */
    public Space space() {
        return space(session.database());
    }

    /** Another database, seen through the same unit of work. */
    public Space space(int database) {
        if (!hasWork) {
            hasWork = true;
            unit.begin(nowMillis, command().writes(), session);
        }
        return unit.space(database);
    }

    /** The number of databases that clients can select. */
    public int selectableDatabases() {
        return unit.selectableDatabases();
    }

    /** Whether the body asked for a space. Otherwise there is nothing to commit. */
    public boolean hasWork() {
        return hasWork;
    }

    /** The positions of the keys, found by the command's key specifications. */
    public KeyPositions keyPositions() {
        keys.clear();
        command().keys().find(this, keys);
        return keys;
    }
}
