package io.polytable.redis.command.lua;

import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import party.iroiro.luajava.lua51.Lua51Natives;

/** Converts between replies and Lua values, as Redis does. */
final class LuaReplies {
    private static final int BULK = 1;
    private static final int INT = 2;
    private static final int NULL = 3;
    private static final int ARRAY = 4;
    private static final int ERROR = 5;
    private static final int STATUS = 6;
    private static final int DOUBLE = 7;
    private static final int MAP = 8;
    private static final int SET = 9;
    private static final int BIG = 10;
    private static final int VERBATIM = 11;
    private static final int BOOL = 12;

    private static final int SLOTS = 8;

    private final LuaStack stack;
    private final Lua51Natives natives;

    LuaReplies(LuaStack stack) {
        this.stack = stack;
        this.natives = stack.natives();
    }

    /** Pushes the reply of a command as one value. */
    void push(long state, Reply reply, boolean resp3) {
        natives.lua_checkstack(state, SLOTS);
        if (reply instanceof Reply.Bulk bulk) {
            stack.push(state, bulk.value());
        } else if (reply instanceof Reply.Int number) {
            natives.lua_pushnumber(state, (double) number.value());
        } else if (reply instanceof Reply.Absent || reply instanceof Reply.AbsentArray) {
            pushAbsent(state, resp3);
        } else if (reply instanceof Reply.Simple simple) {
            pushField(state, "ok", () -> stack.push(state, simple.text()));
        } else if (reply instanceof Reply.Failure failure) {
            pushField(state, "err", () -> stack.push(state, failure.error().line()));
        } else if (reply instanceof Reply.Many many) {
            pushItems(state, many.items(), resp3);
        } else if (reply instanceof Reply.Bulks bulks) {
            pushBulks(state, bulks.values());
        } else {
            pushRare(state, reply, resp3);
        }
    }

    private void pushAbsent(long state, boolean resp3) {
        if (resp3) {
            natives.lua_pushnil(state);
        } else {
            natives.lua_pushboolean(state, 0);
        }
    }

    private void pushRare(long state, Reply reply, boolean resp3) {
        if (reply instanceof Reply.MapOf map) {
            pushMap(state, map.namesAndValues(), resp3);
        } else if (reply instanceof Reply.SetOf set) {
            pushSet(state, set.items(), resp3);
        } else if (reply instanceof Reply.DoubleOf number) {
            pushDouble(state, number.value(), resp3);
        } else if (reply instanceof Reply.DecimalOf decimal) {
            pushDecimal(state, decimal.digits(), resp3);
        } else if (reply instanceof Reply.Bool bool) {
            pushBool(state, bool.value(), resp3);
        } else if (reply instanceof Reply.BigNumber big) {
            pushBig(state, big.digits(), resp3);
        } else if (reply instanceof Reply.Verbatim verbatim) {
            pushVerbatim(state, verbatim, resp3);
        } else {
            throw new IllegalStateException("no Lua value for " + reply);
        }
    }

    private void pushField(long state, String name, Runnable value) {
        natives.lua_createtable(state, 0, 1);
        natives.lua_pushstring(state, name);
        value.run();
        natives.lua_rawset(state, -3);
    }

    private void pushItems(long state, List<? extends Reply> items, boolean resp3) {
        natives.lua_createtable(state, items.size(), 0);
        for (int i = 0; i < items.size(); i++) {
            push(state, items.get(i), resp3);
            natives.lua_rawseti(state, -2, i + 1);
        }
    }

    private void pushBulks(long state, List<Bytes> values) {
        natives.lua_createtable(state, values.size(), 0);
        for (int i = 0; i < values.size(); i++) {
            stack.push(state, values.get(i));
            natives.lua_rawseti(state, -2, i + 1);
        }
    }

