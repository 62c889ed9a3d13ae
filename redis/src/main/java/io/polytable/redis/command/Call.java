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
 * One call of a command: its words, its session and its unit of work. An event loop reuses one for every command, so
 * nobody keeps it; the words may be kept, their bytes never change.
 */
public final class Call {
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

    /** Begins a new call. The array stays the caller's, who leaves it alone until the call was run. */
    public void begin(Session who, Bytes[] itsWords, int itsSize) {
        words = itsWords;
        size = itsSize;
        session = who;
        command = null;
        hasWork = false;
    }

    /** Uses the unit of work as it is, begun by whoever runs this call within a larger one. */
    public void join() {
        hasWork = true;
    }

    public void at(long now) {
        nowMillis = now;
    }

    public void command(Command found) {
        command = found;
    }

    /** Which command this is, once looked up. */
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

    /** The name is word 0; of a subcommand its own name is word 1. */
    public Bytes word(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException("word " + index + " of " + size);
        }
        return words[index];
    }

    /** The words in an array of the caller's own. */
    public Bytes[] copyWords() {
        return Arrays.copyOf(words, size);
    }

    /** The word as a Redis key. */
    public Bytes key(int index) {
        return word(index);
    }

    /** The words from the index on, each step-th one; a view for use during the call. */
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

    /** Whether the word is this one, whatever the case of its letters. */
    public boolean is(int index, String option) {
        return CaseFolding.equal(word(index), option);
    }

    /** The word as text, byte for char, up to a zero byte: what Redis, written in C, takes for the text and prints. */
    public String text(int index) {
        Bytes word = word(index);
        int length = 0;
        while (length < word.length() && word.at(length) != 0) {
            length++;
        }
        return new String(word.array(), word.offset(), length, ISO_8859_1);
    }

    /**
     * The word as a number.
     *
     * @throws RedisError when it is not a 64-bit integer in its only spelling
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

    /** All commands: what COMMAND tells of. */
    public CommandTable table() {
        return table;
    }

    /** The call that this one's words from the index on would be. Nobody runs it. */
    public Call tail(int index) {
        Call tail = new Call(unit, table);
        tail.begin(session, Arrays.copyOfRange(words, index, size), size - index);
        return tail;
    }

    /** One moment for the whole call. */
    public long nowMillis() {
        return nowMillis;
    }

    /** The client's database through this call's unit of work. */
    public Space space() {
        return space(session.database());
    }

    /** Another database through the same unit of work. */
    public Space space(int database) {
        if (!hasWork) {
            hasWork = true;
            unit.begin(nowMillis, command().writes(), session);
        }
        return unit.space(database);
    }

    /** Whether the body asked for a space: otherwise there is nothing to commit. */
    public boolean hasWork() {
        return hasWork;
    }

    /** Where the keys are, by the command's declaration. */
    public KeyPositions keyPositions() {
        keys.clear();
        command().keys().find(this, keys);
        return keys;
    }
}
