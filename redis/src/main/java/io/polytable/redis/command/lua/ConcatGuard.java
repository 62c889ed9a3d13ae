package io.polytable.redis.command.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Rewrites a compiled script so that each concatenation first has its length checked. Lua offers no other place for
 * that: one instruction concatenates up to 250 strings, and 40 times {@code s = s .. s} is all memory there is.
 *
 * <p>The instruction becomes a jump to the end of its function, where a call of the check, the instruction itself and a
 * jump back are appended. Nothing else moves, so all other jumps stay valid. The instruction is executed where its
 * operands still are, so its errors name the same variables, and its line is kept.
 */
final class ConcatGuard {
    /** The names of the functions that check the first operands, and the following ones. */
    static final String FIRST = "(concat)";

    static final String MORE = "(concat more)";

    private static final int HEADER_BYTES = 12;
    private static final int REGISTERS_MAX = 250;
    private static final int OPERANDS_AT_ONCE = 40;
    private static final int JUMP_BIAS = 131071;
    private static final int CONSTANTS_MAX = (1 << 18) - 4;

    private static final int MOVE = 0;
    private static final int GETGLOBAL = 5;
    private static final int CONCAT = 21;
    private static final int JMP = 22;
    private static final int CALL = 28;
    private static final int TAILCALL = 29;
    private static final int RETURN = 30;
    private static final int SETLIST = 34;