    private void pushMap(long state, List<? extends Reply> namesAndValues, boolean resp3) {
        if (!resp3) {
            pushItems(state, namesAndValues, false);
            return;
        }
        pushField(state, "map", () -> {
            natives.lua_createtable(state, 0, namesAndValues.size() / 2);
            for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
                push(state, namesAndValues.get(i), true);
                push(state, namesAndValues.get(i + 1), true);
                natives.lua_rawset(state, -3);
            }
        });
    }

    private void pushSet(long state, List<? extends Reply> items, boolean resp3) {
        if (!resp3) {
            pushItems(state, items, false);
            return;
        }
        pushField(state, "set", () -> {
            natives.lua_createtable(state, 0, items.size());
            for (Reply item : items) {
                push(state, item, true);
                natives.lua_pushboolean(state, 1);
                natives.lua_rawset(state, -3);
            }
        });
    }

    private void pushDouble(long state, double value, boolean resp3) {
        if (resp3) {
            pushField(state, "double", () -> natives.lua_pushnumber(state, value));
        } else {
            stack.push(state, Numbers.format(value));
        }
    }

    private void pushDecimal(long state, String digits, boolean resp3) {
        if (resp3) {
            pushField(state, "double", () -> natives.lua_pushnumber(state, Double.parseDouble(digits)));
        } else {
            stack.push(state, digits);
        }
    }

    private void pushBool(long state, boolean value, boolean resp3) {
        if (resp3) {
            natives.lua_pushboolean(state, value ? 1 : 0);
        } else {
            natives.lua_pushnumber(state, value ? 1 : 0);
        }
    }

    private void pushBig(long state, String digits, boolean resp3) {
        if (resp3) {
            pushField(state, "big_number", () -> stack.push(state, digits));
        } else {
            stack.push(state, digits);
        }
    }

    private void pushVerbatim(long state, Reply.Verbatim verbatim, boolean resp3) {
        if (!resp3) {
            stack.push(state, verbatim.text());
            return;
        }
        pushField(state, "verbatim_string", () -> {
            natives.lua_createtable(state, 0, 2);
            natives.lua_pushstring(state, "format");
            stack.push(state, verbatim.format());
            natives.lua_rawset(state, -3);
            natives.lua_pushstring(state, "string");
            stack.push(state, verbatim.text());
            natives.lua_rawset(state, -3);
        });
    }

    /** The result of a script: a plain value, or the flat list of a table that the sandbox made. */
    Reply read(long state, int index, boolean resp3) {
        return switch (natives.lua_type(state, index)) {
            case LuaStack.STRING -> Reply.of(stack.bytes(state, index));
            case LuaStack.NUMBER -> Reply.of((long) natives.lua_tonumber(state, index));
            case LuaStack.BOOLEAN -> bool(natives.lua_toboolean(state, index) != 0, resp3);
            case LuaStack.TABLE -> new Flat(state, index, resp3).next();
            default -> Reply.ABSENT;
        };
    }

    private static Reply bool(boolean value, boolean resp3) {
        if (resp3) {
            return new Reply.Bool(value);
        }
        return value ? Reply.ONE : Reply.ABSENT;
    }

    /** Reads a flat list in order. */
    private final class Flat {
        private final long state;
        private final int index;
        private final boolean resp3;
        private int at;

        Flat(long state, int index, boolean resp3) {
            this.state = state;
            this.index = index;
            this.resp3 = resp3;
        }

        private double number() {
            natives.lua_rawgeti(state, index, ++at);
            double value = natives.lua_tonumber(state, -1);
            natives.lua_pop(state, 1);
            return value;
        }

        private Bytes bytes() {
            natives.lua_rawgeti(state, index, ++at);
            Bytes value = stack.bytes(state, -1);
            natives.lua_pop(state, 1);
            return value;
        }

        private String line() {
            Bytes value = bytes();
            return new String(
                            value.array(), value.offset(), value.length(), java.nio.charset.StandardCharsets.ISO_8859_1)
                    .replace('\r', ' ')
                    .replace('\n', ' ');
        }

        Reply next() {
            int tag = (int) number();
            return switch (tag) {
                case BULK -> Reply.of(bytes());
                case INT -> Reply.of((long) number());
                case ERROR -> Reply.error(RedisError.ofLine(line()));
                case STATUS -> Reply.simple(line());
                case DOUBLE -> Reply.of(number());
                case BIG -> new Reply.BigNumber(line());
                case BOOL -> bool(number() != 0, resp3);
                case VERBATIM -> new Reply.Verbatim(format(line()), bytes());
                case ARRAY -> Reply.many(items((int) number()));
                case SET -> new Reply.SetOf(items((int) number()));
                case MAP -> Reply.mapOf(items(2 * (int) number()));
                case NULL -> {
                    at++;
                    yield Reply.ABSENT;
                }
                default -> throw new IllegalStateException("unknown tag " + tag);
            };
        }

        private static String format(String text) {
            return (text + "   ").substring(0, 3).toLowerCase(Locale.ROOT);
        }

        private List<Reply> items(int count) {
            List<Reply> items = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                items.add(next());
            }
            return items;
        }
    }
}
