package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hash table of commands by case-insensitive name; lookups do not allocate. */
final class NameTable {
    private final Command[] slots;
    private final byte[][] names;
    private final int mask;

    NameTable(List<Command> commands) {
        int capacity = Integer.highestOneBit(Math.max(1, commands.size()) * 4);
        slots = new Command[capacity];
        names = new byte[capacity][];
        mask = capacity - 1;
        commands.forEach(this::add);
    }

    private void add(Command command) {
        Bytes name = Bytes.utf8(command.name());
        if (find(name) != null) {
            throw new IllegalStateException("two commands are called " + command.fullName());
        }
        int slot = hash(name) & mask;
        while (names[slot] != null) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = command;
        names[slot] = name.array();
    }

    @Nullable
    Command find(Bytes name) {
        for (int slot = hash(name) & mask; names[slot] != null; slot = (slot + 1) & mask) {
            if (CaseFolding.equal(name, names[slot])) {
                return slots[slot];
            }
        }
        return null;
    }

    private static int hash(Bytes name) {
        byte[] array = name.array();
        int end = name.offset() + name.length();
        int hash = name.length();
        for (int i = name.offset(); i < end; i++) {
            // The bit turns ASCII letters to lower case. Other bytes may collide; the comparison distinguishes them.
            hash = hash * 31 + (array[i] | 0x20);
        }
        return hash ^ (hash >>> 15);
    }
}