    /** The script has a function that cannot be rewritten. */
    private static final class TooComplex extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooComplex() {
            super(null, null, false, false);
        }
    }

    /** A reader and writer over the same walk through the chunk. */
    private static final class Walk {
        private final ByteBuffer in;
        private ByteBuffer out;

        Walk(byte[] chunk) {
            in = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
            out = ByteBuffer.allocate(chunk.length * 2 + 1024).order(ByteOrder.LITTLE_ENDIAN);
        }

        private void room(int bytes) {
            if (out.remaining() < bytes) {
                ByteBuffer more =
                        ByteBuffer.allocate((out.capacity() + bytes) * 2).order(ByteOrder.LITTLE_ENDIAN);
                out.flip();
                more.put(out);
                out = more;
            }
        }

        void copy(int bytes) {
            room(bytes);
            out.put(in.array(), in.position(), bytes);
            in.position(in.position() + bytes);
        }

        void copyText() {
            long length = in.getLong(in.position());
            copy(Long.BYTES + (int) length);
        }

        int readInt() {
            return in.getInt();
        }

        void writeInt(int value) {
            room(Integer.BYTES);
            out.putInt(value);
        }

        void writeText(String text) {
            byte[] bytes = text.getBytes(ISO_8859_1);
            room(Long.BYTES + bytes.length + 2);
            out.put((byte) 4).putLong(bytes.length + 1L).put(bytes).put((byte) 0);
        }

        byte[] result() {
            byte[] bytes = new byte[out.position()];
            System.arraycopy(out.array(), 0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    /** Returns the rewritten chunk; empty when the script is too complex. */
    byte[] refine(byte[] chunk) {
        Walk walk = new Walk(chunk);
        try {
            walk.copy(HEADER_BYTES);
            function(walk);
            return walk.result();
        } catch (TooComplex e) {
            return new byte[0];
        }
    }

    private static void function(Walk walk) {
        walk.copyText();
        walk.copy(2 * Integer.BYTES + 3);
        int stackAt = walk.out.position();
        walk.copy(1);
        int[] code = ints(walk);
        // The constants follow the code, but the code refers to the two that are added to them.
        int constantsAt = walk.in.position();
        int constants = walk.readInt();
        walk.in.position(constantsAt);
        Rewritten rewritten = rewrite(code, constants, walk.out.get(stackAt) & 0xff);
        walk.out.put(stackAt, (byte) rewritten.registers);
        walk.writeInt(rewritten.code.size());
        rewritten.code.forEach(walk::writeInt);
        constants(walk, rewritten.isChanged());
        int functions = walk.readInt();
        walk.writeInt(functions);
        for (int i = 0; i < functions; i++) {
            function(walk);
        }
        lines(walk, rewritten);
        int locals = walk.readInt();
        walk.writeInt(locals);
        for (int i = 0; i < locals; i++) {
            walk.copyText();
            walk.copy(2 * Integer.BYTES);
        }
        int upvalues = walk.readInt();
        walk.writeInt(upvalues);
        for (int i = 0; i < upvalues; i++) {
            walk.copyText();
        }
    }

    private static int[] ints(Walk walk) {
        int[] all = new int[walk.readInt()];
        for (int i = 0; i < all.length; i++) {
            all[i] = walk.readInt();
        }
        return all;
    }

    private static void constants(Walk walk, boolean more) {
        int count = walk.readInt();
        walk.writeInt(more ? count + 2 : count);
        for (int i = 0; i < count; i++) {
            int type = walk.in.get(walk.in.position());
            walk.copy(1);
            switch (type) {
                case LuaStack.NIL -> {}
                case LuaStack.BOOLEAN -> walk.copy(1);
                case LuaStack.NUMBER -> walk.copy(Double.BYTES);
                case LuaStack.STRING -> walk.copyText();
                default -> throw new TooComplex();
            }
        }
        if (more) {
            walk.writeText(FIRST);
            walk.writeText(MORE);
        }
    }

    private static void lines(Walk walk, Rewritten rewritten) {
        int[] lines = ints(walk);
        if (lines.length == 0) {
            walk.writeInt(0);
            return;
        }
        walk.writeInt(rewritten.origins.size());
        rewritten.origins.forEach(origin -> walk.writeInt(lines[origin]));
    }

    /** The code, and for each instruction the one from which it has its line. */
    private static final class Rewritten {
        private final List<Integer> code = new ArrayList<>();
        private final List<Integer> origins = new ArrayList<>();
        private int registers;
        private final int before;

        Rewritten(int[] code, int registers) {
            this.registers = registers;
            this.before = code.length;
            for (int i = 0; i < code.length; i++) {
                add(code[i], i);
            }
        }

        void add(int instruction, int origin) {
            code.add(instruction);
            origins.add(origin);
        }

        boolean isChanged() {
            return code.size() > before;
        }
    }

    private static Rewritten rewrite(int[] code, int constants, int registers) {
        Rewritten made = new Rewritten(code, registers);
        for (int at = 0; at < code.length; at++) {
            int instruction = code[at];
            int op = op(instruction);
            if (op == SETLIST && c(instruction) == 0) {
                // A number follows in place of an instruction.
                at++;
            } else if (op == TAILCALL) {
                // The return that follows it returns all results. The caller's line stays known for errors.
                made.code.set(at, (instruction & ~0x3f) | CALL);
            } else if (op == CONCAT) {
                if (constants > CONSTANTS_MAX) {
                    throw new TooComplex();
                }
                made.code.set(at, jump(at, made.code.size()));
                append(made, instruction, at, constants);
                made.add(jump(made.code.size(), at + 1), at);
            }
        }
        if (made.isChanged()) {
            // Lua wants a function to end with a return.
            made.add(RETURN | (1 << 23), code.length - 1);
        }
        return made;
    }

    private static void append(Rewritten made, int concat, int at, int constants) {
        int first = b(concat);
        int last = c(concat);
        int base = last + 1;
        for (int from = first; from <= last; from += OPERANDS_AT_ONCE) {
            int count = Math.min(OPERANDS_AT_ONCE, last - from + 1);
            int needed = base + 1 + count;
            if (needed > REGISTERS_MAX) {
                throw new TooComplex();
            }
            made.registers = Math.max(made.registers, needed);
            int name = from == first ? constants : constants + 1;
            made.add(GETGLOBAL | (base << 6) | (name << 14), at);
            for (int i = 0; i < count; i++) {
                made.add(MOVE | ((base + 1 + i) << 6) | ((from + i) << 23), at);
            }
            made.add(CALL | (base << 6) | ((count + 1) << 23) | (1 << 14), at);
        }
        made.add(concat, at);
    }

    private static int jump(int from, int to) {
        return JMP | ((to - (from + 1) + JUMP_BIAS) << 14);
    }

    private static int op(int instruction) {
        return instruction & 0x3f;
    }

    private static int c(int instruction) {
        return (instruction >>> 14) & 0x1ff;
    }

    private static int b(int instruction) {
        return instruction >>> 23;
    }
}
