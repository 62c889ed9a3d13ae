package io.polytable.redis.command.lua;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import party.iroiro.luajava.LuaException;
import party.iroiro.luajava.lua51.Lua51Natives;

/** Values of a Lua stack as exact bytes and numbers. Only operations that cannot raise an error. */
final class LuaStack {
    static final int NIL = 0;
    static final int BOOLEAN = 1;
    static final int NUMBER = 3;
    static final int STRING = 4;
    static final int TABLE = 5;

    /** The header of a precompiled chunk of Lua 5.1: little-endian, 4-byte int, 8-byte size_t, 8-byte double. */
    private static final byte[] HEADER = {0x1b, 'L', 'u', 'a', 0x51, 0, 1, 4, 8, 4, 8, 0};

    /** LOADK 0 0; RETURN 0 2; RETURN 0 1. */
    private static final int[] RETURN_CONSTANT = {0x00000001, 0x0100001e, 0x0080001e};

    private static final int CHUNK_OVERHEAD = 128;
    private static final int KEPT_BYTES = 64 << 10;
    private static final byte TEXT_CONSTANT = 4;

    private final Lua51Natives natives;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(KEPT_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    LuaStack(Lua51Natives natives) {
        this.natives = natives;
    }

    Lua51Natives natives() {
        return natives;
    }

    /** The string at the index; numbers are not converted. */
    Bytes bytes(long state, int index) {
        ByteBuffer view = (ByteBuffer) natives.luaJ_todirectbuffer(state, index);
        if (view == null) {
            return Bytes.EMPTY;
        }
        byte[] copy = new byte[view.remaining()];
        view.get(copy);
        return Bytes.of(copy);
    }

    String text(long state, int index) {
        Bytes bytes = bytes(state, index);
        return new String(bytes.array(), bytes.offset(), bytes.length(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    /** Pushes exactly these bytes. */
    void push(long state, Bytes value) {
        natives.lua_checkstack(state, 4);
        if (isPlain(value)) {
            natives.lua_pushstring(
                    state,
                    new String(
                            value.array(),
                            value.offset(),
                            value.length(),
                            java.nio.charset.StandardCharsets.ISO_8859_1));
        } else {
            pushAsConstant(state, value);
        }
    }

    void push(long state, String latin1) {
        push(state, Bytes.of(latin1.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
    }

    /** Whether the bytes are the same in JNI's modified UTF-8, and no zero byte ends them early. */
    private static boolean isPlain(Bytes value) {
        byte[] array = value.array();
        int end = value.offset() + value.length();
        for (int i = value.offset(); i < end; i++) {
            if (array[i] <= 0) {
                return false;
            }
        }
        return true;
    }

    /** There is no call that pushes bytes: a precompiled chunk returns them. */
    private void pushAsConstant(long state, Bytes value) {
        ByteBuffer chunk = room(value.length() + CHUNK_OVERHEAD);
        chunk.put(HEADER).putLong(0).putInt(0).putInt(0);
        chunk.put(new byte[] {0, 0, 0, 2});
        chunk.putInt(RETURN_CONSTANT.length);
        for (int instruction : RETURN_CONSTANT) {
            chunk.putInt(instruction);
        }
        chunk.putInt(1).put(TEXT_CONSTANT).putLong(value.length() + 1L);
        chunk.put(value.array(), value.offset(), value.length()).put((byte) 0);
        chunk.putInt(0).putInt(0).putInt(0).putInt(0);
        load(state, chunk, "=bytes");
        if (natives.lua_pcall(state, 0, 1, 0) != 0) {
            throw new IllegalStateException("bytes could not be pushed");
        }
    }

    /** Loads a trusted chunk or a text; the function is on the stack then. */
    void load(long state, Bytes code, String name) {
        ByteBuffer all = room(code.length());
        all.put(code.array(), code.offset(), code.length());
        load(state, all, name);
    }

    private void load(long state, ByteBuffer filled, String name) {
        int status = natives.luaJ_loadbuffer(state, filled, filled.position(), name);
        if (buffer.capacity() > KEPT_BYTES) {
            buffer = ByteBuffer.allocateDirect(KEPT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (status != 0) {
            String why = text(state, -1);
            natives.lua_pop(state, 1);
            throw new LuaException(LuaException.LuaError.SYNTAX, why);
        }
    }

    private ByteBuffer room(int bytes) {
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer.clear();
    }
}
